"""A crash in a compiled function with an array of a chosen kind. Usage: arrays.py KIND FOLDER [REDACTED]

What NumPy says of the array is written to FOLDER/expected.json before."""

import ctypes
import json
import pathlib
import sys

import numba
import numpy as np

import jitscope


@numba.njit(debug=True)
def crash(password, view, victim, index):
    victim[index] = 1.0
    return password.size + view.size


def line():
    values = np.sin(np.arange(1000) / 50)
    values[[10, 500]] = np.nan
    values[990:] = -np.inf
    return values


def matrix():
    values = np.asfortranarray(np.arange(6000.0).reshape(60, 100) - 3000)
    values[:10, :10] = np.nan
    values[59, 99] = np.inf
    return values


def reversed_rows():
    return np.arange(120, dtype=np.int16).reshape(10, 12)[::-2, ::3]


def numbers_8():
    return np.arange(-100, 100, dtype=np.int8)


def truths():
    return np.arange(30) % 3 == 0


def complexes():
    return np.arange(10) * (1 + 2j)


def times():
    return np.array(["2020-01-01", "NaT", "2021-01-01"], dtype="M8[D]")


def records():
    return np.zeros(5, dtype=[("x", "f8"), ("y", "i4")])


def cube():
    return np.arange(60, dtype=np.float32).reshape(3, 4, 5)


def scalar():
    return np.array(7.5)


def empty():
    return np.zeros((0, 3))


def huge():
    values = np.zeros(10**9)
    values[:: 1 << 20] = 3
    return values


def spread():
    """Each element is in another page."""
    return np.zeros((1 << 16, 1 << 12))[:, 0]


def repeated():
    return np.lib.stride_tricks.as_strided(np.zeros(1), (10**6, 10**6), (0, 0))


def unmapped():
    """Its memory is gone when the report is made. Other mappings are made at the other end of the hole."""
    library = ctypes.CDLL(None)
    library.mmap.restype = ctypes.c_void_p
    library.munmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t]
    address = library.mmap(None, ctypes.c_size_t(1 << 32), 0, 0x4022, -1, 0)  # private, anonymous, without reserve
    values = np.frombuffer((ctypes.c_char * (1 << 16)).from_address(address))
    library.munmap(address, 1 << 32)
    return values


def infinite():
    return np.array([[np.inf, -np.inf], [np.nan, np.nan]])


def extreme():
    return np.array([-1.7e308, 0, 1.7e308])


def expected(kind, values):
    known = {"shape": values.shape, "strides": values.strides, "dtype": str(values.dtype), "data": values.ctypes.data}
    if kind != "unmapped" and values.dtype.kind in "fiub" and 0 < values.size <= 10**6:
        finite = values[~np.isnan(values)] if values.dtype.kind == "f" else values
        if finite.size:
            known.update(min=float(finite.min()), max=float(finite.max()), zero=int((values == 0).sum()))
        known["nan"] = int(np.isnan(values).sum()) if values.dtype.kind == "f" else 0
    return known


def main(kind, folder, *redacted):
    values = globals()[kind]()
    path = pathlib.Path(folder)
    path.mkdir(exist_ok=True)
    (path / "expected").write_text(json.dumps(expected(kind, values)))
    crash(values, values, np.zeros(10), 0)
    jitscope.enable_crash_report(folder, html=True, redact=redacted, seconds=60 if kind != "huge" else 5)
    crash(values, values, np.zeros(10), 10**9)


main(*sys.argv[1:])
