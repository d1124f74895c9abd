"""Locations of loads, after LLVM's work.

The processor can compute with an operand in memory: LLVM merges a load and the instruction that reads it, and gives the
result the latter's location. Only the load can fault, so the reading instruction takes the load's location: a fault is
then on the line, and in the inlined function, that subscripts.

This module works on the text of LLVM's module (14-22), because llvmlite cannot change metadata."""

from __future__ import annotations

import re
from collections import Counter

_FUNCTION = re.compile(r"^define [^\n]* !dbg !\d+ [^\n]*\{\n.*?^\}\n", re.M | re.S)
_LOAD = re.compile(r"^ *(%[\w.$-]+) = load (?!volatile |atomic ).*, !dbg (!\d+)")
_VALUE = re.compile(r"%[\w.$-]+")
# Instructions that have an operand in memory on some processor, and only compute.
_COMPUTES = re.compile(
    r"^ *%[\w.$-]+ = "
    r"(?:(?:f?(?:add|sub|mul|div|cmp)|icmp|[us]div|[us]rem|and|or|xor|shl|[la]shr|[sz]ext|trunc|[us]itofp|fpto[us]i|fpext"
    r"|fptrunc|select|shufflevector|insertelement) |(?:tail )?call .* @llvm\.(?!dbg\.|mem|lifetime|masked))"
)
_PLACE = re.compile(r", !dbg !\d+")
_IS_DEBUG = ("#dbg_", "@llvm.dbg.")


def with_places(text: str) -> str:
    """Return the module's text, in which an instruction that reads a load has the load's location."""
    return _FUNCTION.sub(lambda found: _of_function(found[0]), text) if " = load " in text else text


def _of_function(text: str) -> str:
    lines = text.splitlines(keepends=True)
    code = [line for line in lines if not any(mark in line for mark in _IS_DEBUG)]
    uses = Counter(value for line in code for value in set(_VALUE.findall(line)))
    places: dict[str, str] = {}  # the locations of loads of this block that one instruction reads, in their order
    for number, line in enumerate(lines):
        if line[0] not in " \n":
            places.clear()
        elif (load := _LOAD.match(line)) is not None:
            if uses[load[1]] == 2:  # once in the load itself, and once in the instruction that reads it
                places[load[1]] = load[2]
        elif places and _COMPUTES.match(line):
            operands = set(_VALUE.findall(line))
            read = [place for value, place in places.items() if value in operands]
            if read:  # if there are two, the last load is the operand
                lines[number] = _moved(line, f", !dbg {read[-1]}")
    return "".join(lines)


def _moved(line: str, place: str) -> str:
    if _PLACE.search(line):
        return _PLACE.sub(place, line, count=1)
    return line.rstrip("\n") + place + "\n"
