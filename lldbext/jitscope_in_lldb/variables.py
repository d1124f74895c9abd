"""The variables of a compiled frame, expressions over them, arrays, and reasons, as the C library gives them."""

from __future__ import annotations

import contextlib
import ctypes
import os
import re
from collections.abc import Iterator
from typing import Any

from jitscope_shared.base import native
from jitscope_shared.functions import frozen_names
from jitscope_shared.variable_choice import ALL, ARGUMENTS, OTHERS  # noqa: F401  (for those that use this module)

from . import debuggee as debuggees
from . import native_frames, source_facts
from .report import Problem, Shown

_NO_MODULE = "<dynamic>"  # the module of a parallel kernel (numba/core/funcdesc.py, FunctionDescriptor; 0.57-0.68)


def render_options(summary: bool = False) -> native.RenderOptions:
    options = native.RenderOptions()
    native.library.js_render_options_init(ctypes.byref(options))
    options.summary = summary
    return options


def read(
    debuggee: debuggees.Debuggee, frame: Any, which: int, versions: bool = False, summary: bool = False
) -> list[dict[str, Any]]:
    """Return the entries of js_program_locals for this frame, without the variables of inner functions that have no
    value and whose lines are others."""
    at = native_frames.NativeFrame(debuggee, frame)
    found: list[dict[str, Any]] = native.json_of(
        "js_program_locals", debuggee.program, at.pointer, which, int(versions), render_options(summary)
    )
    path, line = native_frames.place(frame)
    inner = source_facts.inner_names(debuggee, path, line) if path else ()
    return [entry for entry in found if entry["name"] not in inner or entry["state"] == "exact"]


def evaluate(debuggee: debuggees.Debuggee, frame: Any, expression: str) -> dict[str, Any]:
    """Return the entry of js_program_print."""
    at = native_frames.NativeFrame(debuggee, frame)
    progress = native.ProgressFn(advance)
    with _globals(debuggee, frame):
        return native.json_of(  # type: ignore[no-any-return]
            "js_program_print",
            debuggee.program,
            at.pointer,
            expression.encode("utf-8", "replace"),
            render_options(),
            debuggee.data_memory(),
            progress,
            None,
        )


def condition(debuggee: debuggees.Debuggee, frame: Any, text: str) -> dict[str, Any]:
    """Return js_program_condition's answer."""
    at = native_frames.NativeFrame(debuggee, frame)
    with _globals(debuggee, frame):
        return native.json_of(  # type: ignore[no-any-return]
            "js_program_condition",
            debuggee.program,
            at.pointer,
            text.encode("utf-8", "replace"),
            debuggee.data_memory(),
            native.ProgressFn(advance),
            None,
        )


def examine(debuggee: debuggees.Debuggee, frame: Any, expression: str, values: dict[str, str]) -> dict[str, Any]:
    """Return the JSON of js_program_array. `values`: of the options of `jit array`."""
    path = values.get("-save", "")
    request = native.ArrayRequest(
        *(
            values[name].encode("utf-8", "replace") if name in values else None
            for name in ("-slice", "-where", "-diff")
        ),
        os.fsencode(os.path.expanduser(path)) if path else None,
        0,
        0,
        render_options().elements or 200,
        0,
    )
    at = native_frames.NativeFrame(debuggee, frame)
    progress = native.ProgressFn(advance)
    with _globals(debuggee, frame):
        return native.json_of(  # type: ignore[no-any-return]
            "js_program_array",
            debuggee.program,
            at.pointer,
            expression.encode("utf-8", "replace"),
            ctypes.byref(request),
            render_options(),
            debuggee.data_memory(),
            progress,
            None,
        )


def why(debuggee: debuggees.Debuggee, frame: Any, name: str) -> dict[str, Any]:
    """Return the entry of js_program_why. Raise Problem for a name that the frame does not have."""
    at = native_frames.NativeFrame(debuggee, frame)
    path, line = native_frames.place(frame)
    try:
        found: dict[str, Any] = native.json_of("js_program_why", debuggee.program, at.pointer, name.encode())
        if path and source_facts.is_enclosing(debuggee, path, line, name):
            found.update(why=frozen_names.reason(True, None), advice=frozen_names.ADVICE)
        return found
    except native.NativeError as error:
        if error.status != native.ENOTFOUND:
            raise
    missing = re.match(r"\w*", name)
    word = (missing and missing[0]) or name
    raise Problem(f"no variable {word!r} in this compiled function; `jit locals` lists them")


def error_of(found: dict[str, Any]) -> Problem:
    """Return the error as Python's line for it; a SyntaxError is preceded by the expression and a mark at its place."""
    if found.get("offset") is None:
        return Problem(found["error"])
    text = found["name"].replace("\n", " ").replace("\t", " ")
    column = len(text.encode()[: found["offset"]].decode("utf-8", "replace"))
    return Shown(f"{text}\n{' ' * column}^\n{found['error']}")


def advance(_context: Any, _done: int, _total: int) -> int:
    """Let Ctrl-C end long work. C calls this."""
    return native.ECANCEL if native.is_interrupted() else 0


# -- globals of the function's module


@contextlib.contextmanager
def _globals(debuggee: debuggees.Debuggee, frame: Any) -> Iterator[None]:
    """Let expressions in the frame use the module's globals within the `with` block."""

    def resolve(_context: Any, name: bytes, out: Any) -> int:
        try:
            address = _constant(debuggee, frame, name.decode())
            module = _module(debuggee, frame, name.decode()) if address is None else ""
            address = _object(debuggee, module.encode(), name) if module else address
            if address is None:
                return native.ENOTFOUND
            out[0] = address
            return 0
        except Exception:  # an exception must not leave a callback
            return native.ENOTFOUND

    callback = native.GlobalFn(resolve)
    native.library.js_program_set_global(debuggee.program, callback, None)
    try:
        yield
    finally:
        native.library.js_program_set_global(debuggee.program, native.GlobalFn(), None)


def _constant(debuggee: debuggees.Debuggee, frame: Any, name: str) -> int | None:
    """Return the address of the object that the frame's function has as a constant for this global; None: the program
    does not keep it."""
    function = native_frames.compiled_at(debuggee, frame)
    if function is None or function["parent"] or frame.IsInlined():
        return None
    return _object(debuggee, frozen_names.MODULE, frozen_names.name_of(function["linkage_name"], name))


def _object(debuggee: debuggees.Debuggee, module: bytes, name: bytes) -> int | None:
    """Return the address of the module's object of this name; None: it has none."""
    python, address = debuggee.python(), ctypes.c_uint64()
    if python is None or native.library.js_python_global(python, module, name, ctypes.byref(address)):
        return None
    return address.value


def _module(debuggee: debuggees.Debuggee, frame: Any, name: str) -> str:
    """Return the module of the frame's function, if the function takes the name from it; else ""."""
    function = native_frames.compiled_at(debuggee, frame)
    if function is None:
        return ""
    file, line, module = function["file"], function["line"], str(function["module"])
    if frame.IsInlined():
        path, line = native_frames.place(frame)
        module = module if path == file else _NO_MODULE
        file = path or ""
    if module == _NO_MODULE:
        known = native_frames.functions(debuggee).all
        found = {each["module"] for each in known if each["file"] == file} - {"", _NO_MODULE}
        module = str(found.pop()) if len(found) == 1 else ""
    return module if module and file and source_facts.is_global(debuggee, file, line, name) else ""
