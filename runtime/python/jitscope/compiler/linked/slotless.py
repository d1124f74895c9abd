"""LLVM's modules without slots and markers, as callers get them at `exact`, so that LLVM may inline their functions.

This module works on the text of LLVM's module (14-22), because llvmlite cannot remove instructions. A variable that is
stored at only one place keeps that value (`llvm.dbg.value`), which cannot become stale; all other variables are
`<optimized out>` there."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator

from jitscope.compiler.base import emit
from jitscope.compiler.base.emit import MARKER
from jitscope.compiler.debuginfo import dibuilder
from jitscope.compiler.slots.area import ASSIGNED, COPYING, UNASSIGNED

LINE = "jitscope.line"  # metadata of an instruction: its location in callers alone
MODULES = "_jitscope_modules"  # attribute of a library that has a function with slots: its modules before LLVM's work
_DEFINE = re.compile(r"^define ", re.M)
_POINTER = re.compile(r"^ *(%\S+) = (?:getelementptr|bitcast) (.*)$")
_BASE = re.compile(r"(%[\w.$\"-]+)")
_OFFSET = re.compile(r", i64 (\d+)(?:, !dbg .*)?$")
_STORE = re.compile(r"^ *store volatile (\S+) (.+), \S+ (%[^\s,]+)(?:, align \d+)?(?:, !dbg (!\d+))?$")
_DECLARE = re.compile(
    r"(?:#dbg_declare\(ptr|call void @llvm\.dbg\.declare\(metadata \S+) (%[^\s,]+), (?:metadata )?(!\d+), "
    r"(?:metadata )?!DIExpression\((.*?)\)\)?,? (?:!dbg )?(!\d+)"
)
_LOCATION = re.compile(r"^(!\d+) = !DILocation\(line: (\d+), scope: (!\d+)\)$", re.M)
_SETTLED = re.compile(rf'= call \S+ asm sideeffect "{re.escape(emit.SETTLED)}", "[^"]*"\((\S+) ([^)]*)\)(?: #\d+)?')
_STATES = (str(UNASSIGNED), str(ASSIGNED))
_PART = r"((?:\d+, )*\d+)(?:, !dbg !\d+)?$"
_INSERT = re.compile(rf"^ *(%\S+) = insertvalue .*? (%[\w.$-]+|undef|poison|zeroinitializer), \S.* (\S+), {_PART}")
_EXTRACT = re.compile(rf"^ *(%\S+) = extractvalue .* (%[\w.$-]+), {_PART}")
_Parts = dict[tuple[int, ...], str]
_SIZES = {"ptr": 64, "double": 64, "float": 32, "half": 16}


def without_slots(text: str) -> str:
    """Return the module's text without the areas of the functions in it, which may be inlined."""
    text = _may_inline(_SETTLED.sub(r"= bitcast \1 \2 to \1", text.replace(f", !{LINE} !", ", !dbg !")))
    head, *functions = _DEFINE.split(text)
    last = functions.pop() if functions else ""
    body, end, tail = last.partition("\n}\n")
    found = ["".join(_function(function)) for function in (*functions, body + end)]
    text = _natural_rows("define ".join((head, *found)) + tail)
    if " @llvm.dbg.value(" in text and "declare void @llvm.dbg.value(" not in text:
        text += "\ndeclare void @llvm.dbg.value(metadata, metadata, metadata)\n"
    return text


def _function(text: str) -> Iterator[str]:
    lines = text.splitlines(keepends=True)
    area = _pointers(lines)
    if not area:
        yield text
        return
    kept = _single_values(lines, area)
    for line in lines:
        if (found := _STORE.match(line.rstrip("\n"))) and found[3] in area:
            yield from kept.get(line, ())
        elif not _is_ours(line, area):
            yield line


def _pointers(lines: list[str]) -> dict[str, int]:
    """Return the values that point into the area, with their offsets."""
    found: dict[str, int] = {}
    for line in lines:
        if line.startswith("  %jitscope.area") and " = alloca " in line:
            found[line.split()[0]] = 0
    changed = bool(found)
    while changed:
        changed = False
        for line in lines:
            match = _POINTER.match(line.rstrip("\n"))
            if match is None or match[1] in found:
                continue
            base = _BASE.search(match[2])
            if base is not None and base[1] in found:
                offset = _OFFSET.search(match[2])
                found[match[1]] = found[base[1]] + (int(offset[1]) if offset else 0)
                changed = True
    return found


def _is_ours(line: str, area: dict[str, int]) -> bool:
    if "@llvm.codeview.annotation(" in line or f" void @{COPYING}(" in line and " call " in line:
        return True
    if " asm sideeffect " in line:
        return (
            f' asm sideeffect "{MARKER}' in line
            or ' asm sideeffect "", ""' in line
            or any(pointer in area for pointer in _BASE.findall(line))
        )
    if "dbg_declare(" in line or "llvm.dbg.declare(" in line or "llvm.lifetime." in line:
        return any(pointer in area for pointer in _BASE.findall(line))
    return False


def _single_values(lines: list[str], area: dict[str, int]) -> dict[str, list[str]]:
    """Return, by the store that is replaced, the lines that give the value of a variable with no other store."""
    stores: dict[int, list[tuple[str, str, str]]] = defaultdict(list)
    for line in lines:
        if (found := _STORE.match(line.rstrip("\n"))) and found[3] in area:
            stores[area[found[3]]].append((line, found[1], found[2]))
    variables = sorted(_declared(lines, area))
    ends = sorted({place for slot, words, *_ in variables for place in (slot, *words)})
    said: dict[str, list[str]] = defaultdict(list)
    parts = _parts(lines)
    for slot, words, variable, location, form in variables:
        if any(value not in _STATES for word in words for _, _, value in stores.get(word, ())):
            continue  # a loop without slots assigns it, too
        end = next((place for place in ends if place > slot), 1 << 62)
        own = [(offset, found) for offset, found in stores.items() if slot <= offset < end]
        if any(len(found) != 1 for _, found in own):
            continue
        for offset, [(line, kind, value)] in own:
            size = _SIZES.get(kind) or (64 if kind.endswith("*") else int(kind[1:]) if kind[1:].isdigit() else 0)
            if not size or kind[0] not in "idfhp" and not kind.endswith("*"):
                continue
            value = parts.get(value, {}).get((), value)
            piece = "" if len(own) == 1 else f"DW_OP_LLVM_fragment, {8 * (offset - slot)}, {size}"
            said[line].append(form.format(kind=kind, value=value, variable=variable, piece=piece, location=location))
    return said


def _parts(lines: list[str]) -> dict[str, _Parts]:
    """Return the parts of each value that is made of others, or taken from such a value. (LLVM forgets a variable's
    value where it removes an `extractvalue`.)"""
    found: dict[str, _Parts] = {}
    for line in lines:
        if (made := _INSERT.match(line)) is not None:
            own = _path(made[4])
            inner = found.get(made[3], {(): made[3]})
            kept = {path: value for path, value in found.get(made[2], {}).items() if path[: len(own)] != own}
            found[made[1]] = {**kept, **{own + path: value for path, value in inner.items()}}
        elif (taken := _EXTRACT.match(line)) is not None:
            own = _path(taken[3])
            whole = found.get(taken[2], {})
            found[taken[1]] = {path[len(own) :]: value for path, value in whole.items() if path[: len(own)] == own}
    return found


def _path(text: str) -> tuple[int, ...]:
    return tuple(map(int, text.split(",")))


def _declared(lines: list[str], area: dict[str, int]) -> Iterator[tuple[int, tuple[int, ...], str, str, str]]:
    """Yield the variables: (the slot's offset, the offsets of its words, node, location, form of a statement of its
    value)."""
    for line in lines:
        found = _DECLARE.search(line)
        if found is None or found[1] not in area:
            continue
        numbers = [int(number) for number in re.findall(r"DW_OP_plus_uconst, (\d+)", found[3])]
        if not numbers:
            continue
        if "#dbg_declare" in line:
            form = "    #dbg_value({kind} {value}, {variable}, !DIExpression({piece}), {location})\n"
        else:
            form = (
                "  call void @llvm.dbg.value(metadata {kind} {value}, metadata {variable}, "
                "metadata !DIExpression({piece})), !dbg {location}\n"
            )
        yield numbers[-1], tuple(numbers[:-1]), found[2], found[4], form


def _natural_rows(text: str) -> str:
    """Give the functions at `exact` plain rows: without markers any instruction of a line is a place to stop at."""
    units = set(re.findall(r"^(!\d+) = distinct !DICompileUnit\(.*jitscope/\d+ exact", text, re.M))
    functions = {
        found[1]
        for found in re.finditer(r"^(!\d+) = distinct !DISubprogram\(.*unit: (!\d+)", text, re.M)
        if found[2] in units
    }

    def place(found: re.Match[str]) -> str:
        if found[3] not in functions or found[2] == "0":
            return found[0]
        atom = f", atomGroup: {10**6 + int(found[1][1:])}, atomRank: 1" if dibuilder.has_key_instructions() else ""
        fields = f"line: {found[2]}, column: {dibuilder.LOOP}, scope: {found[3]}{atom}"
        return f"{found[1]} = !DILocation({fields})"

    return _LOCATION.sub(place, text)


def _may_inline(text: str) -> str:
    """Remove `noinline` from the functions that have an area."""
    for name in set(re.findall(r"^define [^\n]* #(\d+)[^\n]*\{\n(?:(?!^\}).*\n)*?  %jitscope\.area", text, re.M)):
        text = re.sub(rf"^(attributes #{name} = \{{.*?)noinline ", r'\1"jitscope" ', text, flags=re.M)
    return text
