"""`jit threads`: the activity of each thread, and the iterations of a parallel loop that it runs."""

from __future__ import annotations

import gdb
from jitscope_shared import worker_text

from ..base import console, report
from ..target import target
from ..threads import python_threads, workers
from .base import Arguments, JitCommand, write, write_json


class Threads(JitCommand):
    """Use this when the program hangs, or to see what each thread does.
    Usage: jit threads [-json]

    A worker's line has its number in its threading layer (in order of creation; the
    thread that starts a loop is 0 if it works, too), the loop, its index, its chunk of
    iterations, its line, and how many iterations of the chunk are done. What is not known
    has a label. Other lines name idle threads of the pool, threads that wait for their
    workers, and Python's threads.
    A Python thread's line has its innermost function, whether it holds the interpreter's
    lock (the GIL) or waits for it, and whether it waits for a lock of the module
    threading, a notification (Condition.wait), a queue or a thread's end. The thread that
    holds a lock is shown if the lock is an RLock, or a `with` statement holds it.
      -json  write JSON, as docs/schema/threads.json says

    Example, in a parallel loop with two workers:
      (gdb) jit threads
      * 1  worker 0 of omp (and caller): in_place, prange at recorded.py:20, i = 1 of
          1..5, line 21, 0 of 5 done
        2  worker 1 of omp: in_place, prange at recorded.py:20, i = 6 of 6..10, line
            21, 0 of 5 done"""

    name = "threads"
    options = ("-json",)

    def run(self, debuggee: target.Target, arguments: Arguments) -> None:
        entries = workers.expect(debuggee)
        python_threads.fill(debuggee, entries)
        thread = gdb.selected_thread()
        if "-json" in arguments:
            workers.fill_frames(debuggee, entries)
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
