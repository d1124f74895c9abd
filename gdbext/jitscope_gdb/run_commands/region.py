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

    Its function, lines and threading layer, the chunks and iterations at hand, those of
    the whole loop where the program has jitscope, and each worker's. Of the loop that the
    selected thread is in or waits for; of all when it is in none.
      -record  from the next loop on, the program records what each worker reads and
               writes of the arrays that the loop was given; `off` ends it. Functions at
               `steps` record. In a loop that runs, only later accesses are recorded.
               Before `run` the first loop is meant.
      -writes  what is recorded of this loop, or the last one: ranges of indices with
               the line that was the last to write (or read) them, and elements that one
               worker writes and another one has, with both lines. In a core, too
      -json    as docs/schema/region.json says
    What C does (BLAS, typed containers), and functions that are not at `steps`, is not
    recorded; `jitscope.race_check` runs a function on copies and looks into more."""

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
