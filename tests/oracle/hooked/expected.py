"""What must hold of a tally: no false value, no stop at a wrong place, and no command that differs from another."""

from __future__ import annotations

from typing import Any

from tests.oracle.hooked.agreement import is_label, is_refused
from tests.oracle.hooked.tally import Tally


def expect_truth(tally: Tally, stepped: bool = False) -> None:
    """stepped: nothing false is known. Of optimised loops a fault may be on the line of the header."""
    assert not (tally.lies if stepped else apart_from_faults(tally)), tally.listing()
    places = [found for found in tally.misplaced if stepped or not is_fault(found)]
    assert not places, places[:5]
    assert not (differ := unequal(tally)), differ[:5]


def apart_from_faults(tally: Tally) -> list[Any]:
    """False values, without those of the stops at faults on another line."""
    faults = {(found["program"], found["line"]) for found in tally.misplaced if is_fault(found)}
    return [e for e in tally.lies if (e["program"], e["line"]) not in faults]


def is_fault(misplaced: dict[str, Any]) -> bool:
    """Is a fault at another line, or is that line only come to by it, and by what is scheduled ahead of it?"""
    return "the fault is at" in misplaced["what"] or "does not run in this call" in misplaced["what"]


def unequal(tally: Tally) -> list[Any]:
    """What commands say differently. Of what a parallel loop's body does not have `jit print` and `jit locals` tell
    what the function that started the loop has: where it is known there alone, the others have a label."""
    every = [(found["program"], found["line"], *one) for found in tally.differing for one in found["differ"]]
    return [one for one in every if not (isinstance(one[3], dict) and is_of_function(one[3]))]


def is_of_function(shown: dict[str, str]) -> bool:
    others = [text for surface, text in shown.items() if surface not in ("jit print", "mi", "symbol")]
    is_listed = is_refused(shown.get("jit print", "")) and not is_label(shown.get("jit locals", "<>"))
    return is_listed or all(map(is_label, others))
