"""Surfaces of the scene: painted wood, cardboard, table tops, cloth, skin. Colours are sRGB "#rrggbb"."""

from pathlib import Path
from typing import Any

import bpy
import phone

Material = bpy.types.Material


def linear(name: str) -> tuple[float, float, float, float]:
    """An sRGB "#rrggbb" as linear RGBA."""
    r, g, b = phone.linear([int(name[i : i + 2], 16) for i in (1, 3, 5)]).tolist()
    return r, g, b, 1.0


class Graph:
    """A new material and short words for its nodes."""

    def __init__(self, name: str, roughness: float, specular: float = 0.4) -> None:
        self.material = bpy.data.materials.new(name)
        self.material.use_nodes = True
        self.nodes, self.links = self.material.node_tree.nodes, self.material.node_tree.links
        self.surface = self.nodes["Principled BSDF"]
        self.surface.inputs["Roughness"].default_value = roughness
        self.surface.inputs["Specular IOR Level"].default_value = specular

    def node(self, kind: str, **settings: Any) -> Any:
        made = self.nodes.new(f"ShaderNode{kind}")
        for key, value in settings.items():
            if hasattr(made, key):
                setattr(made, key, value)
            else:
                made.inputs[key.replace("_", " ").title()].default_value = value
        return made

    def link(self, source: Any, target: Any) -> None:
        self.links.new(source, target)

    def mix(self, amount: Any, first: Any, second: Any, blend: str = "MIX") -> Any:
        """A colour between two; each argument a socket or a value. Returns the socket of the result."""
        made = self.node("Mix", data_type="RGBA", blend_type=blend)
        for socket, value in zip(
            (made.inputs[0], made.inputs[6], made.inputs[7]), (amount, first, second), strict=True
        ):
            if hasattr(value, "is_linked"):
                self.link(value, socket)
            else:
                socket.default_value = value
        return made.outputs[2]

    def coordinates(self, scale: tuple[float, float, float]) -> Any:
        """Object coordinates (metres) times `scale`, shifted by a random amount for each object."""
        where, random = self.node("TexCoord"), self.node("ObjectInfo")
        shift = self.node("VectorMath", operation="MULTIPLY_ADD")
        self.link(random.outputs["Random"], shift.inputs[0])
        shift.inputs[1].default_value = (7.1, 3.3, 5.7)
        self.link(where.outputs["Object"], shift.inputs[2])
        mapping = self.node("Mapping")
        mapping.inputs["Scale"].default_value = scale
        self.link(shift.outputs[0], mapping.inputs["Vector"])
        return mapping.outputs[0]

    def noise(self, vector: Any, scale: float, detail: float = 4.0) -> Any:
        made = self.node("TexNoise", scale=scale, detail=detail)
        self.link(vector, made.inputs["Vector"])
        return made.outputs["Fac"]

    def bump(self, height: Any, strength: float, distance: float) -> None:
        """Relief: `distance` in metres."""
        made = self.node("Bump", strength=strength, distance=distance)
        self.link(height, made.inputs["Height"])
        self.link(made.outputs[0], self.surface.inputs["Normal"])

    def paint(self, socket: Any) -> Material:
        self.link(socket, self.surface.inputs["Base Color"])
        return self.material


def wood(name: str, tone: str, grain: float, roughness: float = 0.5) -> Material:
    """Stained or painted wood: long grain darker by the share `grain`, each piece a little different."""
    g = Graph(name, roughness)
    fibres = g.noise(g.coordinates((40, 500, 500)), 1.0, 6)
    rings = g.noise(g.coordinates((8, 90, 90)), 1.0, 3)
    dark = tuple(v * (1 - grain) ** 2 for v in linear(tone)[:3]) + (1.0,)
    shade = g.mix(rings, g.mix(fibres, linear(tone), dark), g.mix(fibres, dark, linear(tone)))
    random = g.node("ObjectInfo").outputs["Random"]
    value = g.node("MapRange", to_min=0.84, to_max=1.12)
    g.link(random, value.inputs["Value"])
    tint = g.node("HueSaturation", saturation=1.0)
    g.link(value.outputs[0], tint.inputs["Value"])
    g.link(shade, tint.inputs["Color"])
    gloss = g.node("MapRange", to_min=roughness - 0.12, to_max=roughness + 0.15)
    g.link(rings, gloss.inputs["Value"])
    g.link(gloss.outputs[0], g.surface.inputs["Roughness"])
    g.bump(fibres, 0.25, 0.0003)
    return g.paint(tint.outputs[0])


def planks(name: str, tones: list[str], roughness: float) -> Material:
    """A wooden table top: boards 110 mm wide along x, with grain and pores."""
    g = Graph(name, roughness)
    where = g.node("TexCoord").outputs["Object"]
    bricks = g.node("TexBrick", scale=1.0, mortar_size=0.0006, brick_width=1.7, row_height=0.11)
    g.link(where, bricks.inputs["Vector"])
    for socket, shade in zip(("Color1", "Color2", "Mortar"), (0.55, 0.95, 0.05), strict=True):
        bricks.inputs[socket].default_value = (shade, shade, shade, 1)
    stretch = g.node("Mapping")
    stretch.inputs["Scale"].default_value = (1.6, 26, 26)
    g.link(where, stretch.inputs["Vector"])
    warp = g.mix(0.25, stretch.outputs[0], bricks.outputs["Color"], "ADD")
    grain, pores = g.noise(warp, 1.6, 8), g.noise(warp, 9.0, 4)
    body = g.mix(grain, linear(tones[0]), linear(tones[1]))
    shaded = g.mix(0.35, g.mix(0.45, body, bricks.outputs["Color"], "MULTIPLY"), body)
    g.bump(pores, 0.15, 0.0006)
    return g.paint(g.mix(0.3, shaded, g.mix(pores, linear(tones[0]), linear(tones[1])), "MULTIPLY"))


def cloth(name: str, tones: list[str], roughness: float) -> Material:
    """A woven cloth with a coarse thread and soft folds."""
    g = Graph(name, roughness, 0.1)
    where = g.coordinates((1, 1, 1))
    waves = []
    for direction in ("X", "Y"):
        wave = g.node("TexWave", scale=260.0, bands_direction=direction)
        g.link(where, wave.inputs["Vector"])
        waves.append(wave.outputs["Color"])
    weave = g.mix(0.5, waves[0], waves[1])
    blotch = g.noise(where, 6.0, 5)
    g.bump(weave, 0.5, 0.0005)
    return g.paint(g.mix(0.4, g.mix(blotch, linear(tones[0]), linear(tones[1])), weave, "SOFT_LIGHT"))


def stone(name: str, tones: list[str], roughness: float) -> Material:
    """Polished stone: clouds of two tones and thin veins."""
    g = Graph(name, roughness)
    where = g.node("TexCoord").outputs["Object"]
    clouds = g.mix(g.noise(where, 5.0, 6), linear(tones[0]), linear(tones[1]))
    veins = g.node("TexWave", scale=1.3, distortion=18.0, detail=5.0)
    g.link(where, veins.inputs["Vector"])
    thin = g.node("MapRange", from_min=0.985, from_max=1.0)
    g.link(veins.outputs["Fac"], thin.inputs["Value"])
    return g.paint(g.mix(thin.outputs[0], clouds, linear(tones[1])))


def check(name: str, tones: list[str], roughness: float) -> Material:
    """A chequered oilcloth, squares of 28 mm."""
    g = Graph(name, roughness)
    squares = g.node("TexChecker", scale=1000 / 28)
    g.link(g.node("TexCoord").outputs["Object"], squares.inputs["Vector"])
    for socket, tone in zip(("Color1", "Color2"), tones, strict=True):
        squares.inputs[socket].default_value = linear(tone)
    return g.paint(squares.outputs["Color"])


def printed(name: str, picture: Path, roughness: float) -> Material:
    """A print on cardboard with a fine linen relief."""
    g = Graph(name, roughness, 0.35)
    image = g.node("TexImage")
    image.image = bpy.data.images.load(str(picture))
    image.interpolation = "Cubic"
    g.bump(g.noise(g.node("TexCoord").outputs["Object"], 900.0, 2), 0.12, 0.0002)
    return g.paint(image.outputs["Color"])


def plain(name: str, tone: str, roughness: float = 0.5) -> Material:
    """One colour, hardly uneven: raw cardboard edge, ceramic, plastic."""
    g = Graph(name, roughness)
    darker = tuple(v * 0.94**2 for v in linear(tone)[:3]) + (1.0,)
    return g.paint(g.mix(g.noise(g.coordinates((1, 1, 1)), 60.0), linear(tone), darker))


def skin(name: str, tone: str) -> Material:
    g = Graph(name, 0.5, 0.3)
    g.surface.inputs["Subsurface Weight"].default_value = 0.25
    g.surface.inputs["Subsurface Radius"].default_value = (0.006, 0.003, 0.0015)
    red = tuple(v * f for v, f in zip(linear(tone)[:3], (0.95, 0.7, 0.65), strict=True)) + (1.0,)
    where = g.coordinates((1, 1, 1))
    g.bump(g.noise(where, 500.0), 0.25, 0.0008)
    return g.paint(g.mix(g.noise(where, 45.0), linear(tone), red))
