"""Reduction variables in the body of a parallel loop, where a worker has only its own part of them."""

from __future__ import annotations

from typing import Any

from jitscope_shared import recorded_accesses
from jitscope_source.statements import reductions

from ..target import sources, target
from . import around_loop, frames


def names(debuggee: target.Target, frame: Any) -> frozenset[str]:
    """Return the reduction variables of the loop whose body the frame runs; none in other frames."""
    function = frames.compiled_at(debuggee, frame)
    if function is None or function["kind"] != "parfor-kernel" or around_loop.is_called_by_body(frame):
        return frozenset()

    def find() -> frozenset[str]:
        path = sources.find(debuggee, function["file"]) if function["file"] else None
        header = around_loop.chunk(debuggee, frame)["region_line"] if path else 0
        return reductions.names(path, header, sources.born(debuggee)) if path and header else frozenset()

    # a stack and its variables ask several times
    return debuggee.keep(target.OBJECT, ("reductions", function["low"]), find)  # type: ignore[no-any-return]


def notes(debuggee: target.Target, file: str, header: int) -> list[str]:
    """Return a line for each reduction variable that the body of the loop in this line reads elsewhere than to update
    it."""
    path = sources.find(debuggee, file) if file and header else None
    found = reductions.reads(path, header, sources.born(debuggee)) if path else []
    return [recorded_accesses.reduction_note(name, line) for name, line in found]
