"""E4: a crash that explains itself: the report of the process, without GDB and without a core."""

from __future__ import annotations

from tests.gdb.harness import line_of

from .model import REPORT, Check, Scenario


def build(same: int) -> Scenario:
    program = ("explains.py", "explains2.py")[same]
    store, index, array, size, main = (
        ("store", "index", "values", 10, "main"),
        ("write", "place", "cells", 24, "start"),
    )[same]
    inner, call, top = (line_of(program, mark) for mark in ("store", "call", "main"))
    at = rf" at [^\n]*{program}:"
    checks = (
        Check("which access it was", REPORT,
              rf"`{index}` = 1000000000 is outside axis 0 of `{array}` \({size} elements\)", None),
        Check("the compiled function with its variables, and its Python callers", REPORT,
              rf"^#0\s+{store} \({array}=array[^\n]*, {index}=1000000000\){at}{inner}\n"
              rf"#1\s+{main} \(.*\){at}{call} \[py\]$", None),
        Check("the module", REPORT, rf"^#2\s+<module>[^\n]*{at}{top} \[py\]$", None),
        Check("what another thread did", REPORT, r"^#\d+\s+waits \(\) at [^\n]*\[py\]$", None),
        Check("names are Python's", REPORT, None, r"\[abi:|_ZN8__main__"),
    )  # fmt: skip
    return Scenario(
        "e4", "a crash that explains itself, without GDB", program, (REPORT,), checks, how="report", same=same
    )
