"""Values that only compiled code makes, as its variables: what the same function holds in Python says how they read."""

import collections
import sys

import numpy as np
from numba import njit, types
from numba.typed import Dict, List

Pair = collections.namedtuple("Pair", "left right")
NUMBERS = types.ListType(types.int64)
Triple = collections.namedtuple("Triple", ["one", "two", "three"])


@njit(debug=True)
def inside(n, flag):
    rows = [[i] * i for i in range(n)]
    deep = [[[n], [n, n]], [[0]]]
    words = ["a" * i for i in range(n)]
    texts = [["x", "y"], ["z"]]
    pairs = [(i, str(i)) for i in range(n)]
    grids = [np.full((1, 2), float(i)) for i in range(2)]
    mixed = (n, "s", 1.5, True, None, 2j, (n, (str(n),)))
    named = Pair(n, "r")
    inner = Pair(Pair(1, 2.5), Triple("a", None, (1, 2)))
    several = [Pair(i, -i) for i in range(3)]
    flags = [True, False, n > 2]
    numbers = {1, 2, n}
    nothing = [i for i in range(n) if i < 0]
    gone = [1.5]
    gone.pop()
    less = [1, 2, 3, 4]
    less.pop(1)
    some = n if flag else None
    name = "given" if flag else None
    both = (n, 1.5) if flag else None
    held = ((some, 1), name)
    span = range(n, -n, -2)
    cut = slice(1, n, 2)
    joined = "é" + "x" * n
    part = joined[1:3]
    raw = np.frombuffer(b"abc", dtype=np.uint8)
    line = np.arange(n * 2)[::-2]
    cube = np.zeros((2, 1, 2), np.float32)
    turned = np.arange(6).reshape(2, 3).T
    bits = np.arange(4) % 2 == 0
    point = np.array(n)
    empty = np.empty((0, 2), np.int8)
    complexes = np.array([1 + 1j, -0.5j], dtype=np.complex64)
    small = np.uint8(250)
    half = np.float32(0.1)
    big = -(2**62)
    tiny = 5e-324
    not_a_number = np.nan
    endless = -np.inf
    turn = complex(n, -0.0)
    truth = not flag
    many = list(range(199))
    same = [7] * 9
    unsorted = sorted([3, 1, 2], reverse=True)
    swapped = [(b, a) for a, b in pairs]
    last = n
    while last > 1:
        last -= 1
    at = 0  # at: inside
    return (
        rows, deep, words, texts, pairs, grids, mixed, named, inner, several, flags, numbers, nothing, gone,
        less, some, name, both, held, span.start, cut.start, joined, part, raw, line, cube, turned, bits, point, empty,
        complexes, small, half, big, tiny, not_a_number, endless, turn, truth, many, same, unsorted, swapped,
        last, at,
    )  # fmt: skip # noqa: E501


@njit(debug=True)
def use(*values):
    return len(values)


@njit(debug=True)
def kept(n):
    table = Dict.empty(types.unicode_type, NUMBERS)
    for i in range(n):
        table[str(i)] = List.empty_list(types.int64)
        table[str(i)].append(i)
    del table["0"]
    lists = List()
    lists.append((n, "a"))
    nested = List()
    nested.append(lists)
    keys = Dict()
    keys[(n, 2.5)] = "v"
    arrays = Dict()
    arrays[1] = np.arange(2)
    empty = List.empty_list(types.float64)
    maybe = table.get("1")
    absent = table.get("9")
    at = 0  # at: kept
    return len(table) + len(nested) + len(keys) + len(arrays) + len(empty) + at, maybe, absent


# As Python writes the containers that kept() makes: typed containers can't be made by its pure form.
KEPT = {
    "table": "DictType[unicode_type,ListType[int64]]<iv=None>({1: [1], 2: [2]})",
    "lists": "ListType[Tuple(int64, unicode_type)]([(3, 'a')])",
    "nested": "ListType[ListType[Tuple(int64, unicode_type)]]([[(3, 'a')]])",
    "keys": "DictType[Tuple(int64, float64),unicode_type]<iv=None>({(3, 2.5): v})",
    "arrays": "DictType[int64,array(int64, 1d, C)]<iv=None>({1: [0 1]})",
    "empty": "ListType[float64]([])",
    "maybe": "ListType[int64]([1])",
    "absent": "None",
}


def values_of(function, mark, *arguments):
    """Names and repr() of a function's variables in Python, where it is at the line of this mark."""
    line = next(i for i, text in enumerate(open(__file__, encoding="utf-8"), 1) if text.endswith(f"# at: {mark}\n"))
    found = {}

    def trace(frame, event, _):
        if frame.f_code is not function.__code__:
            return None
        if event == "line" and frame.f_lineno == line:
            found.update({name: repr(value) for name, value in frame.f_locals.items()})
        return trace

    sys.settrace(trace)
    try:
        function(*arguments)
    finally:
        sys.settrace(None)
    return found


def main():
    for flag in (True, False):
        for name, text in values_of(inside.py_func, "inside", 4, flag).items():
            print("EXPECT", name, ascii(text), flush=True)
        inside(4, flag)
    for name, text in KEPT.items():
        print("EXPECT", name, ascii(text), flush=True)
    kept(3)


if __name__ == "__main__":
    main()
