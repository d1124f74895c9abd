"""The cheapest monotone alignment of stops with the line events of the Python run.

A stop at a line may be any event of that line at or after the last one matched (an event matches a second stop only if
that one is at the same line directly after). A stop that no event can match is *stray*: it is judged by the state that
the alignment has then reached, or the next. Values are compared with the state before the line runs. If GDB counted as
many calls of the function as Python did, a stop is of its own call: optimised code reaches lines out of order, but
calls never."""

from __future__ import annotations

import dataclasses
import re
from typing import Any

from .values import CONTENT, EXACT, LABEL, WRONG, compare, compare_text, from_json

STRAY = 50.0
COSTS = {WRONG: 1.0, CONTENT: 0.1, "mislabel": 0.01}


def base_name(name: str) -> str:
    """Return the source name of a version: x$1, x.1 → x."""
    return re.sub(r"[.$]\d+$", "", name)


@dataclasses.dataclass
class Shown:
    """One name as one surface shows it, and the verdict."""

    surface: str  # gdb (the symbol's value), text (as printed), json (jit locals -json)
    name: str
    text: str
    verdict: str
    truth: str = "absent"
    how: str = ""  # for a wrong value: unassigned, ahead, stale, false


@dataclasses.dataclass
class Matched:
    """A stop with the event with which it was aligned (None: stray, judged by `state`)."""

    stop: dict[str, Any]
    event: int | None
    state: int
    values: list[Shown]
    available: int = 0
    assigned: int = 0


def state_of(event: dict[str, Any], function: str) -> dict[str, Any] | None:
    """Return the activation and locals of `function` at an event of its own, or of a closure for which it waits."""
    return event if event["function"] == function else event["around"].get(function)


class Judge:
    """The verdicts of a stop's values against an event's state, cached."""

    def __init__(self, record: dict[str, Any], jitscope: bool) -> None:
        self.events: list[dict[str, Any]] = record["events"]
        self.functions: dict[str, dict[str, Any]] = record["functions"]
        self.jitscope = jitscope
        self.places: dict[tuple[str, int, int | None], tuple[int, ...]] = {}
        self.seen: list[dict[str, int]] = []  # for each event: calls until then, by function
        counts: dict[str, int] = {}
        for event in self.events:
            if event["kind"] == "call":
                counts = {**counts, event["function"]: counts.get(event["function"], 0) + 1}
            self.seen.append(counts)

    def call(self, stop: dict[str, Any]) -> int | None:
        """Return which call of its function a stop is in, from 1; None where GDB could not count them all."""
        name = stop["function"]
        counted = bool(self.seen) and stop.get("calls") == self.seen[-1].get(name, 0) > 0
        return stop["call"] if counted and stop["call"] else None

    def in_call(self, stop: dict[str, Any], events: list[int]) -> list[int]:
        """Return the events that are at or after the stop's call, and before the next."""
        call = self.call(stop)
        return [n for n in events if call is None or self.seen[n].get(stop["function"]) == call]

    def entries(self, stop: dict[str, Any]) -> list[tuple[str, str, str, Any]]:
        """Return (surface, name, text, encoded) of each of the user's names that the stop shows."""
        names = self.functions[stop["function"]]["names"] if stop["function"] in self.functions else []
        found = [("gdb", e["name"], e["text"], e["value"]) for e in stop["shown"]]
        rows = stop.get("json")
        if isinstance(rows, dict):
            rows = rows.get("locals", [])
        for row in rows or []:
            value: dict[str, Any] = {"t": "label", "text": row["state"]}
            if row["state"] == "exact":
                value = from_json(row["value"], str(row.get("type")))
            found.append(("json", row["name"], str(row.get("text")), value))
        return [entry for entry in found if base_name(entry[1]) in names]

    def judge(self, stop: dict[str, Any], at: int) -> list[Shown]:
        found = state_of(self.events[at], stop["function"]) if 0 <= at < len(self.events) else None
        state = found["locals"] if found else {}
        result = []
        for surface, name, text, value in self.entries(stop):
            truth = state.get(base_name(name))
            if truth is None:
                verdict = LABEL if value["t"] in ("label", "opaque") else WRONG
                result.append(Shown(surface, name, text, verdict, how="unassigned"))
                continue
            verdict = compare(value, truth)
            if self.jitscope and surface == "gdb" and re.fullmatch(r"<.*>", text):
                verdict = LABEL  # the printer says that the value is unknown, so the members do not count
            elif value["t"] == "label" and value["text"] == "unassigned":
                verdict = "mislabel"
            elif self.jitscope and surface == "gdb" and verdict == EXACT:
                printed = compare_text(text, truth)
                verdict = printed if printed in (WRONG, CONTENT) else verdict
            result.append(Shown(surface, name, text, verdict, str(truth.get("v", truth))))
        return result

    def cost(self, stop: dict[str, Any], at: int) -> float:
        return sum(COSTS.get(item.verdict, 0.0) for item in self.judge(stop, at))

    def around(self, stop: dict[str, Any], position: int) -> tuple[int, ...]:
        """Return where a stray stop may be taken to be: at the function's last event before `position`, and its
        next."""
        key = (stop["function"], position, self.call(stop))
        if key not in self.places:
            mine = [n for n, event in enumerate(self.events) if event["function"] == stop["function"]]
            mine = self.in_call(stop, mine)
            before, after = [n for n in mine if n < position], [n for n in mine if n >= position]
            self.places[key] = (*before[-1:], *after[:1])
        return self.places[key]

    def explain(self, stop: dict[str, Any], at: int, item: Shown) -> str:
        """Say whether a wrong value was true earlier (stale), is true later (ahead), or never is (false)."""
        if item.how:
            return item.how
        value = next(v for s, n, _, v in self.entries(stop) if (s, n) == (item.surface, item.name))
        here = state_of(self.events[at], stop["function"])
        for way, events in (("stale", self.events[:at]), ("ahead", self.events[at + 1 :])):
            for event in events:
                state = state_of(event, stop["function"])
                if here is None or state is None or state["activation"] != here["activation"]:
                    continue
                truth = state["locals"].get(base_name(item.name))
                if truth and compare(value, truth) == EXACT:
                    return way
        return "false"


def candidates(record: dict[str, Any], stop: dict[str, Any]) -> list[int]:
    """Return the events that are at the stop's function and line; the call itself is every line of the header."""
    function = record["functions"].get(stop["function"])
    if function is None:
        return []
    lines = [e["line"] for e in record["events"] if e["function"] == stop["function"] and e["kind"] == "line"]
    body = min(lines, default=function["first"] + 1)
    header = function["first"] <= stop["line"] < body
    kind, line = ("call", None) if header else ("line", stop["line"])
    own = [
        number
        for number, e in enumerate(record["events"])
        if e["function"] == stop["function"] and e["kind"] == kind and line in (None, e["line"])
    ]
    closures = [
        number
        for number, e in enumerate(record["events"])
        if stop["function"] in e["around"] and e["kind"] in ("call", "line") and e["line"] == stop["line"]
    ]
    return sorted(own + closures)


def align(stops: list[dict[str, Any]], record: dict[str, Any], jitscope: bool) -> list[Matched]:
    """Return the alignment with the fewest stray stops, then the fewest wrong values."""
    judge = Judge(record, jitscope)
    total = len(record["events"])
    infinite = float("inf")
    places: dict[tuple[str, int, int | None], list[int]] = {}
    best = [0.0] + [infinite] * total  # index: 1 + the event that the alignment has reached
    trail: list[list[tuple[int, bool]]] = []  # for each stop and position: (previous position, True if matched)
    for number, stop in enumerate(stops):
        key = (stop["function"], stop["line"], judge.call(stop))
        if key not in places:
            places[key] = judge.in_call(stop, candidates(record, stop))
        again = number > 0 and key[:2] == (stops[number - 1]["function"], stops[number - 1]["line"])
        following = [infinite] * (total + 1)
        back: list[tuple[int, bool]] = [(0, False)] * (total + 1)
        for position, so_far in enumerate(best):
            if so_far < infinite:
                wrong = min(judge.cost(stop, at) for at in judge.around(stop, position))
                following[position], back[position] = so_far + STRAY + wrong, (position, False)
        lowest, where, seen = infinite, 0, 0
        for event in places[key]:
            limit = event + 1 if again else event  # position event+1 means that the alignment has reached this event
            while seen <= limit:
                if best[seen] < lowest:
                    lowest, where = best[seen], seen
                seen += 1
            if lowest < infinite:
                cost = lowest + judge.cost(stop, event)
                if cost < following[event + 1]:
                    following[event + 1], back[event + 1] = cost, (where, True)
        best = following
        trail.append(back)
    position = min(range(total + 1), key=lambda place: best[place])
    result = []
    for number in range(len(stops) - 1, -1, -1):
        previous, hit = trail[number][position]
        result.append(matched(judge, stops[number], position, hit))
        position = previous
    return result[::-1]


def matched(judge: Judge, stop: dict[str, Any], position: int, hit: bool) -> Matched:
    at = position - 1 if hit else min(judge.around(stop, position), key=lambda event: judge.cost(stop, event))
    values = judge.judge(stop, at)
    for item in values:
        if item.verdict in (WRONG, CONTENT):
            item.how = judge.explain(stop, at, item)
    result = Matched(stop, at if hit else None, at, values)
    if hit:
        state = state_of(judge.events[at], stop["function"])
        known = state["locals"] if state else {}
        names = [name for name in known if name in judge.functions[stop["function"]]["names"]]
        surface = "json" if any(item.surface == "json" for item in values) else "gdb"
        exact = {base_name(i.name) for i in values if i.verdict == EXACT and i.surface in (surface, "gdb")}
        result.assigned, result.available = len(names), sum(name in exact for name in names)
    return result
