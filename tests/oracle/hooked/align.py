"""The alignment of a call's stops with the events of the Python run.

A call's stops and events are few, and the program's clock shows which call a stop is in. If the lines of the stops are
the lines of the events, the first stop is the first event, and so on. If they are not, the alignment is the monotone
one with the fewest stray stops (which no event can match), then the fewest lies; a second stop at the same line
directly after the first, or after a callee of the line, may be the same execution of it. The stops of one frame are of
one call, and a stray one is judged by that call. A worker of a prange is at any event of its line, which the index
identifies. A worker's callee is any call from the loop's body, as a whole."""

from __future__ import annotations

import dataclasses
from typing import Any

from tests.oracle.truth.values import CONTENT

from .bindings import NONE, Bindings, Bound, Key, function_at
from .judge import KERNEL, LIES, Shown, State, entries, judge, loop_at, state_of

STATES = 64  # states of the alignment that are followed; they differ in the bound calls
STRAY = 50.0
AGAIN = 0.01  # the cost of a line that goes on after a call
Events = list[list[Any]]
Functions = dict[str, dict[str, Any]]
Trail = list[dict[tuple[Bound, int], tuple[Bound, int, int | None]]]


@dataclasses.dataclass
class Matched:
    """A stop with its verdicts, and the state by which it was judged (None: there is none)."""

    stop: dict[str, Any]
    function: str
    kernel: bool
    stray: bool
    state: State | None
    values: list[Shown]
    event: int | None = None


class Call:
    """The events and stops of one call."""

    def __init__(
        self,
        functions: Functions,
        call: dict[str, Any],
        stops: list[dict[str, Any]],
        printers: bool,
        shared: bool = False,
    ) -> None:
        self.functions = functions
        self.events: Events = call["events"]
        self.call = call
        self.shared = shared
        self.bindings = Bindings(functions, self.events, call["callers"], stops, shared)
        self.stops = stops
        self.printers = printers
        self.shown = [entries(stop) for stop in stops]
        self.same = False  # True if the lines of the stops, in order, are those of the events
        self.cache: dict[tuple[int, int], list[Shown]] = {}
        self.arrays: dict[int, dict[str, list[dict[str, Any]]]] = {}

    def function(self, line: int) -> str | None:
        return function_at(self.functions, line)

    def kernel(self, stop: dict[str, Any]) -> bool:
        return KERNEL.search(stop["frame"]) is not None

    def state(self, number: int, event: int) -> State:
        found = self.events[event]
        kernel = self.kernel(self.stops[number])
        return state_of(found, self.functions[found[0]], kernel, self.during(found[2]) if kernel else {})

    def during(self, call: int) -> dict[str, list[dict[str, Any]]]:
        """Return the arrays of each name in a call."""
        if call not in self.arrays:
            found: dict[str, list[dict[str, Any]]] = {}
            for event in self.events:
                for name, value in event[3].items() if event[2] == call else ():
                    if value["t"] == "array":
                        found.setdefault(name, []).append(value)
            self.arrays[call] = found
        return self.arrays[call]

    def judge(self, number: int, event: int) -> list[Shown]:
        key = (number, event)
        if key not in self.cache:
            self.cache[key] = judge(self.shown[number], self.state(number, event), self.printers)
        return self.cache[key]

    def lies(self, number: int, event: int) -> float:
        found = self.judge(number, event)
        # Optimised code does much of a recursion on the way back, and which calls a worker makes is not known.
        lie = 1.2 * STRAY if self.shared or self.events[event][0] in self.bindings.loops else 1.0
        return sum(0.1 if item.verdict == CONTENT else lie if item.verdict in LIES else 0.0 for item in found)

    def matched(self, number: int, event: int | None, stray: bool = False) -> Matched:
        stop = self.stops[number]
        name = self.function(stop["line"]) or ""
        if event is None:
            return Matched(stop, name, self.kernel(stop), True, None, [])
        values = self.judge(number, event)
        return Matched(stop, name, self.kernel(stop), stray, self.state(number, event), values, event)

    def align(self) -> list[Matched]:
        workers = [n for n, stop in enumerate(self.stops) if self.kernel(stop)]
        result = {n: self.worker(n) for n in workers}
        last = len(self.events) - 1
        result.update((n, self.matched(n, last)) for n, stop in enumerate(self.stops) if stop.get("fault"))
        called = [n for n, stop in enumerate(self.stops) if n not in result and self.is_called_by_worker(stop)]
        from_body = self.called_from_body() if called else {}
        result.update(self.in_calls(called, from_body))
        left = [n for n in called if n not in result]
        for thread in sorted({self.stops[n]["thread"] for n in left}):  # workers call at the same time
            mine = [n for n in left if self.stops[n]["thread"] == thread]
            one = Call(self.functions, self.call, [self.stops[n] for n in mine], self.printers, shared=True)
            found = one.cheapest([*range(len(mine))], [*range(len(self.events))])
            result.update((n, found[at]) for at, n in enumerate(mine))
        rest = [n for n in range(len(self.stops)) if n not in result]
        inside = {n for events in from_body.values() for n in events}
        own = [n for n in range(len(self.events)) if n not in inside and not (workers and self.in_body(n))]
        self.same = self.is_same(rest, own)
        if self.same:
            result.update({n: self.matched(n, event) for n, event in zip(rest, own)})
        else:
            result.update(self.cheapest(rest, own))
        return [result[n] for n in range(len(self.stops))]

    def is_same(self, stops: list[int], events: list[int]) -> bool:
        """True if the lines of the stops are those of the events, each in its call."""
        bound = NONE
        if [self.stops[n]["line"] for n in stops] != [self.events[n][1] for n in events]:
            return False
        for number, event in zip(stops, events):
            now = self.bindings.bind(bound, number, event)
            if now is None:
                return False
            bound = self.bindings.behind(now, number)
        return True

    def in_body(self, event: int) -> bool:
        name, line = self.events[event][:2]
        loop = loop_at(self.functions[name], line)
        return loop is not None and line >= loop["first"]

    def worker(self, number: int) -> Matched:
        line = self.stops[number]["line"]
        name = self.function(line)
        loops = self.functions[name]["parallel"] if name else []
        able = [n for n, event in enumerate(self.events) if event[1] == line]
        if not able:  # the line is an array expression's, which was fused with a loop
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

    def is_called_by_worker(self, stop: dict[str, Any]) -> bool:
        return any(KERNEL.search(frame["name"]) for frame in stop.get("frames", ()))

    def called_from_body(self) -> dict[int, list[int]]:
        """Return the events of each call that a parallel loop's body makes, with the events of its callees."""
        caller, line, name = self.bindings.caller, self.bindings.line, self.bindings.name
        found: dict[int, list[int]] = {}
        for number, event in enumerate(self.events):
            for call in (event[2], *self.bindings.outer(event[2])):
                loops = self.functions.get(name.get(caller.get(call, -1), ""), {}).get("parallel", ())
                if any(loop["first"] <= line[call] <= loop["last"] for loop in loops):
                    found.setdefault(call, []).append(number)
                    break
        return found

    def in_calls(self, stops: list[int], calls: dict[int, list[int]]) -> dict[int, Matched]:
        """Match the stops in functions that workers call: each thread is in one call after the other, and which calls
        is not known. If its stops have the lines of a call in order, they are matched with the call that has the fewest
        lies, each call once; others are left."""
        result: dict[int, Matched] = {}
        left = dict(calls)
        for thread in {self.stops[n]["thread"] for n in stops}:
            own = [n for n in stops if self.stops[n]["thread"] == thread]
            while own:
                lines = [self.stops[n]["line"] for n in own]
                fitting = [call for call, of in left.items() if [self.events[n][1] for n in of] == lines[: len(of)]]
                if fitting:
                    best = min(fitting, key=lambda call: sum(self.lies(n, e) for n, e in zip(own, left[call])))
                    events = left.pop(best)
                    result.update({n: self.matched(n, event) for n, event in zip(own, events)})
                    own = own[len(events) :]
                else:
                    own.pop(0)
        return result

    def cheapest(self, stops: list[int], events: list[int]) -> dict[int, Matched]:
        """Return the cheapest alignment. Its states have the bound calls, and 1 + the place reached in the events."""
        total = len(events)
        infinite = float("inf")
        lines: dict[int, list[int]] = {}
        for place, event in enumerate(events):
            lines.setdefault(self.events[event][1], []).append(place)
        states: dict[Bound, list[float]] = {NONE: [0.0] + [infinite] * total}
        trail: Trail = []
        previous = None
        latest = self.latest(events)
        for number in stops:
            line = self.stops[number]["line"]
            following: dict[Bound, list[float]] = {}
            back: dict[tuple[Bound, int], tuple[Bound, int, int | None]] = {}

            def offer(cost: float, to: int, bound: Bound, at: int, event: int | None) -> None:
                now = bound if event is None else self.bindings.bind(bound, number, event)
                if now is None:
                    return
                now = self.bindings.behind(now, number)
                costs = following.setdefault(now, [infinite] * (total + 1))
                if cost < costs[to]:
                    costs[to], back[now, to] = cost, (bound, at, event)

            for bound, best in states.items():
                lowest, where, seen = infinite, 0, 0
                for place in range(total + 1):
                    if best[place] < infinite:
                        offer(best[place] + STRAY, place, bound, place, None)
                        for event in latest[place].get(line, ()):
                            offer(best[place] + self.lies(number, event) + AGAIN, place, bound, place, event)
                for place in lines.get(line, ()):
                    while seen <= (place + 1 if line == previous else place):
                        if best[seen] < lowest:
                            lowest, where = best[seen], seen
                        seen += 1
                    if lowest < infinite:
                        offer(lowest + self.lies(number, events[place]), place + 1, bound, where, events[place])
            cheap = sorted(following.items(), key=lambda item: min(item[1]))
            states, previous = dict(cheap[:STATES]), line
            trail.append(back)
        return self.along(trail, states, stops, events)

    def along(
        self, trail: Trail, states: dict[Bound, list[float]], stops: list[int], events: list[int]
    ) -> dict[int, Matched]:
        """Return the matched stops of the cheapest alignment."""
        bound, position = min(
            ((bound, place) for bound, best in states.items() for place in range(len(best))),
            key=lambda state: states[state[0]][state[1]],
        )
        steps = []
        settled: dict[Key, int] = {}
        for number, back in zip(reversed(stops), reversed(trail)):
            before, place, event = back[bound, position]
            steps.append((number, event, before, position))
            if event is not None:
                bound = self.bindings.bind(before, number, event) or NONE
            settled.update(item for item in bound if self.bindings.is_own(item[0]))
            bound, position = before, place
        result = {}
        for number, event, before, position in steps:
            if event is not None:
                result[number] = self.matched(number, event)
            else:
                result[number] = self.astray(number, events, position, frozenset({**dict(before), **settled}.items()))
        return result

    def latest(self, events: list[int]) -> list[dict[int, set[int]]]:
        """Return for each event the state after it, by lines: the position in each function, and each present call."""
        result: list[dict[int, set[int]]] = [{}]
        functions: dict[str, int] = {}
        calls: dict[int, int] = {}
        for event in events:
            name, _, call, _ = self.events[event]
            functions[name] = calls[call] = event
            under_way = [calls[outer] for outer in self.bindings.outer(call) if outer in calls]
            lines: dict[int, set[int]] = {}
            for one in {*functions.values(), *under_way}:
                if self.events[one][0] not in self.bindings.loops:
                    lines.setdefault(self.events[one][1], set()).add(one)
            result.append(lines)
        return result

    def astray(self, number: int, events: list[int], position: int, bound: Bound) -> Matched:
        """Return the verdict for a stray stop: by the last event before it of the function, in the call that it is in,
        or by the next event, or by those on its line if that call is known; the event that agrees best with the stop is
        taken."""
        name = self.function(self.stops[number]["line"])
        own = [place for place, event in enumerate(events) if self.events[event][0] == name]
        mine = [place for place in own if self.bindings.bind(bound, number, events[place]) is not None] or own
        near = [p for p in mine if p < position][-1:] + [p for p in mine if p >= position][:1]
        if len({self.events[events[p]][2] for p in mine}) == 1:  # that call was at the stop's line
            near += [p for p in mine if self.events[events[p]][1] == self.stops[number]["line"]]
        if not near or name in self.bindings.loops:  # which call the stop is in is not known
            return self.matched(number, None)
        return self.matched(number, min((events[p] for p in near), key=lambda event: self.lies(number, event)), True)
