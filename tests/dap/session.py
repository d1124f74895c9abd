"""A recorded DAP session: a file of JSON lines. The first says how the session begins; each other one is what the
client sends, an answer, an event, or a line of output, in their order:

{"send": "next", "arguments": {"threadId": "<thread 1>"}}
{"answer": "next", "body": {}}
{"event": "stopped", "body": {"threadId": "<thread 1>", "reason": "step"}}
{"output": "…"}
{"any order": [[…], […]]}    stops whose order differs between runs, each with its lines"""

from __future__ import annotations

import contextlib
import dataclasses
import json
import pathlib
import subprocess
import time
from collections.abc import Iterator, Mapping
from typing import Any

from tests.gdb import harness
from tests.gdb.dap import Client
from tests.gdb.harness import JITSCOPE, PROGRAMS, QUICK
from tests.interpreters import ROOT, newest_python

from .answers import Answers
from .names import Names

FOLDER = pathlib.Path(__file__).parent / "sessions"
IMPORT = f"command script import {ROOT / 'lldbext' / 'jitscope_lldb.py'}"
Line = dict[str, Any]


@dataclasses.dataclass(frozen=True)
class Beginning:
    """How a session begins: its first line."""

    scenario: str
    client: str
    debugger: str  # gdb, lldb-dap
    program: str
    arguments: list[str]
    env: dict[str, str]
    how: str  # launch, attach, core
    ready: str = ""  # the line that the program prints before a debugger attaches

    @property
    def name(self) -> str:
        return f"{self.scenario}-{self.client}-{self.debugger}"


def environment(extra: Mapping[str, str]) -> dict[str, str]:
    """Return the environment of a user who has set nothing but `extra`."""
    found = harness.lean(extra)
    if "JITSCOPE_LEVEL" not in extra:
        del found["JITSCOPE_LEVEL"]
    return found


def read(path: pathlib.Path) -> tuple[Beginning, list[Line]]:
    first, *lines = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    return Beginning(**first), lines


def write(beginning: Beginning, lines: list[Line]) -> None:
    rows = [dataclasses.asdict(beginning), *lines]
    text = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    (FOLDER / f"{beginning.name}.jsonl").write_text(text, "utf-8")


class Session:
    """One debug adapter on a program, and the lines of what is sent and received."""

    def __init__(self, beginning: Beginning, adapter: str, texts: Mapping[str, str]) -> None:
        """adapter: the path of GDB or of lldb-dap. texts: see names.Names."""
        self.names = Names({"${PROGRAMS}": str(PROGRAMS), "${PYTHON}": newest_python(), **texts})
        self.answers = Answers(self.names, beginning.debugger == "gdb")
        self.beginning = beginning
        self.lines: list[Line] = []
        self._env = environment(beginning.env)
        self._sent: list[tuple[str, Line, int]] = []
        self._is_gdb = beginning.debugger == "gdb"
        self.client = Client(self._command(adapter), self._env)

    def _command(self, adapter: str) -> list[str]:
        if not self._is_gdb:
            return [adapter]
        settings = [word for setting in QUICK for word in ("-iex", setting)]
        return [adapter, "-nx", "-q", "-i", "dap", *settings, "-ex", f"source {JITSCOPE}"]

    def send(self, command: str, arguments: Line | None = None) -> None:
        """Send a request. arguments: by the session's names."""
        line: Line = {"send": command}
        if arguments is not None:
            line["arguments"] = arguments
        given = self.names.value(arguments or {})
        if given.get("env") == "${ENV}":
            given["env"] = self._env if self._is_gdb else [f"{name}={value}" for name, value in self._env.items()]
        if given.get("initCommands") == "${IMPORT}":
            given["initCommands"] = [IMPORT]
        self._sent.append((command, given, self.client.send(command, given)))
        self.lines.append(line)

    def answer(self, command: str) -> Any:
        """Wait for the answer to the first request of this name that has none."""
        at = next(index for index, each in enumerate(self._sent) if each[0] == command)
        _, arguments, sequence = self._sent.pop(at)
        try:
            body = self.client.response(sequence)
        except RuntimeError as error:
            self.lines.append({"answer": command, "error": self.names.text(str(error))})
            return None
        kept = self.answers.answer(command, arguments, body)
        self.lines.append({"answer": command, "body": kept})
        return kept

    def request(self, command: str, arguments: Line | None = None) -> Any:
        self.send(command, arguments)
        return self.answer(command)

    def event(self, *names: str) -> tuple[str, Line]:
        """Wait for the first event of these names; return its name and body."""
        message = self.client._until(lambda each: each["type"] == "event" and each["event"] in names, 60)
        kept = self.answers.event(message["event"], message.get("body") or {})
        self.lines.append({"event": message["event"], "body": kept})
        return message["event"], kept

    def output(self, part: str) -> str:
        """Wait for the line of output that contains the text."""
        text, end = "", time.monotonic() + 60
        while time.monotonic() < end:
            text = self.client.output()
            for line in self.names.text(text).splitlines():
                if part in line:
                    self.lines.append({"output": line.strip()})
                    return line
        raise TimeoutError(f"no output has {part!r}: {text[-2000:]}")

    def play(self, line: Line) -> None:
        """Do what a recorded line says."""
        if "send" in line:
            self.send(line["send"], line.get("arguments"))
        elif "answer" in line:
            self.answer(line["answer"])
            if line.get("body", line) is None:
                self.lines[-1]["body"] = None
        elif "event" in line:
            self.event(*{line["event"], "stopped", "terminated"})
        elif "output" in line:
            self.output(line["output"])
        else:
            self.in_any_order([lambda: [self.play(each) for each in line["any order"][0]]] * len(line["any order"]))

    def in_any_order(self, parts: list[Any]) -> None:
        """Run parts of a session whose order differs between runs, and sort their lines."""
        before, groups = self.lines, []
        for part in parts:
            self.lines = []
            self.names.forget("thread")
            part()
            groups.append(self.lines)
        self.lines = [*before, {"any order": sorted(groups, key=json.dumps)}]


@contextlib.contextmanager
def started(beginning: Beginning, adapter: str, core: pathlib.Path | None = None) -> Iterator[Session]:
    """Yield a session, before its first request."""
    with contextlib.ExitStack() as stack:
        texts = {"${CORE}": str(core)} if core else {}
        if beginning.how == "attach":
            process = subprocess.Popen(
                [newest_python(), str(PROGRAMS / beginning.program), *beginning.arguments],
                env=environment(beginning.env),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                text=True,
                start_new_session=True,
            )
            stack.callback(harness.kill_session, process)
            assert process.stdout is not None
            stack.callback(process.stdout.close)
            for line in process.stdout:
                if line.strip() == beginning.ready:
                    break
            else:
                raise RuntimeError(f"{beginning.program} did not print {beginning.ready!r}")
            texts["${PID}"] = str(process.pid)
        session = Session(beginning, adapter, texts)
        yield stack.enter_context(_closing(session))


@contextlib.contextmanager
def _closing(session: Session) -> Iterator[Session]:
    with session.client:
        yield session
