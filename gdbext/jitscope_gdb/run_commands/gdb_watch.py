"""GDB's `watch`, `rwatch` and `awatch`. For GDB, a compiled function's variables are no lvalues, so that an assignment
without effect is refused, but the processor watches only lvalues. So these commands watch a pointer to the variable's
place: `total` is watched as `total, *$at_total`, whose first part ties it to the frame, as GDB ties `total` to it."""

from __future__ import annotations

import re
from typing import Any

import gdb
from jitscope_shared.commands import break_words

from ..base import report
from ..breakpoints import conditions, front_end_lines, watching
from ..frames import c_variables, frames, module_globals
from ..present.printers import address_of
from ..target import target
from . import c_forms
from .gdb_break import Replacement

_LOCATION = re.compile(r"-l(?:ocation)?\s+")
_END = re.compile(r"\s(?:thread\s|task\s|mask\s)")  # the end of the expression
_WORD = re.compile(r"(?<![\w.$])(?<!->)[^\W\d]\w*")


class Watch(Replacement):
    def __init__(self, name: str, kind: int):
        self.kind = kind
        super().__init__(name, gdb.COMPLETE_EXPRESSION)

    def run(self, argument: str) -> None:
        argument, condition, rest = _split(argument)
        conditions.check_watch(condition)
        is_location = _LOCATION.match(argument)
        typed = argument[is_location.end() :] if is_location else argument
        end = _END.search(typed)
        expression, rest = (typed[: end.start()], typed[end.start() :] + rest) if end else (typed, rest)
        _expect_no_variable_of_c(expression)
        c_forms.expect_c(expression)
        meant = f"-location {expression}" if is_location else expression
        made = watching.make(meant, watched(expression, is_location is not None) + rest, self.kind)
        if condition:
            try:
                conditions.set_condition(made, condition)
            except BaseException:
                made.delete()
                raise


def watched(expression: str, is_location: bool = False) -> str:
    """Return the expression that GDB watches for this one in the selected frame."""
    places = _places(set(_WORD.findall(expression)))
    found = _WORD.sub(lambda word: f"(*{places[word[0]]})" if word[0] in places else word[0], expression)
    if is_location and found == f"(*{places.get(expression.strip())})":
        return _bare(found)
    if is_location:
        return f"*{_keep('watched', gdb.parse_and_eval(f'&({found})'))}"
    return f"{next(iter(places))}, {_bare(found)}" if places else found


def _expect_no_variable_of_c(expression: str) -> None:
    debuggee = target.current()
    try:
        frame = frames.selected(debuggee)
    except report.Problem:
        return  # the frame is one of C
    if "$" not in expression and gdb.parameter("jitscope expressions"):
        module_globals.expect_none(debuggee, frame, _WORD.findall(expression))
        c_variables.expect_none(debuggee, expression)


def _split(argument: str) -> tuple[str, str, str]:
    """Return the watched expression, the condition ("" if none), and the restrictions after it."""
    words = break_words.split(argument)
    if words.condition is None:
        return argument, "", ""
    if not words.condition:
        raise report.Problem("a condition is missing after `if`")
    return words.location, words.condition, "".join(f" {name} {word}" for name, word in words.restrictions.items())


def _bare(expression: str) -> str:
    """Return the expression without parentheses around the whole."""
    return re.sub(r"^\((\*\$\w+)\)$", r"\1", expression.strip())


def _places(words: set[str]) -> dict[str, str]:
    """Return, for variables of the selected frame that are in memory, convenience variables that point to them."""
    debuggee = target.current()
    try:
        frame = frames.selected(debuggee)
    except report.Problem:
        return {}
    found = {}
    for name in sorted(words):
        address = frames.place_of(debuggee, frame, name)
        if address is None:
            continue
        value = frame.read_var(name)
        if address_of(value) is None:  # otherwise GDB watches the variable by its name
            found[name] = _keep(f"at_{name}", gdb.Value(address).cast(value.type.pointer()))
    return found


def _keep(name: str, value: Any) -> str:
    """Make a convenience variable that no watchpoint uses, and return its name with `$`."""
    used = " ".join(each.expression or "" for each in gdb.breakpoints() or ())
    number = 1
    while f"${name}" + (f"_{number}" if number > 1 else "") in re.findall(r"\$\w+", used):
        number += 1
    name += f"_{number}" if number > 1 else ""
    gdb.set_convenience_variable(name, value)
    return f"${name}"


def create() -> None:
    Watch("watch", gdb.WP_WRITE)
    Watch("rwatch", gdb.WP_READ)
    Watch("awatch", gdb.WP_ACCESS)
    front_end_lines.watch_by(watched)
