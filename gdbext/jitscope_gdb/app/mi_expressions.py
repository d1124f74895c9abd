"""Expressions that a front end evaluates by GDB/MI: in frames of compiled code and in Python's own frames they are
Python. GDB reads the line as C before an extension sees it, so the expression is handed to a function of jitscope's."""

from __future__ import annotations

import contextlib
import re
import struct
from collections.abc import Iterator
from typing import Any

import gdb
from jitscope_shared.base import private_files

from ..base import console, report
from ..breakpoints import condition_text, front_end_lines
from ..commands.print import evaluate
from ..frames import c_variables, frames
from ..present.printed_values import TextPrinter, carried
from ..run_commands.gdb_print import gdb_knows, may_be_gdbs
from ..stacks import selection, shown_frames
from ..target import target

_PATH = re.compile(r"[^\W\d]\w*(?:\.[^\W\d]\w*)*")
_FUNCTION = "jit_shown"
_FLOATS = {4: "<f", 8: "<d"}


def python_of(words: list[str], expression: str) -> str:
    """Return the expression that GDB is given for one of a front end. `words`: the words before it. GDB evaluates a
    path of names where it can, because such a value can be written, and its parts can be, too. Raise Problem where the
    expression is Python and has no value: GDB would make a variable object of it."""
    debuggee = target.current()
    if not gdb.parameter("jitscope expressions") or not shown_frames.is_enabled(debuggee):
        return expression
    read = condition_text.read(expression)
    if condition_text.is_gdb_expression(expression) or read["offset"] is not None:
        return expression
    with _frame_of(words):
        frame = gdb.selected_frame()
        is_python = selection.chosen_python(debuggee) is not None
        if not is_python and not frames.runs_python(debuggee, frame):
            return expression
        is_cs = "" if is_python else c_variables.of_expression(expression)
        if not is_python and not is_cs and _PATH.fullmatch(expression) and gdb_knows(expression):
            return expression
        found = evaluate(debuggee, expression)
        error = str(found.get("error") or "")
        if error.startswith("NameError") and is_cs:
            error = c_variables.lacks(debuggee, frame, is_cs)
        elif error and not is_python and may_be_gdbs(debuggee, expression, read["names"], error):
            return expression
        _computed(debuggee)[_key(frame, expression)] = found
    if error:
        raise report.Problem(error)
    return f"${_FUNCTION}({console.quoted(expression)})"


def _computed(debuggee: target.Target) -> dict[Any, dict[str, Any]]:
    """Return the entries of js_program_print that python_of() has computed and GDB has not asked for yet."""
    return debuggee.keep(target.STOP, "computed", dict)  # type: ignore[no-any-return]


def _key(frame: Any, expression: str) -> Any:
    return gdb.selected_thread().global_num, frame.level(), expression


@contextlib.contextmanager
def _frame_of(words: list[str]) -> Iterator[None]:
    """Select the frame that the line is about within the `with` block."""
    thread, selected = gdb.selected_thread(), gdb.selected_frame()
    given = {word: int(value) for word, value in zip(words, words[1:]) if word in ("--thread", "--frame")}
    other = next((each for each in gdb.selected_inferior().threads() if each.num == given.get("--thread")), thread)
    try:
        other.switch()
        frame = gdb.newest_frame() if "--frame" in given else None
        while frame is not None and frame.level() < given["--frame"]:
            frame = frame.older()
        if frame is not None:
            frame.select()
        yield
    finally:
        thread.switch()
        selected.select()


class Shown(gdb.Function):
    """$jit_shown("EXPR"): the value of a Python expression in the selected frame, for front ends."""

    def __init__(self) -> None:
        super().__init__(_FUNCTION)

    def invoke(self, given: Any) -> Any:
        expression = given.string()
        try:
            debuggee = target.current()
            frame = gdb.selected_frame()
            if not frames.runs_python(debuggee, frame) and selection.chosen_python(debuggee) is None:
                return gdb.parse_and_eval(expression)
            found = _computed(debuggee).pop(_key(frame, expression), None) or evaluate(debuggee, expression)
            if found.get("error"):
                raise report.Problem(found["error"])
            return _value_of(frame, found)
        except gdb.error:
            raise
        except (Exception, KeyboardInterrupt) as error:
            raise gdb.GdbError(report.line_of(error)) from None


def _value_of(frame: Any, found: dict[str, Any]) -> Any:
    """Return the value of js_program_print's entry: a number as a value of its type, if the program's debug
    information has that type, and anything else as its text."""
    number = found["value"] if found["state"] == "exact" else None
    if isinstance(number, (bool, int, float)):
        made = _number(frame, found["type"], number)
        if made is not None:
            return made
    return carried(TextPrinter(found["text"]))


def _number(frame: Any, name: str, number: bool | int | float) -> Any:
    try:
        kind = gdb.lookup_type(name, frame.block())
    except (gdb.error, RuntimeError):
        return None
    if kind.objfile is None or not private_files.is_ours(kind.objfile.filename):
        return None
    if isinstance(number, float):
        form = _FLOATS.get(kind.sizeof) if kind.code == gdb.TYPE_CODE_FLT else None
        return None if form is None else gdb.Value(struct.pack(form, number), kind)
    if kind.code not in (gdb.TYPE_CODE_INT, gdb.TYPE_CODE_BOOL):
        return None
    return gdb.Value((int(number) & (1 << 8 * kind.sizeof) - 1).to_bytes(kind.sizeof, "little"), kind)


def create() -> None:
    """Make the function known to GDB, and have the lines of front ends use it."""
    Shown()
    front_end_lines.evaluate_by(python_of)
