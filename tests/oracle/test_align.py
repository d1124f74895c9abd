"""Stops of different calls of a function are aligned with different calls' events: recorded programs, of stock code at
NUMBA_OPT=3, of functions that two workers call at once, at 0 and at steps, and of inlined functions, at exact."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest

from tests.oracle.hooked.align import Call, Matched
from tests.oracle.hooked.judge import KERNEL, LIES
from tests.oracle.hooked.run import HERE

RECORDED = HERE / "recorded"
NAMES = ("repeated", "moved", "inlined", "workers", "roots")
Recorded = dict[str, Any]


def recorded(name: str) -> Recorded:
    found: Recorded = json.loads((RECORDED / f"{name}.json").read_text("utf-8"))
    return found


def aligned(found: Recorded) -> list[Matched]:
    return Call(found["functions"], found["call"], found["stops"], True).align()


def lies(found: Recorded) -> set[tuple[int, str]]:
    """Return the stop and the name of each lie."""
    return {(n, item.name) for n, one in enumerate(aligned(found)) for item in one.values if item.verdict in LIES}


def call_of(found: Recorded, matched: Matched) -> int:
    """Return the activation whose event the stop was judged by."""
    assert matched.state is not None
    return next(event[2] for event in found["call"]["events"] if event[3] is matched.state.values)


def show(found: Recorded, stop: int, name: str, value: int) -> Recorded:
    """Return a copy of the recording in which this stop shows an integer."""
    found = copy.deepcopy(found)
    for row in found["stops"][stop]["json"]:
        if row["name"] == name:
            row.update(state="exact", value=value, type="int64", text=str(value))
    for entry in found["stops"][stop]["shown"]:
        if entry["name"] == name:
            entry.update(value={"t": "int", "v": value}, text=str(value))
    return found


@pytest.mark.parametrize("name", NAMES)
def test_nothing_false_was_shown(name: str) -> None:
    assert not lies(recorded(name))


@pytest.mark.parametrize("name", ["repeated", "moved"])
def test_without_frames_what_was_shown_seems_false(name: str) -> None:
    found = recorded(name)
    for stop in found["stops"]:
        stop["frames"] = []
    assert lies(found)


def test_what_workers_call_is_told_by_their_threads() -> None:
    found = recorded("workers")
    threads = {stop["thread"] for stop in found["stops"] if stop["frame"] == "turns"}
    assert len(threads) == 2
    for stop in found["stops"]:
        stop["thread"] = 1
    assert lies(found)


@pytest.mark.parametrize("name", ["repeated", "moved"])
def test_each_frame_is_a_call(name: str) -> None:
    found = recorded(name)
    calls: dict[int, set[int]] = {}
    for matched in aligned(found):
        calls.setdefault(matched.stop["frames"][-1]["number"], set()).add(call_of(found, matched))
    assert [len(of) for of in calls.values()] == [1] * len(calls)
    order = [min(calls[number]) for number in sorted(calls)]
    assert order == sorted(set(order)) == sorted({event[2] for event in found["call"]["events"]})


def test_places_in_line_are_calls_from_one_place() -> None:
    found = recorded("inlined")
    site = {call: offset for call, _, _, offset in found["call"]["callers"]}
    sites: dict[int, set[int]] = {}
    for matched in aligned(found):
        if matched.stop["frames"][-1]["inline"]:
            sites.setdefault(matched.stop["frames"][-1]["number"], set()).add(site[call_of(found, matched)])
    assert len(sites) == 2
    assert sorted(map(len, sites.values())) == [1, 1]
    assert len(set.union(*sites.values())) == 2


@pytest.mark.parametrize("name", NAMES)
def test_what_no_call_has_is_a_lie(name: str) -> None:
    """Each integer of each stop is changed, one at a time; kernels are left out, as only the index distinguishes their
    iterations."""
    found, changed = recorded(name), 0
    for stop, at in enumerate(found["stops"]):
        if KERNEL.search(at["frame"]):
            continue
        for row in at["json"]:
            if row["state"] == "exact" and isinstance(row["value"], int) and not isinstance(row["value"], bool):
                assert lies(show(found, stop, row["name"], row["value"] + 1000)) == {(stop, row["name"])}
                changed += 1
    assert changed >= 8


@pytest.mark.parametrize(
    ("name", "frame", "variable", "value"),
    [
        # `moved`: small0 is called with 0, then with 4.
        ("moved", 0, "n0", 4),
        ("moved", 0, "p1", 4),
        ("moved", 1, "n0", 0),
        ("moved", 1, "p1", 0),
        # `repeated`: at its last line, in each call.
        *[("repeated", frame, "s2", 0) for frame in range(4)],
        # `inlined`: its second place is called with i4, 0 or 1.
        ("inlined", 1, "n0", 2),
    ],
)
def test_what_another_call_has_is_a_lie(name: str, frame: int, variable: str, value: int) -> None:
    """The last stop of the nth activation of small0 shows a value of another call."""
    found = recorded(name)
    numbers = {n: s["frames"][-1]["number"] for n, s in enumerate(found["stops"]) if s["frame"] == "small0"}
    last = [n for n in numbers if numbers[n] == sorted(set(numbers.values()))[frame]][-1]
    assert any(row["name"] == variable for row in found["stops"][last]["json"])
    assert lies(show(found, last, variable, value)) == {(last, variable)}


def test_what_workers_call_is_one_call_each() -> None:
    """The second stop in small0 shows a value that another of its calls has there."""
    found = recorded("roots")
    own = [n for n, stop in enumerate(found["stops"]) if stop["frame"] == "small0"]
    calls = [call_of(found, matched) for n, matched in enumerate(aligned(found)) if n in own]
    assert len(set(calls)) == 4
    thread = found["stops"][own[0]]["thread"]
    second = [n for n in own if found["stops"][n]["thread"] == thread][1]
    values = {row["value"] for n in own for row in found["stops"][n]["json"] if row["name"] == "n0"}
    shown = next(row["value"] for row in found["stops"][second]["json"] if row["name"] == "n0")
    assert lies(show(found, second, "n0", (values - {shown}).pop())) == {(second, "n0")}
