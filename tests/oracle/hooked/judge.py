"""Verdicts on the value that a stop shows for each variable, against Python's: right, a label, or a lie."""

from __future__ import annotations

import dataclasses
import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from tests.oracle.truth.values import (
    AGE,
    CONTENT,
    EXACT,
    LABEL,
    OPAQUE,
    WRONG,
    compare,
    compare_text,
    from_json,
    parsed,
    possible,
    without_age,
)

MISLABEL = "mislabel"  # <unassigned>, for a variable that has a value
VERSION = "version"  # <unassigned>, for a compiler's version of a variable that another entry shows right
OLDER = "older"  # elements that differ, with the label that they may be older
LIES = (WRONG, MISLABEL, CONTENT)
During = Mapping[str, Sequence[dict[str, Any]]]
KERNEL = re.compile(r"parfor_gufunc|\bprange\b")


def base_name(name: str) -> str:
    """Return the source name of a version: x$1, x.1 → x."""
    return re.sub(r"[.$]\d+$", "", name)


@dataclasses.dataclass
class Shown:
    """One variable as one surface shows it: gdb (its symbol's value, as printed) or json (`jit locals -json`)."""

    surface: str
    name: str
    text: str
    value: dict[str, Any]
    aged: bool = False  # with the label that its elements may be older
    verdict: str = OPAQUE
    truth: str = "no value"


@dataclasses.dataclass
class State:
    """Python's state at an event, as far as it decides about a stop."""

    values: dict[str, dict[str, Any]]
    known: set[str]  # the names that are judged
    beside: set[str] = dataclasses.field(default_factory=set)  # judged as well, but not expected to be shown
    lenient: set[str] = dataclasses.field(default_factory=set)  # names that this thread may not have assigned
    worker: bool = False
    # A worker's values of each name while its loop runs, which the other workers write at the same time.
    during: During = dataclasses.field(default_factory=dict)


def entries(stop: dict[str, Any]) -> list[Shown]:
    found = [Shown("gdb", e["name"], e["text"], e["value"], AGE in e["text"]) for e in stop["shown"]]
    rows = stop.get("json")
    for row in rows if isinstance(rows, list) else []:
        value: dict[str, Any] = {"t": "label", "text": row["state"]}
        if row["state"] in ("exact", "older"):
            value = from_json(row["value"], str(row.get("type")))
        found.append(Shown("json", row["name"], str(row.get("text")), value, AGE in json.dumps(row)))
    return found


def verdict(item: Shown, truth: dict[str, Any] | None, lenient: bool, printers: bool) -> str:
    printed = printers and item.surface == "gdb"  # then the text is the shown value
    label = item.value["t"] == "label"
    if printed and label:
        label = "<" in re.sub(r"<iv=[^>]*>", "", without_age(item.text))
    elif printed:
        label = re.fullmatch(r"<.*>", item.text) is not None
    if truth is None:
        return LABEL if label else WRONG
    if label:
        unassigned = "unassigned" in (item.value.get("text", "") if item.surface == "json" else item.text)
        return MISLABEL if unassigned and not lenient else LABEL
    if printed:
        text = compare_text(item.text, truth)
        unread = item.value["t"] == "array" and item.value["data"] is None or truth["t"] == "date"
        if unread or item.value["t"] in ("label", "opaque", "ptr"):  # only its printer can read it
            return text
        found = compare(item.value, truth)
        return text if found == EXACT and text in (WRONG, CONTENT) else found
    found = compare(item.value, truth)
    is_object = item.value["t"] == "ptr" or item.text.startswith("<pyobject at 0x")  # in object mode
    if found == OPAQUE and truth["t"] == "str" and not is_object:
        return WRONG  # it is a structure that is no string
    return found


def judge(shown: list[Shown], state: State, printers: bool) -> list[Shown]:
    """Return the user's variables with verdicts; compilers' own names and those that are not judged are left out."""
    result = []
    for item in shown:
        name = base_name(item.name)
        if name not in state.known | state.beside:
            continue
        truth = state.values.get(name)
        found = verdict(item, truth, name in state.lenient, printers)
        if found == CONTENT and state.worker and is_possible(item, state.during.get(name, ())):
            found = EXACT
        if found == CONTENT and item.aged:
            found = OLDER
        said = "no value" if truth is None else said_of(truth)
        result.append(dataclasses.replace(item, verdict=found, truth=said))
    right = {(item.surface, base_name(item.name)) for item in result if item.verdict in (EXACT, CONTENT)}
    for item in result:
        if item.verdict == MISLABEL and (item.surface, base_name(item.name)) in right:
            item.verdict = VERSION
    return result


def said_of(value: Any) -> str:
    """Return an encoded value as a person reads it."""
    if not isinstance(value, dict):
        return f"[{', '.join(map(said_of, value))}]" if isinstance(value, list) else str(value)
    items = value.get("data", value.get("v", value.get("text")))
    return said_of([*items.values()] if isinstance(items, dict) else items)


def is_possible(item: Shown, during: Sequence[dict[str, Any]]) -> bool:
    """True if an array may have these elements while several workers write it."""
    value = item.value if item.value["t"] == "array" else parsed(item.text)
    return value is not None and value["t"] == "array" and value["data"] is not None and possible(value, during)


def loop_at(function: dict[str, Any], line: int) -> dict[str, Any] | None:
    """Return the parallel loop of the function whose header or body the line is on, or None."""
    found = (loop for loop in function["parallel"] if loop["header"] <= line <= loop["last"])
    return next(found, None)


def state_of(event: list[Any], function: dict[str, Any], kernel: bool, during: During) -> State:
    """Return the state at an event [function, line, activation, locals]; a prange's kernel has its share of the
    function's state."""
    line, values = event[1], event[3]
    known = set(function["names"])
    loops = function["parallel"]
    own = {name for loop in loops for name in (*loop["private"], loop["index"])}
    if not kernel:  # a body's own variables have no value in the function around it, though they have one in Python
        return State(values, known - own)
    loop = loop_at(function, line)
    if loop is None:  # the kernel is an array expression's
        return State(values, known - own, worker=True, during=during)
    spans = loop["private"]
    beside = known - own - set(loop["used"])  # variables of the function around it that no loop assigns
    known = known & set(loop["used"]) - set(loop["reduced"])
    if not loop["first"] <= line <= loop["last"]:  # the line is the header, where the index is not known
        return State(values, known - {*spans, loop["index"]}, beside, worker=True, during=during)
    lenient = {name for name in spans if not spans[name][0] < line <= spans[name][1]}
    # Numba fuses loops: a value that another body assigns may be of this iteration, which Python has not run yet.
    known -= {name for name in lenient if any(name in other["private"] for other in loops if other is not loop)}
    return State(values, known, beside, lenient, worker=True, during=during)
