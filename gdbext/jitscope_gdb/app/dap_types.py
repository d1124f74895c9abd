"""Types in a DAP client: a list of variables has their short names, and what the mouse points at has its whole name."""

from __future__ import annotations

from typing import Any, Callable

from jitscope_shared.clients import type_names

from . import dap_server

_is_whole = False  # True while an expression is evaluated for the mouse


def adopt() -> None:
    """Have GDB's DAP server shorten the names."""
    dap_server.replace(getattr(dap_server.module("varref"), "VariableReference", None), "to_object", _describing)
    dap_server.replace(dap_server.module("evaluate"), "_eval_for_hover", _hovering)


def _describing(original: Callable[..., Any]) -> Callable[..., Any]:
    def to_object(variable: Any) -> Any:
        described = original(variable)
        if isinstance(described.get("type"), str) and not _is_whole:
            described["type"] = type_names.short(described["type"])
        if described.get("memoryReference") == "0x0":  # the value is no pointer that the program has
            del described["memoryReference"]
        return described

    return to_object


def _hovering(original: Callable[..., Any]) -> Callable[..., Any]:
    def evaluate(*arguments: Any, **named: Any) -> Any:
        global _is_whole
        _is_whole = True
        try:
            return original(*arguments, **named)
        finally:
            _is_whole = False

    return evaluate
