"""Functions that the program is asked to compile anew, in its libjitscope.so: jitscope_recompilation
(jitscope_descriptor.h). The program compiles them where Python calls them next."""

from __future__ import annotations

import ctypes
import os
from collections.abc import Callable
from typing import Any

import gdb
from jitscope_shared.base import contract

from ..base import events, report
from . import cells, published
from .target import OBJECT, Target, address_of, current

LEVELS = {"steps": contract.WANTED_STEPS, "exact": contract.WANTED_EXACT}
USUAL_LEVELS = {"own": contract.WANTED_OWN, **LEVELS, "lines": contract.WANTED_LINES}
IN_FORCE = (contract.WANTED_ASKED, contract.WANTED_COMPILED)
_MEANS = {"steps": "compiled for stepping", "exact": "compiled at exact"}

_FUNCTION = "jitscope_recompilation_answered"
_answers: list[Answers] = []  # at most one
_is_needed = False  # True if a function that has code was asked for
_usual = "own"  # the key of USUAL_LEVELS that the user has chosen
_informed: set[int] = set()  # processes that have it
_traps = 0  # contract.TRAP_…: what functions stop at
_trapped: frozenset[str] = frozenset()  # names of these functions; "": all of the user's own files


class Answers(gdb.Breakpoint):
    """Where a program reports what has come of a request. It never stops there. With several processes it has the
    function's name, since an address belongs to one of them only."""

    def __init__(self, address: int):
        place = f"*{address:#x}" if len(gdb.inferiors()) == 1 else f"-function {_FUNCTION}"
        super().__init__(place, gdb.BP_BREAKPOINT, internal=True)
        self.silent = True

    def stop(self) -> bool:
        report.quietly(_answered)(current())
        return False


def _listen(address: int) -> None:
    if not any(each.is_valid() for each in _answers):
        _answers[:] = [Answers(address)]


def _forget_unless_needed() -> None:
    if not _is_needed:
        forget()


def _answered(debuggee: Target) -> None:
    found = _read(debuggee)
    if found is None:
        return
    if found.answer == contract.WANTED_MAX:
        debuggee.forget(OBJECT)
        _inform(debuggee)
        events.emit("recompilation_begun", debuggee)
        if len(gdb.inferiors()) == 1:
            gdb.post_event(_forget_unless_needed)  # a breakpoint costs GDB time for each object that comes
        return
    entry = found.wanted[found.answer]
    text, means = entry.text.decode("utf-8", "replace"), _MEANS[level_of(entry)]
    if entry.state == contract.WANTED_COMPILED:
        report.say(f"jitscope: {means}: {text}")
    elif entry.state == contract.WANTED_REFUSED:
        report.say(f"jitscope: not {means}: {text}")
    elif entry.state == contract.WANTED_ASKED:
        report.say(f"jitscope: not {means} in this call: {text.rpartition('; ')[2]}")


def level_of(entry: Any) -> str:
    return next((name for name, value in LEVELS.items() if value == entry.level), "steps")


def is_possible(debuggee: Target) -> bool:
    """True if the process can compile functions anew."""
    found = debuggee.keep(OBJECT, ("recompilation",), lambda: _read(debuggee)) if debuggee.is_live else None
    return found is not None and bool(found.slot)


def entries(debuggee: Target) -> list[Any]:
    """Return the requests, as contract.Wanted, by their index."""
    found = _read(debuggee)
    return list(found.wanted) if found is not None else []


def find(debuggee: Target, file: str, is_line: Callable[[int], bool], flags: int = 0) -> Any:
    """Return the request about one of these lines that is not withdrawn, or None. `flags`: WANTED_NEW finds a request
    about functions without code; 0: one about functions that have code."""
    path = os.fsencode(cells.copied_from(debuggee, file) or file)
    for entry in entries(debuggee):
        is_there = entry.state in (*IN_FORCE, contract.WANTED_REFUSED) and entry.flags & contract.WANTED_NEW == flags
        if is_there and entry.file == path and is_line(entry.line):
            return entry
    return None


def ask(debuggee: Target, file: str, line: int, level: str, flags: int = 0, is_for_old: bool = False) -> None:
    """Ask for the functions whose code has the line; if it is 0, for those that are called `file`. `flags`:
    contract.WANTED_FASTMATH, and WANTED_NEW for functions that have no code yet; `is_for_old`: what calls them may
    have. Raise report.Problem where that is not possible."""
    found = _read(debuggee)
    if found is None or not found.slot:
        raise report.Problem(
            "only a running process that has jitscope installed compiles functions anew: see `jit status`"
        )
    path = os.fsencode(cells.copied_from(debuggee, file) or file)
    if len(path) >= contract.WANTED_PATH:
        raise report.Problem(f"the path of {os.path.basename(file)} is longer than {contract.WANTED_PATH - 1} bytes")
    states = [entry.state for entry in found.wanted]
    free = next(filter(states.count, (contract.WANTED_FREE, contract.WANTED_REFUSED)), None)
    index = states.index(free) if free is not None else None
    if index is None:
        raise report.Problem(f"{contract.WANTED_MAX} requests are in force: `jit level NAME lines` withdraws one")
    entry = contract.Wanted(
        state=contract.WANTED_ASKED,
        line=line,
        level=LEVELS[level],
        flags=flags,
        file=path,
    )
    debuggee.write(_at(debuggee, index), bytes(entry))
    _announce(debuggee, found, is_for_new=bool(flags & contract.WANTED_NEW) and not is_for_old)


def withdraw(debuggee: Target, index: int) -> None:
    """Ask for the code as it was before the request with this index."""
    found = _read(debuggee)
    if found is None:
        return
    published.write(debuggee, _at(debuggee, index), contract.Wanted, state=contract.WANTED_WITHDRAWN)
    _announce(debuggee, found)


# -- the level of functions that no request is about


def usual_level() -> str:
    """Return the level at which processes compile functions from now on: a key of USUAL_LEVELS."""
    return _usual


def choose_usual_level(debuggee: Target, level: str) -> None:
    """Have this process, and the ones that come, compile functions at this level (a key of USUAL_LEVELS) from now on,
    where the program does not ask for another one."""
    global _usual
    _usual = level
    _informed.clear()
    if debuggee.is_live:
        _inform(debuggee)


def _inform(debuggee: Target) -> None:
    found = _read(debuggee)
    if found is None or not found.slot:
        return  # not yet, or a program without jitscope
    _informed.add(debuggee.inferior.pid)
    _ask_for_traps(debuggee, found)
    if found.usual != USUAL_LEVELS[_usual]:
        published.write(debuggee, _address(debuggee), contract.Recompilation, usual=USUAL_LEVELS[_usual])


@events.on("stop", order=35)
def _stopped(_event: Any) -> None:
    """Have a process that was attached to compile at the chosen level, and not at one that another debugger chose."""
    debuggee = current()
    if debuggee.feed.objects and debuggee.inferior.pid not in _informed and debuggee.is_live:
        _inform(debuggee)


# -- traps


def choose_traps(debuggee: Target, kinds: int, names: frozenset[str]) -> None:
    """Have this process, and the ones that come, compile the functions with these names ("": those of the user's own
    files) so that they stop at `kinds` (contract.TRAP_…)."""
    global _traps, _trapped
    _traps, _trapped = kinds, names
    found = _read(debuggee) if debuggee.is_live else None
    if found is not None and found.slot:
        _ask_for_traps(debuggee, found)


def _ask_for_traps(debuggee: Target, found: Any) -> None:
    if not published.has(found, "traps") or not _traps and not found.traps:
        return
    published.write(debuggee, _address(debuggee), contract.Recompilation, traps=_traps)
    known = set()
    for index, entry in enumerate(found.wanted):
        if entry.flags & contract.WANTED_TRAPS and entry.state in IN_FORCE:
            known.add(os.fsdecode(entry.file))
            if known - _trapped:
                known &= _trapped
                withdraw(debuggee, index)
    flags = contract.WANTED_TRAPS | contract.WANTED_NEW
    for name in sorted(_trapped - known):
        ask(debuggee, name, 0, "steps", flags, is_for_old=True)
    if known and found.traps != _traps:
        _announce(debuggee, found)


def _announce(debuggee: Target, found: Any, is_for_new: bool = False) -> None:
    """Have the program look at its requests when Python next calls a compiled function. `is_for_new`: only when it
    compiles a function for the first time."""
    published.write(debuggee, _address(debuggee), contract.Recompilation, asked=found.asked % ((1 << 32) - 1) + 1)
    if is_for_new:
        return
    debuggee.write(found.slot, found.entry.to_bytes(8, "little"))
    global _is_needed
    _is_needed = True
    _listen(found.answered)


def _address(debuggee: Target) -> int:
    descriptor = published.descriptor(debuggee)
    return int(descriptor.recompilation) if descriptor is not None else 0


def _at(debuggee: Target, index: int) -> int:
    return _address(debuggee) + contract.Recompilation.wanted.offset + index * ctypes.sizeof(contract.Wanted)


def _read(debuggee: Target) -> Any:
    at = _address(debuggee) if debuggee.has_process else 0
    return published.read(debuggee, at, contract.Recompilation) if at else None


@events.on("library_loaded", order=35)
def _loaded(name: str | None) -> None:
    """Wait for the process to say that it can compile functions anew, if a breakpoint waits for code, or the user has
    chosen the level of all functions."""
    waits = _usual != "own" or _traps or any(each.number > 0 and each.pending for each in gdb.breakpoints() or ())
    if waits and os.path.basename(name or "").startswith("libjitscope.so") and (address := address_of(_FUNCTION)):
        _listen(address)


@events.on("new_inferior", order=15)
def _another(_event: Any) -> None:
    global _is_needed
    if any(each.is_valid() for each in _answers):
        was_needed = _is_needed
        forget()
        _is_needed = was_needed
        _listen(0)


@events.on("only_process_ended", order=25)
@events.on("program_replaced", order=25)
def forget() -> None:
    """Delete the breakpoint after the process has ended: the next process has other addresses."""
    global _is_needed
    for place in _answers:
        if place.is_valid():
            place.delete()
    _answers.clear()
    _informed.clear()
    _is_needed = False
