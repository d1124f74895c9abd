"""Reduction variables in the body of a parallel loop, where a worker has only its own part of them."""

from __future__ import annotations

from typing import Any

from jitscope_source.statements import reductions

from ..base import native
from ..target import sources, target
from . import around_loop, frames

TEXT = "this worker's own part"


def names(debuggee: target.Target, frame: Any) -> frozenset[str]:
    """Return the reduction variables of the loop whose body the frame runs; none in other frames."""
    function = frames.compiled_at(debuggee, frame)
    if function is None or function["kind"] != "parfor-kernel" or around_loop.is_called_by_body(frame):
        return frozenset()
    path = sources.find(debuggee, function["file"]) if function["file"] else None
    if path is None:
        return frozenset()
    at = frames.NativeFrame(frame, debuggee.memory)
    try:
        header = native.json_of("js_program_chunk", debuggee.program, at.pointer)["region_line"]
    except native.NativeError:  # the body is inlined into another function
        return frozenset()
    return reductions.names(path, header, sources.born(debuggee)) if header else frozenset()
