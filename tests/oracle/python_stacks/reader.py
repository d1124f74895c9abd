"""A ctypes binding of stacks/python.h; the library is JITSCOPE_INSPECT_LIBRARY."""

from __future__ import annotations

import ctypes
import json
import os
from functools import lru_cache
from typing import Any

from tests.oracle.inspect_library import RenderOptions

ENOMEM, EFAULT, EBAD, ELIMIT, ENOTFOUND, EUNSUP, ECANCEL, EARG = range(-1, -9, -1)
READ = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_uint64, ctypes.c_void_p, ctypes.c_size_t)
POLL = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p)


@lru_cache
def library() -> ctypes.CDLL:
    """Return the C library."""
    lib = ctypes.CDLL(os.environ["JITSCOPE_INSPECT_LIBRARY"])
    address, out = ctypes.c_uint64, ctypes.c_void_p
    lib.js_bytes_create_process.argtypes = [ctypes.c_int, out]
    lib.js_bytes_create_callback.argtypes = [READ, ctypes.c_void_p, out]
    lib.js_bytes_destroy.argtypes = [ctypes.c_void_p]
    lib.js_free.argtypes = [ctypes.c_void_p]
    lib.js_python_create.argtypes = [ctypes.c_void_p, address, ctypes.c_uint32, out]
    lib.js_python_destroy.argtypes = lib.js_python_forget.argtypes = [ctypes.c_void_p]
    lib.js_python_threads_json.argtypes = lib.js_python_offsets_json.argtypes = [ctypes.c_void_p, out]
    lib.js_python_frames_json.argtypes = [ctypes.c_void_p, address, address, ctypes.c_uint, POLL, ctypes.c_void_p, out]
    lib.js_python_variables.argtypes = [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p]
    lib.js_python_variables.argtypes += [ctypes.c_size_t, ctypes.c_int, ctypes.c_void_p, out]
    lib.js_python_activity.argtypes = [ctypes.c_void_p, address, address, ctypes.c_void_p, out]
    lib.js_types_create.argtypes, lib.js_types_destroy.argtypes = [out], [ctypes.c_void_p]
    lib.js_render_options_init.argtypes = [ctypes.c_void_p]
    lib.js_python_find_runtime.argtypes = [ctypes.c_int, out, out]
    return lib


class Failed(Exception):
    """A negative js_status."""

    def __init__(self, status: int) -> None:
        super().__init__(status)
        self.status = status


def check(status: int) -> None:
    if status < 0:
        raise Failed(status)


def find_runtime(pid: int) -> tuple[int, int]:
    runtime, version = ctypes.c_uint64(), ctypes.c_uint32()
    check(library().js_python_find_runtime(pid, ctypes.byref(runtime), ctypes.byref(version)))
    return runtime.value, version.value


class Reader:
    """A js_python over a live process, or over `read` in its place."""

    def __init__(self, pid: int, version: int | None = None, read: Any = None) -> None:
        lib, self.bytes, self.python = library(), ctypes.c_void_p(), ctypes.c_void_p()
        self.types = ctypes.c_void_p()
        check(lib.js_types_create(ctypes.byref(self.types)))
        self.runtime, found = find_runtime(pid)
        if read is None:
            check(lib.js_bytes_create_process(pid, ctypes.byref(self.bytes)))
        else:
            self.read = READ(read)
            check(lib.js_bytes_create_callback(self.read, None, ctypes.byref(self.bytes)))
        wanted = found if version is None else version
        status = lib.js_python_create(self.bytes, self.runtime, wanted, ctypes.byref(self.python))
        if status < 0:
            self.close()
            raise Failed(status)

    def close(self) -> None:
        library().js_python_destroy(self.python)
        library().js_types_destroy(self.types)
        library().js_bytes_destroy(self.bytes)

    def __enter__(self) -> Reader:
        return self

    def __exit__(self, *info: object) -> None:
        self.close()

    def _text(self, function: Any, *arguments: Any) -> Any:
        out = ctypes.c_void_p()
        check(function(self.python, *arguments, ctypes.byref(out)))
        text = ctypes.string_at(out.value or 0)
        library().js_free(out)
        return json.loads(text.decode("utf-8", "strict"))

    def forget(self) -> None:
        library().js_python_forget(self.python)

    def threads(self) -> Any:
        return self._text(library().js_python_threads_json)

    def offsets(self) -> Any:
        return self._text(library().js_python_offsets_json)

    def frames(self, native: int, pthread: int, limit: int = 0, poll: Any = None) -> Any:
        return self._text(library().js_python_frames_json, native, pthread, limit, POLL(poll or 0), None)

    def variables(self, address: int, which: int = 0, **options: Any) -> Any:
        wanted = RenderOptions()
        library().js_render_options_init(ctypes.byref(wanted))
        for name, value in options.items():
            setattr(wanted, name, value)
        given = (ctypes.c_uint64 * 1)(address)
        arguments = (self.types, given, 1, which, ctypes.byref(wanted))
        return self._text(library().js_python_variables, *arguments)[0]

    def doing(self, native: int, pthread: int, futex: int, stack: int) -> Any:
        """Call js_python_activity for a thread that sleeps at this address."""
        call = (ctypes.c_uint64 * 4)(202 if futex else (1 << 64) - 1, (1 << 64) - 512, futex, stack)
        return self._text(library().js_python_activity, native, pthread, ctypes.byref(call))
