"""Observation inside GDB of a process that looping.py runs, or of its core: what the innermost frame shows that is in
the file. No third-party import: this runs in GDB's own Python.

Its configuration is the JSON file named by JITSCOPE_STOPS_CONFIG: {"file", "clock", "path", "most", "core": FILE or
null, "out"}. Without a core it goes on from interrupt to interrupt, and writes a core at the first stop in the file."""

from __future__ import annotations

import json
import os
import struct
import sys
import time

import gdb

with open(os.environ["JITSCOPE_STOPS_CONFIG"]) as handle:
    CONFIG = json.load(handle)
sys.path[:0] = CONFIG["path"]
from leaves import ELEMENTS, shown  # noqa: E402

SECONDS = 40.0


def innermost():
    """Return the innermost frame that is in the file, or None."""
    frame = gdb.newest_frame()
    while frame is not None:
        place = frame.find_sal()
        name = frame.name() or ""
        is_compiled = not name.startswith(("cpython::", "cfunc."))
        if place.symtab is not None and os.path.basename(place.symtab.filename) == CONFIG["file"] and is_compiled:
            return frame
        frame = frame.older()
    return None


def note():
    """Return what the innermost frame shows, or None if no frame is in the file."""
    gdb.selected_inferior().threads()[-1].switch()  # the oldest thread is the last
    frame = innermost()
    if frame is None:
        return None
    frame.select()
    call = struct.unpack("<q", gdb.selected_inferior().read_memory(CONFIG["clock"], 8))[0]
    return {
        "call": call,
        "line": frame.find_sal().line,
        "frame": frame.name(),
        "is newest": frame == gdb.newest_frame(),
        "shown": shown(frame),
        "json": json.loads(gdb.execute("jit locals -json", to_string=True)),
    }


def observed():
    if CONFIG["core"] and os.path.exists(CONFIG["core"]):
        return [note()]
    found, ends = [], time.monotonic() + SECONDS
    while len(found) < CONFIG["most"] and time.monotonic() < ends:
        gdb.execute("continue", to_string=True)
        stop = note()
        if stop is None:
            continue
        found.append(stop)
        if len(found) == 1:
            gdb.execute(f"generate-core-file {CONFIG['core']}", to_string=True)
    return found


for setting in ("pagination off", "confirm off", "width 0", f"print elements {ELEMENTS}", "print repeats unlimited"):
    gdb.execute("set " + setting, to_string=True)
gdb.execute("handle SIGALRM stop print nopass", to_string=True)
stops = observed()
with open(CONFIG["out"], "w") as handle:
    json.dump(stops, handle)
