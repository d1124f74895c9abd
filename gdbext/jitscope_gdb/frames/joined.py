"""The native frames of GDB's selected thread, joined with the thread's Python frames by the C library."""

from __future__ import annotations

from typing import Any, Iterator, NamedTuple

import gdb
from jitscope_shared import joined_frames

from ..target import target
from . import folding, frames


class Item(NamedTuple):
    """The next frame of the joined stack: a native one (`frame`), or a Python one (`python`)."""

    frame: Any
    function: dict[str, Any] | None  # compiled function of a native frame
    kind: str  # class of another native frame, one of frame_classes.CLASSES
    level: int | None  # GDB's number, of a Python frame that of the frame which runs it; folded frames are counted
    python: dict[str, Any] | None
    is_asking: bool  # this frame and all before it belong to a request to stop
    index: int  # of a native frame, for Joined.fold()


class _Native(NamedTuple):
    frame: Any
    function: dict[str, Any] | None
    level: int
    folded: int  # frames that are left out before it


class Joined:
    """An iterator over the joined stack from a frame of the selected thread on. `nested`: a Folding of
    stacks/nested_calls.py. `python`: the thread's Python frames (js_python_frames_json), innermost first."""

    def __init__(self, debuggee: target.Target, first: Any, nested: Any, python: list[dict[str, Any]]) -> None:
        self._debuggee = debuggee
        self._nested = nested
        self._python = python
        self._found = [self._native(first, 0)]
        self._fold: tuple[int, int] = (-1, 0)  # the index of the frame before the ones left out, and their number
        self.last: Any = None  # the outermost frame, when all frames were given

    def __iter__(self) -> Iterator[Item]:
        for item in joined_frames.items(self._facts_at, self._python):
            yield self._given(item)

    def _given(self, item: joined_frames.Item) -> Item:
        if item.is_python:
            runs = self._found[item.evaluation] if item.evaluation >= 0 else None
            level = runs.level + runs.folded if runs is not None else None
            return Item(None, None, "", level, self._python[item.position], item.is_asking, -1)
        own = self._at(item.position)
        kind = item.frame_class if own.function is None else ""
        return Item(own.frame, own.function, kind, own.level + own.folded, None, item.is_asking, item.position)

    def fold(self, index: int) -> Any:
        """Leave out the frames that follow the native frame of this index, if there are very many of the same
        functions. GDB's frames are then found anew, and the frame's own caller is another one for GDB."""
        own = self._at(index)
        fold = self._nested.at(own.frame, own.function) if own.function is not None else None
        if fold is not None:
            self._fold = (index, fold.frames)
            del self._found[index + 1 :]
        return fold

    # -- GDB's frames

    def _native(self, frame: Any, folded: int) -> _Native:
        return _Native(frame, frames.compiled_at(self._debuggee, frame), int(frame.level()), folded)

    def _at(self, index: int) -> _Native:
        found = self._found[index]
        if not found.frame.is_valid():
            found = self._found[index] = found._replace(frame=again(found.level))
        return found

    def _reach(self, index: int) -> bool:
        """Find GDB's frames up to this index. False: there are fewer."""
        while len(self._found) <= index:
            at = len(self._found) - 1
            before = self._at(at)
            older = before.frame.older()
            if older is None:
                self.last = before.frame
                return False
            self._found.append(self._native(older, before.folded + (self._fold[1] if at == self._fold[0] else 0)))
        return True

    def _facts_at(self, index: int) -> joined_frames.Native | None:
        if not self._reach(index):
            return None
        found = self._at(index)
        name, stack = found.frame.name(), int(found.frame.read_register("sp")) & (1 << 64) - 1
        kind = folding.classify(self._debuggee, found.frame, name) if found.function is None else folding.USER
        return joined_frames.Native(stack, name, found.function, kind)


def again(level: int) -> Any:
    """Return the selected thread's frame of this number."""
    frame = gdb.newest_frame()
    while frame.level() < level:
        frame = frame.older()
    return frame
