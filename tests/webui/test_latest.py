"""What the server remembers while it runs."""

from webui.kept.latest import Latest


def test_so_many_are_kept_that_were_stored_last() -> None:
    kept: Latest[str, int] = Latest(2)
    kept["a"], kept["b"] = 1, 2
    kept["a"] = 3  # stored again, it is the latest
    kept["c"] = 4
    assert dict(kept) == {"a": 3, "c": 4}
    assert kept.get("b") is None
