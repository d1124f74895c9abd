"""Faults by an unsigned index, and in arrays that are longer than their memory."""

from __future__ import annotations

import pathlib

import pytest

from tests.gdb import harness

UNSIGNED = """\
import numpy as np
from numba import njit


@njit
def negated(a, i):
    return a[-i]


@njit
def kept(a, i, k):
    place = i - k
    return a[place]


@njit
def product(a, i):
    return a[1, i * i]


@njit
def itself(a, i):
    return a[i]


far, table = np.uint64(8380000156), np.ones((2, 5))
"""
UNSIGNED_CALLS = {
    "negated(np.ones(5), far)": f"index {2**64 - 8380000156} (`-i`) is outside axis 0 of `a` (5 elements): ",
    "kept(np.ones(5), np.uint64(3), far)": f"`place` = {2**64 - 8380000153} is outside axis 0 of `a` (5 elements): ",
    # the address is that of index 10**9
    "itself(np.ones(5), np.uint64(2**63 + 10**9))": f"`i` = {2**63 + 10**9} is outside axis 0 of `a` (5 elements): ",
    "itself(np.ones(5), np.int64(2**61 + 10**9))": f"`i` = {2**61 + 10**9} is outside axis 0 of `a` (5 elements): ",
    "product(table, np.uint64(2**35 + 1))": f"index {(2**35 + 1) ** 2 % 2**64} (`i * i`) is outside axis 1 of `a` (5 ",
}


@pytest.mark.parametrize("call", UNSIGNED_CALLS)
def test_an_unsigned_index_is_named_as_compiled_code_has_it(call: str, tmp_path: pathlib.Path) -> None:
    path = tmp_path / "program.py"
    path.write_text(f"{UNSIGNED}{call}\n", encoding="utf-8")
    shown = harness.run(["run"], program=path, env={"JITSCOPE_LEVEL": "", "NUMBA_BOUNDSCHECK": "0"}).of("run")
    assert [line for line in shown.splitlines() if line.startswith(UNSIGNED_CALLS[call])], shown


CHECKED = """\
import numpy as np
from numba import njit


@njit(boundscheck=True)
def checked(a, i, k):
    return a[i - k]


for first, second in ((3, 5), (900, 1)):
    for kind in (np.uint64, np.int64):
        try:
            checked(np.ones(1), kind(first), kind(second))
        except IndexError:
            pass
"""


def test_an_index_error_by_an_unsigned_index(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "program.py"
    path.write_text(CHECKED, encoding="utf-8")
    commands = ["jit catch IndexError", "run", "continue", "continue", "continue"]
    shown = harness.run(commands, program=path, env={"JITSCOPE_LEVEL": ""})
    stops = [shown.of("run"), *(shown.of("continue", n) for n in range(3))]
    for said, index in zip(stops, (2**64 - 2, -2, 899, 899)):
        assert f": index {index} (`i - k`) is outside axis 0 of `a` (1 element)" in said, shown.text


SHORT = """\
import ctypes
import mmap

import numpy as np
from numba import carray, cfunc, farray, njit, types
from numba.extending import intrinsic

libc = ctypes.CDLL(None)
libc.mmap.restype = ctypes.c_void_p
libc.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int, ctypes.c_int, ctypes.c_int, ctypes.c_long]
libc.mprotect.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int]
PAGE = mmap.PAGESIZE


def page(after, itself=3):
    address = libc.mmap(None, 9 * PAGE, 3, 0x22, -1, 0)
    libc.mprotect(address + PAGE, 8 * PAGE, after)
    libc.mprotect(address, PAGE, itself)
    return address


@intrinsic
def pointer_of(typing, address):
    def make(context, builder, signature, arguments):
        return builder.inttoptr(arguments[0], context.get_value_type(types.voidptr))

    return types.voidptr(types.intp), make


@cfunc(types.double(types.CPointer(types.double), types.intp, types.intp))
def callback(pointer, n, i):
    values = carray(pointer, (n,))
    return values[i] + values[0]


@njit
def pick(a, i, j):
    return a[i, j] + a[0, 0]


@njit
def plane(address, n, i, j):
    return pick(farray(pointer_of(address), (n, n), np.float32), i, j)


@njit
def stored(address, n):
    a = carray(pointer_of(address), n, np.int32)
    for q in range(n):
        a[q] = q


@njit
def both(address, n, i, b, j):
    a = carray(pointer_of(address), n, np.float64)
    return a[i * 1] + b[j + 1]


@njit
def views(address, n, i):
    a = carray(pointer_of(address), n, np.float64)
    rest, every, back = a[3:], a[::2], a[::-1]
    return every[i] + rest[0] + back[n - 1]


def beyond(address, b):
    both(address, 1 << 30, 3, b, (address + 5000 - b.ctypes.data) // 8)


def called(address, n, i):
    callback.ctypes(ctypes.cast(address, ctypes.POINTER(ctypes.c_double)), n, i)
"""
ENDS = "its address 0xADDRESS cannot be accessed: from its start on there is memory for at most "
VALUES, PLAIN = (
    "is within `values` by its shape (1000 elements), but",
    "is within `a` by its shape (4000 elements), but",
)
SHORT_CALLS = {
    "called(page(0), 1000, 700)": f"`values[700]` {VALUES} {ENDS}512 elements",
    "plane(page(0), 40, 5, 33)": f"`a[5, 33]` is within `a` by its shape (1600 elements), but {ENDS}1024 elements",
    "stored(page(0), 4000)": f"`a[1024]` {PLAIN} {ENDS}1024 elements",
    "stored(page(1), 4000)": f"`a[1024]` {PLAIN} its address 0xADDRESS cannot be written: its memory is read-only",
    "both(page(0), 1000, 700, np.ones(5), 2)": f"`a[700]` is within `a` by its shape (1000 elements), but {ENDS}512 ",
    "views(page(0), 1000, 300)": "`every[300]` is within `every` by its shape (500 elements), but its address "
    "0xADDRESS cannot be accessed: its memory ends before this address, so that its shape is wrong, ",
    "called(page(0, 0), 1000, 7)": f"`values[7]` {VALUES} its address 0xADDRESS cannot be accessed: nothing may "
    "read its memory",
}


@pytest.mark.parametrize("call", SHORT_CALLS)
def test_an_array_that_is_longer_than_its_memory(call: str, tmp_path: pathlib.Path) -> None:
    """The page after the array's first one is protected, so that the number of elements is exact."""
    path = tmp_path / "program.py"
    path.write_text(f"{SHORT}{call}\n", encoding="utf-8")
    commands = ["run", "print/x $_siginfo._sifields._sigfault.si_addr"]
    shown = harness.run(commands, program=path, env={"JITSCOPE_LEVEL": ""})
    address = shown.of(commands[1]).rpartition("0x")[2].strip()
    wanted = SHORT_CALLS[call].replace("ADDRESS", address)
    assert [line for line in shown.of("run").splitlines() if line.startswith(wanted)], shown.text


def test_an_array_with_the_address_of_another_ones_access(tmp_path: pathlib.Path) -> None:
    """`a` claims memory in which the access of `b` is."""
    path = tmp_path / "program.py"
    path.write_text(f"{SHORT}beyond(page(0), np.ones(5))\n", encoding="utf-8")
    said = harness.run(["run"], program=path, env={"JITSCOPE_LEVEL": ""}).of("run")
    assert " (`j + 1`) is outside axis 0 of `b` (5 elements): " in said and "within" not in said, said
