"""`jit threads`: what each thread does, and which iterations of a parallel loop it runs."""

from __future__ import annotations

import gdb

from ..base import console, report
from ..target import target
from ..threads import python_threads, worker_text, workers
from .base import Arguments, JitCommand, write, write_json


class Threads(JitCommand):
    """Show what each thread does: the workers of a parallel loop with their iterations.
    Usage: jit threads [-json]

    A worker's line has its number in its threading layer (in order of creation; the
    thread that starts a region is 0 if it works, too), the loop, its index, its chunk of
    iterations, its line, and how many iterations of the chunk are done. Chunks are
    read from the arguments of each call of the loop's body, the index from its variable;
    what is not known has a label. Other lines name idle threads of the pool, threads that
    wait for their workers, and Python's threads.
    A Python thread's line has its innermost function, whether it holds the interpreter's
    lock (the GIL) or waits for it, and whether it waits for a lock of the module
    threading, a notification (Condition.wait) or a thread's end. Only an RLock records
    which thread holds it.
      -json  as docs/schema/threads.json says"""

    name = "threads"
    options = ("-json",)

    def run(self, of: target.Target, arguments: Arguments) -> None:
        entries = workers.expect(of)
        python_threads.fill(of, entries)
        thread = gdb.selected_thread()
        if "-json" in arguments:
            workers.fill_frames(of, entries)
            write_json(entries)
            return
        if not entries:
            raise report.Problem("no threads")
        width = len(str(max(entry["thread"] for entry in entries)))
        for entry in entries:
            mark = "*" if thread is not None and entry["thread"] == thread.num else " "
            text = worker_text.text_of(entry) + python_threads.text_of(entry)
            write(f"{mark} {entry['thread']:<{width}}  {console.plain(text)}")


def create() -> None:
    Threads()
