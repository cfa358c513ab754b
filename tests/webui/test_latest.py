"""What the server remembers while it runs."""

import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from webui.kept.latest import Latest


@pytest.fixture
def hasty() -> Iterator[None]:
    """Threads take turns as often as they can."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


def test_so_many_are_kept_that_were_stored_last() -> None:
    kept: Latest[str, int] = Latest(2)
    kept["a"], kept["b"] = 1, 2
    kept["a"] = 3  # stored again, it is the latest
    kept["c"] = 4
    assert dict(kept) == {"a": 3, "c": 4}
    assert kept.get("b") is None


@pytest.mark.usefixtures("hasty")
def test_threads_that_store_at_once_do_not_disturb_each_other() -> None:
    kept: Latest[int, int] = Latest(2)

    def store(first: int) -> None:
        for n in range(first, first + 3000):
            kept[n] = n

    with ThreadPoolExecutor(4) as threads:
        for _ in threads.map(store, range(0, 40000, 10000)):
            pass
    assert len(kept) == 2
