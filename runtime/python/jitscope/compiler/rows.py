"""Rows of innermost loops without markers, once LLVM has done its work. What it computes of one beside a marker is no
longer in the loop, which it has deleted or unrolled: it may stand anywhere between the two markers around it, even
before the arguments are stored, and is no place to stop at.

Works on the text of LLVM's module (14-22): llvmlite can't remove metadata."""

from __future__ import annotations

import re
from typing import Any

import llvmlite.binding as llvm

from jitscope.compiler import dibuilder, embedding, emit, inlining, levels

LOOPS = "_jitscope_loops"  # of a library with a function that has such loops
_LOCATION = re.compile(rf"^(!\d+) = !DILocation\(line: \d+, column: {dibuilder.LOOP}, (?!.*inlinedAt)", re.M)
_PLACE = re.compile(r", !dbg (!\d+)")
_BLOCK = re.compile(r"^(?=[^\s{}!][^\n]*:(?: *;.*)?$)", re.M)
# What acts stays where it is between markers.
_ACTING = re.compile(
    r"^ *(?:%\S+ = )?"
    r"(?:(?:tail |notail |musttail )?call (?!.* @llvm\.(?!mem|masked))|(?:invoke|load|store|[su]div|[su]rem|ret) )"
)


def optimize(original: Any, library: Any) -> None:
    """Around CPUCodeLibrary._optimize_final_module."""
    original(library)
    has_inlined = inlining.puts_in_line(library)
    if not hasattr(library, LOOPS) and not has_inlined:
        return
    module = library._final_module
    text = str(module)
    found = without_moved(text)
    if has_inlined:
        found = embedding.in_one_unit(found, levels.EXACT)
    if found != text:
        library._final_module = llvm.parse_assembly(found)
        library._final_module.name = module.name


def without_moved(text: str) -> str:
    """The module's text without the places of what is computed beside markers."""
    places = set(_LOCATION.findall(text))
    if not places:
        return text
    return "".join(
        "".join(_line(line, places) for line in block.splitlines(keepends=True)) if emit.MARKER in block else block
        for block in _BLOCK.split(text)
    )


def _line(line: str, places: set[str]) -> str:
    place = _PLACE.search(line)
    return line.replace(place[0], "", 1) if place and place[1] in places and not _ACTING.match(line) else line
