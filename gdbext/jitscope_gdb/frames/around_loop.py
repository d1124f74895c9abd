"""Variables, in conditions, that a parallel loop does not pass to its threads. They are variables of the frame that
waits for the loop. Other threads run while GDB decides on a condition, so only the thread that started the loop can be
asked: it runs iterations itself, on top of that frame."""

from __future__ import annotations

import contextlib
import re
from typing import Any, Iterator

import gdb
from jitscope_shared.base import native
from jitscope_source import files, outer_names

from ..target import sources, target
from . import frames

_KERNEL = re.compile(r"parfor_(5f)?gufunc|\.prange$")
_DEPTH = 24  # at most between a loop's body and the function that waits for it


@contextlib.contextmanager
def known(debuggee: target.Target, frame: Any) -> Iterator[None]:
    """Let expressions in the frame use these variables within the `with` block, if the frame's own thread has them."""
    function = frames.compiled_at(debuggee, frame)
    if function is None or function["kind"] != "parfor-kernel" or not function["parent"]:
        yield
        return

    def find(name: str) -> frames.NativeFrame | None:
        waiting = _waiting(debuggee, frame, function, name)
        return None if waiting is None else frames.NativeFrame(waiting, debuggee.memory)

    with debuggee.resolving_variables(find):
        yield


def is_called_by_body(frame: Any) -> bool:
    """True if the frame is a function that is inlined into a parallel loop's body, and not the body itself."""
    return frame.type() == gdb.INLINE_FRAME and not _KERNEL.search(frame.name() or "")


def chunk(debuggee: target.Target, frame: Any) -> dict[str, Any]:
    """Return js_program_chunk() of the frame; without a header ("region_line" 0) where the loop's body is inlined into
    another function."""
    at = frames.NativeFrame(frame, debuggee.memory)
    try:
        return native.json_of("js_program_chunk", debuggee.program, at.pointer)  # type: ignore[no-any-return]
    except native.NativeError:
        return {"line": 0, "region_line": 0}


def _waiting(debuggee: target.Target, frame: Any, function: dict[str, Any], name: str) -> Any:
    """Return the frame that waits for the loop, if the name means a variable of that frame; else None."""
    if is_called_by_body(frame):
        return None
    waiting = _older(debuggee, frame, function["parent"])
    path = sources.find(debuggee, function["file"]) if waiting is not None and function["file"] else None
    tree = files.tree_of(path, sources.born(debuggee)) if path else None
    if tree is None:
        return None
    own = chunk(debuggee, frame)
    line, header = own["line"], own["region_line"]
    others = (
        outer_names.body_names(tree, frame.find_sal().line, header, (waiting.find_sal().line or line, line))
        if header
        else None
    )
    return None if others is None or name in others else waiting


def _older(debuggee: target.Target, frame: Any, name: str) -> Any:
    """Return the function's frame on the same stack; None where another loop's body comes first, or there is none."""
    frame = frames.outer(frame).older()
    for _ in range(_DEPTH):
        if frame is None:
            return None
        function = frames.compiled_at(debuggee, frame)
        if function is not None and function["kind"] == "parfor-kernel":
            return None
        if function is not None and function["name"] == name:
            return frame
        frame = frame.older()
    return None


def lacks(debuggee: target.Target, function: dict[str, Any], name: str, text: str) -> str:
    """Return the note on a name in a condition that is not passed to the loop's threads; "" for other names."""
    path = (
        sources.find(debuggee, function["file"]) if function["kind"] == "parfor-kernel" and function["file"] else None
    )
    if path is None or not outer_names.is_variable(path, function["line"], name, sources.born(debuggee)):
        return ""
    around = function["parent"] or "the function around"
    return (
        f"`{name}` is {around}'s, and the loop's threads are not given it: `{text}` is decided in the iterations "
        "of the thread that has started the loop, and does not stop in others. On omp and tbb NUMBA_NUM_THREADS=1 has "
        f"that thread run all iterations; `jit print {name}` shows it at any stop in the loop"
    )


def explained(debuggee: target.Target, frame: Any, error: str, text: str) -> str:
    """Return the error, followed by lacks()'s note on the name in it."""
    match = re.match(r"NameError: name '(\w+)'", error)
    function = frames.compiled_at(debuggee, frame)
    note = lacks(debuggee, function, match[1], text) if match and function is not None else ""
    return f"; {note}" if note else ""
