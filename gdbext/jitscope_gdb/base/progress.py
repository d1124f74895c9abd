"""The progress of work that takes longer than a second, in one line that is erased afterwards, and Ctrl-C during such
work."""

from __future__ import annotations

import os
import time
from typing import Any

import gdb
from jitscope_shared.base import native

_AFTER = 1.0  # seconds
_BETWEEN = 0.2


class Progress:
    """The state of one such work. `callback` is a native.ProgressFn; keep this object alive while C uses it."""

    def __init__(self) -> None:
        self.callback = native.ProgressFn(self._advance)
        self._next = time.monotonic() + _AFTER
        self._width = 0
        self._shows = os.isatty(2)

    def __enter__(self) -> Progress:
        return self

    def __exit__(self, *_: Any) -> None:
        if self._width:
            gdb.write("\r" + " " * self._width + "\r", gdb.STDERR)
            gdb.flush(gdb.STDERR)

    def _advance(self, _context: Any, done: int, total: int) -> int:
        try:
            if native.is_interrupted():
                return native.ECANCEL
            now = time.monotonic()
            if self._shows and total and now >= self._next:
                self._next = now + _BETWEEN
                text = f"{100 * done // total} % of {total} elements"
                self._width = max(self._width, len(text))
                gdb.write("\r" + text.ljust(self._width), gdb.STDERR)
                gdb.flush(gdb.STDERR)
            return 0
        except BaseException as error:
            return native.note(error) or native.ECANCEL
