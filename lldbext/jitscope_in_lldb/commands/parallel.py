"""The `jit` commands about parallel loops."""

from __future__ import annotations

from typing import Any

from jitscope_shared import recorded_accesses, running_loops, worker_text
from jitscope_shared.commands import options

from ..report import Problem
from . import regions
from .base import Command, json_text


class Region(Command):
    """Use this when a parallel loop gives wrong or varying results.
    Usage: jit region [-json] [-writes | -record [on|off]]

    It shows the loop that the selected thread is in or waits for, or all loops: function,
    lines, threading layer, the chunk of each worker, and the iterations of the whole loop
    if the program has jitscope.
      -record  record, from the next loop on, what each worker reads and writes of the
               arrays that the loop was given; `off` ends it
      -writes  show the record of this loop, or of the last one, on a core, too: ranges of
               indices with the line that was the last to write (or read) them, and
               elements that one worker writes and another one reads or writes
      -json    write JSON, as docs/schema/region.json says
    In a loop that runs already, only chunks that begin later are recorded. Accesses by
    C code (BLAS, typed containers) and by functions that are not at level steps are not
    recorded."""

    name = "region"
    options = ("-json", "-record", "-writes")
    takes_argument = True

    def run(self, debugger: Any, debuggee: Any, arguments: options.Arguments) -> str:
        is_wrong = arguments.rest not in (("", "on", "off") if "-record" in arguments else ("",))
        if is_wrong or {"-record", "-writes"} <= arguments.options:
            raise Problem(self.usage())
        if "-record" in arguments:
            is_on = arguments.rest != "off"
            regions.record(debuggee, is_on)
            return recorded_accesses.switched_on("the next parallel loop on") if is_on else recorded_accesses.OFF
        if "-writes" in arguments:
            records = regions.records(debuggee)
            if "-json" in arguments:
                return json_text(records)
            shown = recorded_accesses.text_of(records, worker_text.base_name)
            return "\n".join([shown, *regions.notes(debuggee, records)])
        found = regions.current(debuggee, debuggee.process.GetSelectedThread())
        if "-json" in arguments:
            return json_text(found)
        if not found:
            raise Problem(recorded_accesses.NO_LOOP)
        lines = []
        for region in found:
            lines.append(running_loops.text_of(region, worker_text.base_name))
            lines += [f"  {line}" for line in worker_text.table_of(region["workers"])]
        return "\n".join(lines)
