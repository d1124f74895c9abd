"""Conditions that a front end gives by GDB/MI at code that is compiled already, and GDB's input otherwise unchanged."""

from __future__ import annotations

import dataclasses
import os
import select
import signal
import subprocess
import time
from typing import Any

import pytest

from tests.gdb import harness
from tests.gdb.harness import line_of
from tests.interpreters import gdbs, newest_python

PROGRAM = "conditional.py"
LINE, NEXT = line_of(PROGRAM, "line"), line_of(PROGRAM, "next")
PRINTED = f'{PROGRAM}:{LINE} "i is %d\\n" i'
STEPS = {"JITSCOPE_LEVEL": "steps"}
GDBS = pytest.mark.parametrize("gdb", gdbs().values(), ids=[f"gdb-{name}" for name in gdbs()])


# Conditions for one loop, each with the next i for which it is true, in the ways that front ends write.
GIVEN = [
    ('-break-condition 1 "i in (4, 9)"', 4),
    ("-break-condition 1 i // 3 == 4", 12),
    ('-break-condition 1 text == "abc" and i > 13', 14),
    (f'12-break-insert -t -c "i // 3 == 5 and k" {PROGRAM}:{NEXT}', 15),
    ("-break-condition 1 9 > i % -8 + 8 > 7", 16),
    (f'-break-insert -t -c "text == "abc" and i % 4 == 2" {PROGRAM}:{NEXT}', 18),
    (f'-break-insert -t -c "text[0] == \\"a\\" and i ** 2 == 400" --source {PROGRAM} --line {NEXT}', 20),
    (f'-break-insert -t -c "a.size / 2 * 6 == i" {PROGRAM}:{NEXT}', 21),
    (f'-break-insert -t -c "i==25" {PROGRAM}:{NEXT}', 25),
]
REFUSED = ('-break-insert -c "1 and 2" PyLong_FromLong', '-break-condition 1 "i +"', "-break-condition 99 i in")


@dataclasses.dataclass
class Session:
    """The answers of GDB/MI to the named commands, and all its output; for GIVEN the values of i."""

    stops: list[tuple[str, int]] = dataclasses.field(default_factory=list)
    answers: dict[str, Any] = dataclasses.field(default_factory=dict)
    said: str = ""


@pytest.fixture(scope="module")
def session(request: pytest.FixtureRequest) -> Session:
    """Run a session that gives conditions for code that is compiled already, one after the other."""
    pytest.importorskip("pygdbmi")
    found = Session()
    with harness.machine_interface(PROGRAM, env=STEPS, gdb=request.param) as mi:
        mi.send(f"-break-insert -f {PROGRAM}:{NEXT}")
        mi.until_stop("-exec-run")
        for command, _ in GIVEN:
            if "insert" in command:
                mi.send('-break-condition 1 "i < 0"')
            done = mi.send(command)
            assert done["message"] == "done", (command, done)
            stopped = mi.until_stop("-exec-continue")
            assert stopped["reason"] == "breakpoint-hit", (command, mi.said)
            value = mi.send("-data-evaluate-expression i")["payload"]["value"]
            found.stops.append((command, int(value)))
        mi.send("-break-condition 1")
        found.answers["dprintf"] = mi.send('-dprintf-insert -c "i in (26, 27)" ' + PRINTED)
        mi.send(f'-break-insert -c "i // 2 == 14 and nosuch" {PROGRAM}:{NEXT}')
        for command in REFUSED:
            found.answers[command] = mi.send(command)
        mi.send("-gdb-set jitscope conditions off")
        found.answers["off"] = mi.send(f'-break-insert -c "i in (3, 4)" {PROGRAM}:{LINE}')
        mi.send("-gdb-set jitscope conditions on")
        found.answers["in C"] = mi.send('-break-insert -c "7/2==4" PyFloat_FromDouble')
        mi.send('-break-condition 1 "i == 30"')
        found.answers["last stop"] = mi.until_stop("-exec-continue")
        found.said = mi.said
    return found


IN_EACH_GDB = pytest.mark.parametrize(
    "session",
    [
        pytest.param(path, id=f"gdb-{name}", marks=pytest.mark.xdist_group(f"front-end-input-{name}"))
        for name, path in gdbs().items()
    ],
    indirect=True,
)


@IN_EACH_GDB
def test_conditions_at_compiled_code_are_python(session: Session) -> None:
    assert session.stops == GIVEN


@IN_EACH_GDB
def test_the_condition_of_a_dprintf_is_python(session: Session) -> None:
    assert session.answers["dprintf"]["message"] == "done"
    said = session.said
    assert "i is 26" in said and "i is 27" in said and "i is 25" not in said, said


@IN_EACH_GDB
def test_a_condition_with_an_unknown_name_is_told(session: Session) -> None:
    assert "has no variable `nosuch`" in session.said, session.said


@IN_EACH_GDB
@pytest.mark.parametrize("command", REFUSED)
def test_what_is_no_condition_is_refused(session: Session, command: str) -> None:
    assert session.answers[command]["message"] == "error"


@IN_EACH_GDB
def test_a_user_can_have_gdbs_conditions(session: Session) -> None:
    assert "syntax error" in session.answers["off"]["payload"]["msg"]


@IN_EACH_GDB
def test_a_condition_at_a_function_of_c_is_gdbs(session: Session) -> None:
    assert session.answers["in C"]["payload"]["bkpt"]["cond"] == "7/2==4"


@IN_EACH_GDB
def test_the_loop_stops_at_the_last_condition(session: Session) -> None:
    assert session.answers["last stop"]["reason"] == "breakpoint-hit"


@GDBS
def test_expressions_of_a_dprintf_are_python(gdb: str) -> None:
    pytest.importorskip("pygdbmi")
    with harness.machine_interface(PROGRAM, env=STEPS, gdb=gdb) as mi:
        form = '"i=%d %d %.2f %s %s\\n" i "i // 2" i/4 text "a[1:3]"'
        done = mi.send(f"-dprintf-insert -f {PROGRAM}:{NEXT} {form}")
        assert done["message"] == "done", done
        done = mi.send(f'-dprintf-insert -f --source {PROGRAM} --line {NEXT} "next %d\\n" "[x for x in a]"')
        assert done["message"] == "error" and "[x for x in a]" in done["payload"]["msg"], done
        mi.send(f'-break-insert -f -c "i == 7" {PROGRAM}:{NEXT}')
        mi.until_stop("-exec-run")
        value = mi.send('-data-evaluate-expression $jit("a[1:3]")')["payload"]["value"].strip('"')
        assert f"i=5 2 1.25 abc {value}" in mi.said and "i=6 3 1.50 abc" in mi.said, mi.said


@GDBS
def test_what_waits_for_its_code(gdb: str) -> None:
    """A text that can be no condition is refused, and a dprintf with a condition ends no GDB."""
    pytest.importorskip("pygdbmi")
    with harness.machine_interface(PROGRAM, env=STEPS, gdb=gdb) as mi:
        for text in ("i +", "[x for x in a]", "looped(i)", "i = 3"):
            done = mi.send(f'-break-insert -f -c "{text}" {PROGRAM}:{NEXT}')
            assert done["message"] == "error" and f"the condition `{text}`" in done["payload"]["msg"], done
        done = mi.send('-dprintf-insert -f -c "i in (2, 3)" ' + PRINTED)
        assert done["message"] == "done", done
        number = mi.send(f"-break-insert -f {PROGRAM}:{NEXT}")["payload"]["bkpt"]["number"]
        refused = mi.send(f'-break-condition {number} "i +"')
        assert refused["message"] == "error" and "the condition `i +`" in refused["payload"]["msg"], refused
        mi.send(f'-break-condition {number} "i // 3 == 3 and k"')
        assert mi.until_stop("-exec-run")["reason"] == "breakpoint-hit"
        assert mi.send("-data-evaluate-expression i")["payload"]["value"] == "9"
        assert [line for line in mi.said.splitlines() if line.startswith("i is")] == ["i is 2", "i is 3"], mi.said
        assert "Error in re-setting breakpoint 1" not in mi.said, mi.said


class Raw:
    """A GDB/MI whose standard input is a pipe, written byte by byte."""

    def __init__(self, gdb: str, jitscope: bool):
        command = [gdb, "-nx", "-q", "--interpreter=mi3"]
        for setting in harness.QUICK:
            command += ["-iex", setting]
        if jitscope:
            command += [*harness.LIGHT, "-ex", f"source {harness.JITSCOPE}"]
        command += ["--args", newest_python(), str(harness.PROGRAMS / "reading.py")]
        pipe = subprocess.PIPE
        self.process = subprocess.Popen(
            command, stdin=pipe, stdout=pipe, stderr=subprocess.STDOUT, bufsize=0, start_new_session=True
        )
        self.said = b""

    def write(self, data: bytes) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(data)

    def until(self, text: bytes, seconds: float = 60.0) -> bytes:
        """Return the output up to and including this text."""
        assert self.process.stdout is not None
        end = time.monotonic() + seconds
        while text not in self.said and time.monotonic() < end:
            if select.select([self.process.stdout], [], [], 0.5)[0]:
                data = os.read(self.process.stdout.fileno(), 1 << 16)
                if not data:
                    break
                self.said += data
        before, found, self.said = self.said.partition(text)
        assert found, (text, before[-500:])
        return before + found

    def close(self) -> None:
        harness.kill_session(self.process)
        for stream in (self.process.stdin, self.process.stdout):
            if stream is not None:
                stream.close()


@GDBS
@pytest.mark.parametrize("jitscope", [False, True], ids=["gdb-alone", "jitscope"])
def test_no_byte_is_lost_or_late(gdb: str, jitscope: bool) -> None:
    """GDB's input is the program's, too: parts of lines, long lines, several at once, SIGINT and the end."""
    raw = Raw(gdb, jitscope)
    try:
        raw.write(b"2-exec-run\n")
        raw.until(b"asks")
        raw.write(b"to the program -break-insert x\n")
        raw.until(b"line 'to the program -break-insert x\\n'")
        raw.write(b"xyz")  # without the end of a line
        raw.until(b"bytes b'xyz'")
        raw.until(b"exited-normally")
        raw.write(b"3-data-evaluate-expression 0" + b"+1" * 40_000 + b"\n")
        raw.until(b'3^done,value="40000"')
        raw.write(b'4-break-insert -c "0' + b"+1" * 100_000 + b'" nosuch\n')
        raw.until(b"4^error")
        for byte in b"5-break-insert -f nosuch.py:3\n":
            raw.write(bytes([byte]))
        raw.until(b"5^done")
        raw.write(b'6-break-insert -f a.py:3\n7-break-condition 99 "i in (3, 4)"\r\n8-gdb-show width\n9-exec-run\n')
        said = raw.until(b"asks")
        answers = [word for word in (b"6^done", b"7^error", b"8^done", b"9^running") if word in said]
        assert answers == sorted(answers, key=said.index) and len(answers) == 4, said
        os.kill(raw.process.pid, signal.SIGINT)
        raw.until(b"SIGINT")
        assert raw.process.stdin is not None
        raw.process.stdin.close()
        assert raw.process.wait(20) == 0
    finally:
        raw.close()


def test_a_terminal_gets_a_line(tmp_path: Any) -> None:
    """Emacs has GDB/MI on a terminal, which jitscope does not change: a line names the form that GDB takes, once a user
    has a condition."""
    pexpect = pytest.importorskip("pexpect")
    arguments = ["-nx", "-q", "-i=mi"]
    for setting in harness.QUICK:
        arguments += ["-iex", setting]
    arguments += ["-ex", f"source {harness.JITSCOPE}", "--args", newest_python(), str(harness.PROGRAMS / PROGRAM)]
    child = pexpect.spawn(
        next(iter(gdbs().values())), arguments, env=harness.lean(STEPS), timeout=60, encoding="utf-8", echo=False
    )
    try:
        child.expect_exact("(gdb)")
        child.sendline(f"-break-insert -f {PROGRAM}:{NEXT}")
        child.expect_exact("^done")
        child.sendline("-exec-run")
        child.expect_exact("breakpoint-hit")
        child.sendline(f'-break-insert -c "$py(\\"i // 3 == 4\\")" {PROGRAM}:{LINE}')
        child.expect_exact("^done")
        assert "jitscope: at code" not in child.before, child.before
        child.sendline("-exec-continue")
        child.expect_exact("breakpoint-hit")
        child.expect_exact("jitscope: at code that is compiled already")
    finally:
        child.close(force=True)
