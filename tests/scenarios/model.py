"""The parts of a scenario: commands typed into one GDB, and the conditions for their outputs."""

from __future__ import annotations

import dataclasses
import re

from tests.gdb.harness import Transcript

# The texts that may replace a value that is not exact.
LABEL = r"<(?:optimized out|unassigned|unknown[^>]*)>"


# The command of a scenario that is no session of GDB: `thread apply all bt` of GDB alone, and `jitscope stack`.
STACKS = "stacks of all threads"
# And that of one that is only run: what faulthandler says at the crash, and jitscope's report.
REPORT = "report of the crash"


@dataclasses.dataclass(frozen=True)
class Check:
    """A condition: `want` must be found in, and `never` must not be found in, the output of a command (None: of
    all)."""

    title: str
    command: str | None
    want: str | None = None
    never: str | None = None
    occurrence: int = 0

    def failure(self, transcript: Transcript) -> str | None:
        """Return why the check fails, or None."""
        text = transcript.text if self.command is None else transcript.of(self.command, self.occurrence)
        if self.want is not None and not re.search(self.want, text, re.M):
            return f"no match for {self.want!r} in {_clip(text)}"
        if self.never is not None and (found := re.search(self.never, text, re.M)):
            return f"shows {found.group(0)!r}"
        if self.command is not None and not text:
            return f"`{self.command}` printed nothing"
        return None


@dataclasses.dataclass(frozen=True)
class Scenario:
    """A scenario. `how` is run, attach, core, self (the program starts GDB), or stacks or report (without GDB);
    `program` is under tests/programs."""

    name: str
    title: str
    program: str
    commands: tuple[str, ...]
    checks: tuple[Check, ...]
    how: str = "run"
    env: tuple[tuple[str, str], ...] = ()
    instead: tuple[str, ...] = ()  # commands for GDB alone where the program, how=self, calls jitscope's
    libc: bool = False  # with the debug symbols of the system's libraries, if there are any
    same: int = 0  # the number of the program, of two

    def reached(self, transcript: Transcript) -> bool:
        """True if the program got to the place that the scenario looks at. Otherwise failed checks mean nothing."""
        if self.how == "stacks":
            return "#0 " in transcript.text
        if self.how == "report":
            return "SIGSEGV" in transcript.text or "Segmentation fault" in transcript.text
        stops = r"Breakpoint \d+(?:\.\d+)?, |received signal SIG(?:SEGV|ABRT)|Program terminated with signal SIG"
        return not transcript.timed_out and re.search(stops, transcript.text) is not None

    def failures(self, transcript: Transcript) -> list[tuple[Check, str]]:
        found = [(check, check.failure(transcript)) for check in self.checks]
        return [(check, why) for check, why in found if why is not None]

    def fails_alone(self, transcript: Transcript) -> bool:
        """True if a check of GDB's own commands fails; those of jitscope's commands show nothing about GDB alone."""
        return any(not (check.command or "").startswith("jit ") for check, _ in self.failures(transcript))

    def with_env(self, **extra: str) -> Scenario:
        return dataclasses.replace(self, env=tuple({**dict(self.env), **extra}.items()))


# The end of a Python frame's line in `jit bt`.
PYTHON = r"(?: \[\w+\])?"


def written(text: str) -> str:
    """Return a pattern for a value written as Python writes it; floats also with GDB's 17 digits, bools in lower
    case."""

    def widened(match: re.Match[str]) -> str:
        token = match.group(0)
        if token in ("True", "False"):
            return f"[{token[0]}{token[0].lower()}]{token[1:]}"
        seventeen = f"{float(token):.17g}"
        return f"(?:{re.escape(token)}|{re.escape(seventeen)})" if "." in token else token

    pieces = re.split(r"(\bTrue\b|\bFalse\b|-?\d+(?:\.\d+)?)", text)
    return "".join(re.sub("(?s).+", widened, p) if n % 2 else re.escape(p) for n, p in enumerate(pieces))


def value(name: str, text: str | None) -> str:
    """Return a pattern for a line `name = text`, as Python writes it; None: a label."""
    return rf"^{re.escape(name)} = {LABEL if text is None else written(text)}$"


def value_or_label(name: str, text: str) -> str:
    """Return a pattern for a line `name = text`, or the name with a label."""
    return rf"^{re.escape(name)} = (?:{written(text)}|{LABEL})$"


def _clip(text: str) -> str:
    flat = text.strip() or "(nothing)"
    return flat if len(flat) < 1500 else flat[:1500] + " …"
