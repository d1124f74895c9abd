"""The end of a parallel loop: a stop in its function, after the loop, in the thread that started it."""

from __future__ import annotations

from typing import Any

import gdb
from jitscope_shared.base import native
from jitscope_source import loop_lines

from ..base import console, events, report
from ..frames import frames, undescribed
from ..target import cells, sources, target
from ..threads import workers

_WRAPPER = "gufunc-wrapper"
_DEPTH = 400


@events.on("stop", order=140)
def arrived(event: Any) -> None:
    """Report, after a step from the loop's body into its caller, that the body was left, and which command helps."""
    if isinstance(event, (gdb.BreakpointEvent, gdb.SignalEvent)) or not gdb.parameter("jitscope notes"):
        return
    debuggee = target.current()
    frame = gdb.newest_frame()
    function = frames.compiled_at(debuggee, frame)
    if function is None or function["kind"] != _WRAPPER:
        return
    entry = workers.of_thread(debuggee, gdb.selected_thread().num)
    if entry is None or entry["layer"] is None:
        return
    who = f"worker {entry['worker']} of {entry['layer']}" if entry["worker"] is not None else "this thread"
    report.say(
        f"{who} has run its chunk of {function['name']} to the end: `jit finish -region` runs to the line behind the "
        "loop, `continue` runs on"
    )


def run(debuggee: target.Target) -> None:
    """Run until the parallel loop that the selected thread is in has ended, and stop after it."""
    workers.expect(debuggee)
    if not debuggee.is_live:
        raise report.Problem("a core cannot run: `run` or `attach` first")
    ending = Ending(debuggee, _function(debuggee))
    ending.thread.switch()
    try:
        gdb.execute("continue")
    finally:
        ending.delete()
    if ending.was_hit:
        ending.show()


class Place(gdb.Breakpoint):
    """A breakpoint for one frame of one thread."""

    def __init__(self, address: int, cfa: int, is_caller: bool = False):
        super().__init__(f"*{address:#x}", gdb.BP_BREAKPOINT, internal=True)
        self.silent = not console.is_machine_interface()
        self.thread = gdb.selected_thread().global_num
        self.was_hit = False
        self._cfa = cfa
        self._is_caller = is_caller

    def stop(self) -> bool:
        frame = gdb.newest_frame()
        if self._is_caller:
            self.was_hit = int(frame.read_register("sp")) & (1 << 64) - 1 >= self._cfa
        else:
            self.was_hit = frames.cfa(frame) == self._cfa
        return self.was_hit


class Ending:
    """Breakpoints after the loop that the selected thread runs, in the thread that waits for it. Raise report.Problem
    if that thread is not known. `header`: the loop's line; 0: the loop that runs."""

    def __init__(self, debuggee: target.Target, name: str, header: int = 0):
        thread = gdb.selected_thread()
        own = workers.of_thread(debuggee, thread.num)
        callers = own["callers"] if own is not None else []
        waiting = [e for e in workers.all_threads(debuggee) if any(start["function"] == name for start in e["starts"])]
        if own in waiting:  # it works for the loop, too; `callers` is about the outermost loop that it works for
            waiting = [own]
        elif callers and (own is None or len(own["regions"]) < 2):
            waiting = [entry for entry in waiting if entry["thread"] in callers]
        if len(waiting) != 1:
            numbers = " or ".join(str(entry["thread"]) for entry in waiting)
            if not waiting:
                raise report.Problem(f"no thread is found that waits for this loop of {name}")
            raise report.Problem(f"thread {numbers} waits for this loop of {name}, but it is not known which")
        line = header or _header(debuggee, name, waiting[0])
        frame = gdb.selected_frame()
        try:
            self.thread = next(other for other in debuggee.inferior.threads() if other.num == waiting[0]["thread"])
            self.thread.switch()
            called = next(start["line"] for start in waiting[0]["starts"] if start["function"] == name)
            self._set(debuggee, frame_of(debuggee, name), line, min(line, called or line))
        finally:
            thread.switch()
            frame.select()

    def _set(self, debuggee: target.Target, frame: Any, line: int, first: int) -> None:
        """Set the breakpoints. `first`: the line that waits, which is above the loop if the compiler has joined the
        loop to another one."""
        frame.select()
        symtab = frame.find_sal().symtab
        if symtab is None:
            name = (frames.compiled_at(debuggee, frame) or {}).get("name", "this function")
            raise report.Problem(f"{name} has no line numbers; {undescribed.cure(debuggee, name)}")
        last = _last_line(debuggee, symtab.fullname(), line)
        found = native.json_of(
            "js_program_statements", debuggee.program, frames.NativeFrame(frame, debuggee.memory).pointer
        )
        cfa, caller = frames.cfa(frame), frames.outer(frame).older()
        self._name, self._place = frame.name(), f"{cells.base_name(symtab.filename)}:{line}"
        self._after = [Place(row["address"], cfa) for row in found["rows"] if not first <= row["line"] <= last]
        self._left = [Place(int(caller.pc()), cfa, True)] if caller is not None and caller.is_valid() else []

    @property
    def was_hit(self) -> bool:
        """True if one of the breakpoints was hit; otherwise GDB has reported why it stopped."""
        return any(each.was_hit for each in (*self._after, *self._left))

    def delete(self) -> None:
        for each in (*self._after, *self._left):
            each.delete()

    def show(self) -> None:
        gdb.newest_frame().select()
        has_returned = f": {self._name} has returned" if any(each.was_hit for each in self._left) else ""
        gdb.write(console.shown(f"The parallel loop at {self._place} has ended{has_returned}.\n"))
        if not console.is_machine_interface():  # a front end has shown the stop
            gdb.write(console.styled(console.text_of("frame", is_styled=True)))


def _function(debuggee: target.Target) -> str:
    """Return the function whose loop the selected thread runs iterations of, has just run some of, or waits for."""
    entry = workers.of_thread(debuggee, gdb.selected_thread().num)
    if entry is not None and entry["regions"]:
        return str(entry["regions"][0]["function"])
    if entry is not None and entry["starts"]:
        return str(entry["starts"][0]["function"])
    frame = gdb.newest_frame()
    while frame is not None:
        function = frames.compiled_at(debuggee, frame)
        if function is not None and function["kind"] == _WRAPPER:
            return str(function["name"]).rpartition(".")[0]
        frame = frame.older()
    started = {start["function"] for other in workers.all_threads(debuggee) for start in other["starts"]}
    if len(started) != 1 or entry is None or entry["role"] != workers.IDLE:
        raise report.Problem("the selected thread is in no parallel loop; `jit threads` shows which are")
    return str(started.pop())


def _header(debuggee: target.Target, name: str, waiting: dict[str, Any]) -> int:
    lines = {
        region["region_line"]
        for entry in workers.in_region(workers.all_threads(debuggee))
        for region in entry["regions"]
        if region["function"] == name
    }
    return lines.pop() if len(lines) == 1 else waiting["starts"][0]["line"] or 0


def frame_of(debuggee: target.Target, name: str) -> Any:
    """Return the selected thread's frame of the function that starts the loop."""
    frame = gdb.newest_frame()
    for _ in range(_DEPTH):
        function = frames.compiled_at(debuggee, frame) if frame is not None else None
        if frame is None or (function is not None and function["name"] == name and not function["parent"]):
            break
        frame = frame.older()
    if frame is None:
        raise report.Problem(f"the frame of {name} is not found in thread {gdb.selected_thread().num}")
    return frame


def _last_line(debuggee: target.Target, file: str, line: int) -> int:
    """Return the last line of the loop's body; the header's if the source does not show it."""
    path, since = sources.find(debuggee, file), sources.born(debuggee)
    try:
        loop = loop_lines.around(path or file, line, since if path else 0)
    except LookupError:
        loop = None
    return loop.last if loop is not None and loop.first == line else line
