"""A fault that a user of Numba has reported in public, as a program with what is typed about it in GDB.

A story is a file of tests/stories/programs. Its docstring has one `key: text` in each line:

report  OWNER/PROJECT#NUMBER, where the user has reported the fault
what    one sentence: what happens
how     run (the default), attach (the program prints `ready` first) or core
before  a command that leads to the stop; the default is `run`
then    a command after the stop, at most MOST
cause   a regular expression for the line of the output that names the cause
never   a regular expression that no line may match, because it blames something else; may be given again

`{MARK}` in a command is FILE:LINE of the line that ends in `# at: MARK`."""

from __future__ import annotations

import ast
import dataclasses
import pathlib
import re
import tempfile

from tests.gdb import harness

PROGRAMS = pathlib.Path(__file__).resolve().parent / "programs"
MOST = 3  # commands after the stop
KEYS = ("report", "what", "how", "before", "then", "cause", "never")
# What users have: jitscope in the program's environment, and none of its variables.
DEFAULT = {"JITSCOPE_LEVEL": ""}
STOP = re.compile(r"received signal|hit (Breakpoint|Catchpoint)|Program terminated with signal|exited with code")


@dataclasses.dataclass(frozen=True)
class Story:
    name: str
    report: str
    what: str
    cause: str
    how: str = "run"
    before: tuple[str, ...] = ("run",)
    then: tuple[str, ...] = ()
    never: tuple[str, ...] = ()

    @property
    def address(self) -> str:
        """The report's address on the web."""
        project, _, number = self.report.partition("#")
        return f"https://github.com/{project}/issues/{number}"


@dataclasses.dataclass(frozen=True)
class Outcome:
    """What jitscope has shown of a story."""

    output: str
    seen: str  # the line that names the cause, or else the one that says how the program stopped
    is_named: bool
    blamed: tuple[str, ...]  # the lines that blame something else


def stories() -> dict[str, Story]:
    """Return all stories by their names."""
    return {path.stem: read(path) for path in sorted(PROGRAMS.glob("*.py"))}


def read(path: pathlib.Path) -> Story:
    """Return the story of a file; ValueError if its docstring is none."""
    text = path.read_text("utf-8")
    given: dict[str, list[str]] = {}
    for line in (ast.get_docstring(ast.parse(text)) or "").splitlines():
        key, separator, value = line.partition(": ")
        if key not in KEYS or not separator:
            raise ValueError(f"{path.name}: {line!r} has none of the keys {', '.join(KEYS)}")
        given.setdefault(key, []).append(value)
    marks = {
        mark: f"{path.name}:{number}"
        for number, line in enumerate(text.splitlines(), 1)
        for mark in re.findall(r"# at: (\w+)$", line)
    }
    commands = {key: tuple(command.format(**marks) for command in given.get(key, ())) for key in ("before", "then")}
    if len(commands["then"]) > MOST:
        raise ValueError(f"{path.name}: {len(commands['then'])} commands follow the stop, more than {MOST}")
    one = {key: given[key][0] for key in ("report", "what", "cause", "how") if key in given}
    before = commands["before"] or (("run",) if one.get("how", "run") == "run" else ())
    return Story(path.stem, **one, before=before, then=commands["then"], never=tuple(given.get("never", ())))


def played(story: Story, python: str | None = None, gdb: str | None = None) -> Outcome:
    """Play the story in GDB with jitscope, and return what is shown."""
    program = PROGRAMS / f"{story.name}.py"
    commands = (*story.before, *story.then)
    arguments = {"env": DEFAULT, "python": python, "gdb": gdb, "timeout": 90, "may_time_out": True}
    if story.how == "attach":
        with harness.target(program, env=DEFAULT, python=python) as pid:
            done = harness.run((*commands, "detach"), pid=pid, **arguments)
    elif story.how == "core":
        with tempfile.TemporaryDirectory() as folder:
            core = harness.gdb_core(program, pathlib.Path(folder), DEFAULT, python, gdb)
            done = harness.run(commands, core=core, **arguments)
    else:
        done = harness.run(commands, program=program, **arguments)
    return outcome(story, done.text)


def outcome(story: Story, output: str) -> Outcome:
    """Return what an output says about the story."""
    lines = [line for line in output.splitlines() if not line.startswith("(gdb) ")]
    named = next((line for line in lines if re.search(story.cause, line)), None)
    stop = next((line for line in lines if STOP.search(line)), "the program ends, and nothing is shown")
    blamed = tuple(line for line in lines if any(re.search(pattern, line) for pattern in story.never))
    return Outcome(output, steady(named or stop), named is not None, blamed)


def steady(line: str) -> str:
    """Return a line of GDB's output without what differs from run to run: addresses, paths, threads' numbers."""
    line = re.sub(r"0x[0-9a-f]+", "0x…", line.strip())
    line = re.sub(r"(?:/[\w.+-]+)+/(?=[\w.+-]+\.py)", "", line)
    return re.sub(r"\b(Thread|process|LWP) \d+(?: \"[^\"]*\")?", r"\1 N", line)
