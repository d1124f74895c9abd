"""Short names of Numba's types, for lists of variables. Plain Python, usable outside of GDB."""

from __future__ import annotations

import re

# Parts of a name that say how a value is laid out or where its type is kept, and not what it is (numba/core/types, 0.57
# to 0.68), with what stands for them.
_SHORTER = (
    (re.compile(r"\b(?:unaligned|nonconst|mutable) (?=array\()"), ""),
    (re.compile(r"<iv=(?:None|\{[^{}]*\}|\[[^\[\]]*\])>"), ""),
    (re.compile(r"\btype\(CPUDispatcher\(<function (\S+) at 0x[0-9a-f]+>\)\)"), r"function \1"),
    (re.compile(r"\bLiteral\[(\w+)\]\([^()]*\)"), r"\1"),
)
_JITCLASS = re.compile(r"\binstance\.jitclass\.([^\W\d]\w*)#[0-9a-f]+<")  # numba/experimental/jitclass/base.py
_RECORD = re.compile(r"\bRecord\((?=\w+\[type=)")  # numba/core/types/npytypes.py
_FIELD = re.compile(r"(\w+)\[type=(.*?);offset=\d+(?:;\w+)?\](?=[,;])")
_CLOSING = {"<": ">", "(": ")"}


def short(name: str) -> str:
    """Return what a type's name says about a value: `Counter` for `instance.jitclass.Counter#7f…<total:int64>`."""
    for match in reversed(list(_JITCLASS.finditer(name))):  # the innermost come first
        end = _end(name, match.end())
        name = name[: match.start()] + match[1] + name[end:]
    for match in reversed(list(_RECORD.finditer(name))):
        end = _end(name, match.end())
        fields = ", ".join(f"{field}: {kind}" for field, kind in _FIELD.findall(name[match.end() : end]))
        name = f"{name[: match.start()]}Record({fields}){name[end:]}"
    for pattern, made in _SHORTER:
        name = pattern.sub(made, name)
    return name


def _end(name: str, start: int) -> int:
    """Return where the bracket that opens before `start` is closed, and one more."""
    opening = name[start - 1]
    depth = 1
    for at in range(start, len(name)):
        depth += (name[at] == opening) - (name[at] == _CLOSING[opening])
        if depth == 0:
            return at + 1
    return len(name)
