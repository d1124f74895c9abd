"""GDB's `dprintf`, whose expressions mean Python in compiled Python."""

from __future__ import annotations

import ast
import re
from typing import Any

import gdb
from jitscope_shared.commands import break_words

from ..base import console, report
from ..breakpoints import breakpoints, dprintf_arguments, never_set, unseen
from ..target import cells, target
from .gdb_break import Replacement, thread_of

_FORMAT = re.compile(r'\s*("(?:[^"\\]|\\.)*")\s*', re.S)


class Dprintf(Replacement):
    more = """

Where the location is compiled Python, the expressions are Python's, as in
`jit print`; a `%s` shows what str() gives. Where its condition fails it prints
nothing, and a line says why."""

    def __init__(self) -> None:
        super().__init__("dprintf", gdb.COMPLETE_LOCATION)

    def run(self, argument: str) -> None:
        place, *_ = _items(argument, keeps_empty=True)
        form = _FORMAT.match(argument[len(place) + 1 :])
        if not place.strip() or form is None:
            raise report.Problem('Format string required: dprintf LOCATION,"FORMAT",EXPRESSION…')
        words = break_words.split(place.strip())
        words = words._replace(location=cells.located(target.current(), words.location))
        if words.garbage:
            raise report.Problem(f"Garbage '{words.garbage}' at end of location")
        if words.condition == "":
            raise report.Problem("a condition is missing after `if`")
        rest = argument[len(place) + 1 + form.end() :]
        text = form[1]
        given = [item.strip() for item in _items(rest[rest.startswith(",") :], keeps_empty=False)]
        if dprintf_arguments.is_for_python(words.location):
            text, given = dprintf_arguments.as_python(text, given)
        _make(words, text, given)


def _items(text: str, *, keeps_empty: bool) -> list[str]:
    """Split the text at the commas outside of quotes and brackets."""
    found, depth, quote, before = [""], 0, "", ""
    for letter in text:
        if quote:
            quote = "" if letter == quote and before != "\\" else quote
        elif letter in "'\"":
            quote = letter
        before = "" if before == "\\" else letter
        depth += 0 if quote else (letter in "([{") - (letter in ")]}")
        if letter == "," and not depth and not quote:
            found.append("")
        else:
            found[-1] += letter
    return [item for item in found if keeps_empty or item.strip()]


def _make(words: break_words.Words, form: str, given: list[str]) -> None:
    condition = dprintf_arguments.condition_of(words.condition or "", words.location)
    thread = thread_of(words.restrictions["thread"]) if "thread" in words.restrictions else None
    number = _insert(words.location, thread, form, given)
    try:
        is_pending = unseen.made(number, words.location, condition, thread)
    except BaseException:
        gdb.execute(f"delete {number}", False, True)
        raise
    asks = f" if {words.condition}" if words.condition else ""
    gdb.write(
        f"Dprintf {number} ({words.location}{asks}) pending.\n"
        if is_pending
        else f"Dprintf {number} at {words.location}\n"
    )
    breakpoints.look_at_unseen(None)
    never_set.look(None)


def _insert(location: str, thread: int | None, form: str, given: list[str]) -> int:
    """Return the number of the new dprintf. GDB/MI is the only way to GDB's own command, whose name is replaced."""
    options = ["-f", *(() if thread is None else ("-p", str(thread)))]
    if hasattr(gdb, "execute_mi"):
        made: dict[str, Any] = gdb.execute_mi("-dprintf-insert", *options, location, ast.literal_eval(form), *given)
        return int(made["bkpt"]["number"])
    words = ["-dprintf-insert", *options, console.quoted(location), form, *map(console.quoted, given)]
    console.machine_interface(" ".join(words))
    return int(gdb.parse_and_eval("$bpnum"))  # the answer is lost if the caller asked for GDB's text


def create() -> None:
    Dprintf()
