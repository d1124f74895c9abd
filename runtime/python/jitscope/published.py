"""Structures that libjitscope.so passes to this package: one Python mirror of each that runtime/include/jitscope.h
defines.

`scripts/contract.py` compares each field with the header when the library is built. This module imports nothing but
ctypes, because the build has no Numba."""

from __future__ import annotations

import ctypes
from ctypes import c_char, c_int64, c_uint32, c_uint64, c_void_p

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


WANTED_MAX = 64
FREE, ASKED, COMPILED, REFUSED, WITHDRAWN = range(5)
OWN, STEPS, EXACT, LINES, FASTMATH, NEW, TRAPS = 0, 1, 2, 3, 1, 2, 4
OVERFLOW, NAN = 1, 2


class Wanted(ctypes.Structure):
    _fields_ = [
        ("state", c_uint32),
        ("line", c_uint32),
        ("level", c_uint32),
        ("flags", c_uint32),
        ("file", c_char * 1024),
        ("text", c_char * 512),
    ]


class Recompilation(ctypes.Structure):
    _fields_ = [
        ("version", c_uint32),
        ("size", c_uint32),
        ("asked", c_uint32),
        ("seen", c_uint32),
        ("slot", c_uint64),
        ("original", c_uint64),
        ("entry", c_uint64),
        ("answered", c_uint64),
        ("answer", c_uint32),
        ("usual", c_uint32),
        ("wanted", Wanted * WANTED_MAX),
        ("traps", c_uint32),
        ("reserved", c_uint32),
    ]


class GuardPython(ctypes.Structure):
    _fields_ = [
        ("has_lock", c_void_p),
        ("frame", c_void_p),
        ("back", c_void_p),
        ("line", c_void_p),
        ("code", c_void_p),
        ("attribute", c_void_p),
        ("text", c_void_p),
        ("hold", c_void_p),
        ("release", c_void_p),
    ]


class GuardNrt(ctypes.Structure):
    _fields_ = [
        ("alloc", c_void_p),
        ("alloc_safe", c_void_p),
        ("alloc_dtor", c_void_p),
        ("alloc_dtor_safe", c_void_p),
        ("alloc_aligned", c_void_p),
        ("alloc_safe_aligned", c_void_p),
        ("alloc_safe_aligned_external", c_void_p),
        ("release", c_void_p),
    ]


# (C type, header, mirror), and by header the constants that are used here: as in gdbext's contract.py.
STRUCTURES = [
    ("jitscope_place", "jitscope.h", Place),
    ("jitscope_conflict", "jitscope.h", Conflict),
    ("jitscope_array", "jitscope.h", Array),
    ("jitscope_accesses", "jitscope.h", Accesses),
    ("jitscope_wanted", "jitscope_descriptor.h", Wanted),
    ("jitscope_recompilation", "jitscope_descriptor.h", Recompilation),
    ("jitscope_guard_python", "jitscope_guard.h", GuardPython),
    ("jitscope_guard_nrt", "jitscope_guard.h", GuardNrt),
]
CONSTANTS = {
    "jitscope.h": {"JITSCOPE_DIMENSIONS_MAX": DIMENSIONS, "JITSCOPE_PLACES_MAX": PLACES},
    "jitscope_descriptor.h": {
        "JITSCOPE_WANTED_MAX": WANTED_MAX,
        "JITSCOPE_WANTED_FREE": FREE,
        "JITSCOPE_WANTED_ASKED": ASKED,
        "JITSCOPE_WANTED_COMPILED": COMPILED,
        "JITSCOPE_WANTED_REFUSED": REFUSED,
        "JITSCOPE_WANTED_WITHDRAWN": WITHDRAWN,
        "JITSCOPE_WANTED_OWN": OWN,
        "JITSCOPE_WANTED_STEPS": STEPS,
        "JITSCOPE_WANTED_EXACT": EXACT,
        "JITSCOPE_WANTED_LINES": LINES,
        "JITSCOPE_WANTED_FASTMATH": FASTMATH,
        "JITSCOPE_WANTED_NEW": NEW,
        "JITSCOPE_WANTED_TRAPS": TRAPS,
        "JITSCOPE_TRAP_OVERFLOW": OVERFLOW,
        "JITSCOPE_TRAP_NAN": NAN,
    },
}
