"""Counts of breakpoints, inside GDB: a breakpoint of one of the KINDS on every line that Python executed, and its hits.

GDB sources this as it does observe.py. It writes {"counts": [{"program", "line", "kind", "count", "said", "states"}],
"ended", "seconds"}: "said" is jitscope's note on the breakpoint, "states" are those of its line by `jit why`."""

from __future__ import annotations

import contextlib
import json
import os
import re
import struct
import time

import gdb

with open(os.environ["JITSCOPE_HOOKED_CONFIG"]) as handle:
    CONFIG = json.load(handle)
KINDS = ("ignored", "conditional", "commands", "skipping")
SKIPPED = 3  # hits that a "skipping" breakpoint ignores


class Counter:
    """One breakpoint with its hits."""

    def __init__(self, program: str, line: int, kind: str):
        self.program, self.line, self.kind = program, line, kind
        before = len(gdb.breakpoints() or ())
        try:
            self.said = gdb.execute(f"break {program}.py:{line}", to_string=True)
        except gdb.error as error:  # no code of the file is at the line or after it
            self.said = f"jitscope: {error}"
        found = gdb.breakpoints() or ()
        self.breakpoint = found[-1] if len(found) > before else None
        self.name = f"$hits_{program}_{line}"
        gdb.execute(f"set {self.name} = 0")
        if self.breakpoint is None:
            return
        if kind == "ignored":
            self.breakpoint.ignore_count = 1_000_000
        elif kind == "conditional":
            self.breakpoint.condition = f"({self.name} = {self.name} + 1) == 0"
        elif kind == "commands":
            self.breakpoint.commands = f"silent\nset {self.name} = {self.name} + 1"
        else:
            self.breakpoint.ignore_count = SKIPPED

    def end(self) -> dict:
        count = 0
        if self.breakpoint is not None:
            own = self.kind in ("ignored", "skipping")
            count = self.breakpoint.hit_count if own else int(gdb.parse_and_eval(self.name))
            if self.kind == "commands" and self.breakpoint.hit_count != count:
                self.said += f"hit count {self.breakpoint.hit_count}"
            self.breakpoint.delete()
        states = []
        with contextlib.suppress(gdb.error):
            why = json.loads(gdb.execute(f"jit why -json {self.program}.py:{self.line}", to_string=True))
            states = [entry["state"] for entry in why["functions"]]
        notes = re.findall(r"^jitscope: .*$", self.said, re.M)
        return {
            "program": self.program,
            "line": self.line,
            "kind": self.kind,
            "count": count,
            "said": notes,
            "states": states,
        }


class Run:
    def __init__(self) -> None:
        self.counts: list = []
        self.signal = None
        gdb.events.stop.connect(self.on_stop)

    def on_stop(self, event: object) -> None:
        self.signal = event.stop_signal if isinstance(event, gdb.SignalEvent) else None

    def resume(self, command: str) -> bool:
        self.signal = None
        gdb.execute(command, to_string=True)
        return bool(gdb.selected_inferior().pid)

    def now(self) -> int:
        with open(os.path.join(CONFIG["folder"], "clock")) as file:
            return struct.unpack("<q", gdb.selected_inferior().read_memory(int(file.read()), 8))[0]

    def run(self) -> str:
        alive = self.resume("run")
        points: list = []
        while alive and self.signal == "SIGUSR1":
            self.counts += [point.end() for point in points]
            number = self.now()
            if number < 0:
                return "SIGUSR1"
            program = CONFIG["programs"][number]
            lines = CONFIG["lines"][program]
            points = [Counter(program, line, KINDS[i % len(KINDS)]) for i, line in enumerate(lines)]
            while (alive := self.resume("continue")) and self.signal is None:
                pass
        return self.signal if alive else "exited"


for setting in (
    "pagination off", "confirm off", "width 0", "auto-load no", "breakpoint pending off",
    "breakpoint always-inserted on",
):  # fmt: skip
    gdb.execute("set " + setting, to_string=True)
gdb.execute("handle SIGUSR1 stop print nopass", to_string=True)
with contextlib.suppress(gdb.error):  # a GDB without debuginfod has no such setting
    gdb.execute("set debuginfod enabled off", to_string=True)
began, run, ended = time.monotonic(), Run(), "error"
try:
    ended = run.run()
finally:
    if gdb.selected_inferior().pid:
        gdb.execute("kill", to_string=True)
    with open(CONFIG["out"], "w") as handle:
        json.dump({"counts": run.counts, "ended": ended, "seconds": time.monotonic() - began}, handle)
