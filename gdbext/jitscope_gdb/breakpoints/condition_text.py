"""The text of a condition: the Python that it means, the form that GDB is given, and the checks that need no frame."""

from __future__ import annotations

import re
from typing import Any, Container

import gdb
from jitscope_shared.base import native

from ..base import console, events, report
from ..frames import around_loop, frames, module_globals, recompiled, undescribed
from ..target import cells, target
from .breakpoint_places import Row, enable

FUNCTION = "py"
_WRAPPED = re.compile(rf'\${FUNCTION}\("((?:[^"\\]|\\.)*)"(?:,1)?\)')
_SOURCE = re.compile(r"\.pyx?\b|<ipython-input|ipykernel")
# The signs of C for which Python has words.
_C_SIGNS = re.compile(r"""(?P<text>'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")|&&|\|\|""")
_COMPARISON = re.compile(r"([^\W\d]\w*)\s*(?:[=!]=|[<>]=?)\s*(0|[1-9]\d{0,8}|[^\W\d]\w*)")
_C_WORDS = {"&&": " and ", "||": " or "}
_CAST = re.compile(r"\(\s*[^\W\d]\w*(?:\s+\w+)*[\s*]*\)(?=\s*[\w(*&])")  # a cast in C, as far as the text alone shows
_NAME = re.compile(r"(?<![\w$.])(?<!->)(?!sizeof\b)[^\W\d]\w*")
_SIGNED = {"int8", "int16", "int32", "int64"}
_LIKE_A_LITERAL = _SIGNED | {"uint8", "uint16", "uint32", "uint64", "float64"}
# Keywords of C, which GDB reads as such where a variable has the name.
WORDS_OF_C = frozenset(
    "bool char const double enum float int long short signed sizeof struct union unsigned void volatile".split()
)
_CALL = re.compile(r"(?<![\w$])(?!sizeof\b)[^\W\d]\w*\s*\(|\)\s*\(\s*\)")  # a call in an expression of GDB's

STOPS_NOT = "the breakpoint does not stop"
LOGS_NOT = "the log point writes nothing"
LOGS_ERROR = "the message has the error"


def wrap(text: str) -> str:
    """Return the expression that GDB evaluates for a condition."""
    return f"${FUNCTION}({console.quoted(text)})"


def wrap_for_print(text: str) -> str:
    """Like wrap(), for the condition of a dprintf. (GDB/MI would take a space as the end of the text.)"""
    return f"${FUNCTION}({console.quoted(text)},1)"


def typed(condition: str | None) -> str | None:
    """Return GDB's condition as the user typed it."""
    return condition and _WRAPPED.sub(lambda match: re.sub(r"\\(.)", r"\1", match[1]), condition)


def is_wrapped(condition: str) -> bool:
    """True if the condition contains the form that wrap() makes."""
    return f"${FUNCTION}(" in condition


def unwrapped(condition: str) -> str | None:
    """Return the text of a condition that is exactly what wrap() makes; None for another."""
    return typed(condition) if _WRAPPED.fullmatch(condition) else None


def names_python(location: str) -> bool:
    """True if the location, as typed or as `info breakpoints` shows it, contains a Python file."""
    return _SOURCE.search(location) is not None


def calls_function(text: str) -> bool:
    """True if an expression of GDB's calls a function of the program."""
    return _CALL.search(console.STRING.sub("", text)) is not None


def is_gdb_expression(text: str) -> bool:
    """True if the text names a register or a convenience variable or function of GDB: Python has no such names."""
    return "$" in console.STRING.sub("", text)


def read(text: str) -> dict[str, Any]:
    """Return js_condition_check's answer for a text, with "text": the Python that is evaluated for it.

    Users of C type `&&` and `||`, for which Python has words; the rest of such a text is Python."""
    found = native.json_of("js_condition_check", text.encode("utf-8", "replace"))
    if found["offset"] is not None:
        words = _C_SIGNS.sub(lambda match: match["text"] or _C_WORDS[match[0]], text)
        other = native.json_of("js_condition_check", words.encode("utf-8", "replace")) if words != text else found
        if other["error"] is None:
            return {**other, "text": words}
    return {**found, "text": text}


def check(text: str) -> None:
    """Raise Problem where the text can be no condition in Python."""
    found = read(text)
    if found["error"] is None:
        return
    if found["offset"] is None:
        raise report.Problem(found["error"])
    column = len(text.encode()[: found["offset"]].decode("utf-8", "replace"))
    is_other_language = found["error"].endswith("invalid syntax")
    hint = ": a condition at compiled Python is a Python expression" if is_other_language else ""
    raise report.Shown(f"{text}\n{' ' * column}^\n{found['error']}{hint}")


def is_in_no_language(text: str, is_new: bool) -> bool:
    """True if neither Python nor C can read the text. `is_new`: nothing has the breakpoint's location yet."""
    found = read(text)
    if found["error"] is None:
        return False
    if found["offset"] is None and is_new:
        return True  # it is Python, but no condition
    # GDB reports missing names before all other errors, so each name is replaced by one that GDB has.
    valueless = _NAME.sub("$_jit_unset", _CAST.sub("-", console.STRING.sub(" 0 ", text)))
    try:
        console.text_of(f"whatis {valueless}")
    except gdb.error as error:
        return "syntax error" in str(error)
    return False


def comparison(text: str) -> re.Match[str] | None:
    """Match a comparison of a name with a name or a number, which C and Python read alike if the types fit."""
    return _COMPARISON.fullmatch(text.strip())


def is_simple(debuggee: target.Target, text: str, address: int) -> bool:
    """True for a comparison of a name with a name or a number that always has the same answer in C and in Python at
    this address."""
    match = comparison(text)
    if match is None or WORDS_OF_C.intersection(match.groups()):
        return False
    try:
        known = {
            e["name"]: e["type"] for e in native.json_of("js_program_names", debuggee.program, address) if e["always"]
        }
    except native.NativeError:
        return False
    types = [known.get(word) for word in match.groups() if not word.isdigit()]
    return all(kind in _SIGNED for kind in types) if len(types) == 2 else types[0] in _LIKE_A_LITERAL


def unknown_places(
    debuggee: target.Target, text: str, places: list[tuple[int, dict[str, Any]]], said: Container[tuple[str, str]]
) -> list[tuple[str, str]]:
    """Return the lines at which the condition has no answer, each with the reason. places: addresses, each with its
    function. said: the texts and lines that are left out."""
    reasons: dict[str, list[str]] = {}
    for address, function in places:
        at = place_of(address)
        if (text, at) not in said:
            reasons.setdefault(at, []).append(unknown(debuggee, text, address, function))
    found = []
    for at, each in reasons.items():
        lacking = [reason for reason in each if reason]
        copies = f" (in {len(lacking)} of the {len(each)} copies of the line; it stops in the others)"
        if lacking:
            found.append((at, lacking[0] + (copies if len(lacking) < len(each) else "")))
    return found


def unknown(debuggee: target.Target, text: str, address: int, function: dict[str, Any], does: str = STOPS_NOT) -> str:
    """Return which of the condition's names can have no value at this address, and why; "" if each can. `does`: what
    that means; LOGS_ERROR: the text is no condition, and a variable without a value is written as its label."""
    try:
        known = native.json_of("js_program_names", debuggee.program, address)
    except native.NativeError:
        return undescribed.never(debuggee, function["name"], text)
    by_name = {entry["name"]: entry for entry in reversed(known)}
    place = gdb.find_pc_line(address)  # perhaps the place of a function that is inlined in this one
    file, line = (place.symtab.fullname(), place.line) if place.symtab else (function["file"], function["line"])
    for name in read(text)["names"]:
        entry = by_name.get(name)
        if entry is None:
            if not module_globals.is_known(debuggee, function, file, line or function["line"], name):
                if lacks := around_loop.lacks(debuggee, function, name, text):
                    return lacks
                shown = ", ".join(sorted(by_name)[:12])
                where = frames.inlined_at(address) or function["name"]
                lacks = f"{where} has no variable `{name}`; it has {shown or 'none'}"
                return f"{lacks}. Where `{text}` asks for it, {does}"
        elif entry["state"] != "exact" and does != LOGS_ERROR:
            at = place_of(address)
            label = entry["state"].replace("-", " ")
            advice = f"; {entry['advice']}" if entry["advice"] else ""
            return f"`{name}` is {label} at {at}, and `{text}` does not stop there: {entry['why']}{advice}"
    return ""


def tell_unknown(
    debuggee: target.Target,
    number: int,
    text: str,
    places: list[tuple[int, dict[str, Any]]],
    said: dict[tuple[str, str], str],
) -> None:
    """Report, once for each line at which the breakpoint's condition has no answer, the reason. said: the reasons that
    were reported, by text and line."""
    for at, reason in unknown_places(debuggee, text, places, said):
        said[text, at] = reason
        report.say(f"jitscope: breakpoint {number}: {reason}")
    lines = dict.fromkeys(place_of(address) for address, _ in places)
    note(number, next((said[text, at] for at in lines if said.get((text, at))), ""))


def refusal(number: int, text: str, error: str) -> str:
    """Return the note on a condition that the breakpoint's places cannot have."""
    if target.current().may_run_python() and read(text)["error"] is None:
        return f"stops from now on only in compiled Python, since C cannot read `{text}` ({error.rstrip('.')})"
    cure = f"`condition {number} TEXT` gives it another"
    return f"does not stop, for its condition `{text}` is refused: {error.splitlines()[-1]}; {cure}"


_notes: dict[int, str] = {}  # by the breakpoint's number: why its condition has no answer


def note(number: int, text: str) -> None:
    """Keep the note on the breakpoint's condition ("": there is none), for front ends that show it at the
    breakpoint."""
    if _notes.get(number, "") != text:
        _notes[number] = text
        events.emit("breakpoint_noted", number)


def note_on(number: int) -> str:
    """Return the note on the condition of the breakpoint of this number; "" where there is none."""
    return _notes.get(number, "")


def place_of(address: int) -> str:
    place = gdb.find_pc_line(address)
    return f"{cells.base_name(place.symtab.filename)}:{place.line}" if place.symtab is not None else f"{address:#x}"


# -- code that is compiled anew on request

_off: dict[int, set[int]] = {}  # by the breakpoint's number: addresses of places that leave_old_code() has disabled
_passed: dict[int, set[int]] = {}  # by the breakpoint's number: addresses of its places when that was done


def leave_old_code(
    debuggee: target.Target, breakpoint: Any, text: str, places: list[tuple[Row, dict[str, Any]]]
) -> None:
    """Disable the places in code that is compiled anew on request, where the condition is never known: each evaluation
    stops the program, and a loop that runs there would hardly come to its end. GDB disables a place that comes later,
    too, if its function has the same name."""
    off, passed = _off.setdefault(breakpoint.number, set()), _passed.setdefault(breakpoint.number, set())
    for place, function in places:
        is_left = recompiled.is_asked(debuggee, function, place.address) and unknown(
            debuggee, text, place.address, function
        )
        if is_left and place.enabled:
            enable(breakpoint, place.index, False)
            off.add(place.address)
        elif not is_left and not place.enabled and off and (place.address in off or place.address not in passed):
            enable(breakpoint, place.index, True)
    if off:
        passed.update(place.address for place, _ in places)


@events.on("breakpoint_deleted", order=30)
def deleted(breakpoint: Any) -> None:
    _notes.pop(breakpoint.number, None)
    _off.pop(breakpoint.number, None)
    _passed.pop(breakpoint.number, None)
