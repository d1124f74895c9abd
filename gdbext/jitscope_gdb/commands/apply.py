"""`jit apply WORKERS CMD`: a GDB command in the workers of a parallel loop."""

from __future__ import annotations

import ast
import re
from typing import Any

import gdb
from jitscope_shared import worker_text
from jitscope_shared.base import native
from jitscope_shared.commands import options

from ..base import report
from ..target import target
from ..threads import workers
from .base import Arguments, JitCommand, write
from .print import evaluate

_NUMBERS = re.compile(r"\d+(-\d+)?(,\d+(-\d+)?)*$")
# What follows an expression that goes on after a blank; no command of GDB begins so, except `!` and `|`.
_GOES_ON = re.compile(r"[-+*/%&^@<>=]|!=|(?:and|or|not|in|is|if)\b")


class Apply(JitCommand):
    """Use this to run one command in each worker of a parallel loop.
    Usage: jit apply all|NUMBERS|worker EXPR CMD

    CMD is a command of GDB. It runs in the loop's body, and the worker's line of
    `jit threads` precedes its output. NUMBERS are workers' numbers, such as 2,3 or 0-3.
    `worker EXPR` chooses the workers in which EXPR is true: Python as in `jit print`, in
    parentheses or quotes if it has blanks. The workers are those of the loop that the
    selected thread is in, or of all loops when it is in none.

    Example, in a parallel loop with two workers:
      (gdb) jit apply all print i
      thread 1, worker 0 of omp (and caller): in_place, prange at recorded.py:20, i =
          1 of 1..5, line 21, 0 of 5 done
      $1 = 1
      thread 2, worker 1 of omp: in_place, prange at recorded.py:20, i = 6 of 6..10,
          line 21, 0 of 5 done
      $2 = 6"""

    name = "apply"
    takes_argument = True

    def words(self, debuggee: target.Target) -> list[str]:
        return ["all", "worker"]

    def parse(self, line: str) -> Arguments:
        return Arguments(set(), line.strip())  # options in the rest belong to CMD

    def run(self, debuggee: target.Target, arguments: Arguments) -> None:
        which, _, rest = arguments.rest.partition(" ")
        rest = rest.strip()
        expression = ""
        if which == "worker":
            expression, rest = split_expression(rest)
        elif which != "all" and not _NUMBERS.match(which):
            raise report.Problem(self.usage())
        if not rest or (which == "worker" and not expression):
            raise report.Problem(self.usage())
        workers.expect(debuggee)
        there = list(workers.running_in(debuggee))
        if not there:
            raise report.Problem(
                "no thread runs iterations of a parallel loop; `jit threads` shows what each thread does"
            )
        chosen = _numbered(which, there) if which not in ("all", "worker") else there
        _visit(debuggee, chosen, expression, rest)


def split_expression(text: str) -> tuple[str, str]:
    """Return the part before the first blank outside of brackets and quotes, without quotes around it, and the rest.
    Raise Problem if the expression does not end at that blank."""
    end = options.word_end(text, 0)
    expression, rest = text[:end], text[end:].strip()
    value = _constant(expression)
    if rest and (value is None or _GOES_ON.match(rest)):
        raise report.Problem(
            f"`{expression}` would be the expression, and `{rest}` the command: put an expression that has blanks in "
            "parentheses, as in `jit apply worker (i > 3) print i`"
        )
    return value if isinstance(value, str) else expression, rest


def _constant(expression: str) -> Any:
    """Return the value of a literal; ... for another expression, and None if it is none."""
    try:
        body = ast.parse(expression, mode="eval").body
    except (SyntaxError, ValueError):
        return None
    return ast.literal_eval(body) if isinstance(body, ast.Constant) and body.value is not None else ...


def _numbered(which: str, there: list[dict[str, Any]]) -> list[dict[str, Any]]:
    wanted = []
    for part in which.split(","):
        first, _, last = part.partition("-")
        numbers = range(int(first), int(last or first) + 1)
        found = [entry for entry in there if entry["worker"] in numbers]
        if not found:
            known = ", ".join(str(entry["worker"]) for entry in there)
            raise report.Problem(f"no worker {part} runs iterations of this loop now; these do: {known}")
        wanted += [entry for entry in found if entry not in wanted]
    return wanted


def _visit(debuggee: target.Target, chosen: list[dict[str, Any]], expression: str, command: str) -> None:
    thread, frame = gdb.selected_thread(), gdb.selected_frame()
    threads = {other.num: other for other in debuggee.inferior.threads()}
    stop = debuggee.keep(target.STOP, "apply", object)
    visited, unknown = 0, []
    try:
        for entry in chosen:
            body = workers.frame_of(debuggee, entry, threads[entry["thread"]])
            if body is not None:
                body.select()
            holds = is_true(debuggee, expression) if expression else True
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
            if debuggee.keep(target.STOP, "apply", object) is not stop:
                raise report.Problem("the program has run on: no other worker is visited")
    finally:
        if debuggee.keep(target.STOP, "apply", object) is stop and thread.is_valid():
            thread.switch()
            frame.select()
    if unknown:
        where = f"worker{'s' * (len(unknown) > 1)} {', '.join(unknown)}"
        write(f"{expression} is not known in {where}: `jit apply {unknown[0]} jit why NAME` says why")
    elif not visited:
        write(f"{expression} is true in no worker.")


def is_true(debuggee: target.Target, expression: str) -> bool | None:
    """Return the value of the condition; None if a variable in it has no known value."""
    try:
        found = evaluate(debuggee, f"bool({expression})")
    except native.NativeError:
        return None
    if found.get("error") and "not defined" in found["error"]:
        raise report.Problem(found["error"])
    return bool(found["value"]) if found.get("state") == "exact" and not found.get("error") else None


def create() -> None:
    Apply()
