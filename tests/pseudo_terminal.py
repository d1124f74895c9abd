"""Programs on a terminal of their own, which a machine may not be able to give."""

from __future__ import annotations

import os
import unittest
from collections.abc import Sequence
from typing import Any

import pexpect


class NoTerminal(unittest.SkipTest):
    """No pseudo-terminal is free: a test that needs one is skipped, and says why."""


def spawn(command: str, arguments: Sequence[str], kind: type = pexpect.spawn, **options: Any) -> Any:
    """Start the program on a new terminal, as `kind` of pexpect has it."""
    try:
        return kind(command, list(arguments), **options)
    except OSError as error:  # pexpect has another exception for a program that is missing
        raise NoTerminal(_line(error)) from None


def problem() -> str | None:
    """Return why no program can have a terminal now, or None."""
    try:
        ends = os.openpty()
    except OSError as error:
        return _line(error)
    for end in ends:
        os.close(end)
    return None


def _line(error: OSError) -> str:
    cure = "mount devpts at /dev/pts, or end programs that hold terminals (the most is in /proc/sys/kernel/pty/max)"
    return f"no pseudo-terminal is free ({error.strerror or error}): {cure}"
