"""`jit array` of float64 elements with all statistics, against only reading them."""

from __future__ import annotations

import ctypes
import os
import struct
import time

import numpy as np

from .measure import Figure, compare, in_turn
from .names import LIBRARY

SIZE = 256 << 20  # bytes
CHUNK = 64 << 10  # bytes that are read at once, as for the statistics
AT_MOST = 2.0  # times the time for reading


class Request(ctypes.Structure):
    """js_array_request (array_reports/array_report.h)."""

    _fields_ = [(name, ctypes.c_char_p) for name in ("slice", "where", "other", "save")]
    _fields_ += [(name, ctypes.c_uint) for name in ("columns", "rows", "limit", "members")]


class Variable(ctypes.Structure):
    """js_api_variable (expressions/api/expression_api.h)."""

    _fields_ = [("name", ctypes.c_char_p), ("type", ctypes.c_char_p), ("contents", ctypes.c_char_p)]
    _fields_ += [("size", ctypes.c_size_t)]


def measure(rounds: int) -> list[Figure]:
    library = ctypes.CDLL(str(LIBRARY))
    types, reader = ctypes.c_void_p(), ctypes.c_void_p()
    library.js_bytes_read.argtypes = [ctypes.c_void_p, ctypes.c_uint64, ctypes.c_void_p, ctypes.c_size_t]
    if library.js_types_create(ctypes.byref(types)) or library.js_bytes_create_process(
        os.getpid(), ctypes.byref(reader)
    ):
        raise RuntimeError("this process cannot be read")
    array = np.random.default_rng(1).random(SIZE // 8)
    contents = struct.pack("<QQqqQqq", 0, 0, array.size, 8, array.ctypes.data, array.size, 8)
    variable = Variable(b"a", b"array(float64, 1d, C)", contents, len(contents))
    buffer = ctypes.create_string_buffer(CHUNK)

    def copy() -> float:
        started = time.perf_counter()
        for address in range(array.ctypes.data, array.ctypes.data + SIZE, CHUNK):
            library.js_bytes_read(reader, address, buffer, CHUNK)
        return time.perf_counter() - started

    def examine() -> float:
        out = ctypes.c_void_p()
        started = time.perf_counter()
        status = library.js_api_array(
            types, reader, ctypes.byref(variable), ctypes.c_size_t(1), b"a", ctypes.byref(Request()), None, None, None,
            ctypes.byref(out),
        )  # fmt: skip
        spent = time.perf_counter() - started
        if status or b'"error": null' not in (ctypes.string_at(out.value) if out.value else b""):
            raise RuntimeError(f"js_api_array: {status}")
        library.js_free(out)
        return spent

    try:
        samples = in_turn({"ours": examine, "theirs": copy}, rounds)
    finally:
        library.js_types_destroy(types)
        library.js_bytes_destroy(reader)
    return [
        compare(
            "statistics",
            "all statistics of 256 MiB of float64",
            "ms",
            samples["ours"],
            samples["theirs"],
            "reading them",
            scale=1e3,
            at_most=AT_MOST,
        )
    ]
