"""The GDB/MI lines by which a front end gives a condition or an expression, and the lines that GDB gets in their place
at compiled Python."""

from __future__ import annotations

import re
from typing import Callable, Iterator, NamedTuple

import gdb

from ..base import console, report
from . import condition_text, conditions, dprintf_arguments, unseen

_EVALUATING = ("data-evaluate-expression", "var-create")
COMMANDS = (
    b"break-insert", b"break-condition", b"dprintf-insert", b"break-watch", *(each.encode() for each in _EVALUATING),
)  # fmt: skip
_LINE = re.compile(r"(?P<token>\d*)-(?P<command>[\w-]+)[ \t]+(?P<rest>.*?)(?P<end>\s*)", re.S)
_CONDITION = re.compile(r"(?P<head>(?:--?force\s+)?(?P<number>\d+)\s+)(?P<text>.*)", re.S)
_STRING = re.compile(r'"((?:[^"\\]|\\.)*)"', re.S)
_WORD = re.compile(r'"(?:[^"\\]|\\.)*"(?=\s|$)|[^\s"]\S*')
_QUOTE_END = re.compile(r'"(?=\s|$)')
# Options with a value: of -break-insert and -dprintf-insert, then of any command.
_VALUED = {"-c", "-i", "-p", "-g", "--source", "--function", "--label", "--line"}
_OF_ALL = {"--thread", "--thread-group", "--frame", "--language"}
_REFUSE = "-jitscope-refuse"


_watched: Callable[[str], str] = str  # returns the expression that GDB is given for one that a front end watches
# the same for one that a front end evaluates, from the words before it and the expression
_evaluated: Callable[[list[str], str], str] | None = None


class Answer(NamedTuple):
    """The line that GDB gets, and a function to call once GDB has executed it."""

    line: bytes
    after: Callable[[], None] | None = None


class _Insert(NamedTuple):
    """A place for a breakpoint with a condition, read from a line."""

    before: str  # the words before the condition, with its option
    text: str
    behind: str
    location: str
    is_gdbs: bool  # GDB reads the line in this way, too


def answer(line: bytes) -> Answer:
    """Return the line that GDB is given for this one; called in GDB's thread."""
    match = _LINE.fullmatch(line.decode("utf-8", "surrogateescape"))
    if match is None or (match["command"] not in _EVALUATING and _is_left_to_gdb(match["rest"])):
        return Answer(line)
    try:
        if match["command"] in _EVALUATING:
            rest, after = _with_expression(match["rest"]), None
        elif match["command"] == "break-condition":
            rest, after = _given(match["rest"]), None
        elif match["command"] == "break-watch":
            rest, after = _with_place(match["rest"]), None
        else:
            rest, after = _inserted(match["rest"], match["command"] == "dprintf-insert")
    except report.Problem as problem:
        message = console.quoted(" ".join(str(problem).split()))
        return Answer(_encoded(f"{match['token']}{_REFUSE} {message}{match['end']}"))
    return Answer(_encoded(f"{match['token']}-{match['command']} {rest}{match['end']}"), after)


def _is_left_to_gdb(rest: str) -> bool:
    return not gdb.parameter("jitscope conditions") or "-force" in rest


def _encoded(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")


def _check(text: str) -> None:
    error = condition_text.read(text)["error"]
    if error:
        raise report.Problem(f"the condition `{text}`: {error}")


def watch_by(watched: Callable[[str], str]) -> None:
    """Register the function that returns the expression GDB gets for one that a front end watches."""
    global _watched
    _watched = watched


def evaluate_by(evaluated: Callable[[list[str], str], str]) -> None:
    """Register the function that returns the expression GDB gets for one that a front end evaluates."""
    global _evaluated
    _evaluated = evaluated


# -- -data-evaluate-expression and -var-create


def _with_expression(rest: str) -> str:
    words = list(_WORD.finditer(rest))
    if not words or _evaluated is None:
        return rest
    expression = _unquoted(words[-1][0])
    made = _evaluated([word[0] for word in words[:-1]], expression)
    return rest if made == expression else rest[: words[-1].start()] + console.quoted(made)


# -- -break-watch


def _with_place(rest: str) -> str:
    words = list(_WORD.finditer(rest))
    at = next((word.start() for word in words if word[0] not in ("-a", "-r")), None)
    return rest if at is None else rest[:at] + console.quoted(_watched(_unquoted(rest[at:])))


# -- -break-condition


def _given(rest: str) -> str:
    match = _CONDITION.fullmatch(rest)
    if match is None:
        return rest
    text = _unquoted(match["text"])
    number = int(match["number"])
    found = next((b for b in gdb.breakpoints() or () if b.number == number), None)
    if found is None:
        if not unseen.is_python(number) or conditions.is_left_to_gdb(text):
            return rest
        _check(text)
        unseen.wait(number)
    elif not conditions.is_python(found, text):
        return rest
    elif found.pending:  # GDB takes any text for a pending breakpoint, and conditions.created() gives it its form
        if condition_text.names_python(found.location or ""):
            _check(text)
        return rest
    elif condition_text.comparison(text):
        return rest
    _check(text)
    wrap = condition_text.wrap_for_print if found is None else condition_text.wrap
    return match["head"] + console.quoted(wrap(text))


# -- -break-insert and -dprintf-insert


def _inserted(rest: str, is_dprintf: bool) -> tuple[str, Callable[[], None] | None]:
    rest = _with_python_arguments(rest) if is_dprintf else rest
    readings = [
        reading
        for reading in _readings(rest)
        if not conditions.is_left_to_gdb(reading.text) and conditions.is_python_location(reading.location)
    ]
    if not readings:
        return rest, None
    reading = next((one for one in readings if condition_text.read(one.text)["error"] is None), readings[-1])
    _check(reading.text)
    if is_dprintf and not unseen.is_place(reading.location):
        return reading.before + reading.behind.lstrip(), lambda: unseen.newest(
            condition_text.wrap_for_print(reading.text)
        )
    if not is_dprintf and reading.is_gdbs and condition_text.comparison(reading.text):
        return rest, None
    wrap = condition_text.wrap_for_print if is_dprintf else condition_text.wrap
    return f"{reading.before}-c {console.quoted(wrap(reading.text))}{reading.behind}", None


def _with_python_arguments(rest: str) -> str:
    """Return the arguments of -dprintf-insert, in which expressions at compiled Python are read as Python."""
    words, at = list(_WORD.finditer(rest)), 0
    while at < len(words) and words[at][0].startswith("-"):
        at += 2 if words[at][0] in _VALUED | _OF_ALL else 1
    has_place = any(word[0] in ("--source", "--function", "--line") for word in words[:at])
    location = _location(rest, "")
    form, given = at + (not has_place), words[at + (not has_place) + 1 :]
    if not given or not conditions.is_python_location(location):
        return rest
    texts = [_unquoted(word[0]) for word in given]
    try:
        text, made = dprintf_arguments.as_python(words[form][0], texts)
    except report.Problem as problem:
        raise report.Problem(f"the expressions {', '.join(texts)}: {str(problem).splitlines()[-1]}") from None
    return rest[: words[form].start()] + " ".join([text, *map(console.quoted, made)])


def _unquoted(word: str) -> str:
    string = _STRING.fullmatch(word)
    return console.unescaped(string[1]) if string else word


def _readings(rest: str) -> Iterator[_Insert]:
    """Yield the possible readings of the line. Some front ends do not escape quotes in a condition."""
    at = _option_at(rest)
    if at is None:
        return
    value = re.compile(r"-c\s+").match(rest, at)
    start = value.end() if value else at
    word = _WORD.match(rest, start)
    if word is not None:
        yield _Insert(rest[:at], _unquoted(word[0]), rest[word.end() :], _location(rest[:at], rest[word.end() :]), True)
    if rest[start : start + 1] == '"':
        for end in _QUOTE_END.finditer(rest, start + 1):
            location = _location(rest[:at], rest[end.end() :])
            if location and (word is None or end.end() != word.end()):
                yield _Insert(rest[:at], rest[start + 1 : end.start()], rest[end.end() :], location, False)


def _option_at(rest: str) -> int | None:
    """Return where the option with the condition begins; None: there is none."""
    is_value = False
    for word in _WORD.finditer(rest):
        if word[0] == "-c" and not is_value:
            return word.start()
        if not is_value and not word[0].startswith("-"):
            return None
        is_value = not is_value and word[0] in _VALUED | _OF_ALL
    return None


def _location(before: str, behind: str) -> str:
    """Return the location as the prompt takes it, from the words before and after the condition; "" if there is
    none."""
    words = [_STRING.sub(lambda m: console.unescaped(m[1]), word[0]) for word in _WORD.finditer(f"{before} {behind}")]
    explicit = []
    while words and words[0].startswith("-"):
        option = words.pop(0)
        if option in _VALUED | _OF_ALL and words:
            value = words.pop(0)
            if option in ("--source", "--function", "--line"):
                explicit += [option[1:], value]
    return " ".join(explicit) if explicit else words[0] if words else ""


# -- the error for a line that is refused


def create() -> bool:
    """Make the command that answers with an error. Return False if this GDB has no such commands."""
    if not hasattr(gdb, "MICommand"):
        return False

    class Refuse(gdb.MICommand):  # type: ignore[misc]
        """A command that answers a line of the front end with an error."""

        def invoke(self, arguments: list[str]) -> None:
            raise gdb.GdbError(" ".join(arguments))

    Refuse(_REFUSE)
    return True
