"""GDB's `print`: in a frame of compiled Python an expression means what Python means.

GDB reads expressions as C: `i / 2` truncates there, and `a[1]` is refused. So an expression that is more than a name,
or a path of names, is evaluated as `jit print` does it. GDB still evaluates the rest: names, whose values have types
and parts in GDB; registers and convenience variables; and text that is no Python, such as casts, pointers and
assignments. The command replaces GDB's own, and calls `call`, which GDB implements by the same function."""

from __future__ import annotations

import keyword
import re
from typing import Any, Iterator

import gdb

from ..base import console, events, report
from ..breakpoints import condition_text
from ..commands.print import error_of, evaluate, number
from ..frames import c_variables, displays, frames
from ..stacks import selection
from ..target import target
from .gdb_break import Replacement
from .gdb_set import expect_place

_MORE = """

In a frame of compiled Python, EXP is a Python expression, as `jit print` takes it:
a[2:5], i / 2, box.x, len(l), 10 < i < 12. A name, and what is no Python (casts,
pointers, assignments, $names), is GDB's. Nothing is called in the program but by
what GDB evaluates; `call EXP` reads C, and `set jitscope expressions off` has `print`
read C, too."""

# The options of `print`, which may be abbreviated (GDB manual, "Print Settings").
_OPTIONS = (
    "address array array-indexes characters elements max-depth memory-tag-violations nibbles null-stop object pretty "
    "raw-values repeats static-members symbol union vtbl"
).split()
_OPTION = re.compile(r"\s*-([a-z][a-z-]*)(?:\s+(on|off|unlimited|\d+)\b)?(?=\s|$)")
_END = re.compile(r"\s*--(?=\s|$)")
_FORMAT = re.compile(r"\s*/(\S+)\s*")
_PATH = re.compile(r"[^\W\d]\w*(?:\.[^\W\d]\w*)*")
_PLACE = re.compile(r"[^\W\d]\w*(?:\.[^\W\d]\w*|\[\d+\])*")  # what Python and C read alike, if C can read it
_KEPT = ("elements", "repeats")  # options that jitscope's own output obeys
_is_calling = False  # True while `call` runs


class Print(Replacement):
    more = _MORE

    def __init__(self) -> None:
        super().__init__("print", None, gdb.COMMAND_DATA)

    def complete(self, text: str, word: str | None) -> Any:
        """Return GDB's completions for `call`, which has the same options. `word`: None where GDB asks only at which
        characters a word ends."""
        if word is None:
            return None
        offered = console.text_of(f"complete call {text}").splitlines()
        typed = len("call ") + len(text.lstrip()) - len(word)
        return [line[typed:] for line in offered if not line.startswith("*** ")]

    def run(self, argument: str) -> None:
        options, expression = split(argument)
        debuggee = target.current()
        if expression and gdb.parameter("jitscope expressions") and _is_python_here(debuggee):
            found = _python(debuggee, expression)
            if found is not None:
                _show(found, expression, options)
                return
            expect_place(expression)
        try:
            _print_as_gdb(argument)
        except gdb.error as error:
            hint = _caller(debuggee) if expression and not condition_text.is_gdb_expression(expression) else ""
            if not hint:
                raise
            raise report.Problem(f"{error} {hint}") from None


def _caller(debuggee: target.Target) -> str:
    """Return how to select the compiled function that has called the selected C function; "" if there is none."""
    if (
        not debuggee.has_process
        or not debuggee.feed.objects
        or gdb.selected_thread() is None
        or _is_python_here(debuggee)
    ):
        return ""
    return frames.caller_of(debuggee, gdb.selected_frame())


def split(argument: str) -> tuple[str, str]:
    """Return the options and the format at the beginning, and the expression after them. As in GDB, `--` ends the
    options; without it `-u + p` is an expression."""
    at = 0
    while (match := _OPTION.match(argument, at)) and _is_option(match[1]):
        at = match.end()
    end = _END.match(argument, at)
    at = end.end() if end else 0
    if match := _FORMAT.match(argument, at):
        at = match.end()
    return argument[:at], argument[at:].strip()


def _is_option(word: str) -> bool:
    """True if the word is the name of an option, or the beginning of exactly one."""
    return word in _OPTIONS or sum(option.startswith(word) for option in _OPTIONS) == 1


def _is_python_here(debuggee: target.Target) -> bool:
    """True if the selected frame is compiled Python, or a Python frame that `jit frame` or a step has selected."""
    if not debuggee.has_process or gdb.selected_thread() is None:
        return False
    try:
        return frames.runs_python(debuggee, gdb.selected_frame()) or selection.chosen_python(debuggee) is not None
    except gdb.error:
        return False


def _python(debuggee: target.Target, expression: str) -> dict[str, Any] | None:
    """Return js_program_print's entry; None if GDB is to evaluate the expression."""
    if condition_text.is_gdb_expression(expression):
        return None
    is_name = _PATH.fullmatch(expression) is not None and not keyword.iskeyword(expression)
    is_cs = c_variables.of_expression(expression)
    if (
        is_name
        and not is_cs
        and expression not in condition_text.WORDS_OF_C
        and selection.chosen_python(debuggee) is None
        and gdb_knows(expression)
    ):
        return None
    read = condition_text.read(expression)
    if read["offset"] is not None:  # the text is no Python, or Python that cannot be evaluated here
        if "not supported" in read["error"] and condition_text.is_in_no_language(expression, False):
            condition_text.check(expression)
        return None
    found = evaluate(debuggee, read["text"])
    error = str(found.get("error") or "")
    if is_cs and error.startswith("NameError"):
        raise report.Problem(c_variables.lacks(debuggee, gdb.selected_frame(), is_cs))
    if error and may_be_gdbs(debuggee, expression, read["names"], error):
        return None
    return found


def gdb_knows(expression: str) -> bool:
    """True if GDB has a value for a path of names, or for a place that it reads as Python does."""
    try:
        gdb.parse_and_eval(expression).fetch_lazy()
    except (gdb.error, RuntimeError):
        return False
    return True


def may_be_gdbs(debuggee: target.Target, expression: str, names: list[str], error: str) -> bool:
    """True if Python has no such name or attribute, and GDB has it without calling anything. An expression with a
    variable of the frame stays Python's, except a path, which C reads in the same way."""
    if _PATH.fullmatch(expression) and error.startswith("NameError"):
        return True  # GDB has its own message, or a name of C
    if condition_text.calls_function(expression):
        return re.match(r"sizeof\s*\(", expression) is not None
    if error.startswith("NameError"):
        return not any(name in names for name in _variables())
    return error.startswith("AttributeError") and bool(_PLACE.fullmatch(expression)) and gdb_knows(expression)


def _variables() -> Iterator[str]:
    """Yield the names that the selected frame has for GDB."""
    try:
        block = gdb.selected_frame().block()
    except RuntimeError:
        return
    while block is not None:
        yield from (symbol.name for symbol in block)
        block = block.superblock if block.function is None else None


def _show(found: dict[str, Any], expression: str, options: str) -> None:
    """Show the value as GDB's `print` does, and keep it in the value history. An expression without a value is not
    kept."""
    if found.get("error"):
        raise error_of(found)
    letters = _FORMAT.search(options)
    is_number = isinstance(found["value"], (bool, int, float))
    if letters is not None and letters[1] != "s" and found["state"] == "exact":
        if not is_number:
            raise report.Problem(f"a format (/{letters[1]}) is for numbers, and `{expression}` is none")
        _print_as_gdb(f"{options.rstrip()} $jit({console.quoted(expression)})")
        return
    with _settings(options):
        text = found["text"] if not options.strip() else evaluate(target.current(), expression)["text"]
    if found["state"] not in ("exact", "older"):
        gdb.write(f"{text}\n")
        return
    kept = number(found["value"]) if is_number else None
    gdb.write(f"${gdb.add_history(gdb.Value(found['text'] if kept is None else kept))} = {text}\n")


class _settings:
    """A context manager that applies a command's options to GDB's print settings for the time of one command."""

    def __init__(self, options: str):
        self._options = [(name, value) for name, value in _OPTION.findall(options) if value.isdigit()]
        self._before: dict[str, Any] = {}

    def __enter__(self) -> None:
        for word, value in self._options:
            for name in (name for name in _KEPT if name.startswith(word)):
                self._before[name] = gdb.parameter(f"print {name}")
                gdb.execute(f"set print {name} {value}", False, True)

    def __exit__(self, *_: Any) -> None:
        for name, value in self._before.items():
            gdb.execute(f"set print {name} {'unlimited' if value is None else value}", False, True)


def _print_as_gdb(argument: str) -> None:
    """Have GDB evaluate the argument. `call` shows nothing for a value without a type (`print $unset`), which `print`
    calls void."""
    before = gdb.history_count() if hasattr(gdb, "history_count") else None
    try:
        with console.untraced():
            gdb.execute(f"call {argument}".rstrip(), False)
    finally:
        called()  # an error is reported by `print` itself
    if before is not None and gdb.history_count() == before:
        gdb.write(f"${gdb.add_history(gdb.parse_and_eval('$_jit_unset'))} = void\n")


def calling() -> None:
    """Note that a `call` begins; called before the command."""
    global _is_calling
    _is_calling = True


def called() -> None:
    """Note that a `call` has ended; called after the command, if that has not failed."""
    global _is_calling
    _is_calling = False


@events.on("before_prompt", order=17)
@report.quietly
def call_failed() -> None:
    """Report, if a `call` has failed, which command reads Python. GDB's `call` cannot be replaced, because `print` uses
    it."""
    if _is_calling:
        called()
        if gdb.parameter("jitscope expressions") and _is_python_here(target.current()):
            report.say("jitscope: `call` reads C; `print` reads Python")


@report.quietly
def displayed() -> None:
    """Report, after `display`, how to show a new expression that means something else in Python than in C, in which GDB
    reads it. GDB's command cannot be replaced, because no other command makes its displays."""
    debuggee = target.current()
    if not displays.newest() or not gdb.parameter("jitscope expressions") or not _is_python_here(debuggee):
        return
    for display, expression in displays.newest():
        is_place = _PLACE.fullmatch(expression) is not None
        if condition_text.is_gdb_expression(expression) or _is_of_c(debuggee, display, expression):
            continue
        if is_place and gdb_knows(expression) or condition_text.read(expression)["error"] is not None:
            continue
        if _PATH.fullmatch(expression) and _has_value(debuggee, expression):
            _display_python(display, expression, f"GDB has no `{expression}`")
            continue
        shown = f"display $jit({console.quoted(expression)})"
        report.say(f"jitscope: display {display}: GDB reads `{expression}` as C; `{shown}` reads Python")


def _has_value(debuggee: target.Target, expression: str) -> bool:
    """True if the expression, read as Python, has a value here."""
    found = evaluate(debuggee, condition_text.read(expression)["text"])
    return not found.get("error") and found["state"] == "exact"


def _display_python(display: int, expression: str, why: str) -> None:
    """Replace a new display by one that reads the expression as Python."""
    gdb.execute(f"undisplay {display}", False, True)
    shown = f"$jit({console.quoted(expression)})"
    report.say(f"jitscope: `{shown}` is displayed instead of display {display}: {why}")
    gdb.execute(f"display {shown}", True)


def _is_of_c(debuggee: target.Target, display: int, expression: str) -> bool:
    """Delete a display that shows a C library's variable, here and in other functions, and show Python's variable of
    the name in its place, if there is one. Return False if the display shows no such variable."""
    name = c_variables.of_expression(expression)
    if not name:
        return False
    if condition_text.read(expression)["error"] is None and _has_value(debuggee, expression):
        _display_python(display, expression, f"GDB has found a C library's `{name}`")
        return True
    gdb.execute(f"undisplay {display}", False, True)
    lacks = c_variables.lacks(debuggee, gdb.selected_frame(), name)
    report.say(f"jitscope: display {display} is deleted, for it shows a C library's `{name}`: {lacks}")
    return True


def create() -> None:
    Print()
    console.hook("hook-call", calling)
    console.hook("hookpost-call", called)
