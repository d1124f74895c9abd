"""Which frames of compiled functions are known from where they raise and what they call, and why others are not."""

from __future__ import annotations

import pathlib
import struct

import pytest
from llvmlite import ir
from numba.core import base, serialize, types
from numba.core.runtime import nrtdynmod

from jitscope.compiler.raised import blocks, chains, constants, kept, raising
from jitscope.compiler.raised.sites import Function, Key, Sites
from jitscope.compiler.slots import kept_values

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
    assert [each.line for each in chain.inner] == [7] and chain.reason == "the line of a function is not known"
    assert chains.recorded(known, "g", KEY, [("g", 7), ("f", 3)]) is None
    assert chains.recorded({**known, "f": sites("f", [(3, "g")], [])}, "f", KEY, [("g", 7), ("f", 3)]) is None


def test_a_numba_without_what_is_wrapped(monkeypatch: pytest.MonkeyPatch) -> None:
    assert raising.check() is None
    with monkeypatch.context() as patched:
        patched.delattr(serialize, "_numba_unpickle")
        assert raising.check() == "numba.core.serialize has no _numba_unpickle"
    with monkeypatch.context() as patched:
        patched.delattr(base.BaseContext, "insert_unique_const")
        assert raising.check() == "numba.core.base.BaseContext has no insert_unique_const"
    with monkeypatch.context() as patched:
        patched.setattr(raising, "JITCodeLibrary", object)
        assert raising.check() == "numba.core.codegen.JITCodeLibrary has no get_pointer_to_function"
    with monkeypatch.context() as patched:
        patched.delattr(nrtdynmod, "compile_nrt_functions")
        assert raising.check() == "numba.core.runtime.nrtdynmod has no compile_nrt_functions"


def test_places_of_functions_that_are_not_marked() -> None:
    """What follows the marked functions is argued as without marks; the variables belong to the marked ones."""
    known = {
        "f": sites("f", [(2, "g"), (3, "g")], [], True),
        "g": sites("g", [(5, "h")], []),
        "h": sites("h", [], [7]),
    }
    chain = chains.recorded(known, "f", KEY, [("g", 0), ("f", 3)])
    assert chain is not None and chain.reason is None and chain.recorded == (1,)
    assert [(each.function.name, each.line) for each in chain.outer] == [("f", 3), ("g", 5), ("h", 7)]
    assert chains.recorded(known, "g", KEY, [("g", 0)]) is None


def test_one_constant_is_no_other() -> None:
    """An exception whose constant is known does not come from a place with another constant."""
    known = {"f": sites("f", [(2, "g"), (3, "h")], []), "g": sites("g", [], [7]), "h": sites("h", [], [8])}
    known["g"] = known["g"]._replace(raises=((7, (*KEY[:2], ".jitscope.raise.1")),))
    known["h"] = known["h"]._replace(raises=((8, (*KEY[:2], ".jitscope.raise.2")),))
    chain = chains.find(known, "f", (*KEY[:2], ".jitscope.raise.2"))
    assert [(each.function.name, each.line) for each in chain.outer] == [("f", 3), ("h", 8)]
    assert chains.find(known, "f", KEY).reason == "several calls lead to it"


def test_ways_that_begin_with_known_lines() -> None:
    known = {"f": sites("f", [(2, "g"), (3, "g")], []), "g": sites("g", [], [7])}
    chain = chains.find(known, "f", KEY, within=(("file.py", 3),))
    assert [each.line for each in chain.outer] == [3, 7] and chain.reason is None
    chain = chains.find(known, "f", KEY, within=(("file.py", 4),))
    assert not chain.outer and chain.reason == "no known function raises it"


def test_calls_at_lines() -> None:
    """Functions without lines may be inlined, and what they call, too."""
    known = {
        "f": sites("f", [(2, "g"), (2, "h"), (3, "lib")], []),
        "g": sites("g", [(5, "h")], []),
        "h": sites("h", [], [7]),
        "lib": Sites(None, ((0, "h"),), (), False),
    }
    ways = chains.Ways(known, KEY)
    assert ways.called_at("f", (("file.py", 2),)) == {"g", "h"}
    assert ways.called_at("f", (("file.py", 2), ("file.py", 5))) == {"h"}
    assert ways.called_at("f", (("file.py", 3),)) == {"lib", "h"}
    assert ways.called_at("f", (("file.py", 4),)) == set()
    hidden = known["f"]._replace(inlined=(((None, 1), (known["g"].function, 2)),))
    assert chains.Ways({**known, "f": hidden}, KEY).called_at("f", (("file.py", 2),)) is None


def test_blocks_that_constants_exclude() -> None:
    function = ir.Function(ir.Module(), ir.FunctionType(ir.IntType(64), [ir.IntType(64)]), "f")
    first, never, then, last = (function.append_basic_block(name) for name in ("first", "never", "then", "last"))
    number = ir.IntType(64)
    builder = ir.IRBuilder(first)
    builder.cbranch(builder.icmp_signed("==", number(0), number(7)), never, then)
    builder.position_at_end(then)
    builder.cbranch(builder.icmp_signed("==", function.args[0], number(7)), last, then)
    for block in never, last:
        builder.position_at_end(block)
        builder.ret(number(1))
    assert blocks.reachable(function) == {first, then, last}


def test_names_of_constants() -> None:
    name = ".jitscope.raise.0123456789abcdef"
    assert constants.symbol_of(name) == constants.symbol_of(f"{name}.12") == name
    assert constants.symbol_of(".const.pickledata.0123") == constants.symbol_of(f"{name}.sha1") == ""


def test_values_in_a_copy() -> None:
    """A value is shown in the state `assigned` only, and of a variable with several types, in the current one."""
    pair = types.Tuple([types.int64, types.complex128])
    forms = [kept_values._form(kind, iter(range(0, 80, 8))) for kind in (pair, types.float64, types.unicode_type)]
    assert forms[2] is None
    variable = kept_values.Kept("v", 32, 40, tuple(forms))
    area = struct.pack("=qdd8xqq", 7, 1.5, 2.0, -2, 0)
    assert kept_values.read([variable], area) == ({"v": (7, 1.5 + 2j)}, {})
    for state, tag, label in (
        (0, 0, "unassigned"),
        (1, 0, "unknown"),
        (-2, 2, "not kept: it refers to memory that may have changed since"),
    ):
        assert kept_values.read([variable], area[:32] + struct.pack("=qq", state, tag)) == ({}, {"v": label})


def test_what_is_kept_with_cached_code(tmp_path: pathlib.Path) -> None:
    """The lines of a function are kept while its file is what it was."""
    file = tmp_path / "module.py"
    file.write_text("1\n")
    function = Function("module", "f", "f", str(file), 1, frozenset({1, 2}))
    variables = (kept_values.Kept("v", 8, None, (("q", 16), None)),)
    known = {"f": Sites(function, ((2, "g"),), ((1, KEY),), False, variables, (((None, 1), (function, 2)),))}
    text = kept._MARK + kept._text(known)
    head, mark, rest = text.partition("# jitscope raises, with stamps of files: ")
    assert head == "\n" and mark and "\n" not in rest
    assert kept._sites(rest) == known
    file.write_text("2\n\n")
    (changed,) = kept._sites(rest).values()
    assert changed.function is not None and changed.function.lines == frozenset()
