"""Rows beside markers, once LLVM has done its work.

What it computes may stand anywhere between two markers, even before the arguments are stored, and is no place to stop
at. It comes from innermost loops without markers, which LLVM has deleted or unrolled, and, at `steps`, from functions
without debug information, which it has put in line: the place of such code is that of the call.

Calls are always statements to LLVM, so at `steps` a line that it has laid out in several pieces would have a second
beginning, or one ahead of its marker. There an instruction that does nothing has the call's row in its stead. And the
first instruction that has a line is one, as the end of the prologue: where a function begins there is none before the
marker, even of divisions and constants to store, which LLVM computes ahead.

Works on the text of LLVM's module (14-22): llvmlite can't remove metadata."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from typing import Any

import llvmlite.binding as llvm

from jitscope.compiler import dibuilder, embedding, emit, inlining, levels

LOOPS = "_jitscope_loops"  # of a library with a function that has such loops
_IN_LOOP = re.compile(rf"^(!\d+) = !DILocation\(line: \d+, column: {dibuilder.LOOP}, (?!.*inlinedAt)", re.M)
_OTHER = re.compile(r"^(!\d+) = !DILocation\(line: (\d+), scope: (!\d+)(?:, inlinedAt: !\d+)?\)$", re.M)
_OF_MARKER = re.compile(rf"^(!\d+) = !DILocation\(line: (\d+), column: [{dibuilder.MARKER}{dibuilder.ENTRY}],", re.M)
_FUNCTION = re.compile(r"^(!\d+) = distinct !DISubprogram\(", re.M)
_IN_FILE = re.compile(r"^(!\d+) = !DILexicalBlockFile\(scope: (!\d+)", re.M)
_PLACE = re.compile(r", !dbg (!\d+)")
_BLOCK = re.compile(r"^(?=[^\s{}!][^\n]*:(?: *;.*)?$)", re.M)
# What acts stays where it is between markers.
_ACTING = re.compile(
    r"^ *(?:%\S+ = )?"
    r"(?:(?:tail |notail |musttail )?call (?!.* @llvm\.(?!mem|masked))|(?:invoke|load|store|[su]div|[su]rem|ret) )"
)
_CALL = re.compile(r"^ *(?:%\S+ = )?(?:tail |notail |musttail )?call (?!.* asm |.* @llvm\.(?!mem))")
_NAME = r'@(?:"[^"]*"|[\w.$-]+)'
_CALLEE = re.compile(rf"({_NAME})\(")
_SHOWN = re.compile(rf"^define .*? ({_NAME})\(.* !dbg !\d+ ", re.M)


def optimize(original: Any, library: Any) -> None:
    """Around CPUCodeLibrary._optimize_final_module."""
    original(library)
    has_inlined = inlining.puts_in_line(library)
    is_stepped = hasattr(library, embedding.STEPS)
    if not hasattr(library, LOOPS) and not has_inlined and not is_stepped:
        return
    module = library._final_module
    text = str(module)
    found = of_markers(text) if is_stepped else without_moved(text)
    if has_inlined:
        found = embedding.in_one_unit(found, levels.EXACT)
    if found != text:
        library._final_module = llvm.parse_assembly(found)
        library._final_module.name = module.name


def without_moved(text: str) -> str:
    """The module's text without the places of what is computed beside markers."""
    places = set(_IN_LOOP.findall(text))
    if not places:
        return text
    return "".join(
        "".join(_without(line, places) for line in block.splitlines(keepends=True)) if emit.MARKER in block else block
        for block in _BLOCK.split(text)
    )


def _without(line: str, places: set[str]) -> str:
    place = _PLACE.search(line)
    return line.replace(place[0], "", 1) if place and place[1] in places and not _ACTING.match(line) else line


def of_markers(text: str) -> str:
    """The text of a module at `steps` with no statement but its markers, on LLVM that tells them apart."""
    functions = set(_FUNCTION.findall(text))
    functions.update(scope for scope, within in _IN_FILE.findall(text) if within in functions)
    places = {place: line for place, line, scope in _OTHER.findall(text) if scope in functions}
    if not places:
        return text
    markers = dict(_OF_MARKER.findall(text))
    shown = set(_SHOWN.findall(text))
    numbers = itertools.count()
    is_first = False
    found: list[str] = []
    for block in _BLOCK.split(text):
        found += _block(block, is_first, places, markers, shown, numbers)
        is_first = block.endswith("{\n")
    return "".join(found)


def _block(
    text: str, is_first: bool, places: dict[str, str], markers: dict[str, str], shown: set[str], numbers: Iterator[int]
) -> Iterator[str]:
    """is_first: of its function; places, markers: lines by their locations; shown: functions with debug information."""
    if "!dbg" not in text:
        yield text
        return
    has_marker = emit.MARKER in text
    on = None  # the line of the marker that came last
    for line in text.splitlines(keepends=True):
        place = _PLACE.search(line)
        if place is None or place[1] not in places:
            on = markers.get(place[1], on) if place else on
            yield line
        elif dibuilder.has_key_instructions() and _CALL.match(line):
            yield f'  call void asm sideeffect "", ""(){place[0]}\n'
            callee = _CALLEE.search(line)
            if callee and callee[1] in shown:  # a call of one by its name has to have a place
                name = f"%jitscope.callee.{next(numbers)}"
                yield f'  {name} = call ptr asm "", "=r,0"(ptr {callee[1]})\n'
                line = line.replace(f" {callee[1]}(", f" {name}(", 1)
            yield line.replace(place[0], "", 1)
        elif has_marker and not _ACTING.match(line) or is_first and on == places[place[1]] and " asm " not in line:
            yield line.replace(place[0], "", 1)
        else:
            yield line
