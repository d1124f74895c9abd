"""Transcripts in Markdown, run as a user would: a shell on a terminal, GDB in it, one command after the other.

A fenced block with the word `console` is a transcript: lines that start with `$ ` and `(gdb) ` are typed, and the lines
after each must be its output. In it a line `...` means any lines, `...` within a line any text; addresses, process and
thread numbers may differ.

python -m tests.readme.transcripts FILE…    prints each transcript as it is today"""

from __future__ import annotations

import contextlib
import dataclasses
import os
import pathlib
import re
import signal
import sys
import tempfile
from collections.abc import Iterator

import pexpect

from tests.gdb.harness import environment
from tests.interpreters import ROOT
from tests.pseudo_terminal import spawn

SHELL_PROMPT = "@@shell@@ "
GDB_PROMPT = "(gdb) "
# questions of GDB; not in a transcript that a reader can follow
QUESTIONS = ["(y or n) ", "(y or [n]) ", "([y] or n) "]
TIMEOUT = 120
ERASED = re.compile(r"[^\n]*\r\x1b\[K")  # what a terminal no longer shows, such as the progress of a command
ESCAPES = re.compile(r"\x1b\[[0-9;?]*[a-zA-Z]")


@dataclasses.dataclass(frozen=True)
class Fence:
    """A fenced block: its place, the words of its first line, and its text."""

    file: str
    line: int
    info: str
    text: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}"


@dataclasses.dataclass(frozen=True)
class Step:
    """One command, the prompt at which it is typed, and the output after it."""

    prompt: str
    command: str
    output: str


def fences(file: pathlib.Path) -> list[Fence]:
    """Return all fenced blocks of a Markdown file."""
    found, start, info, lines = [], 0, "", list[str]()
    for number, line in enumerate(file.read_text("utf-8").splitlines(), 1):
        if not line.startswith("```"):
            lines.append(line)
        elif start:
            name = file.relative_to(ROOT).as_posix()
            found.append(Fence(name, start, info, "\n".join(lines)))
            start = 0
        else:
            start, info, lines = number, line[3:].strip(), []
    if start:
        raise ValueError(f"{file}:{start}: the block has no end")
    return found


def steps(text: str) -> list[Step]:
    """Return the commands of a transcript with the lines after each."""
    found: list[Step] = []
    for line in text.splitlines():
        for prompt in ("$ ", GDB_PROMPT):
            if line.startswith(prompt):
                found.append(Step(prompt, line[len(prompt) :], ""))
                break
        else:
            if not found:
                raise ValueError(f"{line!r} stands before the first command")
            last = found[-1]
            found[-1] = dataclasses.replace(last, output=f"{last.output}\n{line}" if last.output else line)
    return found


def pattern(expected: str) -> str:
    """Return a regular expression for the expected lines; blank lines do not count."""
    parts = []
    for line in expected.splitlines():
        if line.strip() == "...":
            parts.append(r"(?:[^\n]*\n)*?")
        elif line.strip():
            escaped = re.escape(line.rstrip()).replace(r"\.\.\.", ".*")
            escaped = re.sub(r"0x[0-9a-f]+", "0x[0-9a-f]+", escaped)
            escaped = re.sub(r"\b(process|LWP|Thread|Inferior)((?:\\ |\ )+)\d+", r"\1\2\\d+", escaped)
            frame = r"(?: \[frame \d+\])?" if line.startswith("#") else ""  # if GDB numbers the frame differently
            parts.append(escaped + frame + r"[ \t]*\n")
    return "".join(parts)


def matches(expected: str, actual: str) -> bool:
    lines = [line.rstrip() for line in actual.splitlines() if line.strip()]
    return re.fullmatch(pattern(expected), "".join(f"{line}\n" for line in lines)) is not None


class Terminal:
    """A shell at the repository's root, with a home directory of its own; `kind`: TERM, `dumb` for no colours."""

    def __init__(self, home: str, kind: str = "dumb"):
        env = environment({"HOME": home, "TERM": kind, "PS1": SHELL_PROMPT, "PS2": "", "LC_ALL": "C.UTF-8"})
        env.pop("JITSCOPE_LEVEL", None)  # as for a user who has installed jitscope
        for name in ("DEBUGINFOD_URLS", "JITSCOPE_INSPECT_LIBRARY", "PYTHONUNBUFFERED", "PROMPT_COMMAND"):
            env.pop(name, None)
        self.child = spawn(
            "bash",
            ["--norc", "--noprofile", "--noediting"],
            cwd=str(ROOT),
            env=env,
            encoding="utf-8",
            codec_errors="replace",
            echo=False,
            timeout=TIMEOUT,
            dimensions=(10000, 1000),
        )
        self.prompt = ""
        self._wait()

    def _wait(self) -> str:
        which = self.child.expect_exact([SHELL_PROMPT, GDB_PROMPT, *QUESTIONS, pexpect.EOF])
        if which >= 2:
            raise RuntimeError(f"{'the end' if which == 5 else 'a question'} after:\n{self.child.before}")
        self.prompt = ("$ ", GDB_PROMPT)[which]
        return str(self.child.before)

    def run(self, step: Step) -> str:
        """Type the command and return the output, without colours."""
        return ESCAPES.sub("", self.run_in_colours(step)).strip("\n")

    def run_in_colours(self, step: Step) -> str:
        """Like run(), but with the terminal's escape sequences."""
        if step.prompt != self.prompt:
            raise RuntimeError(f"{step.command!r} is to be typed at {step.prompt!r}, the prompt is {self.prompt!r}")
        self.child.sendline(step.command)
        text = ERASED.sub("", self._wait()).replace("\r", "")
        echo, _, rest = text.partition("\n")  # GDB's own line editing repeats the command
        return rest if ESCAPES.sub("", echo).strip() == step.command.strip() else text

    def close(self) -> None:
        """End the shell and all that it started."""
        with contextlib.suppress(ProcessLookupError):
            leader = os.getsid(self.child.pid)
            for process in pathlib.Path("/proc").glob("[0-9]*"):
                with contextlib.suppress(OSError, ValueError, IndexError):
                    fields = (process / "stat").read_text().rpartition(")")[2].split()
                    if int(fields[3]) == leader:
                        os.kill(int(process.name), signal.SIGKILL)
        self.child.close(force=True)


def home() -> tempfile.TemporaryDirectory[str]:
    """Return a home directory for the transcripts of one document."""
    return tempfile.TemporaryDirectory(prefix="jitscope-home-")


def play(transcript: str, home: str) -> Iterator[tuple[Step, str]]:
    """Yield each step, and its output."""
    terminal = Terminal(home)
    try:
        for step in steps(transcript):
            yield step, terminal.run(step)
    finally:
        terminal.close()


def main() -> None:
    for name in sys.argv[1:]:
        with home() as folder:
            for fence in fences(pathlib.Path(name).resolve()):
                if fence.info.split()[:1] == ["console"]:
                    print(f"---- {fence}")
                    for step, output in play(fence.text, folder):
                        mark = "" if matches(step.output, output) else "     <-- differs"
                        print(f"{step.prompt}{step.command}{mark}\n{output}", flush=True)


if __name__ == "__main__":
    main()
