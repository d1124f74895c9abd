"""Errors as one line for the user; `set jitscope debug on` also shows where they were raised."""

from __future__ import annotations

import functools
import sys
import traceback

import gdb
from jitscope_shared.base import native
from jitscope_shared.base.problem import Problem, Shown

from . import console


def debugging() -> bool:
    try:
        return bool(gdb.parameter("jitscope debug"))
    except (RuntimeError, gdb.error):
        return False


def line_of(error: BaseException) -> str:
    """Return the one line for this error."""
    if debugging() and not isinstance(error, (Problem, KeyboardInterrupt)):
        gdb.write("".join(traceback.format_exception(type(error), error, error.__traceback__)), gdb.STDERR)
    if isinstance(error, KeyboardInterrupt):
        return "Quit"
    if isinstance(error, Shown):
        return console.shown(str(error))
    text = console.plain(" ".join(str(error).split()))
    if isinstance(error, (Problem, gdb.GdbError, gdb.error, native.NativeError)):
        return text or type(error).__name__
    return f"jitscope failed ({type(error).__name__}: {text}); `set jitscope debug on` shows where"


def warn(text: str) -> None:
    text = console.shown(text)
    if not _send(f"jitscope: {text}\n", "console"):
        gdb.write(f"jitscope: {text}\n", gdb.STDERR)


def say(text: str, is_important: bool = False) -> None:
    """Write a line for the user outside of a command. A DAP client does not get what is written to GDB's streams, so it
    is sent an event. `is_important`: a client may show the line more visibly."""
    text = console.shown(text)
    if not _send(text + "\n", "important" if is_important else "console"):
        gdb.write(text + "\n")


def _send(text: str, category: str) -> bool:
    """Send the text to the DAP client. Return False if there is none."""
    server = sys.modules.get("gdb.dap.server")
    if getattr(server, "_server", None) is None or not hasattr(server, "send_event"):
        return False
    server.send_event("output", {"category": category, "output": text})  # type: ignore[union-attr]
    return True


def quietly(function):  # type: ignore[no-untyped-def]
    """Wrap an event handler: an exception becomes one line and is not raised into GDB."""

    @functools.wraps(function)
    def guarded(*arguments):  # type: ignore[no-untyped-def]
        try:
            return function(*arguments)
        except KeyboardInterrupt:
            warn("interrupted")
        except Exception as error:
            warn(line_of(error))
        return None

    return guarded
