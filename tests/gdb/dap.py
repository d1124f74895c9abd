"""A Debug Adapter Protocol client, as small as the tests need: GDB 14 and later are DAP servers with `-i dap`, and LLDB
has a program of its own (lldb-dap, lldb-vscode before LLDB 18)."""

from __future__ import annotations

import contextlib
import json
import os
import select
import subprocess
import time
from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

from .harness import JITSCOPE, PROGRAMS, QUICK, kill_session, lean, newest_python


def speaks(gdb: str) -> bool:
    """True if this GDB has a DAP server, as GDB 14 and later have."""
    probe = [gdb, "-nx", "-batch", "-ex", "python import gdb.dap"]
    return "Error" not in subprocess.run(probe, capture_output=True, text=True, check=False).stderr


def opens_cores(gdb: str) -> bool:
    """True if its DAP server opens cores, as that of GDB 18 does."""
    probe = "python import gdb.dap.launch as module; print('coreFile' in open(module.__file__).read())"
    return "True" in subprocess.run([gdb, "-nx", "-batch", "-ex", probe], capture_output=True, text=True).stdout


Own = TypeVar("Own", bound="Connection")


class Connection:
    """A client of one debug adapter; `request` waits for the response, `event` for an event.

    `reads`, `writes`: the descriptors of the adapter's messages, which the maker of the connection closes."""

    def __init__(self, reads: int, writes: int) -> None:
        self._reads, self._writes = reads, writes
        self.buffer = b""
        self.sequence = 0
        self.waiting: list[dict[str, Any]] = []

    def __enter__(self: Own) -> Own:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        raise NotImplementedError

    def send(self, command: str, arguments: Mapping[str, Any] | None = None) -> int:
        self.sequence += 1
        message = {"seq": self.sequence, "type": "request", "command": command, "arguments": arguments or {}}
        body = json.dumps(message).encode()
        left = memoryview(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        while left:
            left = left[os.write(self._writes, left) :]
        return self.sequence

    def _message(self, end: float) -> dict[str, Any]:
        while True:
            head, separator, rest = self.buffer.partition(b"\r\n\r\n")
            if separator:
                size = int(head.split(b":")[-1])
                if len(rest) >= size:
                    self.buffer = rest[size:]
                    return json.loads(rest[:size])
            left = end - time.monotonic()
            if left <= 0 or not select.select([self._reads], [], [], left)[0]:
                raise TimeoutError("no message from the adapter")
            piece = os.read(self._reads, 65536)
            if not piece:
                raise EOFError("the adapter ended")
            self.buffer += piece

    def _until(self, wanted: Any, timeout: float) -> dict[str, Any]:
        end = time.monotonic() + timeout
        for message in self.waiting:
            if wanted(message):
                self.waiting.remove(message)
                return message
        while True:
            message = self._message(end)
            if wanted(message):
                return message
            self.waiting.append(message)

    def response(self, sequence: int, timeout: float = 60.0) -> dict[str, Any]:
        message = self._until(lambda m: m["type"] == "response" and m["request_seq"] == sequence, timeout)
        if not message["success"]:
            raise RuntimeError(f"{message['command']}: {message.get('message')}")
        return message.get("body") or {}

    def request(self, command: str, arguments: Mapping[str, Any] | None = None) -> dict[str, Any]:
        return self.response(self.send(command, arguments))

    def event(self, name: str, timeout: float = 60.0) -> dict[str, Any]:
        message = self._until(lambda m: m["type"] == "event" and m["event"] == name, timeout)
        return message.get("body") or {}


class Client(Connection):
    """One debug adapter that this client has started."""

    def __init__(self, command: Sequence[str], env: Mapping[str, str] | None = None) -> None:
        self.process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=lean(env),
            start_new_session=True,
        )
        assert self.process.stdin is not None and self.process.stdout is not None
        super().__init__(self.process.stdout.fileno(), self.process.stdin.fileno())
        self.thread = 0  # the thread that stopped last

    def close(self) -> None:
        kill_session(self.process)
        for stream in (self.process.stdin, self.process.stdout):
            if stream is not None:
                stream.close()

    def set_breakpoint(self, program: str, line: int, condition: str | None = None) -> None:
        """Set a breakpoint, the only one in the program's file."""
        more = {} if condition is None else {"condition": condition}
        source = {"path": str(PROGRAMS / program)}
        self.request("setBreakpoints", {"source": source, "breakpoints": [{"line": line, **more}]})

    def stop(self, timeout: float = 60.0) -> dict[str, Any] | None:
        """Return the frame of the next stop, or None if the program ends first."""
        ends = ("stopped", "terminated")
        body = self._until(lambda m: m["type"] == "event" and m["event"] in ends, timeout).get("body") or {}
        if "threadId" not in body:
            return None
        self.thread = int(body["threadId"])
        return dict(self.request("stackTrace", {"threadId": self.thread, "levels": 1})["stackFrames"][0])

    def go_on(self, command: str = "continue") -> dict[str, Any] | None:
        """Continue to the next stop, and return its frame like stop()."""
        self.request(command, {"threadId": self.thread})
        return self.stop()

    def evaluate(self, expression: str, frame: Mapping[str, Any]) -> str:
        return str(self.request("evaluate", {"expression": expression, "frameId": frame["id"]})["result"])

    def evaluate_repl(self, command: str, frame: Mapping[str, Any]) -> str:
        """Return the output of a command of the debugger."""
        arguments = {"expression": command, "frameId": frame["id"], "context": "repl"}
        return str(self.request("evaluate", arguments)["result"])

    def output(self) -> str:
        """Return all output until now, the program's own included."""
        with contextlib.suppress(TimeoutError, EOFError):
            while True:
                self.waiting.append(self._message(time.monotonic() + 0.2))
        said = [m["body"] for m in self.waiting if m["type"] == "event" and m["event"] == "output"]
        return "".join(body["output"] for body in said)


class DapClient(Client):
    """One `gdb -i dap`."""

    def __init__(self, gdb: str, jitscope: bool, env: Mapping[str, str] | None = None) -> None:
        command = [gdb, "-nx", "-q", "-i", "dap"]
        for setting in QUICK:
            command += ["-iex", setting]
        if jitscope:
            command += ["-ex", f"source {JITSCOPE}"]
        super().__init__(command, env)

    def start(self, program: str, env: Mapping[str, str], line: int = 0, condition: str | None = None) -> None:
        """Start the program, with a breakpoint if a line is given."""
        self.request("initialize", {"adapterID": "jitscope-test"})
        self.event("initialized")
        if line:
            self.set_breakpoint(program, line, condition)
        launch = {"program": newest_python(), "args": [str(PROGRAMS / program)], "env": dict(lean(env))}
        launched = self.send("launch", launch)
        self.request("configurationDone")
        self.response(launched)

    def launch(self, program: str, line: int | Sequence[int], env: Mapping[str, str], python: str | None = None) -> int:
        """Run the program to the first of these lines; return the id of the thread that stopped."""
        self.request("initialize", {"adapterID": "jitscope-test"})
        self.event("initialized")
        path = str(PROGRAMS / program)
        lines = [{"line": each} for each in ([line] if isinstance(line, int) else line)]
        self.request("setBreakpoints", {"source": {"path": path}, "breakpoints": lines})
        launched = self.send("launch", {"program": python or newest_python(), "args": [path], "env": dict(lean(env))})
        self.request("configurationDone")
        self.response(launched)
        return int(self.event("stopped")["threadId"])
