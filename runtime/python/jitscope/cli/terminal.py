"""Colours, and the line that says what a command is doing, for the commands that write to a terminal.

Without a terminal the commands write the same bytes as without this module. rich knows the codes of colours; it need
not be installed (`pip install jitscope[rich]` installs it), and without it the text is plain."""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Callable, Mapping
from types import TracebackType
from typing import TextIO

# What a text is, and its style in rich's words. They use the sixteen colours of the terminal's own palette, which are
# readable on its background.
STYLES = {
    "ok": "green",
    "warn": "yellow",
    "wrong": "bold red",
    "function": "bold cyan",
    "file": "blue",
    "value": "magenta",
    "faint": "dim",
    "heading": "bold",
}
Paint = Callable[[str, str], str]
ERASE = "\r\033[K"
# A terminal that wraps lines would keep the first part of a long one.
WITHOUT_WRAPPING = "\033[?7l{}\033[?7h"


def wants_colours(stream: TextIO, environment: Mapping[str, str] = os.environ) -> bool:
    """True if the stream is to have colours: it is a terminal that has them, or the environment asks for them.

    Sources: https://no-color.org, https://force-color.org, https://bixense.com/clicolors. NO_COLOR goes before the
    others."""
    if environment.get("NO_COLOR"):
        return False
    if any(environment.get(name, "0") not in ("", "0") for name in ("FORCE_COLOR", "CLICOLOR_FORCE")):
        return True
    return environment.get("CLICOLOR") != "0" and is_terminal(stream, environment)


def is_terminal(stream: TextIO, environment: Mapping[str, str] = os.environ) -> bool:
    """True if the stream is a terminal that can erase a line."""
    return stream.isatty() and environment.get("TERM", "dumb") not in ("dumb", "unknown", "")


def painter(stream: TextIO) -> Paint:
    """Return the function that gives a text the style of what it is (a key of STYLES), for this stream. It returns the
    text as it is where no colours are wanted or rich is not installed."""
    if not wants_colours(stream):
        return _leave_plain
    try:
        from rich.color import ColorSystem
        from rich.style import Style
    except ImportError:
        return _leave_plain
    styles = {name: Style.parse(style) for name, style in STYLES.items()}

    def paint(text: str, what: str) -> str:
        return styles[what].render(text, color_system=ColorSystem.STANDARD)

    return paint


def _leave_plain(text: str, what: str) -> str:
    return text


class Progress:
    """Shows what a command is doing as the last line of standard error, if that is a terminal, and removes it.

    A context manager. The line appears when the command has run for `delay` seconds. After Ctrl-C the line is removed
    and one says that `command` was interrupted; the exception goes on, by which main() returns 130. Call clear() before
    anything else is written to the terminal."""

    def __init__(self, command: str, *, delay: float = 1.0, stream: TextIO | None = None) -> None:
        self._command = command
        self._stream = stream or sys.stderr
        self._is_on = is_terminal(self._stream)
        self._text: str | None = None
        self._is_visible = False
        self._lock = threading.Lock()
        self._start = time.monotonic() + delay
        self._timer = threading.Timer(delay, self._write)
        self._timer.daemon = True

    def __enter__(self) -> Progress:
        if self._is_on:
            self._timer.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._timer.cancel()
        self.clear()
        if isinstance(error, KeyboardInterrupt):
            print(f"{self._command}: interrupted", file=self._stream, flush=True)

    def show(self, text: str) -> None:
        """Replace the line. Characters that a terminal could take for a command are shown as `?`."""
        with self._lock:
            self._text = "".join(each if each.isprintable() else "?" for each in text)
        if time.monotonic() >= self._start:
            self._write()

    def clear(self) -> None:
        """Remove the line until the next show()."""
        with self._lock:
            self._text = None
            if self._is_visible:
                self._stream.write(ERASE)
                self._stream.flush()
            self._is_visible = False

    def _write(self) -> None:
        with self._lock:
            if self._is_on and self._text is not None:
                self._stream.write(ERASE + WITHOUT_WRAPPING.format(self._text))
                self._stream.flush()
                self._is_visible = True
