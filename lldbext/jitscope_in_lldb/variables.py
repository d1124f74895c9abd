"""The variables of a compiled frame, expressions over them, arrays, and reasons, as the C library gives them."""

from __future__ import annotations

import contextlib
import ctypes
import os
import re
from typing import Any

from jitscope_shared.base import native
from jitscope_shared.functions import frozen_names
from jitscope_shared.variable_choice import ALL, ARGUMENTS, OTHERS  # noqa: F401  (for those that use this module)

from . import debuggee as debuggees
from . import native_frames, source_facts
from .report import Problem, Shown


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


def _globals(debuggee: debuggees.Debuggee, frame: Any) -> contextlib.AbstractContextManager[None]:
    """Let expressions in the frame use the module's globals within the `with` block."""

    def find(name: str) -> int | None:
        address = _constant(debuggee, frame, name)
        module = _module(debuggee, frame, name) if address is None else ""
        return debuggee.python_global(module.encode(), name.encode()) if module else address

    return debuggee.resolving_globals(find)


def _constant(debuggee: debuggees.Debuggee, frame: Any, name: str) -> int | None:
    """Return the address of the object that the frame's function has as a constant for this global; None: the program
    does not keep it."""
    function = native_frames.compiled_at(debuggee, frame)
    if function is None or frame.IsInlined():
        return None
    return frozen_names.address_of(debuggee, native_frames.functions(debuggee).outer_symbol(function), name)


def _module(debuggee: debuggees.Debuggee, frame: Any, name: str) -> str:
    """Return the module of the frame's function, if the function takes the name from it; else ""."""
    function = native_frames.compiled_at(debuggee, frame)
    if function is None:
        return ""
    known = native_frames.functions(debuggee)
    file, line, module = function["file"], function["line"], known.module_of(function)
    if frame.IsInlined():
        path, line = native_frames.place(frame)
        module = module if path == file else known.module_of_file(path or "")
        file = path or ""
    return module if module and file and source_facts.is_global(debuggee, file, line, name) else ""
