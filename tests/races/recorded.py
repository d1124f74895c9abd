"""What is recorded of each loop of programs.py, read in the process itself, as JSON; argv: names, none for all. At steps;
JITSCOPE_DEBUG=all."""

import ctypes
import json
import os
import sys

from jitscope import copies, native, record_writes, stops
from tests.races.programs import CORRECT, RACY


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


def outcome(function, arguments):
    copied = copies.of(arguments)
    return [function(*copied), *copied]


both = CORRECT | RACY
result = {}
for name in sys.argv[1:] or both:
    function, arguments = both[name][0], both[name][1]()
    before = outcome(function, arguments)
    with record_writes():
        after = outcome(function, arguments)
    differences = [what for pair in zip(before, after) for what in copies.differences(*pair)]
    result[name] = {**records(), "differences": len(differences)}
print(json.dumps(result))
