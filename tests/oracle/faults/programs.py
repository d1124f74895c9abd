"""Programs with accesses outside of arrays."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

_TYPES = ("f8", "f4", "i8", "i4", "u1", "u2")
_NAMES = ("a", "b", "rows", "weights", "out", "grid", "values", "marks")
_HEAD = '''\
import numpy as np
import numba
from numba import njit
from numba.experimental import jitclass
from numba.typed import Dict, List

POINT = np.dtype([("flag", "u1"), ("x", "f8"), ("y", "i4")])


def keyed(arrays):
    made = Dict()
    for number, array in enumerate(arrays):
        made[number] = array
    return made



@jitclass([("w", numba.float64[:]), ("m", numba.int64[:, :]), ("k", numba.int64)])
class Box:
    def __init__(self, w, m):
        self.w = w
        self.m = m
        self.k = 1


kept = []  # a list that is freed would leave its memory, and what Numba notes about it, to the next one


def attempt(name, function, *arguments):
    """Call a function, which the debugger has return at its fault."""
    kept.append(arguments)
    try:
        function(*arguments)
    except SystemError:
        return
    print("no fault in", name, flush=True)
'''


@dataclass(frozen=True)
class Fault:
    """What a true explanation says."""

    name: str  # that the call has
    line: int
    array: str
    axis: int
    index: int | None  # None: the program says it, or `within` is set
    size: int  # elements along the axis; of the whole array, if `within` is set
    same: tuple[str, int] | None  # if this array is a view, the array it is a view of, and the axis of that
    # for an access within an array that has less memory: the element, and how many have memory, read-only, or nothing
    within: tuple[tuple[int, ...], str] | None = None


@dataclass
class _Subscript:
    text: str  # the array, as the source has it
    shape: tuple[int, ...]
    indices: list[str]
    variables: list[str]  # one for each axis: the argument that the axis's index is made of
    values: list[tuple[int, int]]  # one for each axis: the index is factor * argument + offset
    base: tuple[
        str, int, int
    ]  # the array that this one is a view of, or "", its axes before, and those with other indices
    shown: str  # the array, as an explanation names it


@dataclass
class _Function:
    name: str
    parameters: list[str] = field(default_factory=list)
    arguments: list[str] = field(default_factory=list)  # Python texts, one for each parameter
    setup: list[str] = field(default_factory=list)  # statements before the access
    places: list[str] = field(default_factory=list)  # assignments of indices, just before the access
    subscripts: list[_Subscript] = field(default_factory=list)


def _array(chance: random.Random, shape: tuple[int, ...], kind: str) -> str:
    made = f"np.ones({shape}, {kind!r})"
    if chance.random() < 0.15:  # not contiguous
        doubled = (*shape[:-1], 2 * shape[-1])
        made = f"np.ones({doubled}, {kind!r})[..., ::2]"
    elif len(shape) > 1 and chance.random() < 0.15:
        made = f"np.ones({shape[::-1]}, {kind!r}).T"
    return made


def _index(chance: random.Random, variable: str) -> tuple[str, tuple[int, int]]:
    """Return an index that is made of the variable, and its factor and offset."""
    offset = chance.randint(1, 3)
    return chance.choice(
        [
            (variable, (1, 0)),
            (variable, (1, 0)),
            (f"{variable} + {offset}", (1, offset)),
            (f"{variable} - {offset}", (1, -offset)),
            (f"2 * {variable}", (2, 0)),
            (f"{variable} * 3 + 1", (3, 1)),
            (f"{offset} - {variable}", (-1, offset)),
        ]
    )


def _subscript(chance: random.Random, made: _Function, number: int, variables: list[str]) -> _Subscript:
    shape = tuple(chance.randint(12, 40) for _ in range(chance.choice((1, 1, 1, 2, 2, 3))))
    name = text = f"{chance.choice(_NAMES)}{number}"
    kind = chance.choice(_TYPES)
    way = chance.random()
    base = ("", 0, 0)
    if chance.random() < 0.2:
        text, shown = _held(chance, made, number, shape, kind)
        return _indexed(chance, made, number, variables, shape, (text, shown, base))
    if way < 0.55:
        made.arguments.append(_array(chance, shape, kind))
        made.parameters.append(name)
    elif way < 0.65:  # an attribute
        shape = chance.choice(((shape[0],), (shape[0], 17)))
        box = f"box{number}"
        made.parameters.append(box)
        first = f"np.ones({shape[0]})" if len(shape) == 1 else "np.ones(9)"
        second = f"np.ones({shape}, 'i8')" if len(shape) == 2 else "np.ones((5, 5), 'i8')"
        made.arguments.append(f"Box({first}, {second})")
        text = f"{box}.w" if len(shape) == 1 else f"{box}.m"
    elif way < 0.75:  # an element of a tuple
        made.parameters.append(f"pair{number}")
        made.arguments.append(f"(np.ones({shape}, {kind!r}), np.ones({shape}, {kind!r}))")
        text = f"pair{number}[{chance.randint(0, 1)}]"
    elif way < 0.85:  # a row
        made.parameters.append(f"base{number}")
        made.arguments.append(f"np.ones({(3, *shape)}, {kind!r})")
        made.setup.append(f"{name} = base{number}[1]")
        base = (f"base{number}", 1, 0)
    elif way < 0.95:  # a slice
        made.parameters.append(f"base{number}")
        made.arguments.append(f"np.ones({(shape[0] + 5, *shape[1:])}, {kind!r})")
        made.setup.append(f"{name} = base{number}[2:{shape[0] + 2}]")
        base = (f"base{number}", 0, 1)
    else:
        made.setup.append(f"{name} = np.ones({shape})")
    return _indexed(chance, made, number, variables, shape, (text, text, base))


def _held(chance: random.Random, made: _Function, number: int, shape: tuple[int, ...], kind: str) -> tuple[str, str]:
    """Return an array that a list, a dict or an array of records has: in the source, and in an explanation."""
    name = f"held{number}"
    made.parameters.append(name)
    if chance.random() < 0.4:
        made.arguments.append(f"np.zeros({shape}, POINT)")
        text = chance.choice((f"{name}['{chance.choice('xy')}']", f"{name}.{chance.choice('xy')}"))
        return text, text
    arrays = f"[np.ones({shape}, {kind!r}), np.ones({shape}, {kind!r}), np.ones({shape}, {kind!r})]"
    made.arguments.append(chance.choice((arrays, f"List({arrays})", f"keyed({arrays})", f"tuple({arrays})")))
    item = chance.randrange(3)
    if chance.random() < 0.5:
        return f"{name}[{item}]", f"{name}[{item}]"
    made.parameters.append(f"pick{number}")
    made.arguments.append(str(item))
    return f"{name}[pick{number}]", f"{name}[{item}]"


def _indexed(
    chance: random.Random,
    made: _Function,
    number: int,
    variables: list[str],
    shape: tuple[int, ...],
    array: tuple[str, str, tuple[str, int, int]],
) -> _Subscript:
    axes, used, values = [], [], []
    for axis in range(len(shape)):
        variable = chance.choice(variables)
        index, value = _index(chance, variable)
        if chance.random() < 0.25:
            made.places.append(f"at{number}{axis} = {index}")
            index = f"at{number}{axis}"
        axes.append(index)
        used.append(variable)
        values.append(value)
    text, shown, base = array
    return _Subscript(text, shape, axes, used, values, base, shown)


def _statement(chance: random.Random, made: _Function) -> str:
    """Return a statement with all subscripts: the first may be stored to."""
    read = [f"{each.text}[{', '.join(each.indices)}]" for each in made.subscripts]
    if chance.random() < 0.4:
        return f"{read[0]} {chance.choice(('=', '+='))} {' + '.join(read[1:]) or '1'}"
    return f"total += {chance.choice((' + ', ' * ', ' - ')).join(read)}"


def program(seed: int, functions: int) -> tuple[str, list[Fault]]:
    """Return a program's text, and the faults in the order in which it makes them."""
    chance = random.Random(seed)
    text, calls = _HEAD, ""
    faults: list[Fault] = []
    for number in range(functions):
        made = _Function(f"fault{number}")
        variables = ["i", "j", "k"][: chance.choice((1, 2, 3, 3))]
        made.subscripts = [_subscript(chance, made, n, variables) for n in range(chance.choice((1, 2, 2, 3)))]
        access = _statement(chance, made)
        body = [*made.setup, "total = 0.0"]
        run = [*made.places, access]
        body += (
            ["for q in range(n):", *(f"    {each}" for each in (*run, "total += q"))] if chance.random() < 0.6 else run
        )
        definition = [f"def {made.name}({', '.join([*made.parameters, *variables, 'n'])}):"]
        definition += [f"    {line}" for line in (*body, "return total")]
        text += "\n\n@njit\n"
        line = text.count("\n") + 1 + next(n for n, each in enumerate(definition) if access in each)
        text += "\n".join(definition) + "\n"
        for call, fault in _calls(chance, made, variables, line):
            calls += call
            faults.append(fault)
    return f"{text}\n\n{calls}", faults


def _calls(chance: random.Random, made: _Function, variables: list[str], line: int) -> Iterator[tuple[str, Fault]]:
    """Yield calls, each with one subscript outside of its array: its variable must be in no other subscript."""
    used = Counter(variable for subscript in made.subscripts for variable in subscript.variables)
    for position, subscript in enumerate(made.subscripts):
        for axis, variable in enumerate(subscript.variables):
            if used[variable] > 1:
                continue
            factor, offset = subscript.values[axis]
            value = chance.choice((1, -1)) * chance.choice((10**9, 10**10, 2**40 + 3, 7 * 10**8))
            values = {name: 3 for name in variables} | {variable: value}
            name = f"{made.name}.{position}.{axis}"
            arguments = ", ".join([*made.arguments, *(str(values[v]) for v in variables), "2"])
            base, before, others = subscript.base
            same = (base, axis + before) if base and axis >= others else None
            fault = Fault(name, line, subscript.shown, axis, factor * value + offset, subscript.shape[axis], same)
            yield f'attempt("{name}", {made.name}, {arguments})\n', fault
