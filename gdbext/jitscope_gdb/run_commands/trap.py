"""`jit trap overflow|nan [FUNCTION]`: stop where an integer does not fit in its type, or a NaN is made."""

from __future__ import annotations

import re
from typing import Any

from jitscope_shared.base import native

from ..base import events, report
from ..breakpoints import breakpoint_places, condition_text, conditions, never_set, user_breakpoint
from ..commands.base import write, write_json
from ..frames import levels
from ..stops import trapped
from ..target import recompilation, target
from .breakpoint import BreakpointCommand, in_script, with_condition

_NAME = re.compile(r"[^\W\d]\w*(\.[^\W\d]\w*)*$")
_ASKS = re.compile(rf'\${trapped.FUNCTION}\("(\w+)"(?:, "([\w.]+)")?\)(?: && \((.*)\))?$')
_WHERE = {"overflow": "where an integer does not fit in its type", "nan": "where a NaN is made of numbers"}


class Trap(BreakpointCommand):
    """Use this when numbers are wrong, to stop where they first go wrong.
    Usage: jit trap [-temporary] overflow|nan [FUNCTION] [if CONDITION]
           jit trap -list [-json]

    overflow: stop before an integer operation, conversion or store to an array whose exact
    result does not fit in its type. nan: stop after an operation that makes a NaN of
    numbers. The check is a part of the code that is compiled for stepping: functions of
    your own files, or FUNCTION (its name, or module.function). Code that is there already
    is compiled anew at its next call from Python. It is a breakpoint of GDB, which
    `disable`, `ignore`, `commands` and `delete` take. CONDITION is a Python expression
    over the function's variables. What is not checked is in docs/limits.md.
      -temporary  delete the breakpoint at its first stop
      -list       list these breakpoints
      -json       with -list: write JSON, as docs/schema/trap.json says

    Example:
      (gdb) jit trap overflow
      Breakpoint 1: where an integer does not fit in its type
      (gdb) run
      ...
      Breakpoint 1.4, 0x00007ffff6f593b7 in scan (n=14) at .../wrong_numbers.py:15
      15              total = total * 31 + i  # at: scan
      int64 overflow in scan at wrong_numbers.py:15: total * 31 = 788537964659425927 *
          31 = 24444676904442203737 does not fit, and wraps to 5997932830732652121"""

    name = "trap"

    def words(self, debuggee: target.Target) -> list[str]:
        found = native.json_of("js_program_functions", debuggee.program, None, 0, 0)
        return sorted(trapped.KINDS) + sorted({function["name"] for function in found})

    def make(self, debuggee: target.Target, words: str, condition: str, temporary: bool) -> None:
        kind, _, name = words.partition(" ")
        name = name.strip()
        if kind not in trapped.KINDS or name and not _NAME.match(name):
            raise report.Problem(self.usage())
        name = in_script(debuggee, name)
        asks = f'${trapped.FUNCTION}("{kind}"' + (f', "{name}")' if name else ")")
        made, said = user_breakpoint.make(trapped.LOCATION, with_condition(asks, condition), temporary)
        write(f"Breakpoint {made.number}: {_describe(made)}\n{said}".rstrip())
        if name:
            never_set.of_names[made.number] = "jit trap", name
        _publish()
        if debuggee.is_live and debuggee.feed.objects:
            _note(debuggee, name)

    def show(self, as_json: bool) -> None:
        found = trapped.breakpoints()
        if as_json:
            fields = [_parts(breakpoint) for breakpoint in found]
            write_json(
                [
                    {**user_breakpoint.entry(b), "kind": kind, "function": name}
                    for b, (kind, name, _) in zip(found, fields)
                ]
            )
        elif not found:
            write("There is no trap; `jit trap overflow` and `jit trap nan` set one.")
        else:
            write("\n".join(f"{b.number}  {_describe(b)}{breakpoint_places.state(b)}" for b in found))


never_set.of_commands[trapped.LOCATION] = (
    "(`jit trap`) had no place: nothing that this process has compiled for stepping computes what it is about"
)


def _note(debuggee: target.Target, name: str) -> None:
    """Say what becomes of code that is there already."""
    if not recompilation.is_possible(debuggee):
        report.warn(trapped.NEEDS)
        return
    found = native.json_of("js_program_functions", debuggee.program, None, 0, 0)
    if name:
        found = [
            each for each in found if f".{each['qualname'] or each['name']}".endswith(f".{name.rpartition('.')[2]}")
        ]
    fast = sorted({each["name"] for each in found if each["fastmath"]})
    if fast:
        report.warn(f"no traps in {', '.join(fast)}: by fastmath flags, LLVM may change what is computed")
    if any(levels.can_be_recompiled(debuggee, each) or each["level"] == "steps" for each in found):
        write("What is compiled already gets its traps at its next call from Python; calls that run go on without.")


def _parts(breakpoint: Any) -> tuple[str, str, str]:
    match = _ASKS.match(conditions.of_breakpoint(breakpoint))
    return (match[1], match[2] or "", match[3] or "") if match else ("", "", "")


def _describe(breakpoint: Any) -> str:
    kind, name, condition = _parts(breakpoint)
    condition = condition_text.typed(condition) or condition
    text = _WHERE.get(kind, "at a trap") + (f", in {name}" if name else "")
    return text + (f", if {condition}" if condition else "")


@events.on("breakpoint_deleted", order=60)
def _deleted(breakpoint: Any) -> None:
    if trapped.is_trap(breakpoint):
        _publish(breakpoint)


def _publish(without: Any = None) -> None:
    """Have the processes compile what the breakpoints of `jit trap` need; all of them if one is about any function."""
    found = [_parts(each) for each in trapped.breakpoints() if each is not without]
    kinds = 0
    for kind, _, _ in found:
        kinds |= trapped.KINDS.get(kind, trapped.KINDS["overflow"] | trapped.KINDS["nan"])
    names = {name for _, name, _ in found}
    recompilation.choose_traps(target.current(), kinds, frozenset({""} if "" in names else names))


def create() -> None:
    Trap()
    trapped.Trapped()
