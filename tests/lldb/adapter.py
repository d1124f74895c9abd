"""lldb-dap with jitscope, by the requests of VS Code in their order."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Union

from tests.gdb.dap import Client
from tests.gdb.harness import PROGRAMS, lean
from tests.interpreters import newest_python
from tests.lldb.session import IMPORT

Lines = Sequence[Union[int, dict[str, Any]]]  # lines, or what setBreakpoints says of a breakpoint


def begin(client: Client, how: str, given: dict[str, Any], program: str, lines: Lines) -> dict[str, Any] | None:
    """Begin as VS Code does, and return the frame of the first stop. how: launch or attach."""
    client.request("initialize", {"adapterID": "lldb-dap", "linesStartAt1": True, "pathFormat": "path"})
    begun = client.send(how, {"name": "compiled", "type": "lldb-dap", "initCommands": [IMPORT], **given})
    client.event("initialized")
    source = {"path": str(PROGRAMS / program)}
    breakpoints = [line if isinstance(line, dict) else {"line": line} for line in lines]
    client.request("setBreakpoints", {"source": source, "breakpoints": breakpoints})
    client.request("setFunctionBreakpoints", {"breakpoints": []})
    client.request("setExceptionBreakpoints", {"filters": []})
    client.request("configurationDone")
    client.response(begun)
    return client.stop()


def started(client: Client, program: str, env: dict[str, str], lines: Lines, *arguments: str) -> dict[str, Any] | None:
    given = {
        "program": newest_python(),
        "args": [str(PROGRAMS / program), *arguments],
        "env": [f"{name}={value}" for name, value in lean(env).items()],
    }
    return begin(client, "launch", given, program, lines)


def children(client: Client, reference: int) -> dict[str, str]:
    rows = client.request("variables", {"variablesReference": reference})["variables"]
    return {row["name"].split()[0]: row["value"] for row in rows if row["name"] != "[raw]"}


def locals_of(client: Client, frame: dict[str, Any]) -> dict[str, Any]:
    scopes = client.request("scopes", {"frameId": frame["id"]})["scopes"]
    local = next(scope["variablesReference"] for scope in scopes if scope["name"] == "Locals")
    rows = client.request("variables", {"variablesReference": local})["variables"]
    return {row["name"].split()[0]: row for row in rows}
