"""Observation inside GDB: it stops the compiled cases everywhere and writes the values at each stop.

Sourced by GDB; the configuration is the JSON file named by JITSCOPE_TRUTH_CONFIG: {"program", "lines": [..],
"functions": {name: first line}, "phases": ["breaks", "step"], "per_line", "per_function", "jitscope": bool, "out"}. No
third-party import: this runs in GDB's own Python."""

from __future__ import annotations

import contextlib
import json
import os
import pathlib
import re
import sys

import gdb

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from leaves import ELEMENTS, shown  # noqa: E402

with open(os.environ["JITSCOPE_TRUTH_CONFIG"]) as handle:
    CONFIG = json.load(handle)
BASENAME = os.path.basename(CONFIG["program"])


def query():
    """Return `jit locals -json`, if there is this command."""
    try:
        return json.loads(gdb.execute("jit locals -json", to_string=True))
    except (gdb.error, ValueError) as error:
        return {"error": str(error)}


def function_of(frame):
    """Return the name in the source, and True if the function is a wrapper."""
    full = frame.name() or ""
    path = re.sub(r"\[abi:[^]]*\]", "", full).split("(")[0]
    return re.split(r"::|\.", path)[-1], path.startswith(("cpython::", "cfunc."))


class Entry(gdb.Breakpoint):
    """A breakpoint that counts the calls of a function, and never stops."""

    def __init__(self, address, name, calls):
        super().__init__(f"*{address}", internal=True)
        self.name = name
        self.calls = calls

    def stop(self):
        self.calls[self.name] = self.calls.get(self.name, 0) + 1
        return False


def entries(name):
    """Return the first addresses of a function's copies, without wrappers."""
    found = set()
    with contextlib.suppress(gdb.error):
        for place in gdb.decode_line(f"{BASENAME}:{name}")[1] or ():
            block = gdb.block_for_pc(place.pc)
            while block is not None and block.function is None:
                block = block.superblock
            if block is not None and "cpython" not in block.function.name and "cfunc" not in block.function.name:
                found.add(block.start)
    return found


class Observer:
    """The driver of the inferior, which keeps the stops."""

    def __init__(self):
        self.stops = []
        self.signal = None
        self.calls = {}  # the calls of this phase, by function
        self.called = []  # the functions that GDB ran in the program by itself
        gdb.events.stop.connect(self.on_stop)
        gdb.events.inferior_call.connect(self.on_call)

    def on_stop(self, event):
        self.signal = event.stop_signal if isinstance(event, gdb.SignalEvent) else None

    def on_call(self, event):
        self.called.append(gdb.execute(f"info symbol {event.address}", to_string=True).strip())

    def alive(self):
        return bool(gdb.selected_inferior().pid) and bool(gdb.selected_inferior().threads())

    def here(self):
        """Return the innermost frame if it is in the program's file, else None."""
        frame = gdb.newest_frame()
        table = frame.find_sal().symtab
        return frame if table is not None and os.path.basename(table.filename) == BASENAME else None

    def note(self, phase):
        frame = self.here()
        if frame is None:
            return None
        name, wrapper = function_of(frame)
        stop = {"phase": phase, "function": name, "wrapper": wrapper, "line": frame.find_sal().line}
        stop["pc"], stop["call"] = frame.pc(), self.calls.get(name, 0)
        stop["shown"] = shown(frame)
        if CONFIG["jitscope"]:
            stop["json"] = query()
        self.stops.append(stop)
        return name

    def resume(self, command):
        self.signal = None
        gdb.execute(command, to_string=True)
        return self.alive()

    def breaks(self):
        """Set breakpoints on all lines, at all their locations."""
        points = []
        for line in CONFIG["lines"]:
            with contextlib.suppress(gdb.error):
                points.append(gdb.Breakpoint(f"{BASENAME}:{line}"))
        counts = {}
        while self.resume("continue") and self.signal is None:
            name = self.note("breaks")
            counts[name] = counts.get(name, 0) + 1
            for point in points:
                if point.is_valid() and point.enabled and point.hit_count >= CONFIG["per_line"]:
                    point.enabled = False
        for point in points:
            point.delete()

    def step(self):
        """Set a breakpoint on each function, then `next` until it is left."""
        points = []
        for name in CONFIG["functions"]:
            with contextlib.suppress(gdb.error):
                points.append(gdb.Breakpoint(f"-source {BASENAME} -function {name}"))
        counts = {}
        while self.resume("continue") and self.signal is None:
            name = self.note("step")
            while name is not None and counts.get(name, 0) < CONFIG["per_function"]:
                counts[name] = counts.get(name, 0) + 1
                if not self.resume("next") or self.signal is not None:
                    return
                name = self.note("step")
            for point in points:
                if point.is_valid() and point.enabled and point.hit_count >= CONFIG["per_function"]:
                    point.enabled = False
        for point in points:
            point.delete()

    def run(self):
        self.resume("run")
        for phase in CONFIG["phases"]:
            if not self.alive() or self.signal != "SIGUSR1":
                break
            self.calls.clear()
            counters = [Entry(at, name, self.calls) for name in CONFIG["functions"] for at in entries(name)]
            getattr(self, phase)()
            for stop in self.stops:
                if stop["phase"] == phase:
                    stop["calls"] = self.calls.get(stop["function"], 0)
            for counter in counters:
                counter.delete()
        if self.alive():
            gdb.execute("kill", to_string=True)


gdb.execute("handle SIGUSR1 stop print nopass", to_string=True)
for setting in (
    "pagination off", "confirm off", "width 0", "auto-load no", "breakpoint pending off",
    f"print elements {ELEMENTS}", "print repeats unlimited",
):  # fmt: skip
    gdb.execute("set " + setting, to_string=True)
for setting in ("debuginfod enabled off", "jitscope digits on"):  # settings that some GDBs have
    with contextlib.suppress(gdb.error):
        gdb.execute("set " + setting, to_string=True)
observer = Observer()
try:
    observer.run()
finally:
    pathlib.Path(CONFIG["out"]).write_text(json.dumps({"stops": observer.stops, "called": observer.called}))
