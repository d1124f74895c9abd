"""`jit gather`: one stop for all workers of a parallel loop, and one table."""

from __future__ import annotations

import gdb

from .. import gathering, report, target
from .base import Arguments, JitCommand, write, write_json

_SECONDS = 10


class Gather(JitCommand):
    """Run on until all workers of a parallel loop are at one place, and show them in one table.
    Usage: jit gather [-json] [start|breakpoint] [SECONDS]

    Workers wait for each other in the program, without stopping it; one that ends its
    turns before is not waited for. After SECONDS from the first one's coming (10) the
    table says who is missing. Typed again, it runs on to the next meeting.
      breakpoint  where the loop's body calls jitscope.breakpoint() (the default)
      start       where each worker begins its turns
      -json       as docs/schema/gather.json says"""

    name = "gather"
    options = ("-json",)
    takes_argument = True

    def words(self, of: target.Target) -> list[str]:
        return ["breakpoint", "start"]

    def run(self, of: target.Target, arguments: Arguments) -> None:
        words = arguments.rest.split()
        where = gathering.STOP
        if words and words[0] in ("breakpoint", "breakpoint()", "start"):
            where = gathering.START if words.pop(0) == "start" else gathering.STOP
        seconds = float(_SECONDS)
        if words:
            try:
                seconds = float(words.pop(0))
            except ValueError:
                raise report.Problem(self.usage()) from None
        if words or not 0 < seconds <= 4e6:
            raise report.Problem(self.usage())
        gathering.arm(of, where, int(seconds * 1000))
        gdb.execute("continue", False, True)
        found = gathering.met(of) if of.has_process else None
        if found is None:
            self.stopped_otherwise(of)
            return
        shown = gathering.table(of, found)
        if "-json" in arguments:
            write_json(shown)
        else:
            write(gathering.text_of(shown))

    def stopped_otherwise(self, of: target.Target) -> None:
        """Another stop came first, or the program has ended."""
        if not of.has_process or gdb.selected_thread() is None:
            write("The program has ended; no parallel loop's workers have gathered.")
            return
        gathering.disarm(of)
        write("The workers have not gathered: the program has stopped before.")
        gdb.execute("frame")


def create() -> None:
    Gather()
