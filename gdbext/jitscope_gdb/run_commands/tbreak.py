"""`jit tbreak LOC -worker K`: a breakpoint that stops one worker of a parallel loop, or each worker once."""

from __future__ import annotations

import re

import gdb
from jitscope_shared.commands import options

from ..base import report
from ..breakpoints import breakpoints, condition_text
from ..breakpoints.worker_breaks import WorkerBreak, expect_worker
from ..commands.base import Arguments, JitCommand, write
from ..target import target

_WORKER = re.compile(r"(?:^|\s)-w(?:o(?:r(?:k(?:er?)?)?)?)?\s+(\d+)(?=\s|$)")
_LOCATION = ("-source", "-function", "-line", "-label", "-qualified")  # GDB's options of a location
_ONCE = re.compile(r"(?:^|\s)-once-per-worker(?=\s|$)")


class Tbreak(JitCommand):
    """Use this to stop one worker of a parallel loop, or each one once.
    Usage: jit tbreak LOC -worker K [if CONDITION]
           jit tbreak LOC -once-per-worker [if CONDITION]

    LOC is as for `tbreak`; the code may be compiled later. CONDITION is a Python expression
    over the variables there.
      -worker K         stop only worker K of `jit threads`, once
      -once-per-worker  stop each worker once

    Example:
      (gdb) jit tbreak recorded.py:21 -worker 1
      Temporary breakpoint 2 at 0x7ffff56c9ad3: recorded.py:21. (4 locations)
      Breakpoint 2 stops worker 1 only"""

    name = "tbreak"
    options = ("-worker", "-once-per-worker")
    takes_argument = True
    category = gdb.COMMAND_BREAKPOINTS

    def parse(self, line: str) -> Arguments:
        return Arguments(set(), line.strip())

    def run(self, debuggee: target.Target, arguments: Arguments) -> None:
        words, condition = breakpoints.split_condition(arguments.rest)
        worker, once = _WORKER.search(words), _ONCE.search(words)
        location = _ONCE.sub("", _WORKER.sub("", words)).strip()
        known = (*self.options, *_LOCATION)
        for word in re.findall(r"(?:^|(?<=\s))-[A-Za-z][\w-]*(?=\s|$)", location):
            if not any(option.startswith(word) for option in known):
                raise self.unknown(options.has_no(word, self.options))
        if not location or bool(worker) == bool(once) or location.startswith("-w"):
            raise report.Problem(self.usage())
        if condition and not condition_text.is_gdb_expression(condition):
            condition_text.check(condition)
        if worker:
            expect_worker(debuggee, int(worker[1]))
        made = WorkerBreak(location, condition, int(worker[1]) if worker else None)
        who = f"worker {worker[1]} only" if worker else "each worker once"
        write(f"Breakpoint {made.number} stops {who}" + (f", if {condition}" if condition else ""))


def create() -> None:
    Tbreak()
