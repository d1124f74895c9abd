"""Which frames were active where an exception was raised: those that all ways from the called function to the places
that raise this exception have in common. Nothing is guessed: where several ways are possible, their frames are left
out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple, Union

from jitscope.compiler.raised.machine_code import Lines
from jitscope.compiler.raised.places import INLINED
from jitscope.compiler.raised.sites import Function, Key, Sites, is_same

_WAYS = 64  # most ways that are compared
_VISITS = 4096  # most visits of functions: functions without frames add none to a way, and many ways may be equal


class Frame(NamedTuple):
    function: Function
    line: int


class Chain(NamedTuple):
    """`outer`, `inner`: frames, the outermost first; what is between them is not known. `reason`: why, or None: the
    frames in `outer` are all. `recorded`: for frames in `outer`, from the first on, the number of the place that marked
    code has recorded with the frame's variables, the innermost 0; None: it has not."""

    outer: tuple[Frame, ...]
    inner: tuple[Frame, ...]
    reason: str | None
    recorded: tuple[int | None, ...] = ()


class TooMany(Exception):
    pass


class _Again(NamedTuple):
    """The end of a way that comes to a function a second time."""

    symbol: str


Way = tuple[Union[Frame, _Again, None], ...]


class Ways:
    """The ways from a function to the places that raise one exception."""

    def __init__(self, sites: Mapping[str, Sites], key: Key) -> None:
        """`reaching`: the functions from which the exception may come."""
        self._sites, self._key = sites, key
        self.reaching = self._find_reaching()
        self.is_cyclic = False
        self._visits = 0
        self._found: dict[str, dict[Way, None]] = {}  # ways that do not depend on the callers, by the function

    def _find_reaching(self) -> set[str]:
        """Return the functions from which the exception may come."""
        callers: dict[str, set[str]] = {}
        for symbol, its in self._sites.items():
            for _, callee in its.calls:
                callers.setdefault(callee, set()).add(symbol)
        waiting = [
            symbol for symbol, its in self._sites.items() if any(is_same(key, self._key) for _, key in its.raises)
        ]
        waiting += [callee for callee in callers if callee not in self._sites]  # nothing is known of these
        found = set(waiting)
        while waiting:
            new = callers.get(waiting.pop(), set()) - found
            found |= new
            waiting += new
        return found

    def of(self, symbol: str, within: tuple[str, ...] = ()) -> dict[Way, None]:
        """Return the ways from the function on; None in place of frames that are not known."""
        if symbol in within:
            self.is_cyclic = True
            return {(_Again(symbol),): None}
        its = self._sites.get(symbol)
        if its is None:
            return {(None,): None}
        if symbol in self._found:
            return self._found[symbol]
        self._visits += 1
        if self._visits > _VISITS:
            raise TooMany
        found: dict[Way, None] = {}
        for place, key in its.raises:
            if is_same(key, self._key):
                found[frames_of(its, place)] = None
        for place, callee in its.calls:
            if callee in self.reaching:
                for rest in self.of(callee, (*within, symbol)):
                    found[(*frames_of(its, place), *rest)] = None
            if len(found) > _WAYS:
                raise TooMany
        # a way that comes to this function again ends as one that does not
        ends = [way for way in found if not (way and isinstance(way[-1], _Again))] if self.is_cyclic else []
        for way in list(found) if self.is_cyclic else ():
            if way[-1:] == (_Again(symbol),):
                del found[way]
                found.update(dict.fromkeys((*way[:-1], None, *end) for end in ends))
        if len(found) > _WAYS:
            raise TooMany
        if not any(isinstance(way[-1], _Again) for way in found if way):
            self._found[symbol] = found
        return found

    def along(self, symbol: str, lines: Lines) -> dict[Way, None]:
        """Return the ways from the function on that begin with frames at these lines."""
        if not lines:
            return self.of(symbol)
        its = self._sites.get(symbol)
        if its is None:
            return {(None,): None}
        self._visits += 1
        if self._visits > _VISITS:
            raise TooMany
        found: dict[Way, None] = {}
        for place, key in its.raises:
            frames = frames_of(its, place)
            if is_same(key, self._key) and _lines(frames) == lines:
                found[frames] = None
        for place, callee in its.calls:
            frames = frames_of(its, place)
            if callee in self.reaching and _lines(frames) == lines[: len(frames)]:
                for rest in self.along(callee, lines[len(frames) :]):
                    found[(*frames, *rest)] = None
            if len(found) > _WAYS:
                raise TooMany
        return found

    def called_at(self, symbol: str, lines: Lines) -> set[str] | None:
        """Return the functions from which the exception may come and that code of this function calls which has these
        lines, with what LLVM has inlined in it; None: it may be other code that has them."""
        found: set[str] = set()
        waiting, seen = [(symbol, lines)], set[tuple[str, Lines]]()
        while waiting:
            one = waiting.pop()
            if one in seen:
                continue
            seen.add(one)
            symbol, rest = one
            its = self._sites.get(symbol)
            if its is None or len(seen) > _VISITS or _hides(its, rest):
                return None
            for place, callee in its.calls:
                frames = frames_of(its, place)
                if callee in self.reaching and _lines(frames) == rest[: len(frames)]:
                    if len(frames) == len(rest):
                        found.add(callee)
                    inner = self._sites.get(callee)
                    if len(frames) < len(rest) or (inner is not None and inner.function is None):
                        waiting.append((callee, rest[len(frames) :]))
        return found

    def raises_at(self, symbol: str, lines: Lines) -> bool:
        """True if code of this function with these lines, which LLVM may have inlined, may raise the exception."""
        try:
            return any(_lines(way) == lines for way in self.along(symbol, lines))
        except TooMany:
            return True


def _lines(frames: Iterable[Frame | _Again | None]) -> Lines:
    return tuple((each.function.file, each.line) if isinstance(each, Frame) else ("", 0) for each in frames)


def _hides(its: Sites, lines: Lines) -> bool:
    """True if code at the first line may be of a function that Numba has inlined, which has no frame of its own in the
    machine code."""
    inlined = (each for way in its.inlined for each in way)
    own = its.function
    return own is not None and any(
        (code or own).file == file and line == own_line for code, own_line in inlined for file, line in lines[:1]
    )


def frames_of(its: Sites, place: int) -> tuple[Frame | None, ...]:
    """Return the frames of a place in a function; none for a function of Numba's own."""
    function = its.function
    if function is None:
        return ()
    if place < INLINED:
        return (Frame(function, place) if place in function.lines else None,)
    ways = its.inlined[place - INLINED]
    # a function without lines is one whose file has other contents by now
    return tuple(Frame(each or function, line) if (each or function).lines else None for each, line in ways)


def _shared(ways: Iterable[Way]) -> tuple[Frame, ...]:
    """Return the frames with which all ways begin."""
    found = []
    for first, *others in zip(*ways):
        if not isinstance(first, Frame) or any(one != first for one in others):
            break
        found.append(first)
    return tuple(found)


def find(sites: Mapping[str, Sites], entry: str, key: Key, before: Way = (), within: Lines = ()) -> Chain:
    """Return the frames of an exception that the function with the symbol `entry` has raised. `before`: frames that
    are known, of functions that have called it. `within`: the first frames from this function on, as far as they are
    known."""
    ways = Ways(sites, key)
    try:
        found = [(*before, *way) for way in (ways.along(entry, within) if within else ways.of(entry))]
    except TooMany:
        return of_ways([(*before, None)], "too many calls lead to it")
    if not found:
        return of_ways([(*before, None)], "no known function raises it")
    if len(found) > 1:
        reason = "it is recursive" if ways.is_cyclic else "several calls lead to it"
    else:
        reason = "the line of a function is not known"
    return of_ways(found, reason)


def of_ways(ways: Sequence[Way], reason: str) -> Chain:
    """Return what the ways share. `reason`: why it is not all."""
    outer = _shared(ways)
    if len(ways) == 1 and len(outer) == len(ways[0]):
        return Chain(outer, (), None)
    return Chain(outer, _shared([way[len(outer) :][::-1] for way in ways])[::-1], reason)


def recorded(sites: Mapping[str, Sites], entry: str, key: Key, places: Sequence[tuple[str, int]]) -> Chain | None:
    """Return the frames that marked code has recorded, the innermost first; None: the called function is not marked.
    The innermost function may be one that is not marked: its way to the place that raises is not recorded."""
    if len(places) < 1 or places[-1][0] != entry:
        return None
    (innermost, _), *outer = places
    if any(symbol not in sites or not sites[symbol].is_marked for symbol, _ in outer):
        return None
    its = sites.get(innermost)
    is_last = its is not None and its.is_marked
    if not is_last and not outer:
        return None
    way: list[Frame | None] = []
    numbers: list[int | None] = []
    for number in range(len(places) - 1, -1 if is_last else 0, -1):
        symbol, at = places[number]
        found = frames_of(sites[symbol], at)
        way += found
        numbers += [number, *[None] * (len(found) - 1)] if found else []
    if is_last:
        chain = of_ways([tuple(way)], "the line of a function is not known")
    else:
        chain = find(sites, innermost, key, tuple(way))
    return chain._replace(recorded=tuple(numbers[: len(chain.outer)]))
