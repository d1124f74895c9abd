"""The parallel loops that run now, each with the activities of its workers."""

from __future__ import annotations

from typing import Any

import gdb
from jitscope_shared import running_loops

from ..target import sources, target
from . import workers


def current(debuggee: target.Target) -> list[dict[str, Any]]:
    """Return the loop that the selected thread is in, or waits for; if there is none, all loops that run.

    The result has entries of docs/schema/region.json."""
    thread = gdb.selected_thread()
    found = running_loops.current(debuggee, workers.expect(debuggee), thread.num if thread is not None else None)
    for region in found:
        region["last_line"] = _last_line(debuggee, region["file"], region["line"])
    return found


def _last_line(debuggee: target.Target, file: str | None, line: int) -> int | None:
    """Return the last line of the loop that begins there; None: the source is not the program's, or there is none."""

    def find() -> int | None:
        path = sources.find(debuggee, file) if file and line else None
        return running_loops.last_line(path, line) if path else None

    return debuggee.keep(target.PROCESS, ("last line", file, line), find)  # type: ignore[no-any-return]
