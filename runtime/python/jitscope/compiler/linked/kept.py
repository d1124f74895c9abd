"""Code that gives inlined functions a frame at a fault, and keeps the integer arguments by which they access arrays.

At an access that faults, the register that held an index may hold another value already. One instruction copies the
values that the index is made of, and an empty one, after the access, reads the copy, so that it stays in a register or
on the stack. GDB takes the first instruction of inlined code for the call, so that instruction must not be the one that
faults: the copy ends with a `nop`, which is the only instruction if nothing is copied.

The debug information of an argument is trusted at the access if it is the same in the whole function and the address
follows from it: the compiler then needs all of its bits. The argument receives a mark, an operation that changes
nothing, by which runtime/inspect/program/hook/inlined.c knows it.

This module works on the text of LLVM's module (14-22) after LLVM's work, so that loops are vectorised as without it."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass

MARK = "DW_OP_dup, DW_OP_and"

_FUNCTION = re.compile(r"^define [^\n]* !dbg !\d+ [^\n]*\{\n.*?^\}\n", re.M | re.S)
_VARIABLE = re.compile(r"^(!\d+) = !DILocalVariable\(name: \"[^\"]+\", arg: \d+,", re.M)
_PLACE = re.compile(r"^(!\d+) = (?:distinct )?!DILocation\([^\n]*?scope: (!\d+), inlinedAt: (!\d+)", re.M)
_ACCESS = re.compile(
    r"^ *(?:%[\w.$-]+ = load (?!volatile |atomic |<)[^,]+|store (?!volatile |atomic |<)\S+ [^,]+), ptr (%[\w.$-]+),"
    r".*, !dbg (!\d+)"
)
_NEW_VALUE = re.compile(
    r"^ *#dbg_value\((?P<type>i32|i64) (?P<value>%[\w.$-]+), (?P<node>!\d+), !DIExpression\((?P<made>[^)]*)\), "
    r"(?P<place>!\d+)\)"
)
_OLD_VALUE = re.compile(
    r"^ *(?:tail )?call void @llvm\.dbg\.value\(metadata (?P<type>i32|i64) (?P<value>%[\w.$-]+), "
    r"metadata (?P<node>!\d+), metadata !DIExpression\((?P<made>[^)]*)\)\), !dbg (?P<place>!\d+)"
)
_ANY_VALUE = re.compile(r"^ *(?:#dbg_value\(|(?:tail )?call void @llvm\.dbg\.value\().*?[^(](!\d+), .*[ (](!\d+)\)?$")
_DEFINED = re.compile(r"^ *(%[\w.$-]+) = (?!load |call |phi |tail )(.*)$")
_NAME = re.compile(r"%[\w.$-]+")
_STEPS = 64  # steps by which an address is followed back, at most


@dataclass(frozen=True)
class _Said:
    """The debug information of an argument, on a line of the text."""

    number: int
    type: str
    value: str


def at_accesses(text: str) -> str:
    """Return the module's text, in which accesses by inlined functions keep these functions' integer arguments."""
    places = {place: (scope, call) for place, scope, call in _PLACE.findall(text)}
    arguments = set(_VARIABLE.findall(text)) if places else set()
    return _FUNCTION.sub(lambda found: _of_function(found[0], arguments, places), text) if places else text


def _of_function(text: str, arguments: set[str], places: dict[str, tuple[str, str]]) -> str:
    lines = text.splitlines(keepends=True)
    times = Counter(found.groups() for line in lines if (found := _ANY_VALUE.match(line.rstrip("\n"))) is not None)
    made = {found[1]: found[2] for line in lines if (found := _DEFINED.match(line)) is not None}
    said: dict[tuple[str, str], list[_Said]] = {}  # in this block: inlined call -> its arguments
    begun: set[tuple[str, str]] = set()  # calls that have accessed something in this block
    copied: dict[int, str] = {}  # by the line with the debug information: the copy
    before: dict[int, str] = {}  # by the line of the access: the `nop` before it
    behind: dict[int, list[str]] = {}
    for number, line in enumerate(lines):
        if line[0] not in " \n":
            said.clear()
            begun.clear()
        elif (found := _NEW_VALUE.match(line) or _OLD_VALUE.match(line)) is not None:
            call, is_only = places.get(found["place"]), times[found["node"], found["place"]] == 1
            if call and is_only and found["node"] in arguments and _is_made(found["made"]):
                said.setdefault(call, []).append(_Said(number, found["type"], found["value"]))
        elif (found := _ACCESS.match(line)) is not None and (call := places.get(found[2])):
            known = said.get(call, [])
            address = _follow(found[1], made) if known else set()
            kept = [each for each in known if each.value in address]
            if not kept and call not in begun:
                before[number] = f'  call void asm sideeffect "nop", ""(), !dbg {found[2]}\n'
            begun.add(call)
            copied.update((each.number, f"%jitscope.kept.{each.number}") for each in kept)
            behind[number] = [_reader(each.type, copied[each.number], found[2]) for each in kept]
    for number, name in copied.items():
        lines[number] = _with_copy(lines[number], name)
    return "".join(before.get(n, "") + line + "".join(behind.get(n, ())) for n, line in enumerate(lines))


def _is_made(made: str) -> bool:
    return "LLVM" not in made and "deref" not in made


def _follow(value: str, made: dict[str, str]) -> set[str]:
    """Return the values that this one is made of, in its block."""
    found: set[str] = set()
    left = [value]
    while left and len(found) < _STEPS:
        each = left.pop()
        if each not in found:
            found.add(each)
            left += _NAME.findall(made.get(each, ""))
    return found


def _reader(kind: str, copy: str, place: str) -> str:
    return f'  call void asm sideeffect "", "r,~{{memory}}"({kind} {copy}), !dbg {place}\n'


def _with_copy(line: str, name: str) -> str:
    said = _NEW_VALUE.match(line) or _OLD_VALUE.match(line)
    assert said is not None
    made = said["made"].replace("DW_OP_stack_value", "").strip(", ")
    marked = f"{made}, {MARK}, DW_OP_stack_value" if made else f"{MARK}, DW_OP_stack_value"
    kind, value, place = said["type"], said["value"], said["place"]
    copy = f'  {name} = call {kind} asm sideeffect "nop", "=r,0"({kind} {value}), !dbg {place}\n'
    (start, end), behind = said.span("value"), said.start("made")
    return copy + line[:start] + name + line[end:behind] + marked + line[said.end("made") :]
