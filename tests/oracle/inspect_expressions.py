"""A ctypes binding of js_api_evaluate, for tests."""

from __future__ import annotations

import ctypes
import json
from typing import Any, Callable

from tests.oracle.inspect_library import Library, RenderOptions

POLL = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_uint64, ctypes.c_uint64)


class Variable(ctypes.Structure):
    """The mirror of js_api_variable (expressions/api/expression_api.h)."""

    _fields_ = [
        ("name", ctypes.c_char_p),
        ("type", ctypes.c_char_p),
        ("contents", ctypes.c_char_p),
        ("size", ctypes.c_size_t),
    ]


class Request(ctypes.Structure):
    """The mirror of js_array_request (array_reports/array_report.h)."""

    _fields_ = [
        ("slice", ctypes.c_char_p),
        ("where", ctypes.c_char_p),
        ("other", ctypes.c_char_p),
        ("save", ctypes.c_char_p),
        ("columns", ctypes.c_uint),
        ("rows", ctypes.c_uint),
        ("limit", ctypes.c_uint),
        ("members", ctypes.c_int),
        ("most", ctypes.c_uint64),
    ]


class Cancelled(Exception):
    """The poll callback asked to stop."""


class Expressions(Library):
    """Variables, by their type text and bytes, and the values of expressions over them."""

    def __init__(self, read: Any = None) -> None:
        super().__init__(read)
        self.lib.js_api_evaluate.restype = ctypes.c_int

    def evaluate(
        self,
        expression: str,
        variables: dict[str, tuple[str, bytes]],
        poll: Callable[[int, int], int] | None = None,
        **options: Any,
    ) -> dict[str, Any]:
        """Call js_api_evaluate."""
        return self._call("js_api_evaluate", expression, variables, poll, None, options)

    def array(
        self,
        expression: str,
        variables: dict[str, tuple[str, bytes]],
        poll: Callable[[int, int], int] | None = None,
        **request: Any,
    ) -> dict[str, Any]:
        """Call js_api_array."""
        wanted = Request(limit=200)
        for key, value in request.items():
            setattr(wanted, key, value.encode() if isinstance(value, str) else value)
        return self._call("js_api_array", expression, variables, poll, wanted, {})

    def _call(
        self,
        function: str,
        expression: str,
        variables: dict[str, tuple[str, bytes]],
        poll: Callable[[int, int], int] | None,
        request: Request | None,
        options: dict[str, Any],
    ) -> dict[str, Any]:
        given = (Variable * len(variables))(
            *[
                Variable(name.encode(), kind.encode(), contents, len(contents))
                for name, (kind, contents) in variables.items()
            ]
        )
        wanted = RenderOptions()
        self.lib.js_render_options_init(ctypes.byref(wanted))
        for key, value in options.items():
            setattr(wanted, key, value)
        out = ctypes.c_void_p()
        callback = POLL((lambda _context, done, total: poll(done, total)) if poll else 0)
        status = getattr(self.lib, function)(
            self.types,
            self.bytes,
            given,
            ctypes.c_size_t(len(variables)),
            expression.encode("utf-8", "surrogatepass"),
            *([ctypes.byref(request)] if request else []),
            ctypes.byref(wanted),
            callback,
            None,
            ctypes.byref(out),
        )
        if status == -7:
            raise Cancelled
        assert status == 0, status
        result: dict[str, Any] = json.loads(self._text(out))
        return result
