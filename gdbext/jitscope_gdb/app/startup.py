"""The start of jitscope in GDB, called by `source jitscope.py`."""

from __future__ import annotations

import gdb
from jitscope_shared.base import native

from ..backtrace import frame_filter
from ..base import events, report
from ..breakpoints import (
    breakpoints,
    conditions,
    front_end_input,
    guard,
    library_places,
    never_set,
    unseen,
    watching,
    worker_breaks,
)
from ..frames import displays, levels
from ..gather import line_arrivals, requests
from ..present import printers, source_notes, stop_notes
from ..run_commands import gdb_print
from ..stops import enclosing_variables, raising, region_end, requested_stops, several_types, step_out, stepping
from ..target import cells, displaced_stepping, failed_attaches, lapack, libraries, lifecycle, reader
from ..threads import pending, thread_names
from . import (
    command_list,
    dap_assignments,
    dap_breakpoints,
    dap_cells,
    dap_expressions,
    dap_frames,
    dap_requests,
    dap_server,
    dap_stops,
    dap_types,
    mi_expressions,
    past_main,
    settings,
)

# Each of these modules handles some of GDB's events (events.py) once it is loaded.
_FOLLOWERS = (
    line_arrivals, failed_attaches, breakpoints, cells, conditions, displaced_stepping,
    front_end_input, guard, lapack, levels, libraries, library_places, lifecycle, never_set, past_main, raising,
    region_end, requests, several_types, source_notes, step_out, stepping, stop_notes, requested_stops,
    thread_names, unseen, watching, worker_breaks,
)  # fmt: skip

_loaded = False
_connected = False


def start(here: str) -> str | None:
    """Start all parts, once. Return the one line to show when something is missing, or None."""
    global _loaded, _connected
    try:
        native.load(here)
    except native.Unavailable as error:
        return str(error)
    native.library.js_reader_set_callback(reader.callback)
    if not _connected:
        settings.create()
        command_list.create()
        printers.register()
        frame_filter.create()
        mi_expressions.create()
        events.connect()
        pending.connect()
        stepping.hook()
        enclosing_variables.hook()
        displays.hook(levels.displayed, gdb_print.displayed)
        report.quietly(front_end_input.start)()
        dap = (
            dap_assignments,
            dap_breakpoints,
            dap_cells,
            dap_expressions,
            dap_frames,
            dap_requests,
            dap_stops,
            dap_types,
        )
        for module in dap if dap_server.load() else ():
            report.quietly(module.adopt)()
        _connected = True
        if any(inferior.pid for inferior in gdb.inferiors()):
            requested_stops.look()
            guard.stopped()
            displaced_stepping.choose()
    return _load_reader(here)


def _load_reader(here: str) -> str | None:
    global _loaded
    load = f"jit-reader-load {native.path}"
    try:
        gdb.execute(load, False, True)
    except gdb.error as error:
        text = " ".join(str(error).split())
        if "already loaded" not in text:
            return f"GDB does not load {native.path} as its JIT reader ({text.rstrip('.')}): {native.cure(here)}"
        return None if _loaded else "another JIT reader is loaded: run jit-reader-unload, then source this again"
    _loaded = True
    if any(inferior.pid for inferior in gdb.inferiors()):
        scan_again()
    return None


def scan_again() -> None:
    """Have GDB look again for registered objects: those that it has read already, and those of a library that it had
    not read when it attached. GDB looks again only when a reader is loaded."""
    gdb.execute("jit-reader-unload", False, True)
    said = gdb.execute(f"jit-reader-load {native.path}", False, True)
    if said:  # jitscope's notes about what the reader found, such as a core's fault
        gdb.write(said)
