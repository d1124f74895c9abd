"""Watchpoints on compiled variables: they follow the variable, or a line says at once that they do not."""

from __future__ import annotations

import pathlib
import re

import pytest

from tests.gdb import harness
from tests.gdb.harness import line_of

PROGRAM = "watched.py"
NOT_WATCHED = "is not in one place that the processor can watch: GDB runs the program by single instructions"
LEVELS = pytest.mark.parametrize("level", ["steps", "exact"])


def run(level: str, mark: str, watch: str, continues: int = 6) -> tuple[harness.Transcript, list[tuple[str, str]]]:
    commands = [f"break {PROGRAM}:{line_of(PROGRAM, mark)}", "run", "delete", watch, *["continue"] * continues]
    done = harness.run(commands, program=PROGRAM, env={"JITSCOPE_LEVEL": level}, timeout=90)
    assert not done.timed_out, done.text
    return done, re.findall(r"^Old value = (.*)\nNew value = (.*)$", done.text, re.M)


def notes(done: harness.Transcript, watch: str) -> list[str]:
    return [line for line in done.of(watch).splitlines() if line.startswith("jitscope: ")]


def test_steps_follows_a_variable() -> None:
    done, changes = run("steps", "loop", "watch total")
    assert changes == [("0.0", "1.0"), ("1.0", "3.0"), ("3.0", "10.0")], done.text
    assert not notes(done, "watch total") and "Hardware watchpoint" in done.of("watch total")
    assert "has left the block" in done.text


@LEVELS
def test_argument_that_is_assigned(level: str) -> None:
    done, changes = run(level, "loop", "watch n")
    assert changes == [("3", "4")] and not notes(done, "watch n"), done.text


@LEVELS
def test_variable_that_changes_its_type(level: str) -> None:
    done, changes = run(level, "loop", "watch kind")
    assert [change for change in changes if change[0] != change[1]] == [("3", "6.0")], done.text
    assert not notes(done, "watch kind")


def test_a_variable_of_several_words() -> None:
    """GDB may stop in the middle of an assignment, and an array is more than the processor can watch: lines say so."""
    done, _ = run("steps", "loop", "watch a", continues=0)
    parts, slow = notes(done, "watch a")
    assert "a is written part by part" in parts and "complete where the next line begins" in parts, done.text
    assert slow.startswith(f"jitscope: a {NOT_WATCHED}"), done.text


SEVERAL = """
from numba import njit

@njit(debug=True)
def table(m):
    best = (0, 0)
    name = "none"
    for i in range(1, m):
        if i % 2 == 1:  # at: loop
            best = (i, i + 7)
            name = "n" + str(i)
    return best, name

table(4)
"""


def test_a_variable_of_several_types_that_have_parts(tmp_path: pathlib.Path) -> None:
    """The literals have types of their own, which are joined with the types of values assigned later."""
    program = tmp_path / "several.py"
    program.write_text(SEVERAL)
    commands = [f"break several.py:{line_of(program, 'loop')}", "run", "whatis best", "watch best", "watch name"]
    done = harness.run(commands, program=program, env={"JITSCOPE_LEVEL": "steps"})
    assert " | " in done.of("whatis best"), done.text
    for name in ("best", "name"):
        assert f"{name} is written part by part" in done.of(f"watch {name}"), done.text


def test_a_value_of_one_word_that_two_stores_write() -> None:
    done, changes = run("", "joined", "watch z if z.real == 2", continues=2)
    (parts,) = notes(done, "watch z if z.real == 2")
    assert "z is written part by part" in parts, done.text
    assert changes == [("(1+2j)", "(2+2j)"), ("(2+2j)", "(2+4j)")], done.text


def test_what_the_processor_cannot_watch_is_said() -> None:
    """A text that is first a literal would be watched by single steps."""
    done, _ = run("", "joined", "watch text if len(text) == 3", continues=0)
    parts, slow = notes(done, "watch text if len(text) == 3")
    assert "text is written part by part" in parts, done.text
    assert slow.startswith(f"jitscope: text {NOT_WATCHED}"), done.text


@LEVELS
def test_element_of_an_array(level: str) -> None:
    done, changes = run(level, "begin", "watch -l a.data[3]")
    assert changes == [("3.0", "7.0")] and not notes(done, "watch -l a.data[3]"), done.text


def test_exact_refuses_what_a_fast_loop_assigns() -> None:
    watches = ("watch total", "watch -l total", "watch total > 2")
    steps = [command for watch in watches for command in (watch, "delete")]
    commands = [f"break {PROGRAM}:{line_of(PROGRAM, 'loop')}", "run", "delete", *steps]
    done = harness.run(commands, program=PROGRAM, env={"JITSCOPE_LEVEL": "exact"}, timeout=90)
    for watch in watches:
        (note,) = notes(done, watch)
        assert "total" in note and "innermost loops" in note and "@jitscope.steps" in note


def test_exact_follows_behind_the_loop() -> None:
    done, changes = run("exact", "behind", "watch total")
    assert changes == [("3.0", "10.0")], done.text


@pytest.mark.parametrize("level", ["steps", "exact", "stock"])
def test_no_value_yet(level: str) -> None:
    watch = "watch total"
    done, changes = run(level, "begin" if level != "stock" else "loop", watch)
    (note,) = notes(done, watch)
    assert "no value that is known here" in note and not changes, done.text


def test_stock_says_that_it_misses_changes() -> None:
    done, changes = run("stock", "loop", "watch kind")
    (note,) = notes(done, "watch kind")
    assert "several places" in note and "@jitscope.steps" in note
    assert set(changes) <= {("3", "6.0")}, done.text


def test_a_front_end_watches_by_the_processor() -> None:
    """`-break-watch` watches like `watch`, instead of stepping through the program."""
    with harness.machine_interface(PROGRAM, env={"JITSCOPE_LEVEL": "steps"}) as session:
        session.send(f"-break-insert -f {PROGRAM}:{line_of(PROGRAM, 'loop')}")
        session.until_stop("-exec-run")
        session.send("-break-delete 1")
        made = session.send("-break-watch total")["payload"]["wpt"]
        shown = session.send(f"-break-info {made['number']}")["payload"]["BreakpointTable"]["body"][0]
        stops = [session.until_stop("-exec-continue") for _ in range(3)]
        read = session.send('-break-watch -r "n + 0"')["payload"]
    assert shown["type"] == "hw watchpoint" and made["exp"] == "total, *$at_total", (made, shown)
    changes = [(stop["value"]["old"], stop["value"]["new"]) for stop in stops]
    assert changes == [("0.0", "1.0"), ("1.0", "3.0"), ("3.0", "10.0")], stops
    assert read["hw-rwpt"]["exp"] == "n, (*$at_n) + 0", read
