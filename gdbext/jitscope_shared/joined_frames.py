"""The native frames of a thread, joined with its Python frames by the C library."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from typing import Any, Callable, NamedTuple

from . import frame_classes
from .base import contract, native


class Native(NamedTuple):
    """The facts about a native frame by which the frames are joined."""

    stack: int  # the stack pointer
    name: str | None
    function: dict[str, Any] | None  # the compiled function that it runs
    frame_class: str = frame_classes.USER  # of a frame without a compiled function, one of frame_classes.CLASSES


class Item(NamedTuple):
    """The next frame of the joined stack."""

    is_python: bool
    position: int  # in the native or the Python frames
    evaluation: int  # of a Python frame: the index of the native frame that runs it; negative: it is not known
    frame_class: str  # of a native frame without a compiled function
    is_asking: bool  # this frame and all before it belong to a request to stop


def items(frame_at: Callable[[int], Native | None], python: list[dict[str, Any]]) -> Iterator[Item]:
    """Yield the frames, innermost first. `frame_at`: gives the native frame of an index; `python`: the Python frames of
    js_python_frames_json, innermost first."""

    def give(_context: Any, index: int, out: Any) -> int:
        try:
            frame = frame_at(index)
            if frame is None:
                return contract.ENOTFOUND
            given = out[0]
            given.stack = frame.stack
            given.is_compiled = frame.function is not None
            given.has_name = frame.name is not None
            given.frame_class = frame_classes.CLASSES.index(frame.frame_class)
            if frame.function is not None:
                given.asks = frame_classes.is_asking_function(frame.function["name"])
            return 0
        except BaseException as error:
            return native.note(error)

    callback = contract.JoinFrameFn(give)  # kept, because C calls it
    given = (contract.JoinPython * (len(python) + 1))(*map(_python_of, python))
    join = native.create("js_join_create", callback, None, given, len(python))
    item = contract.JoinItem()
    try:
        while True:
            status = native.library.js_join_next(join, ctypes.byref(item))
            if status == contract.ENOTFOUND:
                return
            native.check(status, "js_join_next")
            is_python = item.kind == contract.JOIN_PYTHON
            kind = "" if is_python else frame_classes.CLASSES[item.frame_class]
            yield Item(is_python, item.index, item.evaluation, kind, bool(item.is_asking))
    finally:
        native.library.js_join_destroy(join)


def _python_of(entry: dict[str, Any]) -> Any:
    asks = frame_classes.is_asking_file(entry["file"] or "")
    return contract.JoinPython(bool(entry["entry"]), asks, entry.get("shim") or 0)
