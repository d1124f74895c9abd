"""Which frames of compiled functions are known from where they raise and what they call, and why others are not."""

from __future__ import annotations

import pathlib

import pytest
from numba.core import serialize

from jitscope.compiler.raised import chains, kept, raising
from jitscope.compiler.raised.sites import Function, Key, Sites

KEY: Key = ("builtins.ValueError", None, "")


def sites(name: str, calls: list[tuple[int, str]], raises: list[int], marked: bool = False) -> Sites:
    lines = frozenset(range(1, 100))
    function = Function("module", name, name, "file.py", 1, lines)
    return Sites(function, tuple(calls), tuple((line, KEY) for line in raises), marked)


def found(known: dict[str, Sites], entry: str) -> tuple[list[tuple[str, int]], list[tuple[str, int]], str | None]:
    chain = chains.find(known, entry, KEY)
    outer, inner = ([(each.function.name, each.line) for each in part] for part in (chain.outer, chain.inner))
    return outer, inner, chain.reason


def test_one_way() -> None:
    known = {"f": sites("f", [(2, "g")], []), "g": sites("g", [(5, "other")], [7]), "other": sites("other", [], [])}
    assert found(known, "f") == ([("f", 2), ("g", 7)], [], None)


def test_two_ways_share_what_is_shown() -> None:
    known = {"f": sites("f", [(2, "g"), (3, "g")], []), "g": sites("g", [], [7])}
    assert found(known, "f") == ([], [("g", 7)], "several calls lead to it")


def test_recursion() -> None:
    known = {"f": sites("f", [(4, "f")], [9])}
    assert found(known, "f") == ([], [("f", 9)], "it is recursive")


def test_too_many_ways() -> None:
    known = {"f": sites("f", [(line, "g") for line in range(1, 90)], []), "g": sites("g", [], [7])}
    assert found(known, "f") == ([], [], "too many calls lead to it")


def test_nothing_raises_it() -> None:
    assert found({"f": sites("f", [(2, "g")], []), "g": sites("g", [], [])}, "f") == (
        [], [], "no known function raises it",
    )  # fmt: skip


def test_recorded_places() -> None:
    """Code that records its places has one way, but for calls at lines of functions that Numba has inlined."""
    known = {"f": sites("f", [(2, "g"), (3, "g")], [], True), "g": sites("g", [], [7], True)}
    chain = chains.recorded(known, "f", KEY, [("g", 7), ("f", 3)])
    assert chain is not None
    assert [(each.function.name, each.line) for each in chain.outer] == [("f", 3), ("g", 7)] and chain.reason is None
    chain = chains.recorded(known, "f", KEY, [("g", 7), ("f", 200)])
    assert chain is not None and not chain.outer
    assert [each.line for each in chain.inner] == [7] and chain.reason == "a function that Numba has inlined calls it"
    assert chains.recorded(known, "g", KEY, [("g", 7), ("f", 3)]) is None
    assert chains.recorded({**known, "f": sites("f", [(3, "g")], [])}, "f", KEY, [("g", 7), ("f", 3)]) is None


def test_a_numba_without_what_is_wrapped(monkeypatch: pytest.MonkeyPatch) -> None:
    assert raising.check() is None
    with monkeypatch.context() as patched:
        patched.delattr(serialize, "_numba_unpickle")
        assert raising.check() == "numba.core.serialize has no _numba_unpickle"
    with monkeypatch.context() as patched:
        patched.setattr(raising, "CPUContext", object)
        assert raising.check() == "numba.core.cpu.CPUContext has no get_executable"


def test_what_is_kept_with_cached_code(tmp_path: pathlib.Path) -> None:
    """The lines of a function are kept while its file is what it was."""
    file = tmp_path / "module.py"
    file.write_text("1\n")
    function = Function("module", "f", "f", str(file), 1, frozenset({1, 2}))
    known = {"f": Sites(function, ((2, "g"),), ((1, KEY),), False)}
    text = kept._MARK + kept._text(known)
    head, mark, rest = text.partition("# jitscope raises, with stamps of files: ")
    assert head == "\n" and mark and "\n" not in rest
    assert kept._sites(rest) == known
    file.write_text("2\n\n")
    (changed,) = kept._sites(rest).values()
    assert changed.function is not None and changed.function.lines == frozenset()
