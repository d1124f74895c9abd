"""Short names of Numba's types, for lists of variables. Plain Python, usable outside of GDB."""

from __future__ import annotations

import re
from typing import Optional

# Parts of a name that say how a value is laid out or where its type is kept, and not what it is (numba/core/types, 0.57
# to 0.68), with what stands for them.
_SHORTER = (
    (re.compile(r"\b(?:unaligned|nonconst|mutable) (?=array\()"), ""),
    (re.compile(r"<iv=(?:None|\{[^{}]*\}|\[[^\[\]]*\])>"), ""),
    (re.compile(r"\btype\(CPUDispatcher\(<function (\S+) at 0x[0-9a-f]+>\)\)"), r"function \1"),
)
_LITERAL = re.compile(r"\bLiteral\[(\w+)\]\(([^()\[\]<>,]*)\)")
_JITCLASS = re.compile(r"\binstance\.jitclass\.([^\W\d]\w*)#[0-9a-f]+<")  # numba/experimental/jitclass/base.py
_RECORD = re.compile(r"\bRecord\((?=.*?\[type=)")  # numba/core/types/npytypes.py
_FIELD = re.compile(r"([^\[\]]*)\[type=(.*?);offset=\d+(?:;[^\[\];]*)?\](?:,|(?=;\d+;(?:True|False)\)))")
_CLOSING = {"<": ">", "(": ")"}


def short(name: str) -> str:
    """Return what a type's name says about a value: `Counter` for `instance.jitclass.Counter#7f…<total:int64>`. The
    whole name is returned where texts of the program, such as the names of fields, make it ambiguous."""
    made = _LITERAL.sub(r"\1", name)
    if "Literal[" in made:
        return name
    for match in reversed(list(_JITCLASS.finditer(made))):  # the innermost come first
        end = _end(made, match.end())
        made = made[: match.start()] + match[1] + made[end:]
    for match in reversed(list(_RECORD.finditer(made))):
        end = _end(made, match.end())
        fields = _fields(made[match.end() : end])
        if fields is None:
            return name
        made = f"{made[: match.start()]}Record({fields}){made[end:]}"
    for pattern, stands in _SHORTER:
        made = pattern.sub(stands, made)
    return made


def _fields(text: str) -> Optional[str]:
    """Return the names and types of a record's fields; None where the text has another form."""
    found, at = [], 0
    while match := _FIELD.match(text, at):
        found.append(f"{match[1]}: {match[2]}")
        at = match.end()
    is_whole = re.fullmatch(r";\d+;(?:True|False)\)", text[at:]) is not None
    return ", ".join(found) if is_whole and all(": " not in each.partition(": ")[0] for each in found) else None


def _end(name: str, start: int) -> int:
    """Return where the bracket that opens before `start` is closed, and one more."""
    opening = name[start - 1]
    depth = 1
    for at in range(start, len(name)):
        depth += (name[at] == opening) - (name[at] == _CLOSING[opening])
        if depth == 0:
            return at + 1
    return len(name)
