"""Reports of crashes: `enable_crash_report`."""

from __future__ import annotations

import ctypes
import functools
import json
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterable
from importlib.machinery import ExtensionFileLoader
from typing import Any, Union

from jitscope.stops import CrashReports, library

SIGNALS = (signal.SIGSEGV, signal.SIGBUS, signal.SIGFPE, signal.SIGILL, signal.SIGABRT)
RAISED = (signal.SIGTERM,)  # by which Numba's threading layers end a forked child; other programs send it, too
SECONDS = 5.0  # that a report may take
# Variables of the environment that the reader gets: they say where programs and libraries are.
_PASSED = ("PATH", "LD_LIBRARY_PATH", "HOME", "LANG", "LC_ALL", "TZ", "DEBUGINFOD_URLS", "DEBUGINFOD_CACHE_PATH")
# The program that reads the process. Its working directory is no place for modules.
_START = """\
import sys
sys.path[:] = [sys.argv.pop(1), *filter(None, sys.path)]
try:
    from jitscope.report.reader import main
except ImportError as error:
    sys.exit(f"jitscope: the crash cannot be reported: {error}, where jitscope was when the program started")
sys.exit(main())
"""

Path = Union[str, "os.PathLike[str]"]


class _Plan(ctypes.Structure):
    """jitscope_report_plan of runtime/include/jitscope_report.h."""

    _fields_ = [
        ("argv", ctypes.POINTER(ctypes.c_char_p)),
        ("envp", ctypes.POINTER(ctypes.c_char_p)),
        ("output", ctypes.c_int32),
        ("limit_ms", ctypes.c_int32),
    ]


class _State:
    """What is enabled."""

    signals: set[int] = set()


def enable_crash_report(
    path: Path | None = None,
    *,
    signals: Iterable[int] = SIGNALS,
    on: Iterable[int] = (),
    timeout: float | None = None,
    html: bool = False,
    redact: str | Iterable[str] = (),
    seconds: float = SECONDS,
) -> None:
    """Report what all threads do, with their variables, when a signal ends this process.

    The report says in a sentence what has happened, where that can be argued, and then shows the stacks as `jitscope
    stack --locals` does: Python functions, compiled ones and native ones. Another program makes it, from a copy of this
    process, so that nothing has to be intact here. It needs no debugger, no core, and no right to trace. Afterwards the
    process ends by its signal, as without this; handlers that were there before, such as faulthandler's, still run.

    Calling it again replaces the settings. A child that is forked keeps them. One that is started as a new program, as
    multiprocessing does by spawn, needs JITSCOPE_REPORT in its environment, or its own call.

    Args:
        path: a folder, in which each report becomes a text, a JSON file (docs/schema/report.json) and, with `html`, a
            page; only their owner may read them. None: the text goes to standard error, and nothing else is made.
        signals: those that end a process. With SIGABRT among them, SIGTERM is reported, too, but only where Numba has
            ended the process by it, as it does in a forked child that uses OpenMP.
        on: signals at which the process is reported and goes on, such as SIGUSR1.
        timeout: seconds after which the process is reported once and goes on, unless this is called again before.
        html: make a page, too; it needs the package jinja2.
        redact: names of variables whose values are left out, such as `password`, wherever a name has such a part.
        seconds: how long a report may take; then it is ended, and the process as well.

    Raises:
        OSError: there is no library, or this machine is none that can be reported.

    Example::

        import jitscope

        jitscope.enable_crash_report("crashes")
    """
    loaded = _library()
    folder = None if path is None else os.path.abspath(os.fspath(path))
    signals = set(signals)
    raised = set(RAISED) - signals if signal.SIGABRT in signals else set()
    hidden = [redact] if isinstance(redact, str) else list(redact)
    settings: dict[str, Any] = {"path": folder, "html": html, "redact": hidden, "enabled": time.time()}
    settings |= {"seconds": seconds, "raised": sorted(raised)}
    plan = _plan(loaded, settings, seconds)
    _check(loaded.jitscope_report_enable(ctypes.byref(plan)), "crashes cannot be reported")
    disable_crash_report()
    for way, numbers in (("catch", signals), ("catch_raised", raised), ("on", on)):
        for number in numbers:
            _check(getattr(loaded, f"jitscope_report_{way}")(number), f"signal {number} cannot be reported")
            _State.signals.add(number)
    _check(loaded.jitscope_report_later(int((timeout or 0) * 1000)), "crashes cannot be reported")
    _prepare_threads(loaded)
    _follow_libraries(loaded)
    CrashReports.are_on = bool(_State.signals)


def enable_at_start() -> None:
    """Report crashes as JITSCOPE_REPORT says: in a folder, or, if it is `1` or not set, on standard error. What
    prevents that is one line, because the program has to run."""
    where = os.environ.get("JITSCOPE_REPORT", "1")
    if where == "0":
        return
    try:
        if where != "1":  # children, which may start elsewhere, use the same folder
            where = os.environ["JITSCOPE_REPORT"] = os.path.abspath(where)
        enable_crash_report(None if where == "1" else where)
    except OSError as error:
        if sys.stderr is not None:
            print(f"jitscope: {error}", file=sys.stderr)


def disable_crash_report() -> None:
    """Report nothing any more, and set the handlers again that were there before.

    Example::

        import jitscope

        jitscope.enable_crash_report()
        jitscope.disable_crash_report()
    """
    loaded = _library()
    loaded.jitscope_report_later(0)
    for number in _State.signals:
        loaded.jitscope_report_release(number)
    _State.signals.clear()
    CrashReports.are_on = False


def _library() -> ctypes.CDLL:
    loaded = library()
    loaded.jitscope_report_enable.argtypes = [ctypes.POINTER(_Plan)]
    loaded.jitscope_report_described.argtypes = []
    loaded.jitscope_report_described.restype = ctypes.c_void_p
    loaded.jitscope_report_loaded.argtypes = []
    loaded.jitscope_report_loaded.restype = None
    loaded.jitscope_report_later.argtypes = [ctypes.c_int64]
    for name in ("catch", "catch_raised", "on", "release"):
        getattr(loaded, f"jitscope_report_{name}").argtypes = [ctypes.c_int]
    return loaded


def _plan(loaded: ctypes.CDLL, settings: dict[str, Any], seconds: float) -> _Plan:
    if not sys.executable:
        raise OSError("crashes cannot be reported: sys.executable does not say which Python can read the process")
    package = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    address = hex(loaded.jitscope_report_described())
    # Without -I, Python finds its library where the variable PYTHONHOME says.
    home = None if sys.flags.ignore_environment else os.environ.get("PYTHONHOME")
    argv = [sys.executable, "-s" if home else "-I", "-c", _START, package, address, json.dumps(settings)]
    environment = {name: os.environ[name] for name in _PASSED if name in os.environ}
    environment["JITSCOPE"] = "0"
    if home:
        environment["PYTHONHOME"] = home
    for name in ("JITSCOPE_INSPECT_LIBRARY", "JITSCOPE_LIBRARY"):
        if name in os.environ:
            environment[name] = os.environ[name]
    variables = _strings(f"{name}={value}" for name, value in environment.items())
    # Standard error as it is now; the C library keeps a copy: a program, or pytest, may replace it later.
    return _Plan(_strings(argv), variables, 2, max(1, min(int(seconds * 1000), 2**31 - 1)))


def _strings(words: Iterable[str]) -> Any:
    encoded = [os.fsencode(word) for word in words]
    return (ctypes.c_char_p * (len(encoded) + 1))(*encoded, None)


def _check(status: int, what: str) -> None:
    if status < 0:
        raise OSError(-status, f"{what}: {os.strerror(-status)}")


def _follow_libraries(loaded: ctypes.CDLL) -> None:
    """Have the threads of libraries that Python loads from now on begin with a stack for signals, too."""
    note: Callable[[], None] = loaded.jitscope_report_loaded
    for owner, name in ((ctypes, "_dlopen"), (ExtensionFileLoader, "create_module")):
        load = getattr(owner, name, None)
        if load is not None and not hasattr(load, "notes_libraries"):
            setattr(owner, name, _noting(load, note))


def _noting(load: Callable[..., Any], note: Callable[[], None]) -> Callable[..., Any]:
    @functools.wraps(load)
    def load_and_note(*arguments: Any, **named: Any) -> Any:
        found = load(*arguments, **named)
        note()
        return found

    load_and_note.notes_libraries = True  # type: ignore[attr-defined]
    return load_and_note


def _prepare_threads(loaded: ctypes.CDLL) -> None:
    """Give the threads that Python starts from now on a stack for signals, so that an overflow can be reported."""
    begin: Callable[[], int] = loaded.jitscope_report_thread_begin
    bootstrap = threading.Thread._bootstrap_inner  # type: ignore[attr-defined]
    if hasattr(bootstrap, "has_signal_stack"):
        return

    def with_signal_stack(self: threading.Thread) -> None:
        begin()
        bootstrap(self)

    with_signal_stack.has_signal_stack = True  # type: ignore[attr-defined]
    threading.Thread._bootstrap_inner = with_signal_stack  # type: ignore[attr-defined]
