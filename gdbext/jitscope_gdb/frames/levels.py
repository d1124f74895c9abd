"""The level at which a function was compiled, what chose it, and notes on what a function at `exact` cannot do: one
line when a user types such a command, with what prepares the next run."""

from __future__ import annotations

import ast
import re
from typing import Any

import gdb
from jitscope_shared.base import native
from jitscope_shared.functions.function_text import HOOKED, WITH_INLINED  # noqa: F401  (for those that use this module)
from jitscope_shared.functions.function_text import level_text as text  # noqa: F401
from jitscope_source import files
from jitscope_source.statements import nan_tests

from ..base import events, report
from ..target import recompilation, sources, target
from . import displays, frames

_fast: set[tuple[str, str]] = set()  # functions with fastmath flags that were reported
_conditions: dict[int, str] = {}  # by the breakpoint's number: its condition when it was last looked at


def can_be_recompiled(debuggee: target.Target, function: dict[str, Any] | None) -> bool:
    """True if a breakpoint may have the function compiled for stepping while the program runs: neither the program nor
    the user has asked for its level, and its results stay the same."""
    if function is None or function["kind"] not in ("function", "parfor-kernel") or function["fastmath"]:
        return False
    chosen_for_all = ("default", "debugger") if recompilation.usual_level() == "exact" else ("default",)
    is_left = function["level"] == "lines" or (function["level"] == "exact" and function["chosen_by"] in chosen_for_all)
    return is_left and bool(gdb.parameter("jitscope recompile")) and recompilation.is_possible(debuggee)


def advice(debuggee: target.Target, function: dict[str, Any] | None, given: str) -> str:
    """Return the advice on a missing value or stop: in a running program that can compile the function for stepping,
    the command for that, too."""
    if not given or not can_be_recompiled(debuggee, function) or function is None:
        return given
    return f"{_command(function)}; or {given}"


def how_to_follow(debuggee: target.Target, function: dict[str, Any]) -> str:
    """Return the advice that has each assignment of a function at `exact` followed."""
    if can_be_recompiled(debuggee, function):
        return _command(function)
    if function["chosen_by"] == "default":
        return "a program that is started under the debugger, or with JITSCOPE_LEVEL=steps, follows all of them"
    return "@jitscope.steps above its @njit follows all of them"


def _command(function: dict[str, Any]) -> str:
    name = function["parent"] or function["name"]
    return f"`jit level {name} steps` has its next call from Python compiled for stepping"


# -- functions with fastmath flags


def report_fastmath(debuggee: target.Target, addresses: list[int], said: str) -> None:
    """Report fastmath flags once for each function that a breakpoint or a stop is in. `said`: the line about the
    breakpoint, which may report them already."""
    for address in addresses:
        function = frames.innermost_at(debuggee, address)
        if function is None or not function["fastmath"] or not gdb.parameter("jitscope notes"):
            continue
        # the note names a kernel's outer function, which the user can decorate
        name = function["parent"] or function["name"]
        key = (name, function["file"])
        if key not in _fast and "fastmath" not in said:
            how = "write @jitscope.steps above its @njit"
            if recompilation.is_possible(debuggee):
                how = f"type `jit level -fastmath {name} steps`"
            report.say(
                f"jitscope: {name} computes with fastmath flags at level steps, and its results may differ from "
                f"those at full speed"
                if function["level"] == "steps"
                else f"jitscope: {name} computes with fastmath flags and is left as Numba makes it, for level steps "
                f"would change what it computes; to have steps all the same, {how}"
            )
        if key not in _fast and (note := _nan_note(debuggee, name, function["file"])):
            report.say(note)
        _fast.add(key)


def _nan_note(debuggee: target.Target, name: str, file: str) -> str:
    """Return the note on a function with fastmath=True that tests for NaNs; "" for other functions."""
    path = sources.find(debuggee, file) if file else None
    tree = files.tree_of(path, sources.born(debuggee)) if path else None
    source = (files.text_of(path) if path and tree else None) or ""
    for node in ast.walk(tree) if tree else ():
        if getattr(node, "name", None) == name.rpartition(".")[2] and (test := nan_tests.first_test(node, source)):
            kept = "fastmath={'contract', 'arcp', 'afn', 'reassoc', 'nsz'}"
            return (
                f"jitscope: {name} has fastmath=True, for which there are no NaNs and infinities, so that "
                f"{test[0]} (line {test[1]}) may be wrong; write {kept} in its decorator"
            )
    return ""


@events.on("stop", order=70)
def stopped(_event: Any) -> None:
    """Report, at a stop, that a function has fastmath flags, unless a note on a breakpoint has said so."""
    debuggee = target.current()
    if debuggee.has_process and debuggee.feed.objects:
        report_fastmath(debuggee, [frames.lookup_pc(gdb.newest_frame())], "")


# -- conditions and displays that are typed later than the breakpoint


def has_new_condition(breakpoint: Any, now: str) -> bool:
    """True if the user has given a condition since the last call. `now`: the condition as it was typed."""
    before = _conditions.get(breakpoint.number, "")
    _conditions[breakpoint.number] = now
    return now not in ("", before)


def deleted(breakpoint: Any) -> None:
    _conditions.pop(breakpoint.number, None)


@report.quietly
def displayed() -> None:
    """Report new displays of variables that have no value in a frame at `exact`."""
    debuggee = target.current()
    if not debuggee.has_process or not debuggee.feed.objects or not gdb.parameter("jitscope notes"):
        return
    try:
        frame = gdb.selected_frame()
    except gdb.error:
        return
    function = frames.compiled_at(debuggee, frame)
    if function is None or function["level"] != "exact":
        return
    for number, expression in displays.newest():
        names = re.findall(r"[^\W\d]\w*", expression)
        if reason := next(filter(None, (_reason(debuggee, frame, name) for name in names)), ""):
            report.say(f"jitscope: display {number}: {reason}")


def _reason(debuggee: target.Target, frame: Any, name: str) -> str:
    """Return why a variable has no value here, and what gives it one; "" if it has a value, or is no variable."""
    pointer = frames.NativeFrame(frame, debuggee.memory)
    try:
        found = native.json_of("js_program_why", debuggee.program, pointer.pointer, name.encode())
    except native.NativeError:
        return ""
    if found["state"] not in ("optimized-out", "unknown"):
        return ""
    cure = advice(debuggee, frames.compiled_at(debuggee, frame), found["advice"])
    return f"{name} is {found['state'].replace('-', ' ')}: {found['why']}; {cure}"
