"""`jit region` in LLDB: what workers have read and written."""

from __future__ import annotations

import functools
import json

from tests.gdb.harness import line_of
from tests.lldb.session import LLDBS, Said, run

PROGRAM = "recorded.py"
BEFORE = line_of(PROGRAM, "filled") - 2  # a line of the next function, before its loop
TRIED = "script lldb.debugger.HandleCommand('{}')"
WRITES, JSON = "jit region -writes", "jit region -writes -json"
FAILING = tuple(map(TRIED.format, ("jit region", "jit region sideways", WRITES)))


@functools.cache
def said(lldb: str) -> Said:
    commands = (
        "jit tbreak accumulated",
        "run",
        *FAILING,
        "jit region -record",
        f"breakpoint set -f {PROGRAM} -l {BEFORE}",
        "continue",
        WRITES,
        JSON,
        "jit region -record off",
        "process kill",
    )
    return run(lldb, PROGRAM, "steps", commands)


@LLDBS
def test_reads_and_writes(lldb: str) -> None:
    text = said(lldb).of(WRITES)[0]
    line = line_of(PROGRAM, "in_place")
    assert text.startswith(f"in_place, prange at {PROGRAM}:{line - 1}, ")
    records = json.loads(said(lldb).of(JSON)[0])
    written, read = (
        {index for worker in records["workers"] for had in worker["had"] if had["kind"] == kind
         for first, last, step in (box[0] for box in had["ranges"]) for index in range(first, last + 1, step)}
        for kind in ("write", "read")
    )  # fmt: skip
    assert (written, read) == (set(range(1, 11)), set(range(12)))
    assert ("Several workers have used the same elements:" in text) == (len(records["workers"]) > 1)


@LLDBS
def test_what_is_not_there(lldb: str) -> None:
    errors = [line for line in said(lldb).text.splitlines() if line.startswith("error: ")]
    assert errors == [
        "error: no parallel loop runs now; `jit region -writes` shows what is recorded of the last one",
        "error: Usage: jit region [-json] [-writes | -record [on|off]]",
        "error: nothing is recorded: `jit region -record`, and run the loop (again)",
    ]


@LLDBS
def test_switching(lldb: str) -> None:
    on, off = (said(lldb).of(each)[0] for each in ("jit region -record", "jit region -record off"))
    assert on.startswith("Reads and writes are recorded from the next parallel loop on: ")
    assert off.startswith("Reads and writes are no longer recorded; ")
