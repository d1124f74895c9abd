"""Variables of inlined functions that the slots of a function at `exact` hold.

LLVM keeps such a variable in a register as long as the program reads it there. The caller's own variables that it has
passed are in its slots, and stay there: each of these slots is written at one place only. LLVM forgets the value of an
argument that the callee does not read; it is given again before the callee is inlined.

This module works on the text of LLVM's module (14-22), after LLVM's work."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable

_FUNCTION = re.compile(r"^define [^\n]* !dbg !\d+ [^\n]*\{\n.*?^\}\n", re.M | re.S)
_STORE = re.compile(r"^ *store volatile (\S+) (%[\w.$-]+), \S+ (%[\w.$-]+)[, \n]")
_ANY_STORE = re.compile(r"^ *store volatile .*, \S+ (%[\w.$-]+)(?:,|$)")
_NEW_VALUE = re.compile(r"^(?P<before> *#dbg_value\()\S+ (?P<value>%[\w.$-]+)(?P<behind>, !\d+, !DIExpression\()")
_OLD_VALUE = re.compile(
    r"^(?P<before> *(?:tail )?call void @llvm\.dbg\.value\(metadata )\S+ (?P<value>%[\w.$-]+)"
    r"(?P<behind>, metadata !\d+, metadata !DIExpression\()"
)
_POINTER = re.compile(r"^ *(%\S+) = getelementptr .*ptr (%[\w.$-]+), i64 (\d+)(?:, !dbg .*)?$")
_HEAD = re.compile(r"^define [^\n@]*@([\w.$-]+)\([^\n]* !dbg (!\d+) [^\n]*\{$", re.M)
_SAID = re.compile(
    r"^(?P<before> *(?:#dbg_value\(|(?:tail )?call void @llvm\.dbg\.value\(metadata )(?P<type>\S+) )(?P<value>[^\s,]+)"
    r"(?P<between>, (?:metadata )?)(?P<node>!\d+), (?:metadata )?!DIExpression\((?P<piece>[^)]*)\)"
)
_VARIABLE = re.compile(r'^(!\d+) = !DILocalVariable\(name: "([^"]+)", arg: \d+, scope: (!\d+)', re.M)


def with_arguments(text: str, before: Iterable[str]) -> str:
    """Return a module's text after LLVM's work, with the value of each argument that LLVM has forgotten.

    `before`: the texts of its modules before LLVM's work."""
    said = {key: value for each in before for key, _, value in _arguments(each) if value.startswith("%arg.")}
    lost = {line: said[key] for key, line, value in _arguments(text) if value == "poison" and key in said}
    return "\n".join(_told(line, lost[n]) if n in lost else line for n, line in enumerate(text.split("\n")))


def _arguments(text: str) -> list[tuple[tuple[str, str, str], int, str]]:
    """Return the functions' own arguments in the text: for each (function, name, piece), line and value."""
    variables = {found[1]: (found[2], found[3]) for found in _VARIABLE.finditer(text)}
    found: list[tuple[tuple[str, str, str], int, str]] = []
    function = scope = ""
    for number, line in enumerate(text.split("\n")):
        if (head := _HEAD.match(line)) is not None:
            function, scope = head[1], head[2]
        elif (said := _SAID.match(line)) is not None:
            name, within = variables.get(said["node"], ("", ""))
            if name and within == scope:
                found.append(((function, name, said["piece"]), number, said["value"]))
    return found


def _told(line: str, value: str) -> str:
    return line.replace(" poison,", f" {value},", 1)


def in_slots(text: str) -> str:
    """Return the module's text, in which variables of inlined functions are in slots if slots hold their value."""
    return _FUNCTION.sub(lambda found: _of_function(found[0]), text)


def _of_function(text: str) -> str:
    lines = text.splitlines(keepends=True)
    area = _pointers(lines)
    if not area or "dbg_value(" not in text and "llvm.dbg.value(" not in text:
        return text
    base = next(name for name in area if name.startswith("%jitscope.area"))
    written = Counter(area[to[1]] for line in lines if (to := _ANY_STORE.match(line)) and to[1] in area)
    of_arguments: dict[str, int] = {}
    of_block: dict[str, int] = {}
    is_first = True
    for number, line in enumerate(lines[1:], 1):
        if line[0] not in " \n}":  # a new block; the first one may have no label
            is_first = is_first and number == 1
            of_block.clear()
        elif (store := _STORE.match(line)) and written.get(area.get(store[3], -1)) == 1:
            held = of_arguments if is_first else of_block
            held[store[2]] = area[store[3]]
        elif (said := _NEW_VALUE.match(line) or _OLD_VALUE.match(line)) is not None:
            place = of_block.get(said["value"], of_arguments.get(said["value"]))
            if place is not None:
                lines[number] = _in_slot(line, said, base, place)
    return "".join(lines)


def _pointers(lines: list[str]) -> dict[str, int]:
    """Return the values that point into the area, with their offsets."""
    found: dict[str, int] = {}
    for line in lines:
        if line.startswith("  %jitscope.area") and " = alloca " in line:
            found[line.split()[0]] = 0
        elif (pointer := _POINTER.match(line)) is not None and pointer[2] in found:
            found[pointer[1]] = found[pointer[2]] + int(pointer[3])
    return found


def _in_slot(line: str, said: re.Match[str], base: str, place: int) -> str:
    rest = line[said.end() :]
    comma = "" if rest.startswith(")") else ", "
    operations = f"DW_OP_plus_uconst, {place}, DW_OP_deref{comma}"
    return f"{said['before']}ptr {base}{said['behind']}{operations}{rest}"
