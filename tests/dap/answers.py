"""What a recorded session keeps of a debugger's answers and events: what a user sees of them, by the names of
names.Names. None: the answer is not compared."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from .names import Names

Body = dict[str, Any]
# What an editor's requests depend on
CAPABILITIES = (
    "supportsDataBreakpoints",
    "supportsExceptionFilterOptions",
    "supportsExceptionInfoRequest",
    "supportsInstructionBreakpoints",
)
# Scopes of the machine and of libraries
OTHER_SCOPES = ("Registers", "Globals", "Global", "Static")


class Answers:
    """The bodies of one session's answers."""

    def __init__(self, names: Names, has_own_stack: bool) -> None:
        """has_own_stack: a stack has no frames of the interpreter's C functions, as in GDB."""
        self._names = names
        self._has_own_stack = has_own_stack
        self._uncompared: set[int] = set()  # variablesReference
        self._stopped = 0  # threadId

    def answer(self, command: str, arguments: Body, body: Body) -> Any:
        kept: Callable[[Body, Body], Any] | None = getattr(self, f"_{command}", None)
        return kept(arguments, body) if kept else {}

    def event(self, name: str, body: Body) -> Body:
        if name == "exited":
            return {"exitCode": body["exitCode"]}
        if name != "stopped":
            return {}
        self._stopped = body["threadId"]
        self._uncompared.clear()
        self._names.forget("frame", "variables")  # debuggers give the ids of an earlier stop again
        kept = {key: self._names.text(body[key]) for key in ("reason", "description", "text") if key in body}
        if kept.get("description", "").startswith("breakpoint "):
            del kept["description"]  # LLDB numbers a breakpoint's locations in the order in which they come
        return {"threadId": self._names.name("thread", self._stopped), **kept}

    def _initialize(self, _: Body, body: Body) -> Body:
        kept = {name: bool(body.get(name)) for name in CAPABILITIES}
        filters = body.get("exceptionBreakpointFilters", ())
        return {**kept, "exceptionBreakpointFilters": [each["label"] for each in filters if each["filter"] == "numba"]}

    def _setBreakpoints(self, _: Body, body: Body) -> Body:  # noqa: N802 (DAP's name)
        return {"breakpoints": [self._breakpoint(each) for each in body["breakpoints"]]}

    def _breakpoint(self, given: Body) -> Body:
        return {key: given[key] for key in ("verified", "line") if key in given}

    def _threads(self, _: Body, body: Body) -> Body | None:
        """Keep the name of the thread that has stopped, where jitscope has named it."""
        name = next((each["name"] for each in body["threads"] if each["id"] == self._stopped), None)
        if name is None:
            return None
        named = {"name": re.sub(r"worker \d+", "worker …", name)} if name.startswith("worker") else {}
        return {"threads": [{"id": self._names.name("thread", self._stopped), **named}]}

    def _stackTrace(self, _: Body, body: Body) -> Body:  # noqa: N802 (DAP's name)
        frames = (self._frame(each) for each in body["stackFrames"])
        return {"stackFrames": [each for each in frames if each]}

    def _frame(self, given: Body) -> Body | None:
        path = (given.get("source") or {}).get("path", "")
        is_users = path.startswith("/") and (shown := self._names.text(path)) != path
        if not is_users and not self._has_own_stack:
            return None
        kept = {"id": self._names.new("frame", given["id"]), "name": self._names.text(given["name"])}
        return {**kept, "source": shown, "line": given["line"]} if is_users else kept

    def _scopes(self, _: Body, body: Body) -> Body:
        rows = []
        for each in body["scopes"]:
            if each["name"] in OTHER_SCOPES:
                self._uncompared.add(each["variablesReference"])
            name = self._names.new("variables", each["variablesReference"])
            rows.append({"name": each["name"], "variablesReference": name})
        return {"scopes": rows}

    def _variables(self, arguments: Body, body: Body) -> Body | None:
        if arguments["variablesReference"] in self._uncompared:
            return None
        return {"variables": [self._shown(each, "name", "value") for each in body["variables"]]}

    def _evaluate(self, _: Body, body: Body) -> Body:
        return self._shown(body, "result")

    def _exceptionInfo(self, _: Body, body: Body) -> Body:  # noqa: N802 (DAP's name)
        return {key: self._names.text(body[key]) for key in ("exceptionId", "description") if key in body}

    def _shown(self, given: Body, *keys: str) -> Body:
        kept = {key: self._names.text(given[key]) for key in (*keys, "type") if key in given}
        if given.get("variablesReference"):
            kept["variablesReference"] = self._names.new("variables", given["variablesReference"])
        return kept
