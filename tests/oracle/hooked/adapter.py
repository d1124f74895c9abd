"""Values that a debug adapter's client gets from a program, against the commands at the same stops."""

from __future__ import annotations

import json
import pathlib
import tempfile
from collections.abc import Sequence
from typing import Any

from tests.gdb.dap import DapClient
from tests.gdb.harness import lean
from tests.interpreters import newest_python

from .agreement import disagreements

HERE = pathlib.Path(__file__).resolve().parent
RUN = """
for call in CALLS:
    try:
        call()
    except Exception:
        pass
"""
ASKED = """
def ask(names):
    import sys
    sys.path[:0] = [{folder!r}]
    from surfaces import surfaces
    return surfaces(names)
"""


def variables(client: DapClient, frame: dict[str, Any]) -> dict[str, str]:
    found: dict[str, str] = {}
    for scope in client.request("scopes", {"frameId": frame["id"]})["scopes"]:
        if scope["name"] == "Registers":
            continue
        body = client.request("variables", {"variablesReference": scope["variablesReference"]})
        found.update((one["name"], one["value"]) for one in body["variables"])
    return found


def differing(gdb: str, text: str, lines: Sequence[int], level: str, most: int) -> tuple[int, list[Any]]:
    """Return the number of stops at these lines of a program, and the values shown differently there."""
    level_of = {"JITSCOPE": "0"} if level == "stock" else {"JITSCOPE_LEVEL": level}
    found: list[Any] = []
    with tempfile.TemporaryDirectory() as folder, DapClient(gdb, True, level_of) as client:
        program = pathlib.Path(folder) / "program.py"
        program.write_text(text + RUN)
        client.request("initialize", {"adapterID": "jitscope-test"})
        client.event("initialized")
        points = [{"line": line} for line in lines]
        client.request("setBreakpoints", {"source": {"path": str(program)}, "breakpoints": points})
        launch = {"program": newest_python(), "args": [str(program)], "env": dict(lean(level_of))}
        launched = client.send("launch", launch)
        client.request("configurationDone")
        client.response(launched)
        stops, frame = 0, client.stop()
        client.evaluate_repl(f"python exec({ASKED.format(folder=str(HERE))!r})", frame)
        while frame is not None and stops < most:
            shown = variables(client, frame)
            said = client.evaluate_repl(f"python import json; print(json.dumps(ask({[*shown]!r})))", frame)
            found += [[frame["line"], *one] for one in disagreements({**json.loads(said), "dap": shown})]
            stops, frame = stops + 1, client.go_on()
    return stops, found
