"""`jit print EXPR`, `$jit("EXPR")` and its relatives."""

from __future__ import annotations

import inspect
import re
from typing import Any

import gdb
from jitscope_shared.base import native

from ..base import console, progress, report
from ..frames import frames, module_globals, python_frames, undescribed
from ..stacks import selection
from ..stops import enclosing_variables
from ..target import target
from .base import Arguments, JitCommand, write, write_json
from .why import names


class Print(JitCommand):
    """Use this to see an element, a slice or any Python expression.
    Usage: jit print [-json] [--] EXPR

    EXPR is Python over the variables of the selected frame (`help jit locals` says which),
    and the names that its function takes from its module. Everything is read from memory:
    nothing runs in the program, so it works on cores. Arrays work as NumPy's.
    Known: arithmetic, @, %, comparisons, `in`, `is`, `and`, `or`, `not`, `if`; slices,
    None, ..., boolean masks, lists and arrays of indices; of arrays sum prod min max mean
    var std argmin argmax any all (axis= keepdims= ddof=), cumsum cumprod reshape ravel
    flatten squeeze transpose astype clip round nonzero diagonal trace dot conj tolist
    item; about 120 functions and constants of np and math (np.where, np.sqrt, np.unique,
    np.isclose, math.pi …); len abs min max sum any all round sorted reversed list tuple
    int float bool complex str repr hex oct bin ord chr divmod pow isnan isinf isfinite;
    methods of texts that read; keys values items get of dicts; count index of lists; copy.
      -json   write JSON, as docs/schema/print.json says
    In a compiled frame GDB's `print EXPR` shows the same, and keeps it in the value
    history. `print $jit("EXPR")` makes it a part of GDB's expressions: a number, else the
    text; `printf "%s", $jit_str("EXPR")` is str() of it.

    Example, where a is array([0., 1., 2.]):
      (gdb) jit print a[1:] * 10
      array([10., 20.])
      (gdb) jit print (a > 0).sum()
      2"""

    name = "print"
    is_about_variables = True
    options = ("-json",)
    takes_argument = True
    is_expression = True
    abbreviates = False  # because `-j` is an expression

    def words(self, debuggee: target.Target) -> list[str]:
        return names(debuggee)

    def run(self, debuggee: target.Target, arguments: Arguments) -> None:
        if not arguments.rest:
            raise report.Problem(self.usage())
        found = evaluate(debuggee, arguments.rest)
        if "-json" in arguments:
            write_json(found)
        elif found.get("error"):
            raise self.misspelled(arguments, found["error"]) or error_of(found)
        else:
            write(found["text"])


def evaluate(debuggee: target.Target, expression: str) -> dict[str, Any]:
    """Return the entry of js_program_print. Ctrl-C ends the work, and work that takes longer than a second shows its
    progress."""
    python = selection.python(debuggee)
    if python is not None:
        return python_frames.evaluate(debuggee, python["address"], expression)
    return in_compiled(debuggee, "js_program_print", expression)


def in_compiled(debuggee: target.Target, function: str, expression: str, *request: Any) -> dict[str, Any]:
    """Return the entry that a function of the C library, js_program_print or js_program_array, gives for an expression
    in the selected compiled frame. `request`: the function's arguments between the expression and the options."""
    selected = frames.selected(debuggee)
    frame = frames.NativeFrame(selected, debuggee.memory)
    with (
        module_globals.known(debuggee, selected) as used,
        enclosing_variables.known(debuggee, selected),
        progress.Progress() as shown,
    ):
        found: dict[str, Any] = native.json_of(
            function,
            debuggee.program,
            frame.pointer,
            expression.encode("utf-8", "replace"),
            *request,
            frames.render_options(),
            debuggee.data_memory(),
            shown.callback,
            None,
        )
        if found.get("error"):
            used.clear()
    if str(found.get("error") or "").startswith("NameError:"):
        found["error"] = undescribed.without_variables(debuggee, selected) or found["error"]
    return found


def error_of(found: dict[str, Any]) -> report.Problem:
    """Return the error as Python's line for it; a SyntaxError is preceded by the expression and a mark at its place."""
    if found.get("offset") is None:
        return report.Problem(found["error"])
    text = found["name"].replace("\n", " ").replace("\t", " ")
    column = len(text.encode()[: found["offset"]].decode("utf-8", "replace"))
    return report.Shown(f"{text}\n{' ' * column}^\n{found['error']}")


_TEXTS = (gdb.TYPE_CODE_ARRAY, gdb.TYPE_CODE_PTR, gdb.TYPE_CODE_STRING)


class Convenience(gdb.Function):
    """$jit("EXPR"): a Python expression in the selected compiled frame, as `jit print` shows it.
    A number is a number, True and False are 1 and 0; else it is the text, for printf "%s", too."""

    name = "jit"

    def __init__(self) -> None:
        type(self).__doc__ = inspect.cleandoc(type(self).__doc__ or "")
        super().__init__(self.name)

    def invoke(self, *arguments: Any) -> Any:
        try:
            if len(arguments) != 1 or arguments[0].type.strip_typedefs().code not in _TEXTS:
                raise report.Problem(f'Usage: ${self.name}("EXPR"), in quotes')
            expression = arguments[0].string()
            found = evaluate(target.current(), expression)
            if found.get("error"):
                raise report.Problem(found["error"])
            if found["state"] != "exact":
                raise report.Problem(f"{expression} is {found['text']}")
            return self.given(found)
        except (Exception, KeyboardInterrupt) as error:
            raise gdb.GdbError(report.line_of(error)) from None

    def given(self, found: dict[str, Any]) -> Any:
        value = number(found["value"]) if isinstance(found["value"], (bool, int, float)) else None
        return _text(found["text"]) if value is None else value


class ConvenienceText(Convenience):
    """$jit_str("EXPR"): str(EXPR), for printf "%s": a text without its quotes, else as `jit print` shows it."""

    name = "jit_str"

    def given(self, found: dict[str, Any]) -> Any:
        return _text(str_of(found))


def str_of(found: dict[str, Any]) -> str:
    """Return the text that Python's str() gives for the value of an entry of js_program_print; texts of any type have
    no quotes."""
    is_text = isinstance(found["value"], str) and found["text"][:1] in ("'", '"')
    return str(found["value"] if is_text else found["text"])


class ConvenienceFormat(gdb.Function):
    """$jit_format("%d", "EXPR"): the Python expression in this format, as a text. What has no value, or
    one that the format is not for, is shown as `jit print` shows it. It never fails."""

    def __init__(self) -> None:
        super().__init__("jit_format")

    def invoke(self, directive: Any, expression: Any) -> Any:
        try:
            debuggee, problem = target.current(), ""
            if _is_in_c(debuggee):
                text = console.text_of(f'printf "{directive.string()}",{expression.string()}')
            else:
                found = evaluate(debuggee, expression.string())
                problem = str(found.get("error") or "")
                text = "" if problem else formatted(directive.string(), found)
        except (Exception, KeyboardInterrupt) as error:
            problem, text = report.line_of(error), ""
        return _text(text or problem if "<" in problem or not problem else f"<{problem}>")


def _is_in_c(debuggee: target.Target) -> bool:
    """True if the frame is one of C, in which GDB evaluates an expression."""
    function = frames.compiled_at(debuggee, gdb.selected_frame())
    return function is None and selection.chosen_python(debuggee) is None


_DIRECTIVE = re.compile(r"%([-+ #0]*\d*(?:\.\d+)?)(hh|h|ll|l|L|z|t|j|[HD]+)?([a-zA-Z])")


def formatted(directive: str, found: dict[str, Any]) -> str:
    """Return js_program_print's value as C's printf writes it, but a number is never cut to the 32 bits of an int."""
    match, value = _DIRECTIVE.fullmatch(directive), found["value"]
    if found["state"] != "exact" or match is None:
        return str(found["text"])
    if match[3] == "s":
        return f"%{match[1]}s" % str_of(found)
    if isinstance(value, str) and found["type"].startswith("float"):
        value = float(value)  # JSON has no nan and inf, so these are texts
    if not isinstance(value, (bool, int, float)):
        return str(found["text"])
    try:
        if match[3] in "uoxX":
            value = int(value) & (
                (1 << (64 if match[2] in ("l", "ll", "j", "z", "t") else 32)) - 1 if value < 0 else -1
            )
        kind = {"u": "d", "p": "#x", "a": "g", "A": "G"}.get(match[3], match[3])
        return str(f"%{match[1]}{kind}" % value)
    except (ValueError, TypeError, OverflowError):
        return str(found["text"])


def _text(text: str) -> Any:
    """Return the value of a convenience variable with this text. `printf "%s"` takes a value of this type as it is; it
    would copy any other into the program's memory by a call of the program's malloc."""
    if not hasattr(gdb, "set_convenience_variable"):
        return text
    gdb.set_convenience_variable("_jit_text", text)
    return gdb.parse_and_eval("$_jit_text")


def number(value: bool | int | float) -> int | float | None:
    """Return the number as GDB's expressions take it; None if it has more than 64 bits."""
    if isinstance(value, int):
        return int(value) if -(1 << 63) <= value < 1 << 63 else None
    return value


def create() -> None:
    Print()
    Convenience()
    ConvenienceText()
    ConvenienceFormat()
