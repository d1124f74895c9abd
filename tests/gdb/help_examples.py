"""The examples at the end of `help jit COMMAND`, and the sessions that play them.

An example is what follows the line "Example…:": commands at `(gdb) `, and the output of each. The comparison takes any
address for 0x…, any folder for `.../`, any number of a process or thread, and in `jit status` any version; a line `...`
stands for lines that are left out. Blank lines do not count, and a line of more than 80 columns is wrapped.

    python -m tests.gdb.help_examples    prints each example as it is today
"""

from __future__ import annotations

import dataclasses
import re
import textwrap
from collections.abc import Mapping, Sequence

from tests.gdb import harness
from tests.gdb.harness import line_of

COLUMNS = 80
PROMPT = "(gdb) "


@dataclasses.dataclass(frozen=True)
class Session:
    """A program, its environment, and the commands for GDB; `jit NAME` alone plays the example of that command."""

    program: str
    arguments: Sequence[str]
    env: Mapping[str, str]
    steps: Sequence[str]

    @property
    def played(self) -> list[str]:
        return [step.removeprefix("example ") for step in self.steps if step.startswith("example ")]


INDEX = f"raises.py:{line_of('raises.py', 'index')}"
LONE = {"OPENBLAS_NUM_THREADS": "1"}  # no threads but the program's own
SESSIONS = {
    "serial": Session(
        "raises.py",
        ["index"],
        {**LONE, "JITSCOPE_LEVEL": ""},
        [
            *("example help", "example break", "run", "example locals", "delete"),
            *(f"break {INDEX} if i == 2", "continue", "delete"),
            *("example args", "example print", "example array", "example bt", "example up", "example down"),
            *("example frame", "jit frame 0", "example functions", "example status", "example next-iteration"),
            *("example catch", "example finish"),
        ],
    ),
    "numbers": Session("wrong_numbers.py", [], {**LONE, "JITSCOPE_LEVEL": ""}, ["example trap"]),
    "exact": Session(
        "raises.py",
        ["index"],
        {**LONE, "JITSCOPE_LEVEL": "exact"},
        [f"break {INDEX}", "run", "example why", "example level"],
    ),
    "parallel": Session(
        "recorded.py",
        ["record"],
        {**LONE, "JITSCOPE_LEVEL": "", "NUMBA_NUM_THREADS": "2", "NUMBA_THREADING_LAYER": "omp"},
        [
            *("break in_place", "run", "delete", "example tbreak", "delete", "example gather", "thread 1"),
            *("example threads", "example apply", "jit finish -region", "example region"),
        ],
    ),
}


@dataclasses.dataclass(frozen=True)
class Step:
    command: str
    output: list[str]


def example(help_text: str) -> list[Step]:
    """Return the commands of the example of a command's help, each with its output."""
    found: list[Step] = []
    for line in help_text.partition("\nExample")[2].splitlines()[1:]:
        text = line.removeprefix("  ")
        if text.startswith(PROMPT):
            found.append(Step(text.removeprefix(PROMPT), []))
        elif text.strip():
            found[-1].output.append(text)
    return found


def texts() -> dict[str, str]:
    """Return what GDB says of each command, by its name."""
    names = [name for session in SESSIONS.values() for name in session.played]
    said = harness.run([f"help jit {name}" for name in names])
    return {name: said.of(f"help jit {name}") for name in names}


def play(session: Session, examples: Mapping[str, list[Step]]) -> dict[str, list[Step]]:
    """Return each of the session's examples as it is today, wrapped."""
    commands: list[str] = []
    owners: list[str] = []
    for step in session.steps:
        name = step.removeprefix("example ")
        more = [each.command for each in examples[name]] if step != name else [step]
        commands += more
        owners += [name if step != name else ""] * len(more)
    done = harness.run(commands, program=session.program, arguments=session.arguments, env=session.env)
    assert [command for command, _ in done.sections[: len(commands)]] == commands, done.text
    found: dict[str, list[Step]] = {name: [] for name in session.played}
    for name, (command, output) in zip(owners, done.sections):
        if name:
            found[name].append(Step(command, wrapped(output)))
    return found


def wrapped(output: str) -> list[str]:
    lines = []
    for line in output.splitlines():
        line = re.sub(r"(?<=[\s'])/\S*/", ".../", line)
        indent = " " * (len(line) - len(line.lstrip()) + 4)
        lines += textwrap.wrap(line, COLUMNS, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False)
    return [line.rstrip() for line in lines]


def pattern(expected: Sequence[str], any_version: bool) -> str:
    """Return a regular expression for these lines."""
    parts = []
    for line in expected:
        if line.strip() == "...":
            parts.append(r"(?:[^\n]*\n)+?")
            continue
        text = re.sub(r"0x[0-9a-f]+", "0x[0-9a-f]+", re.escape(line))
        text = re.sub(r"\b(process|LWP|[Tt]hread)\\ \d+", r"\1\\ \\d+", text)
        if any_version:
            text = re.sub(r"\d+(\\\.\d+)+", r"[\\d.]+", text)
        parts.append(text + "\n")
    return "".join(parts)


def matches(expected: Step, actual: Step) -> bool:
    text = "".join(f"{line}\n" for line in actual.output)
    return re.fullmatch(pattern(expected.output, expected.command == "jit status"), text) is not None


def main() -> None:
    examples = {name: example(text) for name, text in texts().items()}
    for title, session in SESSIONS.items():
        print(f"==== {title}: {session.program}")
        for name, steps in play(session, examples).items():
            for written, step in zip(examples[name], steps):
                mark = "" if matches(written, step) else "     <-- differs"
                print("\n".join([f"{PROMPT}{step.command}{mark}", *step.output]), flush=True)


if __name__ == "__main__":
    main()
