"""Generated programs at each level: GDB shows at plain breakpoints Python's values, or labels."""

from __future__ import annotations

from typing import Any

import pytest

from tests.gdb.dap import speaks
from tests.interpreters import first_gdb, gdbs, newest_python
from tests.minutes import MATRIX, MINUTES
from tests.oracle.hooked import found_at
from tests.oracle.hooked.adapter import differing
from tests.oracle.hooked.expected import apart_from_faults, expect_truth, unequal
from tests.oracle.hooked.generate import programs
from tests.oracle.hooked.run import Options, examine, generated, run_all
from tests.oracle.hooked.tally import Tally
from tests.oracle.truth.values import CONTENT

SEED = 2024
RECOMPILED = 116013  # the seed of programs whose functions are compiled anew
PROGRAMS = 6
GDB_ALONE = ("in_line", "pieces")  # the programs that only GDB alone was wrong about
SURFACES = pytest.mark.parametrize("plain", [False, True], ids=["extension", "gdb-alone"])


def observed(level: str, opt: str, plain: bool = False, **env: str) -> Tally:
    bits = not (plain or env)
    options = Options(newest_python(), first_gdb(), level, opt, plain, bits=bits, extra=env)
    tally = run_all(generated(PROGRAMS, SEED), options)
    assert not tally.broken, tally.broken
    assert not tally.others, tally.others
    assert tally.stops >= 10 * PROGRAMS
    return tally


def of_variables(tally: Tally) -> list[Any]:
    """Return the false values of variables, without those of elements, which GDB alone cannot label."""
    return [e for e in apart_from_faults(tally) if e["verdict"] != CONTENT]


def test_gdb_alone_shows_false_values() -> None:
    """The check can fail: on GDB alone, without the hook, it finds false values."""
    tally = observed("stock", "3", plain=True)
    assert tally.lied("gdb") > 0.2 * tally.shown("gdb") > 0


def test_stock() -> None:
    expect_truth(observed("stock", "3"))


def test_lines() -> None:
    """Functions without debug information, at level lines: in code that LLVM has inlined, too."""
    tally = observed("lines", "3")
    assert tally.share("json", "argument") >= 70, tally.figures()
    assert tally.faults == tally.expected_faults > 0
    expect_truth(tally)


@SURFACES
def test_steps(plain: bool) -> None:
    tally = observed("steps", "3", plain)
    # GDB 13 alone reads no variable that changes its type.
    assert tally.share("gdb" if plain else "json", "all") >= (95 if plain else 98)
    assert tally.counts == tally.lines, tally.misses
    assert tally.faults == tally.expected_faults > 0
    expect_truth(tally, stepped=True)


def test_steps_where_no_debugger_was() -> None:
    """Values are true in loops that began before the debugger came, and after them."""
    tally = observed("steps", "3", JITSCOPE_LOOPS="plain")
    assert tally.share("json", "argument") >= 95
    assert tally.share("json", "local") >= 70
    expect_truth(tally)


def test_compiled_anew() -> None:
    """Functions without debug=True that a breakpoint has compiled for stepping after GDB has attached."""
    _, *texts = generated(3, RECOMPILED).items()  # the first one calls itself with other types, which is refused
    tally = run_all(dict(texts), Options(newest_python(), first_gdb(), "recompiled"))
    assert not tally.broken and not tally.others, (tally.broken, tally.others)
    assert not tally.refused() and tally.levels, tally.levels
    assert tally.share("json", "all") >= 98
    assert tally.counts == tally.stopped >= 0.96 * tally.lines, tally.misses
    assert tally.faults == tally.expected_faults > 0
    expect_truth(tally, stepped=True)


@SURFACES
def test_exact(plain: bool) -> None:
    tally = observed("exact", "3", plain)
    assert tally.share("gdb" if plain else "json", "argument") >= 93  # 95 over many programs
    assert tally.share("gdb" if plain else "json", "local") >= 50  # 60 over many programs
    if plain:
        assert len(of_variables(tally)) <= 0.005 * tally.shown("gdb"), tally.listing()
    else:
        expect_truth(tally)


@pytest.mark.parametrize(
    ("level", "opt", "plain"),
    [
        ("steps", "3", False),
        ("steps", "3", True),
        ("exact", "3", False),
        pytest.param("exact", "3", True, marks=MINUTES),
        ("stock", "3", False),
        pytest.param("stock", "1", False, marks=MINUTES),
        ("stock", "0", False),
    ],
)
def test_what_was_found(level: str, opt: str, plain: bool) -> None:
    """These are programs in which this test has found something false before, each where it was found (found_at.py).
    With scripts/test --matrix each runs at all levels, and in GDB alone; without it GDB alone runs only the programs
    that only GDB alone was wrong about."""
    texts = found_at.texts(level, opt)
    if plain and not MATRIX:
        texts = {name: text for name, text in texts.items() if name in GDB_ALONE}
    total = Tally()
    tallies = examine(texts, Options(newest_python(), first_gdb(), level, opt, plain, bits=MATRIX))
    for tally in tallies.values():
        total.merge(tally)
    assert not (total.broken or total.others or total.left_out), total.figures()
    assert total.programs == len(texts) > 0
    if level == "steps":
        assert total.counts == total.lines, total.misses
        lost = {(program, name) for _, _, program, _, name in total.labels}
        # Functions in a frame, frames of a function, or elements with a label.
        several = ("lambdas", "lambdas_in_loops", "always", "objects", "hiding", "missed")
        shares = {tally.share("json", "all") for name, tally in tallies.items() if name not in several}
        assert plain or shares == {100}, total.labels
        assert plain or tallies["always"].share("json", "local") >= 80, total.labels
        assert plain or not tallies["missed"].labels, tallies["missed"].labels
        # A lambda, and its argument, which has a value only while it runs.
        assert plain or {name for program, name in lost if program == "lambdas"} == {"pick", "t"}, total.labels
    if level == "exact":
        assert tallies["unread"].share("gdb" if plain else "json", "argument") == 100, tallies["unread"].labels
        lost = {name for *_, function, name in tallies["fused"].labels if function == "indexed"}
        assert lost and not lost & {"i", "j"}, lost
    if level == "stock":  # none without its source
        assert tallies["docstring"].share("json", "all") >= 25, tallies["docstring"].labels
        assert tallies["beside"].share("json", "argument") == 100, tallies["beside"].labels  # 22 % by kernels alone
        assert tallies["omitted"].share("json", "argument") >= 80, tallies["omitted"].labels  # 18 % without defaults
        assert tallies["items"].share("json", "local") >= 27, tallies["items"].labels  # 8 to 11 % at 1 and 3
    if not (plain or MATRIX):
        assert not total.misplaced, total.misplaced
    if opt == "0":
        assert tallies["cleared"].share("json", "all") >= 85, tallies["cleared"].labels
        assert not unequal(tallies["cleared"])
        assert tallies["told"].share("json", "all") >= 97, tallies["told"].labels
        # lines, out of 86, that stop as often as they run
        assert tallies["tried"].counts >= 62, tallies["tried"].misses
        assert tallies["indices"].share("json", "local") >= 72, tallies["indices"].labels  # 34 % without them
    if MATRIX and level == "exact" and plain:  # as in test_exact: only the extension labels values of unrolled loops
        assert len(of_variables(total)) <= 0.005 * total.shown("gdb"), total.listing()
    else:
        expect_truth(total, level == "steps")


@pytest.mark.parametrize("gdb", gdbs().values(), ids=gdbs())
def test_debug_adapter(gdb: str) -> None:
    """A client's variables are those of the commands."""
    if not speaks(gdb):
        pytest.skip("this GDB has no debug adapter (14 and later do)")
    text = programs(2, SEED)[1]  # one that has containers
    lines = [number for number, line in enumerate(text.splitlines(), 1) if line.startswith("    ")]
    stops, found = differing(gdb, text, lines, "steps", 30)
    assert stops > 10
    assert not found, found[:5]
