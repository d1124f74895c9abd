"""`jit apply WORKERS CMD`: a GDB command in the workers of a parallel loop."""

from __future__ import annotations

import re
from typing import Any

import gdb

from ..base import native, report
from ..target import target
from ..threads import worker_text, workers
from . import options
from .base import Arguments, JitCommand, write
from .print import evaluate

_NUMBERS = re.compile(r"\d+(-\d+)?(,\d+(-\d+)?)*$")


class Apply(JitCommand):
    """Run a GDB command in the workers of a parallel loop, in the loop's body.
    Usage: jit apply all|NUMBERS|worker EXPR CMD

    The workers are those of the loop that the selected thread is in, or of all loops
    when it is in none. Each worker's line of `jit threads` comes first, then the
    command's output for it.
      jit apply all info locals
      jit apply 2,3 print t
      jit apply 0-3 jit print a[i]
      jit apply worker i>4 info locals
      jit apply worker (i % 2 == 0) print i
    NUMBERS are the workers' numbers in `jit threads`. `worker EXPR` chooses the workers in
    which EXPR is true: Python as in `jit print`, in parentheses if it has blanks."""

    name = "apply"
    takes_argument = True

    def words(self, of: target.Target) -> list[str]:
        return ["all", "worker"]

    def parse(self, line: str) -> Arguments:
        return Arguments(set(), line.strip())  # the options in it are CMD's

    def run(self, of: target.Target, arguments: Arguments) -> None:
        which, _, rest = arguments.rest.partition(" ")
        rest = rest.strip()
        expression = ""
        if which == "worker":
            expression, rest = split_expression(rest)
        elif which != "all" and not _NUMBERS.match(which):
            raise report.Problem(self.usage())
        if not rest or (which == "worker" and not expression):
            raise report.Problem(self.usage())
        workers.expect(of)
        there = list(workers.running_in(of))
        if not there:
            raise report.Problem("no thread runs iterations of a parallel loop; `jit threads` shows what they do")
        chosen = _numbered(which, there) if which not in ("all", "worker") else there
        _visit(of, chosen, expression, rest)


def split_expression(text: str) -> tuple[str, str]:
    """Return what comes before the first blank outside of brackets and quotes, and the rest."""
    end = options.word_end(text, 0)
    return text[:end], text[end:].strip()


def _numbered(which: str, there: list[dict[str, Any]]) -> list[dict[str, Any]]:
    wanted = []
    for part in which.split(","):
        first, _, last = part.partition("-")
        numbers = range(int(first), int(last or first) + 1)
        found = [entry for entry in there if entry["worker"] in numbers]
        if not found:
            known = ", ".join(str(entry["worker"]) for entry in there)
            raise report.Problem(f"no worker {part} runs iterations of this loop now: there are {known}")
        wanted += [entry for entry in found if entry not in wanted]
    return wanted


def _visit(of: target.Target, chosen: list[dict[str, Any]], expression: str, command: str) -> None:
    thread, frame = gdb.selected_thread(), gdb.selected_frame()
    threads = {other.num: other for other in of.inferior.threads()}
    stop = of.keep(target.STOP, "apply", object)
    visited, unknown = 0, []
    try:
        for entry in chosen:
            body = workers.frame_of(of, entry, threads[entry["thread"]])
            if body is not None:
                body.select()
            holds = is_true(of, expression) if expression else True
            if holds is None:
                unknown.append(f"{entry['worker']}")
            if not holds:
                continue
            visited += 1
            write(f"\nthread {entry['thread']}, {worker_text.text_of(entry)}")
            try:
                gdb.execute(command)
            except gdb.error as error:
                write(str(error))
            if of.keep(target.STOP, "apply", object) is not stop:
                raise report.Problem("the program has run on: no other worker is visited")
    finally:
        if of.keep(target.STOP, "apply", object) is stop and thread.is_valid():
            thread.switch()
            frame.select()
    if unknown:
        write(f"{expression} is not known in workers {', '.join(unknown)}: `jit why` says why")
    elif not visited:
        write(f"{expression} is true in no worker.")


def is_true(of: target.Target, expression: str) -> bool | None:
    """Return the value of the condition; None if a variable in it has no known value."""
    try:
        found = evaluate(of, f"bool({expression})")
    except native.NativeError:
        return None
    if found.get("error") and "not defined" in found["error"]:
        raise report.Problem(found["error"])
    return bool(found["value"]) if found.get("state") == "exact" and not found.get("error") else None


def create() -> None:
    Apply()
