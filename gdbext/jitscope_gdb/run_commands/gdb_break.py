"""GDB's `break`, `tbreak`, `hbreak`, `thbreak` and `condition`, with conditions that mean Python in compiled Python.

The commands replace GDB's own, because GDB refuses a condition that is no C before an extension sees it. The locations,
messages and breakpoints are GDB's."""

from __future__ import annotations

import re
import sys
from typing import Any

import gdb
from jitscope_shared.commands import break_words

from ..base import console, report
from ..breakpoints import breakpoint_places, breakpoints, condition_table, condition_text, conditions, unseen
from ..breakpoints.breakpoint_places import BREAKS
from ..breakpoints.user_breakpoint import UserBreakpoint
from ..target import cells, target

_MORE = """

Where the location is compiled Python, CONDITION is a Python expression: 10 < i < 12,
i // 3 == 4, not (i < 9), k in (4, 9), len(a) > n and a[i] != 0. It is evaluated by
jitscope, and calls nothing in the program. `set jitscope conditions off` gives
conditions to GDB, which reads them as C."""


class Replacement(gdb.Command):
    """A command of GDB's name, with GDB's own help and a paragraph of jitscope's."""

    more = _MORE

    def __init__(self, name: str, complete: int | None, kind: int = gdb.COMMAND_BREAKPOINTS):
        """Create the command. `complete`: one of GDB's kinds of completion; None: the class has a method `complete`.
        `kind`: the part of `help` that lists the command."""
        self.name = name
        self.__doc__ = help_of(name) + self.more
        super().__init__(name, kind, *([] if complete is None else [complete]))

    def run(self, argument: str) -> None:
        raise NotImplementedError

    def invoke(self, argument: str, from_tty: bool) -> None:
        try:
            self.run(argument)
        except gdb.GdbError:
            raise
        except (Exception, KeyboardInterrupt) as error:
            raise gdb.GdbError(report.line_of(error)) from None


def help_of(name: str) -> str:
    """Return GDB's help for its command, without the line of aliases, which GDB adds itself."""
    text = console.text_of(f"help {name}").rstrip()
    first, _, rest = text.partition("\n")
    return rest if re.match(rf"{name}(, [\w ]+)+$", first) else text


class Break(Replacement):
    def __init__(self, name: str, kind: int, temporary: bool):
        self.kind = kind
        self.temporary = temporary
        super().__init__(name, gdb.COMPLETE_LOCATION)

    def run(self, argument: str) -> None:
        words = break_words.split(argument)
        if words.condition == "":
            raise report.Problem("a condition is missing after `if`")
        make(words, self.kind, self.temporary)


class Condition(Replacement):
    def __init__(self) -> None:
        super().__init__("condition", None)

    def complete(self, text: str, word: str | None) -> Any:
        if " " in text.lstrip():
            return gdb.COMPLETE_SYMBOL
        if word is None:  # GDB asks only at which characters a word ends
            return None
        return [str(b.number) for b in gdb.breakpoints() or () if b.number > 0 and str(b.number).startswith(word)]

    def run(self, argument: str) -> None:
        match = re.match(r"(?:-force\s+)?(\S+)\s*(.*)", argument, re.S)
        if match is None:
            raise report.Problem("Argument required (breakpoint number).")
        word, text = match[1], match[2].strip()
        if word.startswith("$"):
            number = int(gdb.parse_and_eval(word))
        elif word.isdigit():
            number = int(word)
        else:
            raise report.Problem(f"Bad breakpoint argument: '{word}'")
        found = next((b for b in gdb.breakpoints() or () if b.number == number), None)
        if found is None:
            _condition_of_unseen(number, text)
        elif hasattr(found, "stop") and not getattr(found, "held", ""):
            raise report.Problem(
                "Only one stop condition allowed. There is currently a python stop condition defined for this "
                "breakpoint."
            )
        else:
            is_forced = "-force" in argument[: match.start(1)]
            if not is_forced and found.type in BREAKS:
                conditions.check_early(text, found.location or "")
            _give_condition(found, text, is_forced)
        if not text:
            gdb.write(f"Breakpoint {number} now unconditional.\n")


def _condition_of_unseen(number: int, text: str) -> None:
    """Run GDB's own `condition`, for a breakpoint that GDB's Python does not see: a catchpoint or a dprintf."""
    if text and unseen.is_python(number) and not conditions.is_left_to_gdb(text):
        condition_text.check(text)
        text = condition_text.wrap_for_print(text)
    unseen.give(number, text)


# -- breakpoints


def make(words: break_words.Words, kind: int, temporary: bool) -> Any:
    """Return a user's breakpoint, made as GDB's own command makes it; None if the user declines."""
    if words.garbage:
        raise report.Problem(f"Garbage '{words.garbage}' at end of command")
    location = cells.located(target.current(), words.location) or _here()
    thread = thread_of(words.restrictions["thread"]) if "thread" in words.restrictions else None
    condition = words.condition or ""
    if not words.is_forced:
        conditions.check_early(condition, location)
    said, made = _create(location, kind, temporary)
    if made is None:
        return None
    try:
        if thread is not None:
            made.thread = thread
        for name in ("task", "inferior"):
            if name in words.restrictions:
                _restrict(made, name, words.restrictions[name])
        if condition:
            with breakpoints.making():
                _give_condition(made, condition, words.is_forced)
    except BaseException:
        made.delete()
        raise
    gdb.write(said.replace(f"({location}) pending.", f"({location} if {condition}) pending.") if condition else said)
    return made


def _restrict(made: Any, name: str, word: str) -> None:
    if not hasattr(made, name):
        raise report.Problem(f'malformed linespec error: unexpected string, "{name} {word}".')
    try:
        setattr(made, name, int(word))
    except (RuntimeError, ValueError):
        raise report.Problem(f"Unknown {name} {word}.") from None


def _give_condition(made: Any, text: str, is_forced: bool) -> None:
    try:
        conditions.set_condition(made, text)
    except gdb.error:
        if not is_forced:
            raise
        unseen.set_in_gdb(made.number, text, "--force")


def _may_wait(location: str) -> bool:
    """True if GDB may make a pending breakpoint there without asking the user."""
    waits = gdb.parameter("breakpoint pending")
    return bool(waits) or (waits is None and conditions.may_be_python(location))


def _here() -> str:
    """Return the location for `break` without an argument: the next instruction of the selected frame."""
    try:
        return f"*{int(gdb.selected_frame().pc()):#x}"
    except gdb.error:
        raise report.Problem("No default breakpoint address now.") from None


def thread_of(word: str) -> int:
    """Return the global number of a thread whose number is written as in `info threads`."""
    inferior, _, number = word.rpartition(".")
    wanted = int(inferior) if inferior.isdigit() else gdb.selected_inferior().num
    for each in gdb.inferiors():
        for thread in each.threads() if each.num == wanted else ():
            if str(thread.num) == number:
                return int(thread.global_num)
    raise report.Problem(f"Unknown thread {word}.")


def _create(location: str, kind: int, temporary: bool) -> tuple[str, Any]:
    """Return GDB's message and the breakpoint; the breakpoint is None if nothing has the location and the user does not
    want a pending breakpoint."""
    may_wait, question = _may_wait(location), ""
    if not may_wait and not location.startswith("-"):
        try:
            gdb.decode_line(location)
        except gdb.error as error:
            question = str(error)
    if question and gdb.parameter("breakpoint pending") is not None:
        raise report.Problem(question)
    if question:
        gdb.write(f"{question}\n", gdb.STDERR)
        if not _agrees(f"Make {'hw ' * (kind != gdb.BP_BREAKPOINT)}breakpoint pending on future shared library load?"):
            return "", None
    made: list[Any] = []
    _maker[:] = [lambda: made.append(UserBreakpoint(location, kind, temporary=temporary))]
    said = console.text_of(f'python __import__("{__name__}", fromlist=["_"]).create_silently()')
    if _failed:
        raise _failed.pop()
    lines = said.splitlines(True)[1 if question else 0 :]
    if not breakpoint_places.has_places(made[0]):  # GDB's own message names a place that was disabled
        lines = [_as_pending(line, made[0], location) for line in lines]
    return "".join(lines), made[0]


def _as_pending(line: str, made: Any, location: str) -> str:
    return re.sub(rf"^(.*reakpoint {made.number}) (at .*|: .*)$", rf"\1 ({location}) pending.", line)


_maker: list[Any] = []
_failed: list[BaseException] = []


def create_silently() -> None:
    """Make the breakpoint of _create(), while GDB's messages are caught."""
    try:
        _maker.pop()()
    except BaseException as error:  # GDB would write a traceback
        _failed.append(error)


def _agrees(question: str) -> bool:
    """Ask the user as GDB does, and return GDB's default answer where the user cannot be asked."""
    if not gdb.parameter("confirm"):
        return False
    gdb.write(f"{question} (y or [n]) ")
    if not sys.stdin.isatty():
        gdb.write("[answered N; input not from terminal]\n")
        return False
    gdb.flush()
    return sys.stdin.readline().strip().lower().startswith("y")


def create() -> None:
    conditions.create()
    condition_table.create()
    hardware = getattr(gdb, "BP_HARDWARE_BREAKPOINT", None)
    Break("break", gdb.BP_BREAKPOINT, False)
    Break("tbreak", gdb.BP_BREAKPOINT, True)
    if hardware is not None:
        Break("hbreak", hardware, False)
        Break("thbreak", hardware, True)
    Condition()
