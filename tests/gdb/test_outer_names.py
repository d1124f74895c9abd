"""GDB's own `print NAME` in compiled Python never shows a C library's variable of the name."""

from __future__ import annotations

import pytest

from tests.gdb import harness

PROGRAM = "outer_names.py"
INNER = {"signgam": "2", "timezone": "3", "daylight": "5"}  # y1 is only used around it
KERNEL = {"stdout": "6", "signgam": ""}  # assigned after the loop


@pytest.mark.parametrize(("level", "opt"), [("stock", "3"), ("stock", "0"), ("exact", "3"), ("steps", "3")])
def test_names_of_the_source_hide_those_of_libraries(level: str, opt: str) -> None:
    commands = [f"tbreak {PROGRAM}:{harness.line_of(PROGRAM, mark)}" for mark in ("inner", "body")]
    inside, body = ([f"output {name}" for name in names] for names in (INNER, KERNEL))
    env = {"JITSCOPE_LEVEL": level, "NUMBA_OPT": opt, "NUMBA_NUM_THREADS": "1"}
    done = harness.run([*commands, "run", *inside, "info locals", "continue", *body], program=PROGRAM, env=env)
    for name, value in INNER.items():
        assert done.of(f"output {name}") in ("<optimized out>", value), (name, done.text)
    for name, value in KERNEL.items():
        assert done.of(f"output {name}", name in INNER) in ("<optimized out>", value), (name, done.text)
    listed = [line.partition(" = ")[0] for line in done.of("info locals").splitlines()]
    assert len(listed) == len(set(listed)) > 3 and "y1" not in listed, listed
