"""ctypes binding of js_api_evaluate, for tests."""

from __future__ import annotations

import ctypes
import json
from typing import Any, Callable

from inspect_library import Library, RenderOptions

POLL = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_uint64, ctypes.c_uint64)


class Variable(ctypes.Structure):
    """js_api_variable (values/expression/expression_api.h)."""

    _fields_ = [
        ("name", ctypes.c_char_p),
        ("type", ctypes.c_char_p),
        ("contents", ctypes.c_char_p),
        ("size", ctypes.c_size_t),
    ]


class Cancelled(Exception):
    """The poll callback asked to stop."""


class Expressions(Library):
    """Variables, by their type text and bytes, and what expressions over them are."""

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
        """js_api_evaluate."""
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
        status = self.lib.js_api_evaluate(
            self.types, self.bytes, given, ctypes.c_size_t(len(variables)), expression.encode("utf-8", "surrogatepass"),
            ctypes.byref(wanted), callback, None, ctypes.byref(out),
        )  # fmt: skip
        if status == -7:
            raise Cancelled
        assert status == 0, status
        result: dict[str, Any] = json.loads(self._text(out))
        return result
