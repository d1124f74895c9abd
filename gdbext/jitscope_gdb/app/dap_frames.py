"""The frames of a DAP client's call stack: those of the thread that has started a parallel loop stand under a heading,
after the frames of a worker."""

from __future__ import annotations

from typing import Any, Callable

import gdb

from . import dap_server


def adopt() -> None:
    """Have GDB's DAP server mark headings."""
    dap_server.replace(dap_server.module("bt"), "_backtrace", _listing)


def _listing(original: Callable[..., Any]) -> Callable[..., Any]:
    def backtrace(thread: int, *arguments: Any, **named: Any) -> Any:
        found = original(thread, *arguments, **named)
        asked = gdb.selected_thread()
        for each in found["stackFrames"]:
            hint = getattr(dap_server.module("frames").frame_for_id(each["id"]), "hint", "")
            if hint:
                each.update(presentationHint=hint)
        # GDB knows the frames of the selected thread alone, so that of another one may be selected by now
        threads = (other for other in asked.inferior.threads() if other.global_num == thread)
        next(threads, asked).switch()
        return found

    return backtrace
