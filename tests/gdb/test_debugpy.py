"""GDB and debugpy in one process, as the compound of docs/vscode.md starts them: debugpy stops in interpreted Python,
and GDB in compiled functions."""

from __future__ import annotations

import contextlib
import json
import socket
import time
from collections.abc import Iterator
from typing import Any

import pytest

from tests.gdb import harness
from tests.gdb.dap import Connection
from tests.gdb.harness import PROGRAMS, line_of
from tests.interpreters import ROOT, gdbs

PROGRAM = "called_twice.py"
GDBS = pytest.mark.parametrize("gdb", gdbs().values(), ids=[f"gdb-{name}" for name in gdbs()])
TIMEOUT = 60.0


def configurations() -> dict[str, Any]:
    """Return the second launch.json of docs/vscode.md."""
    text = (ROOT / "docs" / "vscode.md").read_text("utf-8")
    found: dict[str, Any] = json.loads(text.split("```json")[2].split("```")[0])
    return found


class Debugpy(Connection):
    """A client of debugpy's server, which the program runs in its own process."""

    def __init__(self, port: int):
        end = time.monotonic() + TIMEOUT
        while True:
            try:
                self._socket = socket.create_connection(("127.0.0.1", port), timeout=TIMEOUT)
                break
            except OSError:
                if time.monotonic() > end:
                    raise
                time.sleep(0.1)
        super().__init__(self._socket.fileno(), self._socket.fileno())

    def close(self) -> None:
        self._socket.close()


@contextlib.contextmanager
def both(gdb: str) -> Iterator[tuple[harness.MachineInterface, Debugpy]]:
    """Yield GDB, which has started the program with a breakpoint in its compiled function, and a client of debugpy,
    which has one at the second call."""
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        port = found.getsockname()[1]
    started = next(each for each in configurations()["configurations"] if each["type"] == "cppdbg")
    given = [each.replace("5678", str(port)).replace("${file}", str(PROGRAMS / PROGRAM)) for each in started["args"]]
    with harness.machine_interface(PROGRAM, env={"JITSCOPE_LEVEL": ""}, gdb=gdb) as mi:
        for command in started["setupCommands"][1:]:
            text = command["text"]
            mi.send(text if text.startswith("-") else f'-interpreter-exec console "{text}"')
        mi.send(f"-exec-arguments {' '.join(given)}")
        mi.send(f"-break-insert -f {PROGRAM}:{line_of(PROGRAM, 'double')}")
        mi.send("-exec-run")
        with Debugpy(port) as client:
            client.request("initialize", {"adapterID": "jitscope-test"})
            client.send("attach", {"connect": {"host": "127.0.0.1", "port": port}})
            client.event("initialized")
            place = {"path": str(PROGRAMS / PROGRAM)}
            lines = [{"line": line_of(PROGRAM, "second")}]
            client.request("setBreakpoints", {"source": place, "breakpoints": lines})
            client.request("configurationDone")
            yield mi, client


@GDBS
def test_each_debugger_stops_in_its_own_code(gdb: str) -> None:
    pytest.importorskip("pygdbmi")
    with both(gdb) as (mi, client):
        stop = mi.next_stop()
        assert stop["frame"]["func"] == "doubled" and stop["frame"]["line"] == str(line_of(PROGRAM, "double"))
        stack = mi.send("-stack-list-frames")["payload"]["stack"]
        assert [each["func"] for each in stack[:3]] == ["doubled", "main", "<module>"]
        mi.stopped = None
        mi.send("-exec-continue")
        thread = client.event("stopped")["threadId"]
        frames = client.request("stackTrace", {"threadId": thread})["stackFrames"]
        assert (frames[0]["name"], frames[0]["line"]) == ("main", line_of(PROGRAM, "second"))
        evaluated = client.request("evaluate", {"expression": "first", "frameId": frames[0]["id"]})
        assert evaluated["result"] == "7"
        client.send("continue", {"threadId": thread})
        stop = mi.next_stop()
        assert stop["frame"]["func"] == "doubled" and stop["frame"]["args"] == [{"name": "x", "value": "8"}]
        assert mi.until_stop("-exec-continue")["reason"] == "exited-normally"
