"""Observation inside LLDB, as observe.py does in GDB: plain breakpoints on every line that Python executed, and at each
stop the values of LLDB's own pane ("shown") and those of `jit locals -json`. LLDB imports this after jitscope; the
configuration is that of observe.py."""

from __future__ import annotations

import json
import os
import signal
import struct
import time

import lldb

with open(os.environ["JITSCOPE_HOOKED_CONFIG"]) as handle:
    CONFIG = json.load(handle)


def entry_of(value):
    """Return a variable as LLDB's pane shows it, in the form of leaves.shown()."""
    text = value.GetSummary() or value.GetValue()
    if not text:
        error = value.GetError().GetCString()
        text = f"<{error}>" if error else f"<no text of {value.GetTypeName()}, {value.GetNumChildren()} children>"
    kind = "label" if value.GetError().Fail() or text.startswith("<") else "opaque"
    text = {"true": "True", "false": "False"}.get(text, text)
    return {"name": value.GetName(), "type": value.GetTypeName(), "text": text, "value": {"t": kind, "text": text}}


class Observer:
    """The driver of the process, which keeps the stops."""

    def __init__(self, debugger):
        self.debugger = debugger
        self.target = debugger.GetSelectedTarget()
        self.process = None
        self.stops = []
        self.unset = []
        self.clock = None
        self.seconds = 0.0

    def command(self, text):
        result = lldb.SBCommandReturnObject()
        self.debugger.GetCommandInterpreter().HandleCommand(text, result)
        return result.GetOutput() if result.Succeeded() else result.GetError()

    def stopped(self):
        """Return the threads that have stopped by breakpoints, and a signal that has stopped one; [], None: the process
        has ended."""
        if self.process.GetState() != lldb.eStateStopped:
            return [], None
        threads = list(self.process)
        signals = [each for each in threads if each.GetStopReason() == lldb.eStopReasonSignal]
        own = [each for each in threads if each.GetStopReason() == lldb.eStopReasonBreakpoint]
        return own, signals[0].GetStopReasonDataAtIndex(0) if signals else None

    def now(self):
        """Return the number of the program and the number of the call."""
        if self.clock is None:
            with open(os.path.join(CONFIG["folder"], "clock")) as handle:
                self.clock = int(handle.read())
        return struct.unpack("<2q", self.process.ReadMemory(self.clock, 16, lldb.SBError()))

    def note(self, program, call, thread):
        frame = thread.GetFrameAtIndex(0)
        self.process.SetSelectedThread(thread)
        thread.SetSelectedFrame(0)
        place = frame.GetLineEntry()
        name, file = frame.GetFunctionName() or "", place.GetFileSpec().basename or ""
        stop = {"program": program, "call": call, "line": place.GetLine(), "frame": name, "pc": frame.GetPC()}
        if file != CONFIG["files"][program]:
            self.stops.append({**stop, "elsewhere": file})
            return
        stop["thread"] = thread.GetIndexID()
        stop["shown"] = [entry_of(value) for value in frame.GetVariables(True, True, False, True)]
        said = self.command("jit locals -json")
        try:
            stop["json"] = json.loads(said)
        except ValueError:
            stop["json"] = str(said)
        self.stops.append(stop)

    def run(self):
        self.debugger.SetAsync(False)
        info = self.target.GetLaunchInfo()
        info.SetEnvironment(self.target.GetEnvironment(), True)
        info.SetArguments(json.loads(os.environ["JITSCOPE_HOOKED_ARGUMENTS"]), True)
        error = lldb.SBError()
        self.process = self.target.Launch(info, error)
        signals = self.process.GetUnixSignals()
        signals.SetShouldStop(signal.SIGUSR1, True)
        signals.SetShouldSuppress(signal.SIGUSR1, True)
        points = []
        threads, number = self.stopped()
        while number == signal.SIGUSR1:
            for point in points:
                self.target.BreakpointDelete(point.GetID())
            count, _ = self.now()
            if count < 0:
                break
            program = CONFIG["programs"][count]
            lines = CONFIG["lines"][program]
            points = [self.target.BreakpointCreateByLocation(CONFIG["files"][program], line) for line in lines]
            self.unset += [[program, line] for line, point in zip(lines, points) if not point.GetNumLocations()]
            began = time.monotonic()
            while True:
                self.process.Continue()
                threads, number = self.stopped()
                for thread in threads if len(self.stops) < CONFIG["most"] else ():
                    self.note(program, self.now()[1], thread)
                if not threads or number is not None:
                    break
            self.seconds += time.monotonic() - began
        is_there = self.process.GetState() == lldb.eStateStopped
        ended = "exited" if not is_there else "SIGUSR1" if number == signal.SIGUSR1 else f"signal {number}"
        if is_there:
            self.process.Kill()
        return ended


def __lldb_init_module(debugger, _names):
    observer, ended = Observer(debugger), "error"
    try:
        ended = observer.run()
    finally:
        with open(CONFIG["out"], "w") as handle:
            found = {"stops": observer.stops, "unset": observer.unset, "levels": {}}
            json.dump({**found, "ended": ended, "seconds": observer.seconds}, handle)
