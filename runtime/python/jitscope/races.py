"""`jitscope.race_check`: a check for conflicts between the threads of a parallel loop."""

from __future__ import annotations

import ctypes
import dataclasses
import os
from collections.abc import Iterator
from typing import Any

import numba

from jitscope import copies, published, stops
from jitscope.compiler import is_present
from jitscope.compiler.services import accesses
from jitscope.compiler.services.accesses import Site, sites
from jitscope.schedules import schedule, why_not

_SHOWN = 4  # indices of each race and difference in the text
SEQUENTIAL = "parallel=False"
_RESULT = "the result"
_ORDERS = (("dealt", 0), ("dealt", 0), ("reverse", 0), ("shuffle", 1), ("shuffle", 2))


# -- the report


@dataclasses.dataclass(frozen=True)
class Access:
    """One side of a race."""

    #: `"read"` or `"write"`.
    kind: str
    #: The path of the source file.
    file: str
    line: int

    def __str__(self) -> str:
        return f"{'written' if self.kind == 'write' else 'read'} at {os.path.basename(self.file)}:{self.line}"


@dataclasses.dataclass(frozen=True)
class Race:
    """Elements of an array that one worker writes, and another one reads or writes; or a list, set or dict that one
    worker changes, and another one reads or changes."""

    #: The name of the array or container in the source, as `self.items` for an attribute; None where it has none.
    array: str | None
    first: Access
    second: Access
    #: The indices of the elements, the first ones. A container is one element with the index ().
    indices: tuple[tuple[int, ...], ...]
    #: For each of the indices, the worker of `first` and the worker of `second`.
    workers: tuple[tuple[int, int], ...]
    #: True if `indices` has all elements.
    is_complete: bool
    #: `"list"`, for example; `""` for an array.
    container: str = ""

    def __str__(self) -> str:
        if self.container:
            one, other = self.workers[0]
            what = f"{self.array}, a {self.container}" if self.array else f"a {self.container}"
            return f"{what}: {self._container_side(self.first, one)}, {self._container_side(self.second, other)}"
        name = self.array or "an array"
        places = [f"{name}[{', '.join(map(str, index))}]" for index in self.indices[:_SHOWN]]
        more = len(self.indices) > _SHOWN or not self.is_complete
        if len(set(self.workers)) == 1 and self.is_complete:
            one, other = self.workers[0]
            shown = ", ".join(places) + (" …" if more else "")
            return f"{shown}: {self.first} by worker {one}, {self.second} by worker {other}"
        # The elements are not all of the same two workers, or it is not known of all of them.
        each = [f"{place} (workers {one} and {other})" for place, (one, other) in zip(places, self.workers)]
        return (
            f"{', '.join(each) or name}{' …' if more else ''}: {self.first} by the first of the two, "
            f"{self.second} by the other"
        )

    @staticmethod
    def _container_side(side: Access, worker: int) -> str:
        did = "changed" if side.kind == "write" else "read"
        return f"{did} at {os.path.basename(side.file)}:{side.line} by worker {worker}"


@dataclasses.dataclass(frozen=True)
class Difference:
    """A result that differs when the workers run in another order, or when the function is not parallel."""

    #: An argument's name, or `"the result"`.
    what: str
    #: The order, as `schedule` takes it, or `"parallel=False"`.
    order: str
    #: The indices of the elements that differ, the first ones.
    indices: tuple[tuple[int, ...], ...]
    #: How many elements differ.
    count: int
    #: The value in the order `"serial"`, at the first of `indices`.
    before: str
    #: The value in the other order, at the first of `indices`.
    after: str

    def __str__(self) -> str:
        other = "in the order 'serial'"
        order = "in parallel" if self.order == "dealt" else f"in the order {self.order!r}"
        if self.order == SEQUENTIAL:
            order, other = f"with {SEQUENTIAL}", "with parallel=True"
        if not self.indices or self.indices[0] == ():
            return f"{self.what} is {self.after} {order}, {self.before} {other}"
        at = ", ".join(map(str, self.indices[0]))
        more = f" and {self.count - 1} more" if self.count > 1 else ""
        return f"{self.what}[{at}]{more} is {self.after} {order}, {self.before} {other}"


@dataclasses.dataclass(frozen=True)
class Report:
    """What `race_check` has found. A report is true if several workers were compared, and nothing was found."""

    #: The function's name.
    function: str
    #: Threads of the parallel loops.
    workers: int
    #: Parallel loops that have run while accesses were recorded.
    launches: int
    #: Recorded reads and writes of arrays and of the memory of lists, sets and dicts. Each part of a complex element
    #: counts.
    accesses: int
    races: tuple[Race, ...]
    differences: tuple[Difference, ...]
    #: A sentence for each thing that was not compared, and for the reason.
    notes: tuple[str, ...]
    #: The names of parts whose accesses are not recorded, such as `"numba_xxgemm()"`.
    unrecorded: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return self._is_checked and not self.races and not self.differences

    @property
    def _is_checked(self) -> bool:
        return self.launches > 0 and self.workers > 1

    @property
    def _found(self) -> str:
        if self.races:
            return _count(len(self.races), "race")
        if not self._is_checked:
            return "not checked"
        if self.differences:
            return "results differ"
        return "no race in what was recorded" if self.unrecorded else "no race"

    def __str__(self) -> str:
        counts = f"{_count(self.launches, 'parallel loop')}, {_count(self.workers, 'worker')}, {self.accesses} accesses"
        lines = [f"{self.function}: {self._found} ({counts})"]
        lines += [f"  {race}" for race in self.races]
        lines += [f"  {difference}" for difference in self.differences]
        lines += [f"  not recorded: {part}" for part in self.unrecorded]
        return "\n".join([*lines, *(f"  note: {note}" for note in self.notes)])

    def as_dict(self) -> dict[str, Any]:
        """Return the report as dictionaries and lists, for `json.dumps`."""
        return dataclasses.asdict(self)


def _count(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"


# -- the check


def race_check(function: Any, *arguments: Any) -> Report:
    """Run a parallel function on copies of its arguments, and report where its workers get in each other's way.

    The function runs once with each access recorded, compiled for that: an element that one worker writes and another
    one reads or writes is a race, whether it did harm this time or not, and so is a list, set or dict that one worker
    changes and another one uses. It also runs as it is, in parallel and in other orders (`schedule`), where all that
    comes out must be the same to the bit, and without `parallel=True`, where floats may differ by rounding (not if it
    asks for its thread's number). If the
    workers change a container, it does not run in parallel, since that may end the program. What is the same thread by
    thread is not reported: sums, the elements that are each worker's own.

    This takes some seconds for the compiling, and ten times as long as the function itself or more.

    Args:
        function: what `@njit(parallel=True)` has returned.
        arguments: the arguments of the function, which stay as they are.

    Returns:
        A report, which is true if several workers were compared and nothing was found; `str()` of it is for people.

    Raises:
        TypeError: `function` is no such function, or an argument cannot be copied.
        RuntimeError: Numba runs without jitscope (`JITSCOPE=0`, for example).
        OSError: `libjitscope.so` cannot be loaded.

    Example::

        import numpy as np
        from numba import njit, prange
        import jitscope

        @njit(parallel=True)
        def shift(a):
            for i in prange(a.size - 1):
                a[i] = a[i + 1]

        report = jitscope.race_check(shift, np.arange(1000.0))
        print(report)
    """
    _require(function)
    notes: list[str] = []
    recorded = _Recorded(function, arguments, notes)
    is_safe = not any(race.container for race in recorded.races)
    if not is_safe:
        notes.append("the function is not run in parallel, as changes of a container by several threads may end it")
    try:
        differences = tuple(_differences(function, arguments, notes, is_safe, recorded.asks_thread))
    except RecursionError:
        differences = ()
        notes.append("results are not compared, since instances in the arguments refer to each other in a circle")
    return Report(
        function.py_func.__name__,
        recorded.workers,
        recorded.launches,
        recorded.accesses,
        tuple(recorded.races),
        differences,
        tuple(notes),
        recorded.unrecorded,
    )


def _require(function: Any) -> None:
    if not is_present() and getattr(function, "signatures", None):
        raise RuntimeError("Numba has compiled this function without jitscope: install jitscope beside this Numba")
    if reason := why_not():
        raise RuntimeError(f"jitscope.race_check() can't look here: {reason}")
    if not getattr(function, "targetoptions", {}).get("parallel") or not hasattr(function, "py_func"):
        raise TypeError(f"race_check() takes a function of @njit(parallel=True), not {function!r}")


# -- recorded accesses


def _index_of(array: published.Array, address: int) -> tuple[int, ...] | None:
    """Return the index of the element that has this byte; None: no element of this array has it."""
    left, index = address - array.data, [0] * array.ndim
    axes = [axis for axis in range(array.ndim) if array.strides[axis]]
    for axis in axes:
        if array.strides[axis] < 0:  # counted from the other end
            left -= (array.shape[axis] - 1) * array.strides[axis]
    for axis in sorted(axes, key=lambda axis: -abs(array.strides[axis])):
        index[axis], left = divmod(left, abs(array.strides[axis]))
    for axis in axes:
        if not 0 <= index[axis] < array.shape[axis]:
            return None
        if array.strides[axis] < 0:
            index[axis] = array.shape[axis] - 1 - index[axis]
    return tuple(index) if 0 <= left < array.itemsize else None


class _Recorded:
    """One run in which each access is recorded."""

    def __init__(self, function: Any, arguments: tuple[Any, ...], notes: list[str]) -> None:
        self.workers: int = numba.get_num_threads()
        self.launches = self.accesses = 0
        self.races: list[Race] = []
        self.unrecorded: tuple[str, ...] = ()
        self.asks_thread = True  # unless it is known that the function does not
        self._names = function.py_func.__code__.co_varnames
        if self.workers < 2:
            cure = "set NUMBA_NUM_THREADS, or call numba.set_num_threads()"
            notes.append(f"one worker runs all iterations, so there is nothing to compare: {cure}")
        if function.py_func.__code__.co_filename == "<string>":
            notes.append(
                "accesses of a function without a file (<string>) are not recorded: write the function to a file"
            )
            return
        if (made := _compiled(function, arguments, notes)) is None:
            return
        self.unrecorded, self.asks_thread = made.unreported, made.asks_thread
        library = stops.library()
        library.jitscope_accesses_end.restype = ctypes.POINTER(published.Accesses)
        copied = copies.of(arguments)
        with schedule("serial"):
            library.jitscope_accesses_begin()
            try:
                made.function(*copied)
            except Exception as error:
                notes.append(f"the function has raised {type(error).__name__}: {error}")
            finally:
                found = library.jitscope_accesses_end().contents
        self._read(found, notes)

    def _read(self, found: published.Accesses, notes: list[str]) -> None:
        self.launches, self.accesses = found.launches, found.count
        if not found.launches:
            notes.append("no parallel loop has run")
        if found.lost:
            notes.append("some accesses are not recorded, since there is no room for more: check a shorter loop")
        arrays = [found.arrays[n] for n in range(found.narrays)]
        merged: dict[Any, _Merged] = {}
        for n in range(found.nconflicts):
            _merge(merged, found.conflicts[n], [a for a in arrays if a.launch == found.conflicts[n].launch])
        self.races = list(_without_reads([each.race(self._names) for each in merged.values()]))


def _compiled(function: Any, arguments: tuple[Any, ...], notes: list[str]) -> accesses.Compiled | None:
    reason = accesses.check()
    if reason is None:
        try:
            return accesses.compiled(function, arguments)
        except Exception as error:  # an error of the compiler, of whatever kind: results can still be compared
            reason = ": ".join([type(error).__name__, *str(error).strip().splitlines()[:1]])
    notes.append(f"accesses are not recorded: {reason}")
    return None


class _Merged:
    """The conflicts of the same array or container between the same two lines."""

    def __init__(self, site: Site, sides: tuple[Access, Access]) -> None:
        self.site, self.sides = site, sides
        self.places: dict[tuple[int, ...], tuple[int, int]] = {}
        self.is_complete = True

    def race(self, names: tuple[str, ...]) -> Race:
        name, (first, second) = _users(self.site.name, names), self.sides
        if name and self.site.member:
            name += f".{self.site.member}"
        places = dict(sorted(self.places.items()))
        workers = tuple(places.values())
        return Race(name, first, second, tuple(places), workers, self.is_complete, self.site.container)


def _merge(merged: dict[Any, _Merged], conflict: published.Conflict, arrays: list[published.Array]) -> None:
    ends = [sites[number] for number in conflict.sites]
    sides = [Access("write" if writes else "read", site.file, site.line) for site, writes in zip(ends, conflict.writes)]
    order = sorted((0, 1), key=lambda side: (sides[side].kind != "write", sides[side].line))
    for place in conflict.places[: conflict.nplaces]:
        array, index = _element(place.address, arrays, ends)
        if array is None:
            continue
        site = sites[array.name]
        key = (site.name, site.member, *(sides[side] for side in order))
        one = merged.setdefault(key, _Merged(site, (sides[order[0]], sides[order[1]])))
        one.places.setdefault(index, (place.shares[order[0]], place.shares[order[1]]))
        one.is_complete = one.is_complete and conflict.nplaces < published.PLACES


def _without_reads(races: list[Race]) -> Iterator[Race]:
    """Yield the races, but of a container that two lines change not also that one of the lines reads it."""
    changed = {(each.array, each.first.line, each.second.line) for each in races if each.second.kind == "write"}
    for each in races:
        key = each.array, each.first.line, each.second.line
        if not each.container or each.second.kind == "write" or key not in changed:
            yield each


def _element(
    address: int, arrays: list[published.Array], ends: list[Site]
) -> tuple[published.Array | None, tuple[int, ...]]:
    """Return the array and index of the accessed element, if the array is one of those that the loop was given."""
    found = [(array, index) for array in arrays if (index := _index_of(array, address)) is not None]
    named = {end.name for end in ends}
    found.sort(key=lambda each: sites[each[0].name].name not in named)
    return found[0] if found else (None, ())


def _users(variable: str | None, names: tuple[str, ...]) -> str | None:
    """Return the variable's name in the source: Numba adds numbers (`out.2`, `out_2`)."""
    name = (variable or "").lstrip("$")
    while name and name not in names:
        head, _, last = name.replace(".", "_").rpartition("_")
        if not last.isdigit():
            return None
        name = head
    return name or None


# -- results


def _differences(
    function: Any, arguments: tuple[Any, ...], notes: list[str], is_safe: bool, asks_thread: bool
) -> Iterator[Difference]:
    """Yield what differs between the orders, and without parallel=True. `is_safe`: the function may run in parallel.
    `asks_thread`: its results depend on the thread, so that they are not compared with those without threads."""
    names = [f"argument {n + 1}" for n in range(len(arguments))]
    names = [*function.py_func.__code__.co_varnames[: len(arguments)], *names][: len(arguments)]

    def outcome(order: str, seed: int = 0, runs: Any = function) -> Any:
        copied = copies.of(arguments)
        with schedule(order, seed=seed):
            try:
                result = runs(*copied)
            except Exception as error:
                result = f"{type(error).__name__}: {error}"
        return [*zip(names, copied), (_RESULT, result)]

    before = outcome("serial")
    if any(True for _ in _compare("", before, outcome("serial"))):
        notes.append("results are not compared, since they differ from run to run in the same order")
        return
    seen = set()
    for order, seed in _ORDERS:
        for difference in _compare(order, before, outcome(order, seed)) if is_safe or order != "dealt" else ():
            if (difference.what, order) not in seen:
                seen.add((difference.what, order))
                yield difference
    if not asks_thread:
        yield from _compare(SEQUENTIAL, before, outcome("serial", runs=_sequential(function)), is_rounded=True)


def _sequential(function: Any) -> Any:
    """Return the function without parallel=True."""
    options = {name: value for name, value in function.targetoptions.items() if name != "parallel"}
    return type(function)(
        function.py_func,
        locals=function.locals,
        targetoptions=options,
        pipeline_class=function._compiler.pipeline_class,
    )


def _compare(order: str, before: Any, after: Any, is_rounded: bool = False) -> Iterator[Difference]:
    """Yield what differs, but of the result not what differs so in an argument: often, that argument is the result."""
    scale = max(copies.scale_of([value for _, value in outcome]) for outcome in (before, after)) if is_rounded else None
    seen = set()
    for (what, one), (_, other) in zip(before, after):
        for path, places, count, texts in copies.differences(one, other, scale=scale):
            found = places, count, texts
            if what != _RESULT or not places or found not in seen:
                yield Difference(what + path, order, places, count, *texts)
            seen.add(found)
