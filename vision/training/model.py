"""The network: layers at 1 mm in, log odds at 4 mm out."""

import torch
from torch import Tensor, nn

from .crops import COMMON, KINDS

HEARD_AFTER, TOLD = (1, 3), 16
"""After these blocks of a kind's branch it hears of the other kinds, by so many signs of each."""


class Block(nn.Module):
    """A residual step that sees `reach` cells of its grid further."""

    def __init__(self, width: int, reach: int) -> None:
        super().__init__()
        self.step = nn.Sequential(
            nn.Conv2d(width, width, 3, padding=reach, dilation=reach, bias=False),
            nn.BatchNorm2d(width),
            nn.ReLU(),
        )

    def forward(self, x: Tensor) -> Tensor:
        return x + self.step(x)


class Reader(nn.Module):
    """Layers at 1 mm → log odds at 4 mm: for each kind that a piece of it stands there, and that a card shows its
    symbol; card, marker, hidden, wild card.

    One branch sees the photo and the print. The other sees them too, and one kind's layers, and has the same
    weights for every kind; twice on its way it hears the strongest signs of any kind, since where a piece of one kind
    stands, none of another does. What is no kind's, a marker say, is told from both branches.
    """

    def __init__(self, fine: int = 32, wide: int = 64) -> None:
        super().__init__()
        self.see, self.print = unit(COMMON, fine, 5, 2), nn.Conv2d(COMMON, fine, 5, 2, 2, bias=False)
        self.kind = nn.Conv2d(3, fine, 5, 2, 2, bias=False)
        self.start = nn.Sequential(nn.BatchNorm2d(fine), nn.ReLU())
        self.down, self.down_kind = unit(fine, wide, 3, 2), unit(fine, wide, 3, 2)
        self.body = nn.Sequential(*(Block(wide, reach) for reach in (1, 2, 4, 8)))
        self.hint = nn.Conv2d(wide, wide, 1)
        self.body_kind = nn.Sequential(*(Block(wide, reach) for reach in (1, 2, 1, 3, 1, 1)))
        self.rival = nn.ModuleList(nn.Conv2d(TOLD, wide, 1) for _ in HEARD_AFTER)
        self.join = nn.Sequential(unit(2 * wide, wide, 3, 1), Block(wide, 2))
        self.end, self.end_kind = nn.Conv2d(wide, 4, 1), nn.Conv2d(wide, 2, 1)
        for end in (self.end, self.end_kind):
            assert end.bias is not None
            nn.init.constant_(end.bias, -7.0)
        for rival in self.rival:
            # At first nothing is heard, so that what was taught without it says what it said.
            nn.init.zeros_(rival.weight)
            nn.init.zeros_(rival.bias)

    @staticmethod
    def of(weights: dict[str, Tensor]) -> "Reader":
        """The network whose weights these are."""
        model = Reader(weights["see.0.weight"].shape[0], weights["down.0.weight"].shape[0])
        model.load_state_dict(weights)
        return model

    def forward(self, common: Tensor, kinds: Tensor) -> tuple[Tensor, Tensor]:
        """`common` (batch, 9, h, w), `kinds` (batch · kinds, 3, h, w) → (batch · kinds, 2, h/4, w/4), (batch, 4, …)."""

        count = kinds.shape[0] // common.shape[0]

        def for_each(x: Tensor) -> Tensor:
            # One sight alone is added to all kinds as it is.
            return x if common.shape[0] == 1 else x.repeat_interleave(count, 0)

        def of_any(x: Tensor) -> Tensor:
            if common.shape[0] == 1:
                return x.amax(0, keepdim=True)
            return x.view(-1, count, *x.shape[1:]).amax(1)

        coarse = self.body(self.down(self.see(common)))
        fine = self.start(self.kind(kinds) + for_each(self.print(common)))
        coarse_kind = self.down_kind(fine) + for_each(self.hint(coarse))
        for n, block in enumerate(self.body_kind):
            coarse_kind = block(coarse_kind)
            if n in HEARD_AFTER:
                rival = self.rival[HEARD_AFTER.index(n)]
                coarse_kind = coarse_kind + for_each(rival(of_any(coarse_kind[:, :TOLD])))
        both = self.join(torch.cat([coarse, of_any(coarse_kind)], 1))
        return self.end_kind(coarse_kind), self.end(both)

    def odds(self, batch: list[dict[str, Tensor]]) -> Tensor:
        """(batch, outputs, h, w) of crops."""
        shown = torch.stack([b["common"] for b in batch]), torch.cat([b["kinds"] for b in batch])
        of_kinds, rest = self(*(layers.to(memory_format=torch.channels_last) for layers in shown))
        of_kinds = of_kinds.view(len(batch), KINDS, *of_kinds.shape[1:])
        return torch.cat([of_kinds[:, :, 0], rest[:, :3], of_kinds[:, :, 1], rest[:, 3:]], 1).float()


def widened(model: Reader, weights: dict[str, Tensor]) -> Reader:
    """The model with the weights of one that is as wide or narrower, so that it says nearly what that one said
    (Net2Net, Chen et al. 2015): what is new sees all there is, and nothing listens to it yet.

    The halves of what is joined stay halves. A block that the narrower one does not have adds hardly anything yet.
    """
    own = model.state_dict()
    assert weights.keys() <= own.keys()
    for name, new in own.items():
        old = weights.get(name)
        if new.dim() == 0:
            continue  # how many batches there were
        if old is None:
            # A new block's last word is its normalisation's factor.
            if new.dim() == 1 and name.endswith("weight"):
                new.mul_(0.01)
            continue
        if new.dim() < 2:
            new[: len(old)] = old
            continue
        parts = 2 if name == "join.0.0.weight" else 1
        new[: len(old)] = 0
        for mine, given in zip(new.chunk(parts, 1), old.chunk(parts, 1), strict=True):
            mine[: old.shape[0], : given.shape[1]] = given
    model.load_state_dict(own)
    return model


def unit(before: int, after: int, size: int, stride: int) -> nn.Sequential:
    return nn.Sequential(
        nn.Conv2d(before, after, size, stride, size // 2, bias=False), nn.BatchNorm2d(after), nn.ReLU()
    )
