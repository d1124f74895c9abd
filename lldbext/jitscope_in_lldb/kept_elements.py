"""Frames that may run a loop which keeps elements of arrays in registers, so that memory has older ones
(js_program_watch_pending)."""

from __future__ import annotations

from jitscope_shared.base import native

from . import debuggee as debuggees
from . import native_frames

_FRAMES = 400  # frames of one thread, at most


def find(debuggee: debuggees.Debuggee) -> None:
    """Pass the frames of compiled code of all threads to the library."""
    if not any(function["debug_info"] for function in native_frames.functions(debuggee).all):
        return
    for thread in debuggee.process:
        for index in range(_FRAMES):
            frame = thread.GetFrameAtIndex(index)
            if not frame.IsValid():
                break
            pc = native_frames.lookup_pc(frame)
            if not frame.IsInlined() and native.library.js_program_may_keep(debuggee.program, pc):
                at = native_frames.NativeFrame(debuggee, frame)
                native.library.js_program_watch_pending(debuggee.program, at.pointer)


debuggees.pending_finder = find
