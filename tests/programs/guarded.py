"""Wrong accesses to arrays, one for each argument of the program; without a guard most of them are not noticed."""

import ctypes
import sys

import numpy as np
from numba import carray, njit, types
from numba.extending import intrinsic


def give(n):
    return np.ones(n)  # at: given


@njit
def fill(a, n):
    """Write past the end if `n` is larger than the array."""
    for i in range(n):
        a[i] = i * 2.0  # at: past
    return a.sum()


@njit
def own(n, k):
    b = np.zeros(n)  # at: made
    b[k] = 1.0  # at: own
    return b.sum()


@njit
def before(v, k):
    for i in range(1, k):
        v[-v.size - i] = 1.0  # at: before
    return v[0]


@intrinsic
def pointer(typingctx, address):
    def make(context, builder, signature, args):
        return builder.inttoptr(args[0], context.get_value_type(signature.return_type))

    return types.CPointer(types.float64)(types.uintp), make


@njit
def look(address, n):
    v = carray(pointer(address), n)
    total = 0.0
    for i in range(n):
        total += v[i]  # at: freed
    return total


@intrinsic
def release(typingctx, value):
    def make(context, builder, signature, args):
        context.nrt.decref(builder, signature.args[0], args[0])
        return context.get_dummy_value()

    return types.none(value), make


@njit
def nested(n):
    inner = np.ones(n)  # at: inner
    outer = [inner, inner]
    for _ in range(3):
        release(inner)
    return outer[0]


@njit
def text(n):
    s = "x" * n  # at: text
    release(s)
    return s + "y"


@njit
def late(n):
    w = np.ones(n)  # at: late
    release(w)
    yield 1.0
    yield w[0]  # at: resumed


@njit
def drive(n):
    total = 0.0
    for x in late(n):
        total += x
    return total


def address_of(a):
    return a.ctypes.data


def free_twice(a):
    """Free the data as NumPy's default handler does (PyDataMem_Handler of numpy/ndarraytypes.h), and then once more."""
    core = getattr(np, "_core", None) or np.core
    get = ctypes.pythonapi.PyCapsule_GetPointer
    get.argtypes, get.restype = [ctypes.py_object, ctypes.c_char_p], ctypes.c_void_p
    table = get(core._multiarray_umath._ARRAY_API, None)
    default = ctypes.cast(table, ctypes.POINTER(ctypes.POINTER(ctypes.py_object)))[306][0]
    free = ctypes.c_void_p.from_address(get(default, b"mem_handler") + 128 + 4 * 8).value
    call = ctypes.PYFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_size_t)(free)
    call(None, a.ctypes.data, 40)  # at: first
    call(None, a.ctypes.data, 40)


def main(how):
    if how == "past":
        print(fill(np.arange(4.0), 5))
    elif how == "own":
        print(own(7, 3) + own(7, 7))
    elif how == "before":
        a = give(5)
        before(a, 2)
        a = None  # at: aborted
        print("not noticed")
    elif how == "far":
        print(before(give(5), 1000))
    elif how == "freed":
        a = give(5)
        address = address_of(a)
        look(address, 5)
        a = None  # at: end
        print(look(address, 5))
    elif how == "nested":
        print(nested(5))
    elif how == "text":
        print(text(5))
    elif how == "generator":
        print(drive(5))
    elif how == "twice":
        fill(np.zeros(2), 2)
        free_twice(give(5))
    elif how == "none":
        print(fill(np.arange(5.0), 5), own(7, 6), look(address_of(give(1)), 0))


main(sys.argv[1])
