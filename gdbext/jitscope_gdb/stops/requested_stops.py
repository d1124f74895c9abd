"""Stops that the program requests: they are on the line that requested them, with that line's frame selected."""

from __future__ import annotations

import os
import re
from typing import Any

import gdb
from jitscope_shared.stops import requested

from ..base import console, events, report
from ..frames import folding, frames
from ..stacks import merged_stack, selection
from ..target import libraries, target
from ..threads import gather_area
from . import step_out

# Libraries that call the function for Python or compiled code.
_BRIDGES = re.compile(r"(libjitscope\.so|_helperlib|_ctypes|libffi|(lib)?python[\d.]*)\b")
# Registers that the function may have saved when its debug build has a prologue; the others are unchanged.
_KEPT = {"i386:x86-64": ("rbp", "rsp", "rip")}
_LOOK = 64  # frames between the stop and the code that requested it, at most

_places: dict[str, Place] = {}  # by the name of the stop


class Place(gdb.Breakpoint):
    """The breakpoint at a function that does nothing, and that is called in order to stop."""

    def __init__(self, where: str, word: str):
        super().__init__(where, gdb.BP_BREAKPOINT, internal=True)
        self.word = word
        # GDB reports the stop to a front end; on the console, the line that _show() writes is better.
        self.silent = not console.is_machine_interface()

    def stop(self) -> bool:
        """Stop, as if the function, which only returns, had returned."""
        try:
            _return_to_caller()
        except (gdb.error, gdb.MemoryError) as error:
            if report.debugging():
                report.warn(f"at {self.word}: {error}")
        return True


def _return_to_caller() -> None:
    """Move the thread out of the empty function, unless its caller would be at another line then."""
    frame = gdb.newest_frame()
    caller = frame.older()
    if caller is None or not caller.is_valid():
        return
    pc = int(caller.pc())
    before, after = gdb.find_pc_line(pc - 1), gdb.find_pc_line(pc)
    if before.symtab is not None and (after.symtab is None or before.line != after.line):
        return
    names = _KEPT.get(caller.architecture().name(), ("sp", "pc"))
    kept = [(name, _register(caller, name)) for name in names]
    go_on_with([(name, value) for name, value in kept if value != _register(frame, name)])


def _register(frame: Any, name: str) -> int:
    return int(frame.read_register(name)) & (1 << 64) - 1


def go_on_with(registers: list[tuple[str, int]]) -> None:
    """Write the selected thread's registers."""
    with target.current().writing():
        gdb.parse_and_eval("(" + ", ".join(f"${name} = {value:#x}" for name, value in registers) + ")")


# -- the places of the breakpoints


def watch(address: int, word: str) -> None:
    """Stop at this function from now on. Raise gdb.error where that is not possible."""
    known = _places.get(word)
    if known is not None and known.is_valid():
        if known.location == f"*{address:#x}":
            return
        known.delete()
    _places[word] = Place(f"*{address:#x}", word)


@events.on("stops_announced", order=10)
def look() -> None:
    """Watch the functions that the process has, by their names.

    This is not done before the process uses one of them, as a breakpoint costs GDB half a millisecond for each object
    that is registered."""
    for name, word in requested.NAMES.items():
        known = _places.get(word)
        if _by_name() or (known is not None and known.is_valid()):
            continue
        try:
            value = gdb.parse_and_eval(f"(unsigned long)&{name}")
        except (gdb.error, gdb.MemoryError):
            continue
        watch(int(value), word)


@events.on("new_inferior", order=10)
def another_inferior(event: Any) -> None:
    """Watch the functions by their names, if there are several processes: an address belongs to one process only.

    GDB then looks through all symbols whenever an object comes, so with one process addresses are used."""
    if _by_name() and not all(place.is_valid() and place.location.startswith("-f") for place in _places.values()):
        forget()
        for name, word in requested.NAMES.items():
            _places[word] = Place(f"-function {name}", word)


def _by_name() -> bool:
    return len(gdb.inferiors()) > 1


@events.on("only_process_ended", order=10)
@events.on("program_replaced", order=10)
def forget() -> None:
    """Delete the breakpoints after the process has ended: the next process has other addresses."""
    for place in _places.values():
        if place.is_valid():
            place.delete()
    _places.clear()


# -- at the stop


@events.on("stop", order=80)
def arrived(event: Any) -> None:
    """Select and show the line that requested this stop."""
    if not isinstance(event, gdb.BreakpointEvent):
        return
    place = next((b for b in event.breakpoints if isinstance(b, Place)), None)
    debuggee = target.current()
    if place is None or gather_area.met(debuggee) is not None:
        return
    if frames.compiled_at(debuggee, gdb.newest_frame()) is None:
        libraries.finish()
    elif libraries.is_lazy():  # at the next prompt
        gdb.post_event(libraries.finish)
    found = _native_caller(debuggee) or _requesting_frame(debuggee)
    if found is not None and found[0] is not None:
        found[0].select()
        if found[1] is not None:
            selection.remember(debuggee, found[1])
            step_out.refuse_steps()
    # GDB sends a front end the innermost frame, which is not the user's in this case.
    if place.silent or (found is not None and found[0] != gdb.newest_frame()):
        _show(place, found)


def _native_caller(debuggee: target.Target) -> tuple[Any, None] | None:
    """Return the C or C++ code that itself called the function, if its source is known."""
    frame = gdb.newest_frame()
    if frame.name() in requested.NAMES:
        frame = frame.older()
    if frame is None or frame.find_sal().symtab is None or frames.compiled_at(debuggee, frame) is not None:
        return None
    library = os.path.basename(gdb.solib_name(int(frame.pc())) or debuggee.progspace.filename or "")
    return None if _BRIDGES.match(library) else (frame, None)


def _requesting_frame(debuggee: target.Target) -> tuple[Any, dict[str, Any] | None] | None:
    """Return the innermost frame that a programmer wrote: its native frame, and its Python frame or None."""
    stack = merged_stack.Stack(debuggee, False, False)
    native: Any = None
    for entry in stack.thread(gdb.newest_frame()):
        if entry["kind"] == "jit":
            if not folding.is_asking_file(entry["file"] or "") and not folding.is_asking_function(entry["name"]):
                return _at_level(entry["frame"]), None
        elif entry["kind"] == "python":
            if not folding.is_asking_file(entry["file"] or "") and "/numba/core/" not in (entry["file"] or ""):
                return native or _evaluation(debuggee), entry
    return None


def _at_level(level: int) -> Any:
    frame = gdb.newest_frame()
    while frame is not None and frame.level() != level:
        frame = frame.older()
    return frame


def _evaluation(debuggee: target.Target) -> Any:
    """Return the innermost native frame that evaluates Python code."""
    frame = gdb.newest_frame()
    for _ in range(_LOOK):
        if frame is None:
            return None
        if folding.classify(debuggee, frame, frame.name()) == folding.EVALUATION:
            return frame
        frame = frame.older()
    return None


def _show(place: Place, found: tuple[Any, dict[str, Any] | None] | None) -> None:
    thread = gdb.selected_thread()
    name = f'"{thread.name}" ' if thread is not None and thread.name else ""
    head = f"\nThread {thread.num if thread is not None else '?'} {name}hit {place.word}(), "
    python = found[1] if found is not None else None
    if python is not None:
        place, *line = requested.python_lines(python)
        text = "\n".join([console.plain(place), *line])
    else:
        text = re.sub(r"^#\d+ +(0x[0-9a-f]+ in )?", "", console.text_of("frame"))
        if found is not None and gdb.selected_frame().find_sal().symtab is None:
            text = text.rstrip() + " [it was compiled without line information]\n"
    report.say((head + text).rstrip("\n"))
