"""Python mirrors of the structures and constants that C defines and that this package reads or passes.

`scripts/contract.py` writes a C file from this module when the library is built. That file compares each field's place
and size, and each constant, with the header by `_Static_assert`, so that a change of one side alone fails the build.
This module imports nothing of GDB's, because GDB is not there when the library is built."""

from __future__ import annotations

import ctypes
from ctypes import (
    POINTER,
    c_bool,
    c_char,
    c_char_p,
    c_int,
    c_int64,
    c_size_t,
    c_uint,
    c_uint8,
    c_uint32,
    c_uint64,
    c_void_p,
)
from typing import Any, Callable, Dict, List, Tuple, Type

# (C type, header, mirror)
STRUCTURES: List[Tuple[str, str, Type[ctypes.Structure]]] = []
# By header: the constants that are used here.
CONSTANTS: Dict[str, Dict[str, int]] = {}
# By the C type of a callback: the types of its result and of its arguments.
CALLBACKS: Dict[str, Tuple[Any, List[Any]]] = {}


def _mirrors(name: str, header: str) -> Callable[[Any], Any]:
    """Register the class as the mirror of the C type."""

    def register(mirror: Any) -> Any:
        STRUCTURES.append((name, header, mirror))
        return mirror

    return register


def _constants(header: str, **values: int) -> List[int]:
    """Register constants of the header, and return their values in this order."""
    CONSTANTS.setdefault(header, {}).update(values)
    return list(values.values())


def _callback(name: str, result: Any, *arguments: Any) -> Any:
    """Register a callback that the library takes, and return its ctypes class."""
    CALLBACKS[name] = (result, list(arguments))
    return ctypes.CFUNCTYPE(result, *arguments)


# -- the C library

ENOMEM, EFAULT, EBAD, ELIMIT, ENOTFOUND, EUNSUP, ECANCEL, EARG, ESYS = _constants(
    "bytes/status.h",
    JS_ENOMEM=-1,
    JS_EFAULT=-2,
    JS_EBAD=-3,
    JS_ELIMIT=-4,
    JS_ENOTFOUND=-5,
    JS_EUNSUP=-6,
    JS_ECANCEL=-7,
    JS_EARG=-8,
    JS_ESYS=-9,
)

ReaderFn = _callback("js_reader_fn", c_int, c_void_p, c_size_t)
ReadFn = _callback("js_read_fn", c_int, c_void_p, c_uint64, c_void_p, c_size_t)
RegisterFn = _callback("js_register_fn", c_int, c_void_p, c_uint, c_void_p, c_size_t)
FlowFn = _callback("js_flow_fn", c_int, c_void_p, c_char_p, c_uint32, c_char_p, c_void_p)
CodedFn = _callback("js_coded_fn", c_int, c_void_p, c_uint64, c_void_p, c_size_t)
GlobalFn = _callback("js_global_fn", c_int, c_void_p, c_char_p, POINTER(c_uint64))
EnclosingFn = _callback("js_enclosing_fn", c_int, c_void_p, c_char_p, POINTER(c_void_p))
FindFn = _callback("js_find_pending_fn", None, c_void_p)
PollFn = _callback("js_poll_fn", c_int, c_void_p)
ProgressFn = _callback("js_progress_fn", c_int, c_void_p, c_uint64, c_uint64)


@_mirrors("js_text", "bytes/text.h")
class Text(ctypes.Structure):
    _fields_ = [
        ("data", c_void_p),
        ("length", c_size_t),
        ("capacity", c_size_t),
        ("limit", c_size_t),
        ("status", c_int),
    ]


@_mirrors("js_render_options", "values/base/value.h")
class RenderOptions(ctypes.Structure):
    _fields_ = [
        ("elements", c_uint),
        ("repeats", c_uint),
        ("depth", c_uint),
        ("max_bytes", c_uint64),
        ("summary", c_bool),
        ("digits", c_bool),
        ("brief", c_bool),
    ]


@_mirrors("js_array_view", "values/base/value.h")
class ArrayView(ctypes.Structure):
    _fields_ = [
        ("data", c_uint64),
        ("itemsize", c_uint64),
        ("nitems", c_uint64),
        ("ndim", c_uint),
        ("shape", c_int64 * 32),
        ("strides", c_int64 * 32),
    ]


@_mirrors("js_api_variable", "expressions/api/expression_api.h")
class ApiVariable(ctypes.Structure):
    _fields_ = [("name", c_char_p), ("type", c_char_p), ("contents", c_char_p), ("size", c_size_t)]


@_mirrors("js_array_request", "array_reports/array_report.h")
class ArrayRequest(ctypes.Structure):
    _fields_ = [
        ("slice", c_char_p),
        ("where", c_char_p),
        ("other", c_char_p),
        ("save", c_char_p),
        ("columns", c_uint),
        ("rows", c_uint),
        ("limit", c_uint),
        ("members", c_int),
        ("most", c_uint64),
    ]


@_mirrors("js_frame", "program/model/frame.h")
class Frame(ctypes.Structure):
    _fields_ = [
        ("pc", c_uint64),
        ("is_caller", c_int),
        ("cfa", c_uint64),
        ("registers", RegisterFn),
        ("context", c_void_p),
        ("memory", c_void_p),
        ("depth", c_uint),
    ]


LINE_INT, LINE_BOOL, LINE_FLOAT, LINE_INDEX = _constants(
    "program/write/line_symbols.h", JS_LINE_INT=0, JS_LINE_BOOL=1, JS_LINE_FLOAT=2, JS_LINE_INDEX=3
)


@_mirrors("js_line_variable", "program/write/line_symbols.h")
class LineVariable(ctypes.Structure):
    _fields_ = [
        ("name", c_char_p),
        ("type", c_char_p),
        ("bits", c_uint64),
        ("value", c_uint32),
        ("is_argument", c_bool),
    ]


@_mirrors("js_line_function", "program/write/line_symbols.h")
class LineFunction(ctypes.Structure):
    _fields_ = [
        ("name", c_char_p),
        ("file", c_char_p),
        ("lo", c_uint64),
        ("hi", c_uint64),
        ("variables", POINTER(LineVariable)),
        ("nvariables", c_size_t),
        ("line", c_uint32),
    ]


@_mirrors("js_boxed_memory", "layouts/numba/boxed.h")
class CountedMemory(ctypes.Structure):
    """The head of memory whose references Numba counts."""

    _fields_ = [("count", c_uint64), ("destructor", c_uint64), ("data", c_uint64), ("block", c_uint64)]


@_mirrors("js_heap_damage", "layouts/heap.h")
class HeapDamage(ctypes.Structure):
    """A header of the C library's allocator that is not valid."""

    _fields_ = [("size_at", c_uint64), ("following", c_uint64)]


@_mirrors("js_python_held", "stacks/python.h")
class Held(ctypes.Structure):
    """The memory that the object of a Python variable holds."""

    _fields_ = [("data", c_uint64), ("itemsize", c_uint64), ("block", c_uint64), ("meminfo", c_uint64)]


@_mirrors("js_python_written", "stacks/python.h")
class Written(ctypes.Structure):
    """The memory that a thread writes as it runs Python code."""

    _fields_ = [
        ("returned", c_uint64),
        ("previous", c_uint64),
        ("instruction", c_uint64),
        ("width", c_uint64),
        ("entered", c_uint64 * 2),
    ]


@_mirrors("js_python_call", "stacks/python.h")
class Call(ctypes.Structure):
    """The system call that a thread is in, by its registers."""

    _fields_ = [("number", c_uint64), ("result", c_int64), ("argument", c_uint64), ("stack", c_uint64)]


@_mirrors("js_join_frame", "stacks/join.h")
class JoinFrame(ctypes.Structure):
    _fields_ = [
        ("stack", c_uint64),
        ("is_compiled", c_int),
        ("asks", c_int),
        ("frame_class", c_int),
        ("has_name", c_int),
    ]


JoinFrameFn = _callback("js_join_frame_fn", c_int, c_void_p, c_size_t, POINTER(JoinFrame))


@_mirrors("js_join_python", "stacks/join.h")
class JoinPython(ctypes.Structure):
    _fields_ = [("is_entry", c_int), ("asks", c_int), ("shim", c_uint64), ("is_sole", c_int)]


@_mirrors("js_join_item", "stacks/join.h")
class JoinItem(ctypes.Structure):
    _fields_ = [
        ("kind", c_int),
        ("index", c_size_t),
        ("frame_class", c_int),
        ("is_asking", c_int),
        ("evaluation", c_int64),
    ]


JOIN_NATIVE, JOIN_PYTHON = _constants("stacks/join.h", JS_JOIN_NATIVE=0, JS_JOIN_PYTHON=1)


@_mirrors("js_waiting", "program/parallel/parallel.h")
class Waiting(ctypes.Structure):
    _fields_ = [("pc", c_uint64), ("sp", c_uint64), ("kept", c_uint64 * 6), ("cfa", c_uint64), ("caller", c_uint64)]


(TRACED_REGISTERS,) = _constants("bytes/traced.h", JS_TRACED_REGISTERS=17)


# -- structures that a program publishes (runtime/include/jitscope_descriptor.h)


@_mirrors("jitscope_table", "jitscope_descriptor.h")
class Table(ctypes.Structure):
    _fields_ = [
        ("chunks", c_uint64),
        ("nslots", c_uint64),
        ("changes", c_uint64),
        ("chunk_slots", c_uint32),
        ("slot_size", c_uint32),
    ]


@_mirrors("jitscope_descriptor", "jitscope_descriptor.h")
class Descriptor(ctypes.Structure):
    _fields_ = [
        ("magic", c_char * 8),
        ("version", c_uint32),
        ("size", c_uint32),
        ("layouts", Table),
        ("functions", Table),
        ("regions", Table),
        ("workers", Table),
        ("gather", c_uint64),
        ("recording", c_uint64),
        ("leftover", c_uint64),
        ("recompilation", c_uint64),
        ("guard", c_uint64),
    ]


@_mirrors("jitscope_gather", "jitscope_descriptor.h")
class Gather(ctypes.Structure):
    _fields_ = [
        ("version", c_uint32),
        ("size", c_uint32),
        ("state", c_uint32),
        ("at", c_uint32),
        ("kernel", c_uint64),
        ("timeout_ms", c_uint32),
        ("reason", c_uint32),
        ("launch", c_uint64),
        ("expected", c_uint32),
        ("arrived", c_uint32),
        ("released", c_uint32),
        ("line_size", c_uint32),
        ("line_stop", c_uint64),
        ("line_marker", c_uint8 * 8),
        ("line_call", c_uint8 * 8),
    ]


GATHER_OFF, GATHER_ARMED, GATHER_MET = _constants(
    "jitscope_descriptor.h", JITSCOPE_GATHER_OFF=0, JITSCOPE_GATHER_ARMED=1, JITSCOPE_GATHER_MET=2
)
GATHER_AT_START, GATHER_AT_STOP, GATHER_AT_LINE = _constants(
    "jitscope_descriptor.h", JITSCOPE_GATHER_AT_START=1, JITSCOPE_GATHER_AT_STOP=2, JITSCOPE_GATHER_AT_LINE=3
)
(GATHER_ALL,) = _constants("jitscope_descriptor.h", JITSCOPE_GATHER_ALL=1)


@_mirrors("jitscope_recorded", "jitscope_descriptor.h")
class Recorded(ctypes.Structure):
    _fields_ = [
        ("version", c_uint32),
        ("size", c_uint32),
        ("is_on", c_uint32),
        ("reserved", c_uint32),
        ("records", c_uint64),
        ("limit", c_uint64),
        ("used", c_uint64),
    ]


WANTED_MAX, WANTED_PATH = _constants("jitscope_descriptor.h", JITSCOPE_WANTED_MAX=64, JITSCOPE_WANTED_PATH=1024)
WANTED_FREE, WANTED_ASKED, WANTED_COMPILED, WANTED_REFUSED, WANTED_WITHDRAWN = _constants(
    "jitscope_descriptor.h",
    JITSCOPE_WANTED_FREE=0,
    JITSCOPE_WANTED_ASKED=1,
    JITSCOPE_WANTED_COMPILED=2,
    JITSCOPE_WANTED_REFUSED=3,
    JITSCOPE_WANTED_WITHDRAWN=4,
)
WANTED_OWN, WANTED_STEPS, WANTED_EXACT, WANTED_LINES, WANTED_FASTMATH, WANTED_NEW, WANTED_TRAPS = _constants(
    "jitscope_descriptor.h",
    JITSCOPE_WANTED_OWN=0,
    JITSCOPE_WANTED_STEPS=1,
    JITSCOPE_WANTED_EXACT=2,
    JITSCOPE_WANTED_LINES=3,
    JITSCOPE_WANTED_FASTMATH=1,
    JITSCOPE_WANTED_NEW=2,
    JITSCOPE_WANTED_TRAPS=4,
)
TRAP_OVERFLOW, TRAP_NAN = _constants("jitscope_descriptor.h", JITSCOPE_TRAP_OVERFLOW=1, JITSCOPE_TRAP_NAN=2)


@_mirrors("jitscope_wanted", "jitscope_descriptor.h")
class Wanted(ctypes.Structure):
    _fields_ = [
        ("state", c_uint32),
        ("line", c_uint32),
        ("level", c_uint32),
        ("flags", c_uint32),
        ("file", c_char * 1024),
        ("text", c_char * 512),
    ]


@_mirrors("jitscope_recompilation", "jitscope_descriptor.h")
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


(PLACE_CODES,) = _constants("jitscope_guard.h", JITSCOPE_PLACE_CODES=6)
GUARD_NUMPY, GUARD_OBJECT = _constants("jitscope_guard.h", JITSCOPE_GUARD_NUMPY=2, JITSCOPE_GUARD_OBJECT=3)
GUARD_LIVE, GUARD_FREED = _constants("jitscope_guard.h", JITSCOPE_GUARD_LIVE=1, JITSCOPE_GUARD_FREED=2)
DAMAGE_BEFORE, DAMAGE_TWICE = _constants("jitscope_guard.h", JITSCOPE_DAMAGE_BEFORE=1, JITSCOPE_DAMAGE_TWICE=2)


@_mirrors("jitscope_guard_place", "jitscope_guard.h")
class GuardPlace(ctypes.Structure):
    _fields_ = [
        ("codes", c_uint64 * PLACE_CODES),
        ("file", c_uint32),
        ("line", c_uint32),
    ]


@_mirrors("jitscope_guarded", "jitscope_guard.h")
class Guarded(ctypes.Structure):
    _fields_ = [
        ("start", c_uint64),
        ("end", c_uint64),
        ("data", c_uint64),
        ("size", c_uint64),
        ("head", c_uint32),
        ("state", c_uint32),
        ("kind", c_uint32),
        ("next", c_uint32),
        ("prev", c_uint32),
        ("pages", c_uint32),
        ("made", GuardPlace),
        ("freed", GuardPlace),
    ]


@_mirrors("jitscope_guard", "jitscope_guard.h")
class Guard(ctypes.Structure):
    _fields_ = [
        ("version", c_uint32),
        ("size", c_uint32),
        ("low", c_uint64),
        ("high", c_uint64),
        ("index", c_uint64),
        ("blocks", c_uint64),
        ("files", c_uint64),
        ("nblocks", c_uint32),
        ("nfiles", c_uint32),
        ("block_size", c_uint32),
        ("page", c_uint32),
        ("live", c_uint32),
        ("most", c_uint32),
        ("damaged", c_uint32),
        ("damage", c_uint32),
        ("damage_at", c_uint64),
    ]
