"""Requests for values as VS Code and other front ends make them: children of children over MI and DAP; and GDB's own
commands."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from tests.gdb import dap, harness
from tests.gdb.dap import DapClient
from tests.gdb.harness import JITSCOPE, line_of
from tests.interpreters import ROOT, gdbs, newest_python
from tests.minutes import MINUTES

PROGRAM = "shown.py"
SETTINGS = pytest.mark.parametrize(
    "env",
    [
        pytest.param({"JITSCOPE_LEVEL": "steps"}, id="steps"),
        pytest.param({"JITSCOPE_LEVEL": "stock", "NUMBA_OPT": "0"}, id="stock", marks=MINUTES),
    ],
)
GDBS = pytest.mark.parametrize("gdb", gdbs().values(), ids=[f"gdb-{name}" for name in gdbs()])
# Python expressions that GDB's server does not know by itself, or reads in another way.
WATCHED = {
    "matrix[1, 2]": "6.0",
    "matrix[1:, ::2]": "array([[4., 6.], [8., 10.]])",
    "matrix.shape": "(3, 4)",
    "grown / 2": "1.5",
    "grown == 3 and not text": "False",
    "(matrix > 4).sum()": "7",
    "records[7]['n']": "7",
    "pair.f1": "2.5",
}
ADDRESS = "&grown + 1 - &grown"  # C, for a variable with an address; code that was compiled with the hook has none
SEVENTH = {"n": "7", "at": {"x": "7.5", "y": "-7.0"}, "d": {"[0]": "7", "[1]": "-7"}}
MATRIX = "array([[0., 1., 2., 3.], [4., 5., 6., 7.], [8., 9., 10., 11.]])"
FIVE = r"array\(\[\[0\., 1\., 2\., 3\.\], \[4\., \.\.\.\], \.\.\.\]\)"


def launch_commands() -> list[str]:
    """Return the commands that docs/vscode.md has VS Code give GDB first, with this checkout's path."""
    text = (ROOT / "docs" / "vscode.md").read_text("utf-8")
    launch = json.loads(text.split("```json")[1].split("```")[0])
    setup = [command["text"] for command in launch["configurations"][0]["setupCommands"]]
    assert any(command.endswith("/gdbext/jitscope.py") for command in setup)
    return [re.sub(r"^source .*", f"source {JITSCOPE}", command) for command in setup]


def mi_parts(mi: harness.MachineInterface, name: str) -> dict[str, Any]:
    """Return the children of a variable object, unfolded to the last."""
    children = mi.send(f"-var-list-children --all-values {name}")["payload"].get("children", [])
    return {child["exp"]: mi_parts(mi, child["name"]) or child["value"] for child in children}


@GDBS
@SETTINGS
def test_variable_objects(env: dict[str, str], gdb: str) -> None:
    """The requests are those of VS Code's cpptools: pretty printing on, a variable object, its children, theirs. (GDB
    gives an object with children the value {...}.)"""
    pytest.importorskip("pygdbmi")
    with harness.machine_interface(PROGRAM, env=env, gdb=gdb, jitscope=False) as mi:
        for command in launch_commands():
            done = mi.send(command if command.startswith("-") else f'-interpreter-exec console "{command}"')
            assert done["message"] == "done", done
        mi.send(f"-break-insert -f {PROGRAM}:{line_of(PROGRAM, 'hold')}")
        mi.until_stop("-exec-run")
        made = {name: mi.send(f"-var-create {name} * {name}")["payload"] for name in ("records", "matrix", "pair")}
        assert made["records"]["has_more"] == "1" and "Record(n[" in made["records"]["type"], made
        assert mi.send("-data-evaluate-expression matrix")["payload"]["value"] == MATRIX
        records = mi_parts(mi, "records")
        assert list(records) == [f"[{i}]" for i in range(9)] and records["[7]"] == SEVENTH, records
        assert mi_parts(mi, "pair") == {"f0": "1", "f1": "2.5"}
        rows = mi_parts(mi, "matrix")
        assert list(rows) == ["[0]", "[1]", "[2]", "statistics"]
        assert rows["[1]"] == {"[0]": "4.0", "[1]": "5.0", "[2]": "6.0", "[3]": "7.0"}
        assert rows["statistics"].items() >= {"min": "0.0", "max": "11.0", "mean": "5.5", "NaN": "0"}.items()
        assert mi.send("-var-update --all-values *")["payload"]["changelist"] == []


@GDBS
def test_the_requests_of_the_page_about_editors(gdb: str) -> None:
    """Like CLion and gdbgui, without settings: the requests of docs/editors.md, for functions with a plain @njit."""
    pytest.importorskip("pygdbmi")
    program = "edited.py"
    page = (ROOT / "docs" / "editors.md").read_text("utf-8")
    rows = re.findall(r"^\| (`-[a-z].*?) \|", page, re.M)
    asked = [request for row in rows for request in re.findall(r"`(-[a-z][^`]*)`", row)]
    with harness.machine_interface(program, gdb=gdb, env={"JITSCOPE_LEVEL": ""}) as mi:
        place = f"{program}:{line_of(program, 'return')}"
        answers: dict[str, Any] = {}
        for request in sorted(asked, key=lambda each: not each.startswith(("-enable", "-break"))):
            if "-stack-list-frames" == request:
                assert mi.until_stop("-exec-run")["reason"] == "breakpoint-hit"
            if request == "-var-list-children":
                request += " " + answers["-var-create - * a"]["name"]
            done = mi.send(request.replace("FILE:LINE", place))
            assert done["message"] == "done", done
            answers[request.replace(" var1", "")] = done["payload"]
        frames = [(each["func"], each["line"]) for each in answers["-stack-list-frames"]["stack"]]
        lines = {mark: str(line_of(program, mark)) for mark in ("return", "call", "main")}
        assert frames == [("weigh", lines["return"]), ("main", lines["call"]), ("<module>", lines["main"])]
        rows = answers["-stack-list-variables --all-values"]["variables"]
        numbers = "array([0., 1., 2., 3., 4., 5.])"
        shown = {"a": numbers, "factor": "3", "total": "45.0", "i": "5", "pair": "(6, 45.0)"}
        assert {row["name"]: row["value"] for row in rows} == shown
        assert answers['-data-evaluate-expression "a[2:].sum()"']["value"] == "14.0"
        assert mi.until_stop("-exec-continue")["reason"] == "exited-normally"


COUNTED = (
    "from jitscope_gdb.app import mi_expressions",
    "evaluated, asked = mi_expressions.evaluate, []",
    "mi_expressions.evaluate = lambda *given: asked.append(given) or evaluated(*given)",
)


@GDBS
def test_an_expression_is_evaluated_once(gdb: str) -> None:
    pytest.importorskip("pygdbmi")
    with harness.machine_interface(PROGRAM, gdb=gdb, env={"JITSCOPE_LEVEL": "steps"}) as mi:
        mi.send(f"-break-insert -f {PROGRAM}:{line_of(PROGRAM, 'hold')}")
        mi.until_stop("-exec-run")
        for line in COUNTED:
            assert mi.send(f'-interpreter-exec console "python {line}"')["message"] == "done"
        assert mi.send('-var-create watched * "matrix[1, 2] + 0.5"')["payload"]["value"] == "6.5"
        assert mi.send('-data-evaluate-expression "(matrix > 4).sum()"')["payload"]["value"] == "7"
        # a write ends what is known, and an update evaluates anew
        mi.send("-data-evaluate-expression matrix.data[6]=8.75")
        assert mi.send("-var-update --all-values watched")["payload"]["changelist"][0]["value"] == "9.25"
        mi.console = ""
        mi.send('-interpreter-exec console "python print([each[1] for each in asked])"')
        assert mi.console.strip() == "['matrix[1, 2] + 0.5', '(matrix > 4).sum()', 'matrix[1, 2] + 0.5']", mi.console


@GDBS
@SETTINGS
def test_parts_of_containers(env: dict[str, str], gdb: str) -> None:
    pytest.importorskip("pygdbmi")
    program = "unfolded.py"
    with harness.machine_interface(program, env=env, gdb=gdb) as mi:
        mi.send("-enable-pretty-printing")
        mi.send(f"-break-insert -f {program}:{line_of(program, 'hold')}")
        mi.until_stop("-exec-run")
        for name in ("flags", "pairs"):
            mi.send(f"-var-create {name} * {name}")
        assert mi_parts(mi, "flags") == {"['yes']": "True", "['no']": "False"}
        assert mi_parts(mi, "pairs") == {"[0]": {"f0": "1.5", "f1": "3"}}


@GDBS
@SETTINGS
def test_debug_adapter_protocol(env: dict[str, str], gdb: str) -> None:
    if not dap.speaks(gdb):
        pytest.skip("this GDB has no gdb.dap (14 and later)")
    with DapClient(gdb, jitscope=True, env=env) as client:
        thread = client.launch(PROGRAM, line_of(PROGRAM, "hold"), env, newest_python())
        frame = client.request("stackTrace", {"threadId": thread, "levels": 1})["stackFrames"][0]

        def unfold(expression: str) -> tuple[str, Any]:
            shown = client.request("evaluate", {"expression": expression, "frameId": frame["id"]})
            return shown["result"], parts(shown)

        def parts(shown: dict[str, Any]) -> Any:
            reference = shown.get("variablesReference")
            if not reference:
                return None
            rows = client.request("variables", {"variablesReference": reference})["variables"]
            return {row["name"]: parts(row) or row["value"] for row in rows}

        assert unfold("matrix")[0] == MATRIX
        for expression, value in WATCHED.items():
            assert unfold(expression)[0] == value, expression
        if env.get("JITSCOPE_LEVEL") == "steps":
            with pytest.raises(RuntimeError, match="invalid syntax"):
                unfold(ADDRESS)
        else:
            assert unfold(ADDRESS)[0] == "1"
        with pytest.raises(RuntimeError, match="nosuch"):
            unfold("nosuch")
        assert unfold("pair") == ("(1, 2.5)", {"f0": "1", "f1": "2.5"})
        assert unfold("records")[1]["[7]"] == SEVENTH


@GDBS
def test_a_watched_element_can_be_written(gdb: str) -> None:
    if not dap.speaks(gdb):
        pytest.skip("this GDB has no gdb.dap (14 and later)")
    env = {"JITSCOPE_LEVEL": "steps"}
    with DapClient(gdb, jitscope=True, env=env) as client:
        thread = client.launch(PROGRAM, line_of(PROGRAM, "hold"), env, newest_python())
        frame = client.request("stackTrace", {"threadId": thread, "levels": 1})["stackFrames"][0]

        def written(expression: str, value: str) -> str:
            asked = {"expression": expression, "value": value, "frameId": frame["id"]}
            return str(client.request("setExpression", asked)["value"])

        assert written("matrix[1, -2]", "matrix[2, 3] * 2 + 0.25") == "22.25"
        assert client.evaluate("matrix[1]", frame) == "array([4., 5., 22.25, 7.])"
        for expression, value, why in (
            ("matrix[1, 2]", "'x'", "'x' is no number that can be written"),
            ("matrix[9, 2]", "1", "IndexError: index 9 is out of bounds for axis 0 with size 3"),
            ("grown", "4", "Left operand of assignment is not an lvalue"),
            ("matrix[1, 2] + 1", "4", "Left operand of assignment is not an lvalue"),
        ):
            with pytest.raises(RuntimeError, match=re.escape(why)):
                written(expression, value)
        assert client.evaluate("matrix[1, 2]", frame) == "22.25"


@GDBS
def test_a_client_of_dap_hears_why_the_program_crashed(gdb: str) -> None:
    if not dap.speaks(gdb):
        pytest.skip("this GDB has no gdb.dap (14 and later)")
    env = {"JITSCOPE_LEVEL": "steps", "NUMBA_BOUNDSCHECK": "0"}
    with DapClient(gdb, jitscope=True, env=env) as client:
        client.start("crash.py", env)
        frame = client.stop()
        assert frame is not None and frame["line"] == line_of("crash.py", "crash")
        assert "`index` = 1000000000 is outside axis 0 of `c` (10 elements)" in client.output()


CONSOLE = {
    "whatis matrix": r"type = array\(float64, 2d, C\)",
    "whatis text": r"type = unicode_type",
    "whatis pair": r"type = Tuple\(int64, float64\)",
    "ptype grown": r"type = (?:int64|long)",
    "ptype pair": r"type = struct .*\{\n.*\bint64 f0;\n.*\bfloat64 f1;\n\}",
    "output matrix": re.escape(MATRIX),
    "output text": "'héllo'",
    "print -elements 5 -- matrix": rf"\$\d+ = {FIVE}",
    "set print elements 5": "",
    "print matrix": rf"\$\d+ = {FIVE}",
    "set print elements 200": "",
    "print pair": r"\$\d+ = \(1, 2\.5\)",
    "print $": r"\$\d+ = \(1, 2\.5\)",
    "print $.f1": r"\$\d+ = 2\.5",
    "print $$2": r"\$\d+ = \(1, 2\.5\)",
    "display text": ".*",  # GDB in batch mode shows it with the next one
    "display": r"\d+: text = 'héllo'",
    'printf "%d %g\\n", grown, matrix.data[1]': "3 1",
    "info args": rf"records = array\(.*\)\nmatrix = {re.escape(MATRIX)}\ntext = 'héllo'\npair = \(1, 2\.5\)\ngrown = 3",
}


@GDBS
@SETTINGS
def test_console(env: dict[str, str], gdb: str) -> None:
    commands = [f"break {PROGRAM}:{line_of(PROGRAM, 'hold')}", "run", *CONSOLE, "info display", "show values"]
    seen = harness.run(commands, program=PROGRAM, env=env, gdb=gdb)
    wrong = [
        f"{command}: {seen.of(command)}"
        for command, pattern in CONSOLE.items()
        if not re.fullmatch(pattern, seen.of(command).strip(), re.S)
    ]
    assert not wrong, "\n".join(wrong)
    assert "(1, 2.5)" in seen.of("show values"), seen.text
