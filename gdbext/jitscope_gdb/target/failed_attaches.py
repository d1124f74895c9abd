"""The process that the user tried to attach to, read from the command history, because GDB sends no event for a refused
attach."""

from __future__ import annotations

import re
from typing import Any

import gdb
from jitscope_shared.base import native

from ..base import console, events
from . import target

_OPTION = re.compile(r"--?(?:p|pi|pid)(?:=(\d+))?")
_COMMAND = re.compile(r"\s*at(?:t(?:a(?:ch?)?)?)?\s+(\d+)\s*")
_HISTORY = re.compile(r"^ *(\d+)  (.*)$", re.M)

_SOURCE = re.compile(r"\s*so(?:u(?:r(?:ce?)?)?)?\s.*jitscope\.py\s*")

_old = 0  # the last command of the history that was typed before jitscope looked
_is_first = True  # True until the first prompt
_explained: tuple[int, int] | None = None  # the last attempt, which is explained once


def last() -> tuple[int, int] | None:
    """Return (place in the history, PID) of this session's last attempt; place 0 is GDB's own command line."""
    for number, text in [] if _is_first else reversed(_history()):
        match = _COMMAND.fullmatch(text)
        if match and number > _old:
            return number, int(match[1])
    pid = _of_command_line()
    return None if pid is None else (0, pid)


def _history() -> list[tuple[int, str]]:
    """Return the last ten commands that were typed, with their numbers."""
    listed = _HISTORY.findall(console.text_of("show commands"))
    return [(int(number), text) for number, text in listed]


def _of_command_line() -> int | None:
    try:
        with open("/proc/self/cmdline", "rb") as stream:
            words = stream.read().decode("utf-8", "replace").split("\0")
    except OSError:
        return None
    for index, word in enumerate(words):
        if word in ("-args", "--args"):
            break
        match, following = _OPTION.fullmatch(word), words[index + 1] if index + 1 < len(words) else ""
        if match and (match[1] or following.isdigit()):
            return int(match[1] or following)
        command = _COMMAND.fullmatch(word)
        if command:
            return int(command[1])
    return None


def explain(pid: int) -> dict[str, Any]:
    """Return whether GDB may debug this process and, if not, the reason: js_access_json()'s answer."""
    return native.json_of("js_access_json", pid, 0)  # type: ignore[no-any-return]


def line_of(found: dict[str, Any]) -> str:
    return found["text"] + (f"; type {found['fix']}" if found["fix"] else "")


def _begin() -> None:
    """Note, at the first prompt, that the history so far is from earlier sessions, or was typed before jitscope was
    sourced."""
    global _is_first, _old, _explained
    if not _is_first:
        return
    _is_first = False
    history = _history()
    if history:
        _old = history[-1][0]
        if _SOURCE.fullmatch(history[-1][1]):
            _explained = last()


@events.on("before_prompt", order=40)
def prompt() -> None:
    if target.current().has_process:
        seen()
    else:
        note()


def note() -> None:
    """Report, before a prompt without a process, an attach that has just been refused."""
    global _explained
    _begin()
    attempt = last()
    if attempt is None or attempt == _explained:
        return
    _explained = attempt
    found = explain(attempt[1])
    if not found["allowed"]:
        gdb.write(f"jitscope: {line_of(found)}\n")


def seen() -> None:
    """Forget, before a prompt with a process, the attempts until now: they succeeded, or are old."""
    global _explained
    _begin()
    _explained = last()
