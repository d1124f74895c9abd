"""The C library (`libjitscope-inspect.so`) through ctypes: a table of its functions, and the handling of errors in
callbacks."""

from __future__ import annotations

import ctypes
import json
import os
import sys
from ctypes import POINTER, byref, c_bool, c_char_p, c_int, c_size_t, c_uint, c_uint64, c_void_p
from typing import Any, Callable

from .. import __version__
from .contract import (  # noqa: F401  (for those that use this module)
    EARG,
    ECANCEL,
    EFAULT,
    ENOMEM,
    ENOTFOUND,
    ESYS,
    EUNSUP,
    JOIN_PYTHON,
    LINE_BOOL,
    LINE_FLOAT,
    LINE_INDEX,
    LINE_INT,
    ArrayRequest,
    Call,
    CodedFn,
    CountedMemory,
    EnclosingFn,
    FindFn,
    FlowFn,
    Frame,
    GlobalFn,
    HeapDamage,
    Held,
    JoinFrameFn,
    JoinItem,
    JoinPython,
    LineFunction,
    LineVariable,
    PollFn,
    ProgressFn,
    ReaderFn,
    ReadFn,
    RegisterFn,
    RenderOptions,
    Text,
    Waiting,
    Written,
)

NAME = "libjitscope-inspect.so"
_PACKAGES = {"jitscope_gdb", "jitscope_shared", "jitscope_in_lldb"}  # whose callbacks C calls

OUT = POINTER(c_void_p)

# Name: (result, arguments). A result of type c_int is a js_status unless a comment says otherwise.
FUNCTIONS: dict[str, tuple[Any, list[Any]]] = {
    "js_version": (c_char_p, []),
    "js_strerror": (c_char_p, [c_int]),
    "js_free": (None, [c_void_p]),
    "js_text_init": (None, [POINTER(Text), c_size_t]),
    "js_text_deinit": (None, [POINTER(Text)]),
    "js_text_putn": (None, [c_void_p, c_char_p, c_size_t]),
    "js_bytes_create_callback": (c_int, [ReadFn, c_void_p, OUT]),
    "js_bytes_create_process": (c_int, [c_int, OUT]),
    "js_bytes_destroy": (None, [c_void_p]),
    "js_traced_registers": (c_int, [c_int, POINTER(c_uint64)]),
    "js_bytes_read": (c_int, [c_void_p, c_uint64, c_void_p, c_size_t]),
    "js_elf_find_symbols": (c_int, [c_char_p, POINTER(c_char_p), c_size_t, POINTER(c_uint64)]),
    "js_elf_write_symbols": (c_int, [c_char_p, c_char_p, c_uint64, c_char_p, c_uint64]),
    "js_line_symbols_write": (c_int, [c_char_p, POINTER(LineFunction)]),
    "js_access_json": (c_int, [c_int, c_int, OUT]),
    "js_reader_set_callback": (None, [ReaderFn]),
    "js_render_options_init": (None, [POINTER(RenderOptions)]),
    "js_api_render": (
        c_int,
        [
            c_void_p,
            c_void_p,
            c_char_p,
            c_char_p,
            c_char_p,
            c_size_t,
            c_char_p,
            POINTER(RenderOptions),
            c_int,
            OUT,
            POINTER(c_int),
        ],
    ),
    "js_api_type_json": (c_int, [c_void_p, c_char_p, c_char_p, OUT]),
    "js_api_evaluate": (c_int, [c_void_p, c_void_p, c_void_p, c_size_t, c_char_p, c_void_p, ProgressFn, c_void_p, OUT]),
    "js_api_array": (
        c_int,
        [c_void_p, c_void_p, c_void_p, c_size_t, c_char_p, c_void_p, c_void_p, ProgressFn, c_void_p, OUT],
    ),
    "js_api_children": (
        c_int,
        [c_void_p, c_void_p, c_char_p, c_char_p, c_char_p, c_size_t, POINTER(RenderOptions), OUT],
    ),
    "js_api_array_view": (c_int, [c_void_p, c_char_p, c_char_p, c_char_p, c_size_t, c_void_p, OUT]),
    "js_program_create": (c_int, [OUT]),
    "js_program_destroy": (None, [c_void_p]),
    "js_program_types": (c_void_p, [c_void_p]),
    "js_program_set_global": (None, [c_void_p, GlobalFn, c_void_p]),
    "js_program_set_enclosing": (None, [c_void_p, EnclosingFn, c_void_p]),
    "js_types_set_coded": (None, [c_void_p, CodedFn, c_void_p]),
    "js_boxed_is_freeing": (c_bool, [c_char_p]),
    "js_boxed_memory_read": (c_int, [c_void_p, c_uint64, POINTER(CountedMemory)]),
    "js_heap_damage_after": (c_int, [c_void_p, c_uint64, POINTER(HeapDamage)]),
    "js_boxed_coded": (c_int, [c_void_p, c_uint64, c_uint64, c_void_p, c_size_t]),
    "js_boxed_classes": (c_int, [c_void_p, c_uint64, c_void_p, POINTER(Text)]),
    "js_program_set_flow": (None, [c_void_p, FlowFn, c_void_p]),
    "js_program_add": (c_int, [c_void_p, c_void_p, c_size_t, c_void_p, POINTER(Text), POINTER(c_uint)]),
    "js_described_origin": (c_int, [c_void_p, c_size_t, POINTER(c_uint64), POINTER(c_uint64), POINTER(c_bool)]),
    "js_program_set_attaching": (None, [c_void_p, c_bool]),
    "js_program_set_lldb": (None, [c_void_p, c_bool]),
    "js_program_watch_pending": (c_int, [c_void_p, POINTER(Frame)]),
    "js_program_forget_pending": (None, [c_void_p]),
    "js_program_set_find_pending": (None, [c_void_p, FindFn, c_void_p]),
    "js_program_pending": (c_void_p, [c_void_p]),
    "js_program_may_keep": (c_bool, [c_void_p, c_uint64]),
    "js_bytes_set_watch": (None, [c_void_p, c_void_p]),
    "js_program_asks_to_stop": (c_bool, [c_void_p]),
    "js_program_newer_hook": (c_uint, [c_void_p]),
    "js_program_undescribed": (c_int, [c_void_p, c_uint, OUT]),
    "js_program_hides_raises": (c_bool, [c_void_p, c_uint]),
    "js_program_remove": (c_int, [c_void_p, c_uint]),
    "js_program_write": (c_int, [c_void_p, c_uint, c_uint, c_char_p, POINTER(Text)]),
    "js_program_files": (c_int, [c_void_p, c_uint, OUT]),
    "js_program_functions": (c_int, [c_void_p, c_char_p, c_int, c_int, OUT]),
    "js_frame_classify": (c_int, [c_char_p, c_char_p]),
    "js_frame_asks": (c_bool, [c_char_p]),
    "js_numba_asks": (c_bool, [c_char_p]),
    "js_join_create": (c_int, [JoinFrameFn, c_void_p, POINTER(JoinPython), c_size_t, OUT]),
    "js_join_destroy": (None, [c_void_p]),
    "js_join_next": (c_int, [c_void_p, POINTER(JoinItem)]),
    "js_frame_phase": (c_char_p, [c_char_p]),
    "js_find_passed_argument": (c_int, [POINTER(Frame), c_uint64, c_uint64, c_uint64, c_uint, POINTER(c_uint64)]),
    "js_numba_convention": (c_int, [OUT]),
    "js_program_raise": (c_int, [c_void_p, c_uint64, OUT]),
    "js_program_at": (c_int, [c_void_p, c_uint64, OUT]),
    "js_program_locals": (c_int, [c_void_p, POINTER(Frame), c_int, c_int, POINTER(RenderOptions), OUT]),
    "js_program_passed": (c_int, [c_void_p, c_void_p, POINTER(Frame), POINTER(RenderOptions), OUT]),
    "js_program_place": (c_int, [c_void_p, POINTER(Frame), c_char_p, POINTER(c_uint64)]),
    "js_program_print": (
        c_int,
        [c_void_p, POINTER(Frame), c_char_p, POINTER(RenderOptions), c_void_p, ProgressFn, c_void_p, OUT],
    ),
    "js_program_condition": (
        c_int,
        [c_void_p, POINTER(Frame), c_char_p, c_void_p, ProgressFn, c_void_p, OUT],
    ),
    "js_program_names": (c_int, [c_void_p, c_uint64, OUT]),
    "js_condition_check": (c_int, [c_char_p, OUT]),
    "js_program_array": (
        c_int,
        [
            c_void_p,
            POINTER(Frame),
            c_char_p,
            POINTER(ArrayRequest),
            POINTER(RenderOptions),
            c_void_p,
            ProgressFn,
            c_void_p,
            OUT,
        ],
    ),
    "js_program_chunk": (c_int, [c_void_p, POINTER(Frame), OUT]),
    "js_program_last_return": (c_int, [c_void_p, c_void_p, c_uint64, c_uint64, POINTER(c_uint64)]),
    "js_program_nested_calls": (c_int, [c_void_p, c_void_p, POINTER(c_uint64), c_uint64, OUT]),
    "js_numba_layer": (c_char_p, [c_char_p]),
    "js_program_why": (c_int, [c_void_p, POINTER(Frame), c_char_p, OUT]),
    "js_program_statements": (c_int, [c_void_p, POINTER(Frame), OUT]),
    "js_program_is_endless": (c_int, [c_void_p, POINTER(Frame), POINTER(c_int)]),
    "js_program_line": (c_int, [c_void_p, c_char_p, c_uint, c_uint, OUT]),
    "js_program_gone": (c_int, [c_void_p, c_char_p, OUT]),
    "js_program_regions": (c_int, [c_void_p, c_uint64, c_void_p, OUT]),
    "js_program_launches": (c_int, [c_void_p, c_uint64, c_void_p, OUT]),
    "js_program_records": (c_int, [c_void_p, c_uint64, c_void_p, OUT]),
    "js_program_waiting": (c_int, [c_void_p, POINTER(Waiting), c_size_t, c_void_p, POINTER(RenderOptions), OUT]),
    "js_program_explain_fault": (c_int, [c_void_p, POINTER(Frame), c_uint64, c_char_p, c_char_p, OUT]),
    "js_python_create": (c_int, [c_void_p, c_uint64, ctypes.c_uint32, OUT]),
    "js_python_destroy": (None, [c_void_p]),
    "js_python_forget": (None, [c_void_p]),
    "js_python_bound": (c_int, [c_void_p, c_char_p, c_char_p, OUT]),
    "js_python_global": (c_int, [c_void_p, c_char_p, c_char_p, POINTER(c_uint64)]),
    "js_python_cells_json": (c_int, [c_void_p, OUT]),
    "js_python_is_cell": (c_int, [c_void_p, c_char_p, c_uint64]),
    "js_python_source": (c_int, [c_void_p, c_char_p, OUT]),
    "js_python_threads_json": (c_int, [c_void_p, OUT]),
    "js_python_variables": (
        c_int,
        [c_void_p, c_void_p, POINTER(c_uint64), c_size_t, c_int, POINTER(RenderOptions), OUT],
    ),
    "js_python_print": (
        c_int,
        [c_void_p, c_void_p, c_uint64, c_char_p, POINTER(RenderOptions), ProgressFn, c_void_p, OUT],
    ),
    "js_python_freed_held": (c_int, [c_void_p, c_uint64, POINTER(Held)]),
    "js_python_find_held": (c_int, [c_void_p, c_uint64, c_char_p, POINTER(Held)]),
    "js_python_find_written": (c_int, [c_void_p, c_uint64, c_uint64, POINTER(Written)]),
    "js_python_is_installed": (c_bool, [c_char_p]),
    "js_python_activity": (c_int, [c_void_p, c_uint64, c_uint64, POINTER(Call), OUT]),
    "js_python_put_wait": (c_int, [POINTER(Text), c_char_p, c_char_p]),
    "js_python_frames_json": (c_int, [c_void_p, c_uint64, c_uint64, c_uint, PollFn, c_void_p, OUT]),
}


class Unavailable(Exception):
    """The library is missing or has another version; the text is the one line for the user."""


class NativeError(Exception):
    """The negative status of a C function."""

    def __init__(self, status: int, what: str):
        self.status = status
        super().__init__(f"{what}: {strerror(status)}")


library: Any = None
path = ""

# Exceptions that a callback could not raise through C; check() raises them once the C function has returned.
_interrupted: list[BaseException] = []


def find(here: str) -> str:
    """Return where the library is for a `jitscope.py` in the folder `here`. Raise Unavailable if there is none."""
    named = os.environ.get("JITSCOPE_INSPECT_LIBRARY")
    if named:
        if not os.path.isfile(named):
            raise Unavailable(f"JITSCOPE_INSPECT_LIBRARY names {named}, which is missing")
        return os.path.abspath(named)
    root = os.path.dirname(here)
    built = os.path.join(root, "build", "runtime", "inspect", NAME)
    installed = os.path.join(root, "lib", NAME)
    for candidate in (built, installed):
        if os.path.isfile(candidate):
            return candidate
    raise Unavailable(f"{NAME} is missing: {cure(here)}")


def cure(here: str) -> str:
    """Return what to do for a library of this version."""
    if os.environ.get("JITSCOPE_INSPECT_LIBRARY"):
        return "unset JITSCOPE_INSPECT_LIBRARY"
    root = os.path.dirname(here)
    if os.path.isfile(os.path.join(root, "scripts", "setup")):
        return f"run scripts/setup in {root}"
    return "run pip install --force-reinstall jitscope"


def load(here: str) -> None:
    """Load the library of exactly this version, once. Raise Unavailable where that fails."""
    global library, path
    if library is not None:
        return
    found = find(here)
    try:
        loaded = ctypes.CDLL(found, use_errno=True)
    except OSError as error:
        raise Unavailable(f"{found} cannot be loaded ({error}): {cure(here)}") from None
    try:
        loaded.js_version.restype = c_char_p
        version = loaded.js_version().decode("ascii", "replace")
    except AttributeError:
        version = "another version"
    if version != __version__:
        raise Unavailable(f"{found} is of jitscope {version}, this is {__version__}: {cure(here)}")
    for name, (result, arguments) in FUNCTIONS.items():
        try:
            function = getattr(loaded, name)
        except AttributeError:
            raise Unavailable(f"{found} lacks {name}, so it is of another jitscope: {cure(here)}") from None
        function.restype = result
        function.argtypes = arguments
    library, path = loaded, found
    _catch_interrupts()


def strerror(status: int) -> str:
    text = library.js_strerror(status) if library is not None else None
    return text.decode("ascii", "replace") if text else f"status {status}"


def _is_callback(unraisable: Any) -> bool:
    """True if a callback of jitscope raised the error. Python 3.13 and later give no object, but the frame is
    known."""
    module = getattr(unraisable.object, "__module__", None) or ""
    at = unraisable.exc_traceback
    running = at.tb_frame.f_globals.get("__name__", "") if at is not None else ""
    return any(name.split(".")[0] in _PACKAGES for name in (module, running))


def _catch_interrupts() -> None:
    """Keep for check(), as note() does, an exception that ctypes reports: Ctrl-C may come at the very start of a
    callback, where the callback cannot catch it, and C goes on with an arbitrary result."""
    before = sys.unraisablehook

    def hook(unraisable: Any) -> None:
        if isinstance(unraisable.exc_value, KeyboardInterrupt) and _is_callback(unraisable):
            note(unraisable.exc_value)
        else:
            before(unraisable)

    sys.unraisablehook = hook


def is_interrupted() -> bool:
    """True if the user has typed Ctrl-C since the last check()."""
    return bool(_interrupted)


def note(error: BaseException) -> int:
    """Keep Ctrl-C until the C function has returned, and return the status for C; callbacks call this."""
    if isinstance(error, KeyboardInterrupt):
        _interrupted.append(error)
        return ECANCEL
    return EFAULT


def check(status: int, what: str) -> None:
    """Raise KeyboardInterrupt or NativeError for the status of a C call; called after each C call that may call
    back."""
    if _interrupted:
        _interrupted.clear()
        raise KeyboardInterrupt
    if status < 0:
        raise NativeError(status, what)


def check_system(status: int, what: str) -> None:
    """Like check(), but raise OSError where a system call has failed."""
    if status == ESYS:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    check(status, what)


def text_of(function: str, *arguments: Any) -> str:
    """Call a function whose last parameter is `char **out`; return the text that it gives, and free it."""
    out = c_void_p()
    status = getattr(library, function)(*arguments, byref(out))
    try:
        check(status, function)
        data = ctypes.string_at(out.value) if out.value else b""
    finally:
        if out.value:
            library.js_free(out)
    return data.decode("utf-8", "replace")


def json_of(function: str, *arguments: Any) -> Any:
    return json.loads(text_of(function, *arguments))


def fill_text(call: Callable[[Any], int], what: str) -> str:
    """Call `call` with a js_text and return the text that it has written."""
    text = Text()
    library.js_text_init(byref(text), 0)
    try:
        check(call(byref(text)), what)
        data = ctypes.string_at(text.data, text.length) if text.data else b""
    finally:
        library.js_text_deinit(byref(text))
    return data.decode("utf-8", "replace")


def create(function: str, *arguments: Any) -> c_void_p:
    """Call a function whose last parameter receives a new handle, and return the handle."""
    out = c_void_p()
    check(getattr(library, function)(*arguments, byref(out)), function)
    return out


def call_of(register: Callable[[str], bytes | None]) -> Call:
    """Return the system call that a thread is in; `register` gives the bytes of a register of its innermost frame."""
    values = [register(name) for name in ("orig_rax", "rax", "rdi", "rsp")]
    if not all(value is not None and len(value) == 8 for value in values):
        return Call((1 << 64) - 1, 0, 0, 0)  # another machine
    return Call(*(int.from_bytes(value or b"", "little") for value in values))
