"""Random programs with one wrong access each: past the end of an array, before its start, or after it was freed."""

from __future__ import annotations

import dataclasses
import random

DTYPES = ("uint8", "int16", "int32", "int64", "float32", "float64", "complex64", "complex128", "bool_")
KINDS = ("past", "far", "slack", "before", "freed")
HEAD = """\
import numpy as np
from numba import carray, njit, types
from numba.extending import intrinsic


@intrinsic
def pointer(typingctx, address, element):
    def make(context, builder, signature, args):
        return builder.inttoptr(args[0], context.get_value_type(signature.return_type))

    return types.CPointer(element)(types.uintp, element), make


@njit
def make(shape, fill):
    made = np.full(shape, fill)  # at: numba
    return made


def give(shape, fill):
    made = np.full(shape, fill)  # at: numpy
    return made


"""


@dataclasses.dataclass(frozen=True)
class Program:
    """`where`: the marks of the lines that may be named; `array`: the wrong access is to this variable."""

    text: str
    kind: str
    maker: str
    itemsize: int
    size: int  # bytes


def made(seed: int) -> Program:
    """Return the program of this seed."""
    chance = random.Random(seed)
    dtype, kind = chance.choice(DTYPES), chance.choice(KINDS)
    maker = chance.choice(("numba", "numpy"))
    ndim = 1 if kind == "freed" else chance.choice((1, 1, 2, 3))
    shape = [chance.choice((1, 2, 3, 5, 7, 13, 40, 257)) for _ in range(ndim)]
    itemsize = {"bool_": 1}.get(dtype) or int("".join(filter(str.isdigit, dtype))) // 8
    size = itemsize
    for extent in shape:
        size *= extent
    row = size // shape[0]
    slack = 4096 - 64 - size % 4096 if size % 4096 < 4096 - 64 else 8192 - 64 - size % 4096
    rows = shape[0]
    if kind == "past":
        index = str(rows + (chance.randrange(4) if row < 1024 else 0))
    elif kind == "far":
        index = str(rows + chance.randrange(1, max(2, 60000 // row)))
    elif kind == "slack":
        if row > slack:
            kind, index = "past", str(rows)
        else:
            index = str(-rows - chance.randrange(1, max(2, min(5, slack // row))))
    elif kind == "before":
        index = str(-rows - (12288 // row + 2))
    else:
        index = str(chance.randrange(rows))
    store = kind == "slack" or chance.random() < 0.5
    at = ", ".join(["i", *(["0"] * (ndim - 1))])
    access = f"a[{at}] = one" if store else f"total += a[{at}] == one"
    fill = f"np.{dtype}(1)"
    function = "make" if maker == "numba" else "give"
    dims = f"({', '.join(map(str, shape))},)"
    body = f"""\
@njit{chance.choice(("", "", "(debug=True)"))}
def use(a, other, i, one):
    total = other.sum() * 0
    for k in range(a.shape[0]):
        total += (a[{", ".join(["k", *(["0"] * (ndim - 1))])}] == one)
    {access}  # at: wrong
    return total


before = {function}({chance.randrange(1, 9)}, {fill})
a = {function}({dims}, {fill})
after = {function}({chance.randrange(1, 9)}, {fill})
assert use(a, before, 0, {fill}) == {shape[0]} + {int(not store)}
"""
    if kind == "freed":
        body += f"""\


@njit
def late(address, count, i, one):
    a = carray(pointer(address, one), count)
    total = 0
    {access}  # at: late
    return total


address = a.ctypes.data
late(address, {rows}, 0, {fill})
a = None  # at: freed
late(address, {rows}, {index}, {fill})
"""
    else:
        body += f"""\
use(a, after, {index}, {fill})
a = None
"""
    return Program(HEAD + body + 'print("not found")\n', kind, maker, itemsize, size)
