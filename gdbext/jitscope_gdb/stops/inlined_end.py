"""`finish` out of a function that was inlined into another one. GDB steps until a line of the outer function begins,
and there may be none left: `return fact(n)` goes on to the caller of both. So the thread is stopped at the first
instruction after the inlined code that belongs to a line of the outer function."""

from __future__ import annotations

import re
from typing import Any, Callable

import gdb

from ..base import console, events, report
from ..frames import frames
from ..silent.next_instruction import successors
from ..silent.passed import Passed, remove
from ..target import target
from . import returned

_NUMBER = re.compile(r"#\d+ +")  # a frame's number in `frame`, which GDB writes at no stop
_LONGEST = 1 << 20  # bytes of code that are looked at, at most
_FARTHEST = 10_000  # instructions that are followed, at most
_MOST = 32  # places where the thread is to be stopped, at most


_ends: End | None = None  # the ends of the `finish` that runs
_text = ""  # the note on the present stop
_is_unseen = False  # True if GDB does not show the present stop


class Inlined:
    """A frame, which may be an inlined function's, and its thread."""

    def __init__(self, frame: Any):
        self.name = console.plain(str(frame.name()))
        self._depth, self.cfa = frames.inline_depth(frame), frames.cfa(frame)
        self.is_inlined = self._depth > 0
        self._thread = gdb.selected_thread().num

    def has_ended(self) -> bool:
        """True if the thread is in the outer function, after the inlined code."""
        now = gdb.selected_thread()
        if now is None or not now.is_valid() or now.num != self._thread or not now.is_stopped():
            return False
        frame = gdb.newest_frame()
        return frames.cfa(frame) == self.cfa and frames.inline_depth(frame) < self._depth

    def text(self) -> str:
        return f"{self.name} has ended; it was inlined, and what it returned or raised is not known"


class End(Inlined):
    """The places at which an inlined function may be left."""

    def __init__(self, debuggee: target.Target, frame: Any):
        super().__init__(frame)
        function = frames.compiled_at(debuggee, frames.outer(frame))
        # An exception leaves the outer function at once, or goes on at one of its lines.
        is_raising = returned.raised_at(debuggee, frame) is not None
        found = _landings(frame, function) if function is not None and not is_raising else []
        self._places = [Passed(address, cfa=self.cfa) for address in found]

    @property
    def was_hit(self) -> bool:
        return any(place.was_hit for place in self._places)

    def delete(self) -> None:
        remove(*self._places)


def begin(debuggee: target.Target, is_asked_at_stops: Callable[[], bool]) -> None:
    """Prepare `finish` of the selected frame. `is_asked_at_stops` has GDB call stopped() before it shows a stop."""
    global _ends, _text, _is_unseen
    _forget()
    _text, _is_unseen = "", False
    if not debuggee.has_process or not debuggee.is_live or gdb.selected_thread() is None:
        return
    frame = gdb.selected_frame()
    if frame.type() == gdb.INLINE_FRAME and frames.compiled_at(debuggee, frame) is not None and is_asked_at_stops():
        _ends = End(debuggee, frame)


def _forget() -> None:
    global _ends
    ends, _ends = _ends, None
    if ends is not None:
        ends.delete()


def stopped() -> None:
    """Handle a stop before GDB shows it. A front end is shown the next instruction after an end, because GDB sends it
    no frame at the end itself."""
    global _text, _is_unseen
    ends = _ends
    if ends is None:
        return
    _text = ends.text() if ends.has_ended() else ""
    _is_unseen = ends.was_hit
    _forget()
    if _is_unseen and console.is_machine_interface():
        _is_unseen = False
        gdb.execute("nexti")


@events.on("stop", order=65)
def arrived(_event: Any) -> None:
    """Report, after a stop, the function that has ended and, if GDB has not shown the stop, where the thread is."""
    global _text, _is_unseen
    (text, is_unseen), _text, _is_unseen = (_text, _is_unseen), "", False
    if is_unseen:
        frame = _NUMBER.sub("", console.text_of("frame", is_styled=True), count=1)
        gdb.write(console.styled(frame) + console.text_of("display"))
    if text and not returned.is_asked() and gdb.parameter("jitscope notes"):
        report.say(text)


def _landings(frame: Any, function: dict[str, Any]) -> list[int]:
    """Return the addresses after the frame's code at which its caller's line goes on; none if the code cannot be
    followed. GDB itself stops where a line begins; code of another line may run ahead of it in the source."""
    block, caller = _function_block(frame.block()), _function_block(frame.older().block())
    line = frame.older().find_sal().line
    low, high = max(block.start, function["low"]), min(block.end, function["high"])
    if high - low > _LONGEST:
        return []
    code = {each["addr"]: each for each in frame.architecture().disassemble(low, high - 1)}
    found: list[int] = []
    waiting = [address for address in code if _is_in(address, block)]
    seen = set(waiting)
    while waiting and len(seen) < _FARTHEST:
        address = waiting.pop()
        if address not in code:
            code.update((each["addr"], each) for each in frame.architecture().disassemble(address))
        for after in successors(code[address]):
            if after in seen or not function["low"] <= after < function["high"]:
                continue
            seen.add(after)
            row = gdb.find_pc_line(after)
            if row.line == line and not _is_in(row.pc, block) and _is_own(after, caller):
                found.append(after)
            else:
                waiting.append(after)
    return found if len(found) <= _MOST else []


def _function_block(block: Any) -> Any:
    while block.function is None:
        block = block.superblock
    return block


def _is_own(address: int, block: Any) -> bool:
    """True if the address is in the function's own code, and not in code of a function inlined into it."""
    at = gdb.block_for_pc(address)
    return at is not None and _is_same(_function_block(at), block)


def _is_same(one: Any, other: Any) -> bool:
    return (one.start, one.end, one.function.name) == (other.start, other.end, other.function.name)


def _is_in(address: int, block: Any) -> bool:
    """True if the address is in the block, which is the inlined function's."""
    at = gdb.block_for_pc(address)
    while at is not None and at.superblock is not None:
        if at.function is not None and _is_same(at, block):
            return True
        at = at.superblock
    return False
