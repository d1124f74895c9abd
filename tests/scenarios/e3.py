"""E3: what all threads of a process do, without GDB: a loop that does not end, and a lock."""

from __future__ import annotations

from tests.gdb.harness import line_of

from .model import STACKS, Check, Scenario


def build(same: int) -> Scenario:
    program = ("hangs.py", "hangs2.py")[same]
    spin, computes, main, keeps, wants = (
        ("spin", "computes", "main", "keeps", "wants"),
        ("search", "looks", "start", "writes", "reads"),
    )[same]
    call, outer, top, wanted, sleeps = (
        line_of(program, mark) for mark in ("call", "computes", "main", "wanted", "sleeps")
    )
    at = rf" at [^\n]*{program}:"
    checks = (
        Check("the loop that does not end, and its Python callers", STACKS,
              rf"^#0\s+{spin}\b[^\n]*{at}\d+\n#1\s+{computes}\b[^\n]*{at}{call} \[py\]\n"
              rf"#2\s+{main}\b[^\n]*{at}{outer} \[py\]\n#3\s+<module>[^\n]*{at}{top} \[py\]$", r"_PyEval|cpython::"),
        Check("who waits for the lock, and where", STACKS, rf"^#\d+\s+{wants}\b[^\n]*{at}{wanted} \[py\]$"),
        Check("which thread holds it", STACKS, r"waits for a lock[^\n]* thread \d+[^\n]* holds"),
        Check("what the holder does", STACKS, rf"^#\d+\s+{keeps}\b[^\n]*{at}{sleeps} \[py\]$"),
        Check("names are Python's", STACKS, None, r"\[abi:|_ZN8__main__"),
    )  # fmt: skip
    return Scenario("e3", "what all threads do, without GDB", program, (STACKS,), checks, how="stacks", same=same)
