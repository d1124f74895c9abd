"""The binding of each activation of compiled code to a call of the Python run.

A frame of a function is one call of it, from its first stop to its last, and a later frame is a later call; its caller
is at the line of the call. Calls that LLVM has inlined are distinguished by their place in the caller's frame: another
place is another call, but a loop may come to one place in several calls, one after the other, all from one place of the
source. A function that Numba has inlined is on its own lines in the function around it: the calls follow one another. A
function that calls itself, and has fewer activations than calls, is a loop; one with more frames than calls has parts
that were lifted out of it; and one with fewer, that is nowhere inlined, is a stencil's, which goes through all
elements: nothing is known of their calls."""

from __future__ import annotations

import collections
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from .judge import KERNEL

Key = tuple[int, str]  # an activation's number, and its function; 0: no later call of the function may be this or less
Bound = frozenset[tuple[Key, int]]
NONE: Bound = frozenset()


def function_at(functions: Mapping[str, dict[str, Any]], line: int, begins: str = "first") -> str | None:
    """Return the innermost function that the line is in."""
    around = [(f["last"] - f[begins], n) for n, f in functions.items() if f[begins] <= line <= f["last"]]
    return min(around)[1] if around else None


def function_of(functions: Mapping[str, dict[str, Any]], frame: dict[str, Any]) -> str | None:
    if frame["inline"]:  # for an inlined function, GDB gives the line of its call
        return function_at(functions, frame["line"])
    return function_at(functions, frame["declared"], "begins")


class Frame(NamedTuple):
    number: int
    name: str
    inline: bool
    line: int


class Bindings:
    """The bindings within one call from outside: its events, the caller of each call in it, and its stops."""

    def __init__(
        self,
        functions: Mapping[str, dict[str, Any]],
        events: list[list[Any]],
        callers: list[list[int]],
        stops: list[dict[str, Any]],
        shared: bool = False,
    ) -> None:
        """Index the calls and frames. `shared`: several threads make the calls, and the stops are those of one."""
        self.functions = functions
        self.events = events
        self.name = {call: name for name, _, call, _ in events}
        self.caller = {call: caller for call, caller, _, _ in callers}
        self.line = {call: line for call, _, line, _ in callers}
        self.site = {call: offset for call, _, _, offset in callers}
        self.lines = {(self.name.get(call), line) for call, line in self.line.items()}
        self.calls: dict[str | None, list[int]] = collections.defaultdict(list)
        for call in sorted(self.name):
            self.calls[self.name[call]].append(call)
        self.frames = [self.known(stop) for stop in stops]
        for at, stop in enumerate(stops):  # frames that Python does not have, such as a ufunc's around its function
            if all(self.wanted(at, call) is None for call in self.calls[function_at(functions, stop["line"])]):
                self.frames[at] = []
        activations = sorted({frame[:3] for frames in self.frames for frame in frames})
        self.own: dict[str, list[Key]] = collections.defaultdict(list)  # for each function: its frames, in order
        for number, name, inline in activations:
            if not inline:
                self.own[name].append((number, name))
        seen = collections.Counter(name for _, name, _ in activations)
        recursive = {self.name[call] for call in self.name if self.name[call] in map(self.name.get, self.outer(call))}
        self.loops = {name for name in recursive if seen[name] < len(self.calls[name])}
        in_parts = {name for name in self.own if len(self.own[name]) > len(self.calls[name])}
        placed = {name for _, name, inline in activations if inline}
        at_once = {name for name in self.own if len(self.own[name]) < len(self.calls[name])} - placed
        self.free = self.loops | in_parts | (set() if shared else at_once)
        self.last: dict[int, int] = {}  # for each number: the last stop in it
        for at, frames in enumerate(self.frames):
            self.last.update((frame.number, at) for frame in frames)
        self.cache: dict[tuple[Bound, int, int], Bound | None] = {}

    def known(self, stop: dict[str, Any]) -> list[Frame]:
        """Return the frames of a stop, innermost first; in a parallel loop's worker, the frames that it has called;
        none if one is not known."""
        found: list[Frame] = []
        for frame in reversed(stop.get("frames", [])):
            if KERNEL.search(frame["name"]):
                return found
            name = function_of(self.functions, frame)
            if name is None:
                return []
            found.append(Frame(frame["number"], name, frame["inline"], frame["line"]))
        return found

    def is_own(self, key: Key) -> bool:
        """True if the activation is a frame of its own."""
        return key in self.own[key[1]]

    def outer(self, call: int) -> Iterator[int]:
        """Yield the calls around a call, innermost first."""
        while call in self.caller:
            call = self.caller[call]
            yield call

    def wanted(self, stop: int, call: int) -> list[tuple[Key, int, str]] | None:
        """Return the bindings of activations to calls if the stop were in this call, with their kinds: frames, LLVM's
        places, or Numba's; None if it cannot be there."""
        frames, calls = self.frames[stop], [call, *self.outer(call)]
        found: list[tuple[Key, int, str]] = []
        if frames and frames[0].name != self.name[call]:
            found.append(((frames[0].number, self.name[call]), call, "Numba's"))
        for frame in frames:
            while calls and self.name.get(calls[0]) != frame.name:
                calls.pop(0)
            if not calls or (found and not self.called_at(*found[-1][1:], calls[0], frame.line)):
                return None
            found.append(((frame.number, frame.name), calls.pop(0), "place" if frame.inline else "frame"))
        return found

    def called_at(self, call: int, kind: str, caller: int, line: int) -> bool:
        """True if the caller called it there, as far as that is known. For a call of several lines the compiler may
        have another line."""
        if kind == "Numba's" or self.caller[call] != caller:
            return True
        return self.line[call] == line or (self.name[call], line) not in self.lines

    def bind(self, bound: Bound, stop: int, event: int) -> Bound | None:
        """Return the bindings when the stop is at the event; None if it cannot be there."""
        key = (bound, stop, self.events[event][2])
        if key not in self.cache:
            self.cache[key] = self.bind_call(*key)
        return self.cache[key]

    def bind_call(self, bound: Bound, stop: int, call: int) -> Bound | None:
        wanted = self.wanted(stop, call)
        if wanted is None:
            return None
        now = dict(bound)
        for key, found, kind in wanted:
            if key[1] in self.free or now.get(key) == found:
                continue
            if kind == "frame" and (key in now or not self.in_order(now, key, found)):
                return None
            if kind == "place" and key in now and self.site.get(now[key]) != self.site.get(found):
                return None
            if found <= max(now.get(key, -1), now.get((0, key[1]), -1)):
                return None
            if any(other[1] == key[1] and other[0] and where == found for other, where in now.items()):
                return None
            now[key] = found
        return frozenset(now.items())

    def in_order(self, now: dict[Key, int], key: Key, call: int) -> bool:
        """True if a frame may be that call: enough calls are left for the frames before and after it, and the call is
        after those that are bound."""
        frames, calls = self.own[key[1]], self.calls[key[1]]
        before, at = frames.index(key), calls.index(call)
        behind = len(frames) - before - 1
        if not before <= at < len(calls) - behind:
            return False
        return all((frame < key) == (now[frame] < call) for frame in frames if frame in now)

    def behind(self, bound: Bound, stop: int) -> Bound:
        """Return the bindings after the stop: an activation that is over leaves its function's last call."""
        now = dict(bound)
        for key, call in bound:
            if key[0] and self.last[key[0]] <= stop:
                del now[key]
                over = (0, key[1])
                now[over] = max(now.get(over, -1), call)
        return frozenset(now.items())
