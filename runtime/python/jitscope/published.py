"""Structures that libjitscope.so passes to this package: one Python mirror of each that runtime/include/jitscope.h
defines.

`scripts/contract.py` compares each field with the header when the library is built. This module imports nothing but
ctypes, because the build has no Numba."""

from __future__ import annotations

import ctypes
from ctypes import c_int64, c_uint32, c_uint64

DIMENSIONS = 32
PLACES = 64


class Place(ctypes.Structure):
    _fields_ = [("address", c_uint64), ("shares", c_uint32 * 2)]


class Conflict(ctypes.Structure):
    _fields_ = [
        ("sites", c_uint32 * 2),
        ("writes", c_uint32 * 2),
        ("launch", c_uint64),
        ("bytes", c_uint64),
        ("nplaces", c_uint64),
        ("places", Place * PLACES),
    ]


class Array(ctypes.Structure):
    _fields_ = [
        ("data", c_uint64),
        ("itemsize", c_uint64),
        ("launch", c_uint64),
        ("name", c_uint32),
        ("ndim", c_uint32),
        ("shape", c_int64 * DIMENSIONS),
        ("strides", c_int64 * DIMENSIONS),
    ]


class Accesses(ctypes.Structure):
    _fields_ = [
        ("size", c_uint64),
        ("launches", c_uint64),
        ("count", c_uint64),
        ("lost", c_uint64),
        ("nconflicts", c_uint64),
        ("narrays", c_uint64),
        ("conflicts", ctypes.POINTER(Conflict)),
        ("arrays", ctypes.POINTER(Array)),
    ]


# (C type, header, mirror), and by header the constants that are used here: as in gdbext's contract.py.
STRUCTURES = [
    ("jitscope_place", "jitscope.h", Place),
    ("jitscope_conflict", "jitscope.h", Conflict),
    ("jitscope_array", "jitscope.h", Array),
    ("jitscope_accesses", "jitscope.h", Accesses),
]
CONSTANTS = {"jitscope.h": {"JITSCOPE_DIMENSIONS_MAX": DIMENSIONS, "JITSCOPE_PLACES_MAX": PLACES}}
