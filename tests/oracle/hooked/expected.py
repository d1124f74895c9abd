"""Conditions that a tally must meet: no false value, no stop at a wrong place, no command that differs from another."""

from __future__ import annotations

from typing import Any

from tests.oracle.hooked.agreement import is_label, is_refused
from tests.oracle.hooked.tally import Tally


def expect_truth(tally: Tally, stepped: bool = False) -> None:
    """Assert that nothing false is shown. `stepped`: every line stops; otherwise a fault in an optimised loop may be on
    the line of the header."""
    assert not (tally.lies if stepped else apart_from_faults(tally)), tally.listing()
    places = [found for found in tally.misplaced if stepped or not is_fault(found)]
    assert not places, places[:5]
    assert not (differ := unequal(tally)), differ[:5]


def apart_from_faults(tally: Tally) -> list[Any]:
    """Return the false values, without those of the stops at faults on another line."""
    faults = {(found["program"], found["line"]) for found in tally.misplaced if is_fault(found)}
    return [e for e in tally.lies if (e["program"], e["line"]) not in faults]


def is_fault(misplaced: dict[str, Any]) -> bool:
    """True if a fault is at another line than Python's, or if the stop's line does not run in the call: the program
    comes there only by the fault, or by code that is scheduled before it."""
    return "the fault is at" in misplaced["what"] or "does not run in this call" in misplaced["what"]


def unequal(tally: Tally) -> list[Any]:
    """Return the values that commands show differently. For a variable that a parallel loop's body does not have,
    `jit print` and `jit locals` show the value in the function that started the loop; if only that is known, the other
    commands show a label, which is no difference."""
    every = [(found["program"], found["line"], *one) for found in tally.differing for one in found["differ"]]
    return [one for one in every if not (isinstance(one[3], dict) and is_of_function(one[3]))]


def is_of_function(shown: dict[str, str]) -> bool:
    others = [text for surface, text in shown.items() if surface not in ("jit print", "mi", "symbol")]
    is_listed = is_refused(shown.get("jit print", "")) and not is_label(shown.get("jit locals", "<>"))
    return is_listed or all(map(is_label, others))
