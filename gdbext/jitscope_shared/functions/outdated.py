"""Source files that were written to after code of them was compiled and saved in Numba's cache, as the program's
jitscope notes them when it loads the code."""

from __future__ import annotations

import ctypes
import json
from typing import Any

from ..base import contract, native

# In runtime/python/jitscope/compiler/debuginfo/caching.py.
_MODULE, _NAME = b"jitscope.compiler.debuginfo.caching", b"OUTDATED"


class _Seen:
    """What the program has noted: the files of each function that was loaded from a cache, by its symbol."""

    text = 0  # address of the str that was read
    files: dict[str, frozenset[str]] = {}


def _seen(target: Any) -> _Seen:
    return target.keep("process", "outdated", _Seen)  # type: ignore[no-any-return]


def look(target: Any) -> None:
    """Read what the program has noted. Call it before an object is added, whose sources are looked at then."""
    python, seen, address = target.python(), _seen(target), ctypes.c_uint64()
    if python is None or native.library.js_python_global(python, _MODULE, _NAME, ctypes.byref(address)):
        return
    if address.value == seen.text:
        return
    try:
        found = json.loads(_text(target, address.value))
        seen.text, seen.files = address.value, {symbol: frozenset(paths) for symbol, paths in found.items()}
    except (native.NativeError, ValueError, AttributeError, TypeError):
        return  # the program's memory is damaged


def _text(target: Any, address: int) -> str:
    """Return the str at this address of the program."""
    contents = address.to_bytes(8, "little")
    options = contract.RenderOptions()
    native.library.js_render_options_init(ctypes.byref(options))
    options.elements, options.max_bytes = 0, 1 << 20
    found = target.rendered(b"pyobject", contents, options, as_json=True)
    native.check(found.status, "js_api_render")
    return str(json.loads(found.text)) if found.is_exact else "{}"


def has(target: Any, path: str) -> bool:
    """True if code of an older version of this file was loaded from a cache."""
    return any(path in files for files in _seen(target).files.values())


def mark(target: Any, functions: list[dict[str, Any]]) -> None:
    """Set "outdated" of the functions (js_program_functions) that were compiled from an older version of their file."""
    files = _seen(target).files
    if not files:
        return
    objects: dict[int, set[str]] = {}
    for each in native.json_of("js_program_functions", target.program, None, 0, 1):
        objects.setdefault(each["object"], set()).update(files.get(each["linkage_name"], ()))
    for function in functions:
        if function["file"] in objects.get(function["object"], ()):
            function["outdated"] = True
