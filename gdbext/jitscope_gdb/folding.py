"""Which native frames does a Python programmer not want to see? The interpreter, the dispatcher and the pools."""

from __future__ import annotations

import os
import re
from typing import Any

import gdb

from . import target

EVALUATION, INTERPRETER, DISPATCHER, POOL, USER = "evaluation", "interpreter", "dispatcher", "pool", "native"

# One call of these runs Python frames. CPython: Python/ceval.c; _TAIL_CALL_…: 3.14, Python/generated_cases.c.h.
_EVALUATION = re.compile(r"_PyEval_EvalFrameDefault\b|_TAIL_CALL_")
_INTERPRETER = re.compile(
    r"_?Py[A-Z_]|_Py|py(main|run|init)_|run_(mod|eval_code_obj)\b|\w*vectorcall|"
    r"(method|cfunction|slot|builtin|type|function|object|wrap|partial)_\w*call\w*$"
)
_START = re.compile(r"_start$|__libc_start_|start_thread$|(__GI_)?_{0,3}clone3?$|thread_run$|pythread_wrapper$")
_FILES = [
    (re.compile(r"(^|/)(lib)?python[23][^/]*$|(^|/)python$"), INTERPRETER),
    (re.compile(r"/numba/(_dispatcher|_helperlib|_dynfunc)[^/]*\.so"), DISPATCHER),
    (re.compile(r"/numba/np/ufunc/[^/]*\.so"), POOL),
    (re.compile(r"/lib(gomp|iomp5|omp|tbb)[^/]*\.so"), POOL),
]
# What only the dispatcher's and pools' sources define, for builds that link them elsewhere.
_DISPATCHER = re.compile(r"Dispatcher_|compile_and_invoke|call_cfunc|call_trace$")
_SECTION = re.compile(r"\s+(0x[0-9a-f]+) - (0x[0-9a-f]+) is \S+$")
_POOL = re.compile(r"numba_parallel_for|parallel_for(\.\w+)*$|gomp_|GOMP_|thread_worker$")


def classify(of: target.Target, frame: Any, name: str | None) -> str:
    """The class of a native frame; kept by address, for stacks repeat themselves."""
    pc = int(frame.pc())
    return of.keep(target.OBJECT, ("class", pc), lambda: _classify(of, pc, name))  # type: ignore[no-any-return]


def _classify(of: target.Target, pc: int, name: str | None) -> str:
    if name is not None and _EVALUATION.match(name):
        return EVALUATION
    path = gdb.solib_name(pc)
    if path is None and name is not None:
        if _is_of_a_jit(pc):
            return USER
        path = of.progspace.filename
    elif path is None and _is_of_the_program(of, pc):  # a stripped one
        path = of.progspace.filename
    if path:
        real = os.path.realpath(path)
        for pattern, found in _FILES:
            if pattern.search(path) or pattern.search(real):
                return found
    if name is None:
        return USER
    for pattern, found in (
        (_DISPATCHER, DISPATCHER),
        (_POOL, POOL),
        (_START, INTERPRETER),
    ):
        if pattern.match(name):
            return found
    return USER if path and "python" not in os.path.basename(path) else _by_name(name)


def _is_of_a_jit(pc: int) -> bool:
    """Did a JIT that is not known here give GDB this code? GDB names such objects `<in-memory@0x…>`."""
    return " of <in-memory@0x" in gdb.execute(f"info symbol {pc:#x}", False, True)


def _is_of_the_program(of: target.Target, pc: int) -> bool:
    """Does the code lie in the executable? GDB's Python API tells that of libraries only."""
    ranges = of.keep(target.OBJECT, "program's sections", lambda: _program_sections(of))
    return any(low <= pc < high for low, high in ranges)


def _program_sections(of: target.Target) -> list[tuple[int, int]]:
    """The executable's address ranges. `info files` ends a library's lines with ` in FILE`."""
    found: list[tuple[int, int]] = []
    ours = False
    for line in gdb.execute("info files", False, True).splitlines():
        if line.startswith("\t`"):
            ours = line.startswith(f"\t`{of.progspace.filename}'")
        section = _SECTION.match(line) if ours else None
        if section:
            found.append((int(section[1], 16), int(section[2], 16)))
    return found


def _by_name(name: str) -> str:
    return INTERPRETER if _INTERPRETER.match(name) else USER
