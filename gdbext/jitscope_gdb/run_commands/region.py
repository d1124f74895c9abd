"""`jit region`: the parallel loop that runs, and what each worker has read and written of its arrays."""

from __future__ import annotations

from jitscope_shared import recorded_accesses, running_loops, worker_text

from ..base import report
from ..commands.base import Arguments, JitCommand, write, write_json
from ..frames import reductions
from ..gather import requests
from ..target import cells, target
from ..threads import access_recording, regions, workers


class Region(JitCommand):
    """Use this when a parallel loop gives wrong or varying results.
    Usage: jit region [-json] [-writes | -record [on|off]]

    It shows the loop that the selected thread is in or waits for, or all loops: function,
    lines, threading layer, the chunk of each worker, and the iterations of the whole loop
    if the program has jitscope.
      -record  record, from the next loop on, what each worker reads and writes of the
               arrays that the loop was given; `off` ends it. Before `run`, recording
               begins with the first loop
      -writes  show the record of this loop, or of the last one, on a core, too: ranges of
               indices with the line that was the last to write (or read) them, and
               elements that one worker writes and another one reads or writes
      -json    write JSON, as docs/schema/region.json says
    In a loop that runs already, only chunks that begin later are recorded. Accesses by
    C code (BLAS, typed containers) and by functions that are not at level steps are not
    recorded. `jitscope.race_check` runs a function on copies, and records more.

    Example, after a loop that ran with `jit region -record`:
      (gdb) jit region -writes
      in_place, prange at recorded.py:20, 2 workers:
      worker 0 wrote a[1..5] at line 21
               read a[0..6] at line 21
      worker 1 wrote a[6..10] at line 21
               read a[5..11] at line 21
      Several workers have used the same elements:
        a[5] (workers 0 and 1), a[6] (workers 1 and 0): written at recorded.py:21 by
            the first of the two, read at recorded.py:21 by the other"""

    name = "region"
    options = ("-json", "-record", "-writes")
    takes_argument = True

    def words(self, debuggee: target.Target) -> list[str]:
        return ["on", "off"]

    def run(self, debuggee: target.Target, arguments: Arguments) -> None:
        is_wrong = arguments.rest not in (("", "on", "off") if "-record" in arguments else ("",))
        if is_wrong or {"-record", "-writes"} <= arguments.options:
            raise report.Problem(self.usage())
        if "-record" in arguments:
            record(debuggee, arguments.rest != "off")
            return
        workers.expect(debuggee)
        if "-writes" in arguments:
            records = access_recording.found(debuggee)
            if problem := recorded_accesses.missing(records):
                raise report.Problem(problem)
            shown = recorded_accesses.text_of(records, cells.base_name)
            if "-json" in arguments:
                write_json(records)
            else:
                parts = reductions.notes(debuggee, records["file"] or "", records["line"] or 0)
                write("\n".join([shown, *parts]))
        elif "-json" in arguments:
            write_json(regions.current(debuggee))
        else:
            show(debuggee)


def record(debuggee: target.Target, on: bool) -> None:
    if debuggee.has_process:
        access_recording.switch(debuggee, on)
        begins = "the next parallel loop on"
    else:
        requests.record(on)
        begins = "the first parallel loop on, once the program runs"
    if on:
        write(recorded_accesses.switched_on(begins))
    else:
        write(recorded_accesses.OFF)


def show(debuggee: target.Target) -> None:
    found = regions.current(debuggee)
    if not found:
        raise report.Problem(recorded_accesses.NO_LOOP)
    for region in found:
        write(running_loops.text_of(region, cells.base_name))
        for line in worker_text.table_of(region["workers"]):
            write(f"  {line}")


def create() -> None:
    Region()
