"""`jit region`: the parallel loop that runs, and which worker has read and written what of its arrays."""

from __future__ import annotations

from ..base import report
from ..commands.base import Arguments, JitCommand, write, write_json
from ..gather import requests
from ..target import target
from ..threads import access_recording, regions, worker_text, workers


class Region(JitCommand):
    """Show the parallel loop that runs now; which worker has read and written what.
    Usage: jit region [-json] [-writes | -record [on|off]]

    The loop is the one that the selected thread is in or waits for; without one, all
    loops are shown. Shown are the function, lines and threading layer, the chunk of each
    worker, and the iterations of the whole loop if the program has jitscope.
      -record  from the next loop on, the program records what each worker reads and
               writes of the arrays that the loop was given; `off` ends it. Functions at
               `steps` record. In a loop that runs, only later accesses are recorded.
               Before `run`, recording begins with the first loop.
      -writes  show the record of this loop, or of the last one: ranges of indices with
               the line that was the last to write (or read) them, and elements that one
               worker writes and another one reads or writes, with both lines. This
               works on a core, too
      -json    as docs/schema/region.json says
    Accesses by C code (BLAS, typed containers) and by functions that are not at `steps`
    are not recorded. `jitscope.race_check` runs a function on copies, and records more."""

    name = "region"
    options = ("-json", "-record", "-writes")
    takes_argument = True

    def words(self, of: target.Target) -> list[str]:
        return ["on", "off"]

    def run(self, of: target.Target, arguments: Arguments) -> None:
        is_wrong = arguments.rest not in (("", "on", "off") if "-record" in arguments else ("",))
        if is_wrong or {"-record", "-writes"} <= arguments.options:
            raise report.Problem(self.usage())
        if "-record" in arguments:
            record(of, arguments.rest != "off")
            return
        workers.expect(of)
        if "-writes" in arguments:
            records = access_recording.found(of)
            shown = access_recording.text_of(records)
            if "-json" in arguments:
                write_json(records)
            else:
                write(shown)
        elif "-json" in arguments:
            write_json(regions.current(of))
        else:
            show(of)


def record(of: target.Target, on: bool) -> None:
    if of.has_process:
        access_recording.switch(of, on)
        begins = "the next parallel loop on"
    else:
        requests.record(on)
        begins = "the first parallel loop on, once the program runs"
    if on:
        write(f"Reads and writes are recorded from {begins}: {access_recording.HOW}.")
    else:
        write("Reads and writes are no longer recorded; what was is still shown.")


def show(of: target.Target) -> None:
    found = regions.current(of)
    if not found:
        raise report.Problem("no parallel loop runs now; `jit region -writes` shows what is recorded of the last one")
    for region in found:
        write(regions.text_of(region))
        for line in worker_text.table_of(region["workers"]):
            write(f"  {line}")


def create() -> None:
    Region()
