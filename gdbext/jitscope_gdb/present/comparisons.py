"""How Numba compares two numbers of the selected frame: their types, the type in which they are compared, and what they
become in it."""

from __future__ import annotations

import math
from typing import Any

from jitscope_source.statements import comparisons
from jitscope_source.statements.comparisons import Comparison, Operand

from ..base import console, report
from ..frames import frames, undescribed
from ..stacks import selection
from ..target import target
from . import subscript_values


def of_text(debuggee: target.Target, text: str) -> Comparison | None:
    """Return the comparison that the text is, with what the selected frame says of its operands; None: it is none."""
    frame: list[frames.NativeFrame] = []

    def at() -> frames.NativeFrame:
        if not frame:
            if selection.python(debuggee) is not None:
                raise report.Problem("the interpreter compares numbers exactly: select a compiled function's frame")
            selected = frames.selected(debuggee)
            undescribed.expect_variables(debuggee, selected)
            frame.append(frames.NativeFrame(selected, debuggee.memory))
        return frame[0]

    def leaf(name: str) -> tuple[str | None, Any]:
        found = subscript_values.evaluated(debuggee, at(), name)
        value = found.get("value") if found.get("state") == "exact" else None
        is_number = isinstance(value, (bool, int, float)) and math.isfinite(value)
        return found.get("type"), value if is_number else None

    comparison = comparisons.read(text, leaf)
    if comparison is not None:
        at()  # two constants need no frame, but the answer is about compiled code
    return comparison


def lines(text: str, comparison: Comparison) -> list[str]:
    """Return the answer for the comparison."""
    said = [_line(each, comparison.kind) for each in comparison.operands]
    first, second = (each.kind for each in comparison.operands)
    kind = comparison.kind
    if kind is None:
        return [console.plain(line) for line in said]
    pair = f"two {first}" if first == second else f"{first} with {second}"
    lost = [each for each in comparison.operands if each.kind and not comparisons.is_exact(each.kind, kind)]
    said.append(f"Numba compares {pair} as {kind}, " + _loss(comparison, lost))
    seen, exact = (comparison.holds(is_exact) for is_exact in (False, True))
    if seen is not None:
        means = "as it is of the exact numbers" if seen == exact else f"but {exact} of the exact numbers"
        said.append(f"{text} is {seen}, {means}")
    return [console.plain(line) for line in said]


def _line(operand: Operand, as_kind: str | None) -> str:
    if operand.kind is None:
        return f"{operand.text}: not a real number, or + - * of real numbers, whose type is known here"
    value = "" if operand.value is None else f" {operand.value!r}"
    if operand.value is not None and operand.exact != operand.value:
        value += f", to which {operand.exact} wraps"
    becomes = _becomes(operand, as_kind)
    return f"{operand.text}: {operand.kind}{value}" + (f", which becomes {becomes}" if becomes else "")


def _becomes(operand: Operand, as_kind: str | None) -> str:
    """Return the exact number that the operand becomes, if it is another one."""
    if operand.value is None or as_kind is None or isinstance(operand.value, float):
        return ""
    found = comparisons.converted(operand.value, as_kind)
    return "" if found == operand.value else str(int(found))


def _loss(comparison: Comparison, lost: list[Operand]) -> str:
    if not lost:
        return "which holds both exactly"
    is_known = all(each.value is not None for each in lost)
    if is_known and not any(_becomes(each, comparison.kind) for each in lost):
        return "which holds these numbers exactly"
    return "which holds integers exactly only up to 2**53"


def entry(text: str, comparison: Comparison) -> dict[str, Any]:
    """Return the answer for JSON, as docs/schema/why.json says."""
    kind = comparison.kind
    return {
        "comparison": text,
        "operands": [
            {
                "text": each.text,
                "type": each.kind,
                "value": each.value,
                "becomes": None if each.value is None or kind is None else comparisons.converted(each.value, kind),
            }
            for each in comparison.operands
        ],
        "compared_as": kind,
        "result": comparison.holds(is_exact=False),
        "exact_result": comparison.holds(is_exact=True),
    }
