"""Rows of the line table beside markers, after LLVM's work.

LLVM may place a computation anywhere between two markers, even before the arguments are stored; that is no place to
stop at. Such code comes from innermost loops without markers, which LLVM has deleted or unrolled, and, at `steps`, from
functions without debug information, which it has inlined: the code then has the location of the call.

LLVM makes every call a statement, so a line that it has laid out in several pieces would have a second beginning, or
one before its marker. An instruction that does nothing takes the call's row instead. The first instruction with a line
is a statement, too, as the end of the prologue. So at the beginning of a function at `steps` no instruction before the
marker has a line, not even the divisions and the constants to store, which LLVM computes early.

This module works on the text of LLVM's module (14-22), because llvmlite cannot remove metadata."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterator
from typing import Any

import llvmlite.binding as llvm

from jitscope.compiler.base import emit, levels
from jitscope.compiler.debuginfo import dibuilder
from jitscope.compiler.linked import embedding, inlining, kept, loads, passed, slotless

_IN_LOOP = re.compile(
    rf"^(!\d+) = !DILocation\(line: \d+, column: [{dibuilder.LOOP}{dibuilder.PLAIN}], (?!.*inlinedAt)", re.M
)
_OTHER = re.compile(r"^(!\d+) = !DILocation\(line: (\d+), scope: (!\d+)(?:, inlinedAt: !\d+)?\)$", re.M)
_INLINED = re.compile(r"^(!\d+) = !DILocation\(.*, inlinedAt: ", re.M)
_OF_MARKER = re.compile(rf"^(!\d+) = !DILocation\(line: (\d+), column: [{dibuilder.MARKER}{dibuilder.ENTRY}],", re.M)
_FUNCTION = re.compile(r"^(!\d+) = distinct !DISubprogram\(", re.M)
_IN_FILE = re.compile(r"^(!\d+) = !DILexicalBlockFile\(scope: (!\d+)", re.M)
_PLACE = re.compile(r", !dbg (!\d+)")
_BLOCK = re.compile(r"^(?=[^\s{}!][^\n]*:(?: *;.*)?$)", re.M)
# Instructions with effects stay where they are between markers.
_ACTING = re.compile(
    r"^ *(?:%\S+ = )?"
    r"(?:(?:tail |notail |musttail )?call (?!.* @llvm\.(?!mem|masked))|(?:invoke|load|store|ret) "
    r"|[su](?:div|rem) (?!.*, [1-9]\d*(?:,|$)))"
)
_CALL = re.compile(r"^ *(?:%\S+ = )?(?:tail |notail |musttail )?call (?!.* asm |.* @llvm\.(?!mem))")
_NAME = r'@(?:"[^"]*"|[\w.$-]+)'
_CALLEE = re.compile(rf"({_NAME})\(")
_SHOWN = re.compile(rf"^define .*? ({_NAME})\(.* !dbg !\d+ ", re.M)


def optimize(original: Any, library: Any) -> None:
    """Wrap CPUCodeLibrary._optimize_final_module."""
    original(library)
    if hasattr(library, inlining.LEFT_ALONE):
        return
    has_inlined = inlining.may_have_inlined(library)
    if not hasattr(library, slotless.MODULES) and not has_inlined:
        return
    module = library._final_module
    text = str(module)
    found = loads.with_places(of_markers(text, hasattr(library, embedding.STEPS)))
    if has_inlined:
        found = kept.at_accesses(passed.in_slots(embedding.in_one_unit(found, levels.EXACT)))
    if found != text:
        library._final_module = llvm.parse_assembly(found)
        library._final_module.name = module.name


def of_markers(text: str, is_stepped: bool) -> str:
    """Return a module's text with no statements except its markers, and instructions with a line in innermost loops
    without markers."""
    body, end, metadata = text.rpartition("\n}\n")
    functions = set(_FUNCTION.findall(metadata))
    functions.update(scope for scope, within in _IN_FILE.findall(metadata) if within in functions)
    others = {place: line for place, line, scope in _OTHER.findall(metadata) if scope in functions}
    moving = set(_IN_LOOP.findall(metadata))
    if not others and not moving:
        return text
    markers = dict(_OF_MARKER.findall(metadata))
    inlined = set() if is_stepped else set(_INLINED.findall(metadata))  # at `exact` inlined code has lines of its own
    moving = moving.union(others.keys() - inlined)
    rows = _Rows(others, moving, markers, is_stepped, set(_SHOWN.findall(body)))
    found: list[str] = []
    is_first = False  # True if the block is the first of a function
    for block in _BLOCK.split(body):
        found += rows.of_block(block, is_first) if ", !dbg " in block else (block,)
        is_first = block.endswith("{\n")
    return "".join((*found, end, metadata))


@dataclasses.dataclass
class _Rows:
    """The facts about a function that decide which instructions have rows.

    `others`, `markers`: lines by their locations; `moving`: locations of instructions that only compute; `shown`:
    functions that have debug information; `callees`: how many of them have been called."""

    others: dict[str, str]
    moving: set[str]
    markers: dict[str, str]
    is_stepped: bool
    shown: set[str]
    callees: int = 0

    def of_block(self, text: str, is_first: bool) -> Iterator[str]:
        has_marker = emit.MARKER in text
        on = None  # the line of the last marker
        for line in text.splitlines(keepends=True):
            place = _PLACE.search(line) if ", !dbg " in line and "@llvm.dbg." not in line else None
            if place is None:
                yield line
                continue
            on = self.markers.get(place[1], on)
            is_call = place[1] in self.others and _CALL.match(line) is not None
            if is_call and dibuilder.has_key_instructions():
                yield from self._call(line, place[0])
                continue
            is_own = is_first and self.is_stepped and not is_call and " asm " not in line
            is_own = is_own and on is not None and self.others.get(place[1]) == on
            is_moved = has_marker and place[1] in self.moving and not _ACTING.match(line)
            yield line.replace(place[0], "", 1) if is_own or is_moved else line

    def _call(self, line: str, place: str) -> Iterator[str]:
        yield f'  call void asm sideeffect "", ""(){place}\n'
        callee = _CALLEE.search(line)
        if callee and callee[1] in self.shown:  # a call of such a function by its name needs a location
            name = f"%jitscope.callee.{self.callees}"
            self.callees += 1
            yield f'  {name} = call ptr asm "", "=r,0"(ptr {callee[1]})\n'
            line = line.replace(f" {callee[1]}(", f" {name}(", 1)
        yield line.replace(place, "", 1)
