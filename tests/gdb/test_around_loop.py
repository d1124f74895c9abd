"""Conditions in a parallel loop's body with variables of the function around it that the loop does not use."""

from __future__ import annotations

import re

import pytest

from tests.gdb import harness
from tests.gdb.harness import line_of

PROGRAM = "around_loop.py"
BODY, NEXT = f"{PROGRAM}:{line_of(PROGRAM, 'body')}", f"{PROGRAM}:{line_of(PROGRAM, 'next')}"
TURNS = 16


@pytest.mark.parametrize("threads", [1, 2])
def test_the_thread_that_started_the_loop_knows_them(threads: int) -> None:
    """Another thread's frames cannot be read while GDB decides, which a line says when the loop is compiled."""
    texts = ["unused == 7 and limit == 4", 'label == "abc" and i % 2', "total >= 0 and nosuch"]
    commands = [f"break {BODY} if {text}" for text in texts]
    commands += [f'dprintf {NEXT} if other == 2.5,"turn %d of thread %d\\n", i, $_thread', "run"]
    done = harness.run(
        [*commands, *["continue"] * (2 * TURNS)],
        program=PROGRAM,
        env={"JITSCOPE_LEVEL": "", "NUMBA_NUM_THREADS": str(threads), "NUMBA_THREADING_LAYER": "omp"},
    )
    said = done.of("run")
    for number, text, name in ((1, texts[0], "unused"), (2, texts[1], "label")):
        (line,) = [line for line in done.text.splitlines() if line.startswith(f"jitscope: breakpoint {number}: ")]
        assert f"`{name}` is scaled's, and the loop's threads are not given it: `{text}` is decided" in line, done.text
        assert "NUMBA_NUM_THREADS=1" in line and f"`jit print {name}` shows it" in line
    assert "jitscope: breakpoint 3: scaled.prange has no variable `nosuch`" in said, done.text
    stops = re.findall(r"^Thread (\d+) .* hit Breakpoint (\d)", done.text, re.M)
    assert {thread for thread, _ in stops} == {"1"}, done.text
    mine = TURNS // threads
    assert [number for _, number in stops].count("1") == mine, done.text
    printed = re.findall(r"^turn (\d+) of thread (\d+)$", done.text, re.M)
    assert sorted(int(turn) for turn, _ in printed) == list(range(mine)) and {t for _, t in printed} == {"1"}, done.text
    about = [line for line in done.text.splitlines() if line.startswith("jitscope: dprintf 4: ")]
    assert len(about) == threads - 1
    assert all("prints nothing: NameError" in line and "`other` is scaled's, and" in line for line in about), done.text


def test_a_condition_that_is_typed_in_the_loop() -> None:
    done = harness.run(
        [f"tbreak {BODY}", "run", f"break {NEXT} if unused == 7 and i == 3", "continue", "jit print unused, limit, i"],
        program=PROGRAM,
        env={"JITSCOPE_LEVEL": "", "NUMBA_NUM_THREADS": "1", "NUMBA_THREADING_LAYER": "omp"},
    )
    assert "`unused` is scaled's" in done.of(f"break {NEXT} if unused == 7 and i == 3"), done.text
    assert done.of("jit print unused, limit, i").strip() == "(7, 4, 3)", done.text
