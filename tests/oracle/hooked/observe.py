"""Observation inside GDB: plain breakpoints on every line that Python executed, and the values at each stop.

Sourced by GDB; the configuration is the JSON file named by JITSCOPE_HOOKED_CONFIG: {"folder", "programs", "lines":
{program: [..]}, "files": {program: name}, "jitscope": bool, "path": [..], "most",
"out"}. No third-party import: this runs in GDB's own Python."""

from __future__ import annotations

import collections
import contextlib
import json
import os
import re
import struct
import sys
import time

import gdb

with open(os.environ["JITSCOPE_HOOKED_CONFIG"]) as handle:
    CONFIG = json.load(handle)
sys.path[:0] = CONFIG["path"]
from activations import Activations  # noqa: E402
from agreement import disagreements  # noqa: E402
from leaves import ELEMENTS, shown  # noqa: E402
from surfaces import heads_differ, surfaces  # noqa: E402

PENDING = "on" if "pid" in CONFIG else "off"  # a function that is inlined everywhere has lines when it is compiled anew
SAMPLE = 16  # one of this many stops is compared with the output of the commands


def query():
    """Return `jit locals -json`, or a text if it failed."""
    try:
        return json.loads(gdb.execute("jit locals -json", to_string=True))
    except (gdb.error, ValueError) as error:
        return str(error)


def commands_differ(frame, variables):
    """Return the names that the commands and front ends show differently. An argument of another type that a block's
    variable hides has a label."""
    differing, innermost, names = [], {}, []
    for entry in variables:
        hiding = innermost.setdefault(entry["name"], entry)
        if hiding is not entry:
            if entry["text"] != hiding["text"] and not re.fullmatch(r"<.*>", entry["text"]):
                differing.append([entry["name"], entry["text"], f"hidden by {hiding['text']}"])
    several = collections.Counter(entry["name"] for entry in variables)
    for entry in variables:
        # Addresses are written with symbols in one and without in the other.
        if "0x" not in entry["text"] and re.fullmatch(r"\w+", entry["name"]) and several[entry["name"]] == 1:
            names.append(entry["name"])
    try:
        texts = surfaces(names)
    except (gdb.error, ValueError) as error:
        return [["jit locals -json", {"error": str(error)}]]
    texts["symbol"] = {name: innermost[name]["text"] for name in names}
    return differing + disagreements(texts) + heads_differ()


def levels(program):
    """Return what came of the requests about the program's functions, without their lines and names."""
    found = []
    for line in gdb.execute("jit level", to_string=True).splitlines():
        place, _, said = line.partition("  ")
        if place.startswith(f"{program}.py:"):
            text = re.sub(r"done: .*", "done", said)
            found.append(text if text.endswith("done") else f"{place} {text}")
    return found


class Observer:
    """The driver of the inferior, which keeps the stops."""

    def __init__(self):
        self.stops = []
        self.unset = []
        self.levels = {}
        self.signal = None
        self.clock = None
        self.seconds = 0.0
        gdb.events.stop.connect(self.on_stop)

    def on_stop(self, event):
        self.signal = event.stop_signal if isinstance(event, gdb.SignalEvent) else None

    def resume(self, command):
        self.signal = None
        gdb.execute(command, to_string=True)
        return bool(gdb.selected_inferior().pid) and bool(gdb.selected_inferior().threads())

    def now(self):
        """Return the number of the program and the number of the call."""
        if self.clock is None:
            with open(os.path.join(CONFIG["folder"], "clock")) as handle:
                self.clock = int(handle.read())
        return struct.unpack("<2q", gdb.selected_inferior().read_memory(self.clock, 16))

    def note(self, program, call, activations):
        frame = gdb.newest_frame()
        place = frame.find_sal()
        name = frame.name() or ""
        file = os.path.basename(place.symtab.filename) if place.symtab is not None else ""
        stop = {"program": program, "call": call, "line": place.line, "frame": name, "pc": frame.pc()}
        if file != CONFIG["files"][program] or name.startswith(("cpython::", "cfunc.")):
            self.stops.append({**stop, "elsewhere": file})
            return
        stop["thread"] = gdb.selected_thread().num
        stop["frames"] = activations.frames()
        stop["shown"] = shown(frame)
        if CONFIG["jitscope"]:
            stop["json"] = query()
            if len(self.stops) % SAMPLE == 0 or self.signal is not None:
                stop["differ"] = commands_differ(frame, stop["shown"])
        self.stops.append(stop)

    def note_fault(self, program, call, activations):
        """Note the stop at a fault, after which the thread ends and the program goes on."""
        self.note(program, call, activations)
        self.stops[-1]["fault"] = True
        gdb.execute("call ((void *(*)(void)) PyEval_SaveThread)()", to_string=True)  # other threads need the GIL
        gdb.selected_inferior().write_memory(self.clock + 16, struct.pack("<q", 1))
        gdb.newest_frame().select()
        for setting in ("$rdi = 60", "$rsi = 0", "$pc = (long) &syscall"):  # the thread calls exit
            gdb.execute("set var " + setting, to_string=True)

    def set_points(self, program):
        points = []
        for line in CONFIG["lines"][program]:
            try:
                points.append(gdb.Breakpoint(f"{CONFIG['files'][program]}:{line}"))
            except gdb.error:
                self.unset.append([program, line])
        return points

    def run(self):
        if "pid" in CONFIG:
            gdb.execute(f"attach {CONFIG['pid']}", to_string=True)
        alive = self.resume("continue" if "pid" in CONFIG else "run")
        points, activations = [], None
        while alive and self.signal == "SIGUSR1":
            for point in points:
                point.delete()
            if activations is not None:
                activations.end()
            number, _ = self.now()
            if number < 0:
                break
            program = CONFIG["programs"][number]
            points, activations = self.set_points(program), Activations(CONFIG["files"][program])
            began = time.monotonic()
            command = "continue"
            while (alive := self.resume(command)) and self.signal in (None, "SIGSEGV"):
                command, call = "continue", self.now()[1]
                if self.signal == "SIGSEGV":
                    if call != CONFIG["faults"].get(program):
                        break
                    self.note_fault(program, call, activations)
                    command = "signal 0"
                elif len(self.stops) < CONFIG["most"]:
                    self.note(program, call, activations)
            self.seconds += time.monotonic() - began
            if "pid" in CONFIG:
                self.levels[program] = levels(program)
        ended = self.signal if alive else "exited"
        if gdb.selected_inferior().pid:
            gdb.execute("detach" if "pid" in CONFIG else "kill", to_string=True)
        return ended


for setting in (
    "pagination off", "confirm off", "width 0", "auto-load no", f"breakpoint pending {PENDING}",
    "breakpoint always-inserted on", f"print elements {ELEMENTS}", "print repeats unlimited",
    "print frame-arguments presence",
):  # fmt: skip
    gdb.execute("set " + setting, to_string=True)
gdb.execute("handle SIGUSR1 stop print nopass", to_string=True)
for setting in ("debuginfod enabled off", "jitscope digits on"):  # settings that some GDBs have
    with contextlib.suppress(gdb.error):
        gdb.execute("set " + setting, to_string=True)
observer = Observer()
ended = "error"
try:
    ended = observer.run()
finally:
    with open(CONFIG["out"], "w") as handle:
        found = {"stops": observer.stops, "unset": observer.unset, "levels": observer.levels}
        json.dump({**found, "ended": ended, "seconds": observer.seconds}, handle)
