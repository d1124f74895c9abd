"""Conditions in compiled Python that GDB has neither in `info breakpoints` nor in the file of `save breakpoints`."""

from __future__ import annotations

import gdb

from ..base import console, report
from . import conditions, unseen


def list_typed() -> None:
    """List, after `info breakpoints`, conditions as they were typed, where GDB has another form of them or does not
    have them yet."""
    found = []
    for breakpoint in gdb.breakpoints() or ():
        text, given = conditions.of_breakpoint(breakpoint), gdb.Breakpoint.condition.__get__(breakpoint)
        if text and text != given and breakpoint.number > 0:
            found.append(f"{breakpoint.number}\tstop only if {text}{'' if given else ', once it is compiled'}\n")
    found += [
        f"{number}\tprint only if {text}; enabled once it is compiled\n" for number, text in unseen.waiting().items()
    ]
    if found and not console.is_machine_interface():
        gdb.write(console.shown("Conditions as they were typed:\n" + "".join(found)))


def report_unsaved() -> None:
    """Report, after `save breakpoints`, the conditions that GDB has not written because it does not have them."""
    for breakpoint in gdb.breakpoints() or ():
        if getattr(breakpoint, "held", ""):
            report.say(
                f"jitscope: breakpoint {breakpoint.number} is saved without its condition `{breakpoint.held}`, which "
                "waits until the location is compiled"
            )


def create() -> None:
    console.hook("info hookpost-breakpoints", list_typed)
    console.hook("save hookpost-breakpoints", report_unsaved)
