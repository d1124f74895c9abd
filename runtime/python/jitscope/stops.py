"""Stops that the program requests: `attach`, `breakpoint`, `breakpoint_if`; for compiled code, see
`jitscope.compiler.services.stops`."""

from __future__ import annotations

import ctypes
import os
import signal as signals
import sys
from functools import lru_cache
from typing import Any, Optional, Union

from jitscope import paths

# from runtime/include/jitscope.h
BANNER = 1
_MESSAGE_SIZE = 1024

Wait = Optional[Union[bool, int, float]]


class CrashReports:
    """Whether crashes of this process are reported, which `jitscope.report.enabling` sets."""

    are_on = False


@lru_cache(maxsize=1)
def library() -> ctypes.CDLL:
    """Return libjitscope.so, loaded once. Raise FileNotFoundError or OSError, whose text says what to do."""
    loaded = ctypes.CDLL(str(paths.runtime_library()))
    arguments: list[Any] = [ctypes.POINTER(ctypes.c_char_p), ctypes.c_int32]
    loaded.jitscope_attach.argtypes = [*arguments, ctypes.c_uint32, ctypes.c_char_p, ctypes.c_size_t]
    loaded.jitscope_attach_on.argtypes = [ctypes.c_int, *arguments, ctypes.c_char_p, ctypes.c_size_t]
    loaded.jitscope_breakpoint.argtypes = []
    loaded.jitscope_breakpoint.restype = None
    loaded.jitscope_set_script.argtypes = [ctypes.c_char_p]
    loaded.jitscope_set_other_stop.argtypes = [ctypes.c_size_t]
    loaded.jitscope_set_other_stop.restype = None
    loaded.jitscope_survive_debugger.argtypes = []
    loaded.jitscope_survive_debugger.restype = None
    loaded.jitscope_tracer.argtypes = []
    loaded.jitscope_registered_functions.argtypes = [ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p]
    loaded.jitscope_is_debugged.argtypes = []
    loaded.jitscope_watched_code.argtypes = []
    loaded.jitscope_watched_code.restype = ctypes.c_void_p
    loaded.jitscope_set_script(os.fsencode(paths.handshake_script()))
    return loaded


def _library() -> ctypes.CDLL | None:
    """Return the library, or print one line and return None: a stop that is not possible must not end the program."""
    try:
        return library()
    except OSError as error:
        _say(f"jitscope: {error}; the program goes on without a debugger")
        return None


def _say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def milliseconds(wait: Wait) -> int:
    """Return the time for the C library in milliseconds: 0 does not wait, -1 waits without limit."""
    if wait is True:
        return -1
    return max(0, min(int((wait or 0) * 1000), 2**31 - 1))


def _strings(arguments: tuple[str, ...]) -> ctypes.Array[ctypes.c_char_p]:
    for argument in arguments:
        if not isinstance(argument, str):
            raise TypeError(f"attach() takes GDB's arguments as strings, not {argument!r}")
    return (ctypes.c_char_p * (len(arguments) + 1))(*map(os.fsencode, arguments), None)


def start_gdb(arguments: tuple[str, ...], wait: Wait, flags: int) -> bool:
    """Call jitscope_attach, and return True if a debugger is attached now; otherwise one line on sys.stderr says why
    not."""
    loaded = _library()
    if loaded is None:
        return False
    message = ctypes.create_string_buffer(_MESSAGE_SIZE)
    status: int = loaded.jitscope_attach(_strings(arguments), milliseconds(wait), flags, message, _MESSAGE_SIZE)
    if message.value:
        _say(message.value.decode(errors="replace"))
    return status >= 0


def attach(*gdb_args: str, wait: Wait = 0, stop: bool = True) -> bool:
    """Start GDB on this very process, and stop here.

    With a debugger attached already, GDB or LLDB, this only stops. Without a terminal, GDB runs the commands in
    `gdb_args` and detaches. Without a terminal and without commands, GDB is not started: one line says how to attach
    from another terminal, and this waits for somebody to do so. What prevents GDB from attaching is one line on
    standard error, and the program runs on. Compiled code may call this with literal strings.

    Args:
        gdb_args: arguments of GDB; commands in them (`-ex`) run at the first stop.
        wait: seconds to wait where there is no terminal. True: without limit. 0, None or False: not at all.
        stop: False attaches and runs on to the next `breakpoint()`.

    Returns:
        True if a debugger is attached.

    Raises:
        TypeError: an argument for GDB is not a string.

    Example::

        import jitscope

        jitscope.attach("-ex", "jit bt", "-ex", "detach")
    """
    attached = start_gdb(gdb_args, wait, 0)
    if attached and stop:
        breakpoint()
    return attached


def breakpoint() -> None:
    """Stop here if a debugger with jitscope is attached; do nothing otherwise.

    Compiled code may call this, and stops on the line of the call. Where `libjitscope.so` cannot be loaded, one line
    on standard error says why, and the program runs on.

    Example::

        from numba import njit
        import jitscope

        @njit(debug=True)
        def half(x):
            y = x / 2
            jitscope.breakpoint()
            return y

        half(3.0)
    """
    loaded = _library()
    if loaded is not None:
        loaded.jitscope_breakpoint()


def breakpoint_if(condition: object) -> None:
    """Stop here if a condition is true and a debugger with jitscope is attached.

    Args:
        condition: any object; a number or a bool in compiled code, where another type is Numba's TypingError.

    Example::

        from numba import njit
        import jitscope

        @njit(debug=True)
        def root(x):
            jitscope.breakpoint_if(x < 0)
            return x ** 0.5

        root(2.0)
    """
    if condition:
        breakpoint()


def attach_on(signal: int = signals.SIGUSR1, *gdb_args: str, wait: Wait = 0) -> None:
    """Let a signal start GDB on this process and stop it, as `attach` does, whatever the program is doing.

    Args:
        signal: the number of the signal; `kill -USR1 PID` sends the default.
        gdb_args: arguments of GDB, as of `attach`.
        wait: seconds, as of `attach`.

    Raises:
        OSError: GDB is missing (it is looked for in this call), the signal cannot be handled, or `libjitscope.so`
            cannot be loaded.
        TypeError: an argument for GDB is not a string.

    Example::

        import signal
        import jitscope

        jitscope.attach_on(signal.SIGUSR2, "-ex", "jit bt", "-ex", "detach")
    """
    message = ctypes.create_string_buffer(_MESSAGE_SIZE)
    status = library().jitscope_attach_on(int(signal), _strings(gdb_args), milliseconds(wait), message, _MESSAGE_SIZE)
    if status < 0:
        raise OSError(message.value.decode(errors="replace"))


def tracer() -> int:
    """Return the process id of the attached debugger, 0 if there is none."""
    return int(library().jitscope_tracer())


def is_debugged() -> bool:
    """True if a debugger is attached that sees compiled code; strace, which is a tracer, too, is none."""
    return bool(library().jitscope_is_debugged())
