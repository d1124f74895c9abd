"""Which event of the Python run is each stop of a call?

A call's stops and events are few, and the program's clock says which call a stop is in.  Where the lines of the stops
are the lines of the events, each is the other.  Where they are not, the alignment is the monotone one with the fewest
stray stops (that no event can serve), then the fewest lies; a second stop at the same line directly after the first, or
after what the line has called, may be the same execution of it.  A worker of a prange is at any event of its line; the
index tells which.
"""

from __future__ import annotations

import dataclasses
from typing import Any

from tests.oracle.truth.values import CONTENT

from .judge import KERNEL, LIES, Shown, State, entries, judge, loop_at, state_of

STRAY = 50.0
AGAIN = 0.01  # a line that goes on after what it has called
Events = list[list[Any]]
Functions = dict[str, dict[str, Any]]


@dataclasses.dataclass
class Matched:
    """A stop with its verdicts, and the state that it was judged by (None: there is none)."""

    stop: dict[str, Any]
    function: str
    kernel: bool
    stray: bool
    state: State | None
    values: list[Shown]


def recursive(events: Events) -> bool:
    """Is a function called while another call of it waits? Optimised code then does much of it on the way back."""
    closed: set[int] = set()
    current: dict[str, int] = {}
    for name, _, activation, _ in events:
        if activation in closed:
            return True
        if current.get(name, activation) != activation:
            closed.add(current[name])
        current[name] = activation
    return False


class Call:
    """The events and stops of one call."""

    def __init__(self, functions: Functions, events: Events, stops: list[dict[str, Any]], printers: bool) -> None:
        self.functions = functions
        self.events = events
        self.stops = stops
        self.printers = printers
        self.shown = [entries(stop) for stop in stops]
        self.recursive = recursive(events)
        self.same = False  # are the lines of the stops, in order, those of the events?
        self.cache: dict[tuple[int, int], list[Shown]] = {}

    def function(self, line: int) -> str | None:
        around = [(f["last"] - f["first"], n) for n, f in self.functions.items() if f["first"] <= line <= f["last"]]
        return min(around)[1] if around else None

    def kernel(self, stop: dict[str, Any]) -> bool:
        return KERNEL.search(stop["frame"]) is not None

    def state(self, number: int, event: int) -> State:
        found = self.events[event]
        return state_of(found, self.functions[found[0]], self.kernel(self.stops[number]))

    def judge(self, number: int, event: int) -> list[Shown]:
        key = (number, event)
        if key not in self.cache:
            self.cache[key] = judge(self.shown[number], self.state(number, event), self.printers)
        return self.cache[key]

    def lies(self, number: int, event: int) -> float:
        found = self.judge(number, event)
        lie = 1.2 * STRAY if self.recursive else 1.0
        return sum(lie if item.verdict in LIES else 0.1 if item.verdict == CONTENT else 0.0 for item in found)

    def matched(self, number: int, event: int | None, stray: bool = False) -> Matched:
        stop = self.stops[number]
        name = self.function(stop["line"]) or ""
        if event is None:
            return Matched(stop, name, self.kernel(stop), True, None, [])
        return Matched(stop, name, self.kernel(stop), stray, self.state(number, event), self.judge(number, event))

    def align(self) -> list[Matched]:
        workers = [n for n, stop in enumerate(self.stops) if self.kernel(stop)]
        result = {n: self.worker(n) for n in workers}
        rest = [n for n in range(len(self.stops)) if n not in result]
        own = [n for n in range(len(self.events)) if not workers or not self.in_body(n)]
        self.same = [self.stops[n]["line"] for n in rest] == [self.events[n][1] for n in own]
        if self.same:
            result.update({n: self.matched(n, event) for n, event in zip(rest, own)})
        else:
            result.update(self.cheapest(rest, own))
        return [result[n] for n in range(len(self.stops))]

    def in_body(self, event: int) -> bool:
        name, line = self.events[event][:2]
        loop = loop_at(self.functions[name], line)
        return loop is not None and line >= loop["first"]

    def worker(self, number: int) -> Matched:
        line = self.stops[number]["line"]
        name = self.function(line)
        loops = self.functions[name]["parallel"] if name else []
        able = [n for n, event in enumerate(self.events) if event[1] == line]
        if not able:  # an array expression, that was fused with a loop
            able = [n for n, event in enumerate(self.events) if event[1] in {loop["header"] for loop in loops}]
        loop = loop_at(self.functions[name], line) if name else None
        index = [
            item.value["v"]
            for item in self.shown[number]
            if loop and item.name == loop["index"] and item.value["t"] == "int"
        ]
        told = [n for n in able if loop and self.events[n][3].get(loop["index"], {}).get("v") in index]
        chosen = told or able
        if not chosen:
            return self.matched(number, None)
        return self.matched(number, min(chosen, key=lambda event: self.lies(number, event)))

    def cheapest(self, stops: list[int], events: list[int]) -> dict[int, Matched]:
        total = len(events)
        infinite = float("inf")
        lines: dict[int, list[int]] = {}
        for place, event in enumerate(events):
            lines.setdefault(self.events[event][1], []).append(place)
        best = [0.0] + [infinite] * total  # 1 + the place where the alignment stands
        trail: list[list[tuple[int, int | None]]] = []
        previous = None
        latest = self.latest(events)
        for number in stops:
            line = self.stops[number]["line"]
            following = [cost + STRAY for cost in best]
            back: list[tuple[int, int | None]] = [(place, None) for place in range(total + 1)]
            for place, event in enumerate(latest.get(self.function(line) or "", ()), 1):
                if event is not None and self.events[event][1] == line and best[place] < infinite:
                    cost = best[place] + self.lies(number, event) + AGAIN
                    if cost < following[place]:
                        following[place], back[place] = cost, (place, event)
            lowest, where, seen = infinite, 0, 0
            for place in lines.get(line, ()):
                while seen <= (place + 1 if line == previous else place):
                    if best[seen] < lowest:
                        lowest, where = best[seen], seen
                    seen += 1
                cost = lowest + self.lies(number, events[place])
                if cost < following[place + 1]:
                    following[place + 1], back[place + 1] = cost, (where, events[place])
            best, previous = following, line
            trail.append(back)
        position = min(range(total + 1), key=lambda place: best[place])
        result = {}
        for step in range(len(stops) - 1, -1, -1):
            number = stops[step]
            before, event = trail[step][position]
            if event is not None:
                result[number] = self.matched(number, event)
            else:
                result[number] = self.astray(number, events, position)
            position = before
        return result

    def latest(self, events: list[int]) -> dict[str, list[int | None]]:
        """Of each function that another has called: where it was, behind each of the events."""
        names = {self.events[event][0] for event in events}
        result: dict[str, list[int | None]] = {name: [] for name in names}
        now: dict[str, int] = {}
        for event in events if not self.recursive else ():
            current = self.events[event][0]
            now[current] = event
            for name in names:
                result[name].append(now.get(name))
        return result

    def astray(self, number: int, events: list[int], position: int) -> Matched:
        """Judged by the function's last event before, or its next, whichever speaks for the stop."""
        name = self.function(self.stops[number]["line"])
        mine = [place for place, event in enumerate(events) if self.events[event][0] == name]
        near = [p for p in mine if p < position][-1:] + [p for p in mine if p >= position][:1]
        if not near or self.recursive:  # which call it is in, is not known
            return self.matched(number, None)
        return self.matched(number, min((events[p] for p in near), key=lambda event: self.lies(number, event)), True)
