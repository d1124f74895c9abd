"""Errors as one line for the user."""

from __future__ import annotations

import os
import re
import sys
from typing import Any

import lldb
from jitscope_shared.base import native
from jitscope_shared.base.escaping import plain
from jitscope_shared.base.problem import Problem, Shown


def line_of(error: BaseException) -> str:
    """Return the one line for this error."""
    if isinstance(error, KeyboardInterrupt):
        return "Quit"
    if isinstance(error, Shown):
        return shown(str(error))
    text = plain(" ".join(str(error).split()))
    if isinstance(error, (Problem, native.NativeError)):
        return text or type(error).__name__
    return f"jitscope failed ({type(error).__name__}: {text})"


def shown(text: str) -> str:
    """Return a text of several lines as it may be written to a terminal."""
    return "\n".join(map(plain, text.expandtabs().split("\n")))


def say(text: str, stream: Any) -> None:
    """Write a line for the user at a stop. lldb-dap does not send what a hook writes to its stream, but what comes at
    its standard error."""
    text = f"{shown(text)}\n"
    if _is_debug_adapter():
        os.write(2, text.encode())
    else:
        stream.Print(text)


def _is_debug_adapter() -> bool:
    with open("/proc/self/cmdline", "rb") as file:
        words = file.read().split(b"\0")[:4]  # the loader of another system may come first
    return any(re.match(rb"lldb-(dap|vscode)", os.path.basename(word)) for word in words)


def warn(text: str) -> None:
    """Write a line for the user outside of a command."""
    print(f"jitscope: {shown(text)}", file=sys.stderr)


def succeeded(error: Any, what: str) -> None:
    """Raise Problem where an operation of LLDB has failed."""
    if not isinstance(error, lldb.SBError) or error.Fail():
        raise Problem(f"{what}: {error}")
