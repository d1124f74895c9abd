"""Breakpoints that a DAP client sets (gdb/dap/breakpoint.py of GDB 14 and later): in compiled Python their conditions
mean Python, like conditions that are typed at the prompt, a breakpoint's note is its message, and exceptions of
compiled code are one of the client's filters."""

from __future__ import annotations

import re
from typing import Any, Callable

import gdb

from ..base import events, report
from ..breakpoints import breakpoints
from ..breakpoints.condition_text import note_on
from ..breakpoints.user_breakpoint import UserBreakpoint
from ..run_commands import catch
from ..stops import raising
from ..target import target
from . import dap_cells, dap_server
from .dap_log_points import LogPoint

_FILTER = "numba"
_FILTERS = "exceptionBreakpointFilters"
_OFFERED = {"filter": _FILTER, "label": "Exceptions of compiled Python", "supportsCondition": True,
            "conditionDescription": "Classes of exceptions: ValueError, IndexError"}  # fmt: skip


class _Caught(gdb.Breakpoint):  # type: ignore[misc]
    """A breakpoint where compiled code raises. GDB's DAP server sets the condition: names of classes, or None. It is
    judged here, because GDB disables a breakpoint whose condition is given before code with its location has come."""

    _types: tuple[str, ...] = ()

    @property
    def condition(self) -> str | None:
        return catch.condition_of(self._types)

    @condition.setter
    def condition(self, text: str | None) -> None:
        types = tuple(re.findall(r"[^\s,]+", text or ""))
        try:
            catch.condition_of(types)
        except report.Problem as problem:
            raise gdb.error(report.line_of(problem)) from None
        self._types = types

    @report.quietly
    def stop(self) -> bool:
        found = raising.here(target.current())
        return found is not None and found.may_be(self._types)


def adopt() -> None:
    """Have GDB's DAP server make such breakpoints."""
    breakpoint = dap_server.module("breakpoint")
    dap_server.replace(breakpoint, "_set_one_breakpoint", _setting)
    dap_server.replace(breakpoint, "_catch_exception", _catching)
    dap_server.replace(breakpoint, "send_event", _sending)
    dap_server.replace(breakpoint, "_breakpoint_descriptor", _describing)
    dap_server.replace(breakpoint, "parse_and_eval", _counting)
    offered = getattr(dap_server.module("server"), "_capabilities", {})
    if _FILTERS in offered and _OFFERED not in offered[_FILTERS]:
        offered[_FILTERS] = (*offered[_FILTERS], _OFFERED)


def _setting(_original: Callable[..., Any]) -> Callable[..., Any]:
    def set_one_breakpoint(*, logMessage: str | None = None, **arguments: Any) -> Any:  # noqa: N803 (DAP's name)
        if "source" in arguments:
            arguments["source"] = dap_cells.file_of(arguments["source"])
        return UserBreakpoint(**arguments) if logMessage is None else LogPoint(logMessage, **arguments)

    return set_one_breakpoint


def _catching(original: Callable[..., Any]) -> Callable[..., Any]:
    def catch_exception(filterId: str, **arguments: Any) -> Any:  # noqa: N803 (DAP's name)
        return _Caught(raising.LOCATION) if filterId == _FILTER else original(filterId, **arguments)

    return catch_exception


def _counting(original: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function that evaluates a hit condition, the only expression that the server's module evaluates."""

    def hits(text: str, *arguments: Any, **named: Any) -> int:
        try:
            count = int(original(text, *arguments, **named))
        except Exception:  # DAP's own errors have no common class with GDB's
            count = -1
        if count < 0:
            raise gdb.error(f"the hit condition `{text}` is no number of hits that are passed over first")
        return count

    return hits


def _sending(original: Callable[..., Any]) -> Callable[..., Any]:
    def send(event: str, body: Any = None) -> None:
        is_own = event == "breakpoint" and body["breakpoint"].get("id", 1) < 0  # not the user's
        if not is_own:
            original(event, body)

    return send


def _describing(original: Callable[..., Any]) -> Callable[..., Any]:
    def descriptor(breakpoint: Any) -> Any:
        described = original(breakpoint)
        if not isinstance(described, dict):
            return described
        # A note on a breakpoint that has stopped is about its function as it was before.
        note = breakpoints.Notice() if breakpoint.hit_count else breakpoints.note_on(breakpoint.number)
        described = _moved(described, breakpoint)
        if breakpoints.is_astray(breakpoint) or note.never_stops:
            described["verified"] = False
            for name in ("line", "source", "instructionReference"):  # GDB has them from another function
                described.pop(name, None)
        texts = note.text, breakpoint.problem() if isinstance(breakpoint, LogPoint) else note_on(breakpoint.number)
        text = "; ".join(filter(None, texts)) or (
            dap_cells.waits(breakpoint.location or "") if breakpoint.pending else ""
        )
        return {**described, "message": text} if text else described

    return descriptor


def _moved(described: dict[str, Any], breakpoint: Any) -> dict[str, Any]:
    """Return the description with the first place that is on. GDB describes the first of all, which may be a place in a
    library that is off because compiled Python comes first."""
    places = breakpoint.locations
    place = next((each for each in places if each.enabled), None)
    if place is None or places[0].enabled:
        return described
    changed = {**described, "instructionReference": hex(place.address)}
    if place.source:
        file, line = place.source
        module = dap_server.module("breakpoint")
        changed.update(source=module.make_source(place.fullname or file), line=module.export_line(line))
    return changed


@events.on("breakpoint_noted", order=10)
def noted(number: int) -> None:
    """Send the client the breakpoint with its new note."""
    breakpoint = dap_server.module("breakpoint")
    changed = next((each for each in gdb.breakpoints() or () if each.number == number), None)
    if changed is not None and hasattr(breakpoint, "_bp_modified"):
        breakpoint._bp_modified(changed)
