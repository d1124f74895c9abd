"""A ctypes binding of the inspect library's values facade, for tests; the library is $JITSCOPE_INSPECT_LIBRARY."""

from __future__ import annotations

import ctypes
import json
import os
from typing import Any

import pytest


class RenderOptions(ctypes.Structure):
    """The mirror of js_render_options (values/base/value.h)."""

    _fields_ = [
        ("elements", ctypes.c_uint),
        ("repeats", ctypes.c_uint),
        ("depth", ctypes.c_uint),
        ("max_bytes", ctypes.c_uint64),
        ("summary", ctypes.c_bool),
        ("digits", ctypes.c_bool),
        ("brief", ctypes.c_bool),
    ]


READ = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_uint64, ctypes.c_void_p, ctypes.c_size_t)


class Refused(Exception):
    """The library's own one-line reason."""


class Library:
    """One js_types and one js_bytes (of this process, unless `read` or `pid` is given)."""

    def __init__(self, read: Any = None, pid: int = 0) -> None:
        path = os.environ.get("JITSCOPE_INSPECT_LIBRARY")
        if not path:
            pytest.skip("JITSCOPE_INSPECT_LIBRARY is not set")
        self.lib = ctypes.CDLL(path)
        for name, arguments in {
            "js_types_create": [ctypes.c_void_p],
            "js_types_destroy": [ctypes.c_void_p],
            "js_types_set_fields": [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p, ctypes.c_size_t],
            "js_bytes_create_process": [ctypes.c_int, ctypes.c_void_p],
            "js_bytes_create_callback": [READ, ctypes.c_void_p, ctypes.c_void_p],
            "js_bytes_destroy": [ctypes.c_void_p],
            "js_bytes_wanted": [ctypes.c_void_p],
            "js_free": [ctypes.c_void_p],
            "js_render_options_init": [ctypes.c_void_p],
            "js_api_render": [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_char_p, ctypes.c_char_p, ctypes.c_void_p]
            + [ctypes.c_size_t, ctypes.c_char_p, ctypes.c_void_p, ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p],
            "js_api_type_json": [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_char_p, ctypes.c_void_p],
        }.items():
            function = getattr(self.lib, name)
            function.argtypes = arguments
            function.restype = None if name.endswith(("destroy", "free", "init")) else ctypes.c_int
        self.lib.js_bytes_wanted.restype = ctypes.c_uint64
        self.types = ctypes.c_void_p()
        self.bytes = ctypes.c_void_p()
        assert self.lib.js_types_create(ctypes.byref(self.types)) == 0
        if read is None:
            assert self.lib.js_bytes_create_process(pid or os.getpid(), ctypes.byref(self.bytes)) == 0
        else:
            self._read = READ(read)
            assert self.lib.js_bytes_create_callback(self._read, None, ctypes.byref(self.bytes)) == 0

    def close(self) -> None:
        """Free both."""
        self.lib.js_types_destroy(self.types)
        self.lib.js_bytes_destroy(self.bytes)

    def _text(self, out: ctypes.c_void_p) -> str:
        text = ctypes.cast(out, ctypes.c_char_p).value or b""
        self.lib.js_free(out)
        return text.decode("utf-8")

    def wanted(self) -> int:
        """Return the bytes of the target that were asked for so far."""
        return int(self.lib.js_bytes_wanted(self.bytes))

    def set_fields(self, class_name: str, names: list[str]) -> None:
        """Set the field names of a named tuple."""
        array = (ctypes.c_char_p * len(names))(*[name.encode() for name in names])
        assert self.lib.js_types_set_fields(self.types, class_name.encode(), array, len(names)) == 0

    def layout(self, name: str, storage: str | None = None) -> dict[str, Any]:
        """Call js_api_type_json."""
        out = ctypes.c_void_p()
        stored = None if storage is None else storage.encode()
        status = self.lib.js_api_type_json(self.types, name.encode(), stored, ctypes.byref(out))
        text = self._text(out)
        if status:
            raise Refused(text)
        layout: dict[str, Any] = json.loads(text)
        return layout

    def _render(self, name: str, contents: bytes, storage: str | None, path: str | None, **options: Any) -> Any:
        wanted = RenderOptions()
        self.lib.js_render_options_init(ctypes.byref(wanted))
        is_json = options.pop("json", 0)
        for key, value in options.items():
            setattr(wanted, key, value)
        out = ctypes.c_void_p()
        exact = ctypes.c_int(-1)
        status = self.lib.js_api_render(
            self.types,
            self.bytes,
            name.encode(),
            None if storage is None else storage.encode(),
            contents,
            len(contents),
            None if path is None else path.encode(),
            ctypes.byref(wanted),
            is_json,
            ctypes.byref(out),
            ctypes.byref(exact),
        )
        text = self._text(out)
        if status:
            raise Refused(text)
        return text, bool(exact.value)

    def text(
        self, name: str, contents: bytes, path: str | None = None, storage: str | None = None, **options: Any
    ) -> str:
        """Call js_api_render for text."""
        result: str = self._render(name, contents, storage, path, **options)[0]
        return result

    def json(self, name: str, contents: bytes, path: str | None = None, storage: str | None = None) -> tuple[Any, bool]:
        """Call js_api_render for JSON: return the value, and whether all of it is exact."""
        text, exact = self._render(name, contents, storage, path, json=1)
        return json.loads(text), exact
