"""Attaching to the program that has started this GDB, called by handshake.py."""

from __future__ import annotations

import os

import gdb
from jitscope_shared.base import process_family

from ..stops import requested_stops
from ..target import failed_attaches, libraries
from . import startup


def attach(here: str, pid: int, places: list[tuple[int, str]], commands: bool) -> str | None:
    """Attach to the process and stop at the functions at `places`, each an address with the name of the stop. Return
    why this failed, or None. `commands`: GDB commands follow at the first stop."""
    with libraries.quick_settings():
        return _attach(here, pid, places, commands)


def _attach(here: str, pid: int, places: list[tuple[int, str]], commands: bool) -> str | None:
    problem = startup.start(here)
    try:
        gdb.execute(f"attach {pid}", False, True)
    except gdb.error as error:
        said = " ".join(str(error).split())
        found = failed_attaches.explain(pid)
        return said if problem or found["allowed"] else failed_attaches.line_of(found)
    libraries.start(pid)
    if commands:
        libraries.finish()
    if problem:
        print("jitscope: " + problem)
    else:
        startup.scan_again()
    try:
        gdb.execute("set breakpoint always-inserted on", False, True)
        for address, word in places:
            if address:
                requested_stops.watch(address, word)
    finally:
        gdb.execute("set breakpoint always-inserted off", False, True)
    _leave_with(pid)
    return None


def _leave_with(pid: int) -> None:
    """End GDB when the program has ended: the shell takes the terminal then, and GDB must not be reading from it."""

    def ended(_event: object) -> None:
        if process_family.has_ended(pid) and os.isatty(0):  # GDB also sends this event for a detach
            gdb.post_event(lambda: gdb.execute("quit"))

    gdb.events.exited.connect(ended)
