"""The record of the newest parallel loop (js_program_records of program/parallel/parallel.h), as the process itself
reads it."""

import ctypes
import json
import os

from jitscope import native, stops


def records():
    library = native.load()
    program, memory, out = ctypes.c_void_p(), ctypes.c_void_p(), ctypes.c_void_p()
    library.js_program_records.argtypes = [ctypes.c_void_p, ctypes.c_uint64, ctypes.c_void_p, ctypes.c_void_p]
    assert library.js_program_create(ctypes.byref(program)) == 0
    assert library.js_bytes_create_process(os.getpid(), ctypes.byref(memory)) == 0
    at = ctypes.addressof(ctypes.c_char.in_dll(stops.library(), "__jitscope_descriptor"))
    assert library.js_program_records(program, at, memory, ctypes.byref(out)) == 0
    found = json.loads(ctypes.string_at(out.value))
    library.js_free(out)
    library.js_bytes_destroy(memory)
    library.js_program_destroy(program)
    return found
