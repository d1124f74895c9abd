"""Stops that the program requests, as front ends see them over MI."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterator
from typing import Any

import pytest

from tests.gdb import harness
from tests.gdb.harness import PROGRAMS, line_of
from tests.interpreters import gdbs

GDBS = pytest.mark.parametrize("gdb", gdbs().values(), ids=[f"gdb-{name}" for name in gdbs()])
PROGRAM = "asks.py"


@contextlib.contextmanager
def session(gdb: str, what: str, **env: str) -> Iterator[harness.MachineInterface]:
    with harness.machine_interface(PROGRAM, env={"NUMBA_OPT": "0", **env}, gdb=gdb) as found:
        found.send(f"-exec-arguments {PROGRAMS / PROGRAM} {what} 5")
        yield found


def is_at(frame: dict[str, Any], function: str, mark: str) -> None:
    assert (frame["func"], frame["fullname"]) == (function, str(PROGRAMS / PROGRAM)), frame
    assert frame["line"] == str(line_of(PROGRAM, mark)), frame


@GDBS
def test_compiled_code(gdb: str) -> None:
    with session(gdb, "compiled") as mi:
        for number, mark in enumerate(("attach", "second", "if")):
            stopped = mi.until_stop("-exec-continue" if number else "-exec-run")
            assert stopped["reason"] == "breakpoint-hit" and stopped["thread-id"] == "1", stopped
            is_at(stopped["frame"], "compiled", mark)
            assert stopped["frame"]["args"] == [{"name": "a", "value": "5"}], stopped
            is_at(mi.send("-stack-info-frame")["payload"]["frame"], "compiled", mark)
            is_at(mi.send("-stack-list-frames 0 0")["payload"]["stack"][0], "compiled", mark)
            rows = mi.send("-stack-list-variables --all-values")["payload"]["variables"]
            values = {row["name"]: row["value"] for row in rows}
            assert (values["a"], values["b"]) == ("5", "6"), values
        assert mi.until_stop("-exec-continue")["reason"] == "exited-normally"
        assert "hit jitscope" not in mi.console


@GDBS
def test_a_worker_of_a_parallel_loop(gdb: str) -> None:
    with session(gdb, "parallel", NUMBA_NUM_THREADS="3") as mi:
        mi.send(f"-exec-arguments {PROGRAMS / PROGRAM} parallel 8")
        for number in range(2):
            stopped = mi.until_stop("-exec-continue" if number else "-exec-run")
            assert stopped["reason"] == "breakpoint-hit", stopped
            is_at(stopped["frame"], "parallel.prange", "parallel")
        assert mi.until_stop("-exec-continue")["reason"] == "exited-normally"


@GDBS
def test_object_mode(gdb: str) -> None:
    """The innermost frame is not the user's, so another one is selected, and the console shows that."""
    with session(gdb, "objects") as mi:
        for number, mark in enumerate(("objects", "object again")):
            stopped = mi.until_stop("-exec-continue" if number else "-exec-run")
            assert stopped["reason"] == "breakpoint-hit", stopped
            is_at(mi.send("-stack-info-frame")["payload"]["frame"], "objects", mark)
            said = rf"hit jitscope\.breakpoint\(\), objects \(a=.*\) at .*{PROGRAM}:{line_of(PROGRAM, mark)}$"
            assert re.search(said, mi.console, re.M), mi.console


@GDBS
def test_interpreted_code(gdb: str) -> None:
    with session(gdb, "interpreted") as mi:
        stopped = mi.until_stop("-exec-run")
        assert stopped["reason"] == "breakpoint-hit", stopped
        assert mi.send("-stack-info-frame")["payload"]["frame"]["func"] == "_PyEval_EvalFrameDefault"
        place = rf"interpreted \(\) at .*{PROGRAM}:{line_of(PROGRAM, 'interpreted')} \[py\]$"
        assert re.search(rf"hit jitscope\.breakpoint\(\), {place}", mi.console, re.M), mi.console
