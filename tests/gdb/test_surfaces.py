"""Every surface on which GDB shows a value (docs/surfaces.md): the value is true, or labelled.

At NUMBA_OPT=0 the program stops where b is assigned and c and d are not; at the default optimisation it stops where
LLVM left a statement, and any local may have a label."""

from __future__ import annotations

import re

import pytest

from tests.gdb import dap, harness
from tests.gdb.dap import DapClient
from tests.gdb.harness import JITSCOPE, Transcript, line_of
from tests.interpreters import gdbs, newest_python
from tests.scenarios.model import LABEL, written

needs_jitscope = pytest.mark.skipif(not JITSCOPE.exists(), reason="gdbext/jitscope.py is missing")
OPTS = pytest.mark.parametrize("opt", ["0", "default"])
GDBS = pytest.mark.parametrize("gdb", gdbs().values(), ids=[f"gdb-{name}" for name in gdbs()])
PROGRAM = "chk.py"
STOP = line_of(PROGRAM, "stop")
TRUE = {"a": "123", "b": "124", "c": "287.82", "d": "(123, 124, 287.82)"}
UNASSIGNED = ("c", "d")  # at the stop of NUMBA_OPT=0

CONSOLE = (
    f"break {PROGRAM}:{STOP}",
    "run",
    "frame",
    "info args",
    "info locals",
    *(f"print {name}" for name in TRUE),
    *(f"output {name}" for name in TRUE),
    *(f"display {name}" for name in TRUE),
    "bt 1",
    "bt -full 1",
    "up",
    "down",
    "frame apply 1 info locals",
    'printf "%d\\n", a',
    "python print(gdb.selected_frame().read_var('a'))",
    "python print(gdb.selected_frame().read_var('c'))",
    "info symbol $pc",
    "next",
    "finish",
)
_SEEN: dict[tuple[str, str, bool], Transcript] = {}


def environment(opt: str) -> dict[str, str]:
    return {} if opt == "default" else {"NUMBA_OPT": opt}


def console(opt: str, gdb: str, jitscope: bool = True) -> Transcript:
    key = (opt, gdb, jitscope)
    if key not in _SEEN:
        _SEEN[key] = harness.run(CONSOLE, program=PROGRAM, env=environment(opt), gdb=gdb, jitscope=jitscope)
    return _SEEN[key]


def allowed(name: str, opt: str) -> str:
    """Return the pattern of the texts that may be shown for `name` at the stop."""
    if name == "a":
        return written(TRUE["a"])
    if opt == "0":
        return LABEL if name in UNASSIGNED else written(TRUE[name])
    return f"(?:{written(TRUE[name])}|{LABEL})"


def lies(text: str, opt: str) -> list[str]:
    """Return each `name = value` of the user's names whose value is not allowed."""
    found = []
    for name in TRUE:
        for match in re.finditer(rf"^\s*(?:\d+: )?{name}(?:[.$]\d+)? = (.*)$", text, re.M):
            if not re.fullmatch(allowed(name, opt), match.group(1).strip()):
                found.append(match.group(0).strip())
    return found


@needs_jitscope
@OPTS
@GDBS
@pytest.mark.xdist_group("surfaces")
class TestConsole:
    """One GDB for all of these tests, by optimisation."""

    def test_stop_line(self, opt: str, gdb: str) -> None:
        text = console(opt, gdb).of("run")
        assert re.search(rf", foo \(a=123\) at [^\n]*{PROGRAM}:\d+$", text, re.M), text

    @pytest.mark.parametrize("command", ["frame", "bt 1", "down"])
    def test_frame_line(self, command: str, opt: str, gdb: str) -> None:
        text = console(opt, gdb).of(command)
        assert re.search(rf"^#0 .*foo \(a=123\) at [^\n]*{PROGRAM}:\d+$", text, re.M), text

    def test_info_args(self, opt: str, gdb: str) -> None:
        assert console(opt, gdb).of("info args").strip() == "a = 123"

    @pytest.mark.parametrize("command", ["info locals", "bt -full 1", "frame apply 1 info locals"])
    def test_locals(self, command: str, opt: str, gdb: str) -> None:
        text = console(opt, gdb).of(command)
        for name in ("b", "c", "d"):
            assert re.search(rf"^\s*{name} = {allowed(name, opt)}$", text, re.M), text
        assert not lies(text, opt), text
        assert not re.search(r"^\s*\w*[.$]\w* = ", text, re.M), text  # no temporaries, and no versions

    @pytest.mark.parametrize("name", list(TRUE))
    def test_print(self, name: str, opt: str, gdb: str) -> None:
        text = console(opt, gdb).of(f"print {name}")
        assert re.fullmatch(rf"(?:\$\d+ = )?{allowed(name, opt)}", text.strip()), text

    @pytest.mark.parametrize("name", list(TRUE))
    def test_output(self, name: str, opt: str, gdb: str) -> None:
        text = console(opt, gdb).of(f"output {name}")
        assert re.fullmatch(allowed(name, opt), text.strip()), text

    @pytest.mark.parametrize("name", list(TRUE))
    def test_display(self, name: str, opt: str, gdb: str) -> None:
        text = console(opt, gdb).of(f"display {name}")
        assert text.strip() == "" or re.fullmatch(rf"\d+: {name} = {allowed(name, opt)}", text.strip()), text

    def test_printf(self, opt: str, gdb: str) -> None:
        assert console(opt, gdb).of('printf "%d\\n", a').strip() == "123"

    @pytest.mark.parametrize("name", ["a", "c"])
    def test_python_api(self, name: str, opt: str, gdb: str) -> None:
        text = console(opt, gdb).of(f"python print(gdb.selected_frame().read_var('{name}'))")
        assert re.fullmatch(allowed(name, opt), text.strip()), text

    def test_symbol_of_an_address(self, opt: str, gdb: str) -> None:
        assert re.match(r"foo\b", console(opt, gdb).of("info symbol $pc")), console(opt, gdb).text

    def test_finish(self, opt: str, gdb: str) -> None:
        """foo returns None, and GDB's return type must not show a value."""
        text = console(opt, gdb).of("finish")
        assert not re.search(r"Value returned is (?!.*(?:None|<))", text), text


@needs_jitscope
@GDBS
def test_display_after_next(gdb: str) -> None:
    commands = [f"break {PROGRAM}:{STOP}", "run", "display c", "display d", "next", "next"]
    done = harness.run(commands, program=PROGRAM, env={"NUMBA_OPT": "0"}, gdb=gdb)
    text = done.of("next", -1)
    assert re.search(rf"^\d+: c = {written(TRUE['c'])}$", text, re.M), text
    assert re.search(rf"^\d+: d = {written(TRUE['d'])}$", text, re.M), text


@needs_jitscope
@OPTS
@GDBS
def test_watch(opt: str, gdb: str) -> None:
    """GDB runs the program by single instructions if the processor cannot watch the place: for some seconds in these
    tests."""
    ends = "import os; os.system(f'(sleep 8; kill -9 {gdb.selected_inferior().pid}) >/dev/null 2>&1 &')"
    limit = [f"python {ends}"] if opt == "default" else []
    commands = [f"break {PROGRAM}:{STOP}", "run", "watch c", *limit, "continue", "continue", "continue"]
    done = harness.run(commands, program=PROGRAM, env=environment(opt), gdb=gdb)
    assert not done.timed_out, done.text
    for shown in re.findall(r"^(?:Old value|New value|Value) = (.*)$", done.text, re.M):
        assert re.fullmatch(f"{LABEL}|{written(TRUE['c'])}", shown), done.text
    assert "atchpoint 2" in done.of("watch c"), done.text


@needs_jitscope
@OPTS
@GDBS
def test_finish_returns_what_python_returns(opt: str, gdb: str) -> None:
    there = [f"break chk2.py:{line_of('chk2.py', 'stop')}", "run", "delete"]
    commands = [*there, "finish", "kill", *there, "jit finish"]
    seen = harness.run(commands, program="chk2.py", env=environment(opt), gdb=gdb)
    assert "Value returned" not in seen.of("finish"), seen.text
    for command in ("finish", "jit finish"):
        assert re.search(r"^weigh returned 12\.5$", seen.of(command), re.M), seen.text


@needs_jitscope
@GDBS
def test_conditional_breakpoint_reads_the_true_value(gdb: str) -> None:
    commands = [f"break {PROGRAM}:{STOP} if a == 123", "run", "info args"]
    done = harness.run(commands, program=PROGRAM, env={"NUMBA_OPT": "0"}, gdb=gdb)
    assert done.of("info args").strip() == "a = 123", done.text


@needs_jitscope
@GDBS
def test_dprintf(gdb: str) -> None:
    commands = [f'dprintf {PROGRAM}:{STOP},"a is %d b is %d\\n", a, b', "run"]
    done = harness.run(commands, program=PROGRAM, env={"NUMBA_OPT": "0"}, gdb=gdb)
    assert "a is 123 b is 124" in done.text, done.text


@needs_jitscope
@GDBS
def test_set_var_is_not_silent(gdb: str) -> None:
    """A value that `set var` writes and the program never reads must be refused or warned about."""
    commands = [f"break {PROGRAM}:{STOP}", "run", "set var a = 7", "print a", "continue"]
    done = harness.run(commands, program=PROGRAM, gdb=gdb)
    used = done.of("continue").lstrip().startswith("7 8 ")
    warned = "foo is optimised and may go on with the old value" in done.of("set var a = 7")
    assert used or warned or done.of("print a").strip().endswith("= 123"), done.text


@needs_jitscope
@GDBS
def test_set_var_of_a_home_is_used_without_a_word(gdb: str) -> None:
    commands = [f"break {PROGRAM}:{STOP}", "run", "set var a = 7", "set var $pc = $pc", "print a", "continue"]
    done = harness.run(commands, program=PROGRAM, gdb=gdb, env={"NUMBA_OPT": "0"})
    assert done.of("continue").lstrip().startswith("7 "), done.text
    assert not done.of("set var a = 7").strip(), done.text


@needs_jitscope
@OPTS
@GDBS
@pytest.mark.parametrize("program", [PROGRAM])
def test_machine_interface(program: str, opt: str, gdb: str) -> None:
    pytest.importorskip("pygdbmi")
    with harness.machine_interface(program, env=environment(opt), gdb=gdb) as session:
        session.send(f"-break-insert -f {program}:{STOP}")
        stopped = session.until_stop("-exec-run")
        assert stopped["frame"]["func"] == "foo"
        assert stopped["frame"]["args"] == [{"name": "a", "value": "123"}]
        rows = session.send("-stack-list-variables --all-values")["payload"]["variables"]
        listed = {row["name"] for row in rows}  # MI leaves out a variable that has no location anywhere
        assert listed == set(TRUE) if opt == "0" else {"a"} <= listed <= set(TRUE), rows
        for row in rows:
            assert re.fullmatch(allowed(row["name"], opt), row["value"]), row
        arguments = session.send("-stack-list-arguments --all-values 0 0")["payload"]["stack-args"]
        assert "123" in str(arguments)
        for name in TRUE:
            value = session.send(f"-data-evaluate-expression {name}")["payload"].get("value", "<optimized out>")
            assert re.fullmatch(allowed(name, opt), value), (name, value)
        created = session.send("-var-create - * a")["payload"]
        assert created["value"] == "123"


@needs_jitscope
@OPTS
@GDBS
def test_debug_adapter_protocol(opt: str, gdb: str) -> None:
    if not dap.speaks(gdb):
        pytest.skip("this GDB has no gdb.dap (14 and later)")
    with DapClient(gdb, jitscope=True, env=environment(opt)) as client:
        thread = client.launch(PROGRAM, STOP, environment(opt), newest_python())
        frame = client.request("stackTrace", {"threadId": thread, "levels": 1})["stackFrames"][0]
        assert re.match(r"foo\b", frame["name"])
        shown = {}
        for scope in client.request("scopes", {"frameId": frame["id"]})["scopes"]:
            if scope["name"] in ("Arguments", "Locals"):
                reference = {"variablesReference": scope["variablesReference"]}
                for row in client.request("variables", reference)["variables"]:
                    shown[row["name"]] = row["value"]
        assert {"a"} <= set(shown) <= set(TRUE), shown
        for name, value in shown.items():
            assert re.fullmatch(allowed(name, opt), value), (name, value)
        result = client.request("evaluate", {"expression": "a", "frameId": frame["id"]})
        assert result["result"] == "123"


@OPTS
def test_gdb_alone_lies_on_every_surface(opt: str) -> None:
    """The checks can fail: they do on GDB alone."""
    gdb = next(iter(gdbs().values()))
    done = console(opt, gdb, jitscope=False)
    assert not done.timed_out
    assert lies(done.of("info locals"), opt), done.text
    assert lies(done.of("bt -full 1"), opt), done.text
    assert not re.search(r", foo \(a=123\) at", done.of("run")), done.text
    assert not re.match(r"foo\b", done.of("info symbol $pc")), done.text
