"""Why the program has stopped, in the events of a DAP client: faults, exceptions of compiled code, and what a function
has returned."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from tests.gdb import dap
from tests.gdb.harness import PROGRAMS, lean, line_of, newest_python
from tests.interpreters import gdbs

GDBS = pytest.mark.parametrize("gdb", gdbs().values(), ids=[f"gdb-{name}" for name in gdbs()])
STEPS = {"JITSCOPE_LEVEL": "steps", "NUMBA_BOUNDSCHECK": "0"}


@contextmanager
def started(
    gdb: str, program: str, filters: list[dict[str, Any]], line: int = 0
) -> Iterator[tuple[dap.DapClient, dict[str, Any]]]:
    """Yield a client in VS Code's order of requests, and the answer to its exception breakpoints."""
    if not dap.speaks(gdb):
        pytest.skip("this GDB has no gdb.dap (14 and later)")
    with dap.DapClient(gdb, True, STEPS) as client:
        offered = client.request("initialize", {"adapterID": "jitscope-test", "supportsVariableType": True})
        own = next(each for each in offered["exceptionBreakpointFilters"] if each["filter"] == "numba")
        assert own["label"] == "Exceptions of compiled Python" and own["supportsCondition"]
        assert own["conditionDescription"] == "Classes of exceptions: ValueError, IndexError"
        launch = {"program": newest_python(), "args": [str(PROGRAMS / program)], "env": dict(lean(STEPS))}
        launched = client.send("launch", launch)
        client.event("initialized")
        if line:
            client.set_breakpoint(program, line)
        named = [each["filterId"] for each in filters if "condition" not in each]
        conditional = [each for each in filters if "condition" in each]
        answer = client.request("setExceptionBreakpoints", {"filters": named, "filterOptions": conditional})
        client.request("configurationDone")
        client.response(launched)
        yield client, answer


def line_at(client: dap.DapClient, stop: dict[str, Any]) -> int:
    asked = {"threadId": stop["threadId"], "levels": 1}
    return int(client.request("stackTrace", asked)["stackFrames"][0]["line"])


@GDBS
def test_a_fault_is_an_exception_with_its_sentence(gdb: str) -> None:
    with started(gdb, "crash.py", []) as (client, _):
        stop = client.event("stopped")
        assert stop["reason"] == "exception" and stop["description"] == "Signal SIGSEGV", stop
        assert "`index` = 1000000000 is outside axis 0 of `c` (10 elements)" in stop["text"], stop
        assert line_at(client, stop) == line_of("crash.py", "crash")


COUNTED = """from jitscope_gdb.present import stop_notes
explained, asked = stop_notes.fault, []
stop_notes.fault = lambda *given: asked.append(given) or explained(*given)
"""


@GDBS
def test_a_fault_is_explained_once(gdb: str) -> None:
    """The stop's event and the line in the console have the same explanation."""
    with started(gdb, "crash.py", [], line_of("crash.py", "crash") - 1) as (client, _):
        stop = client.event("stopped")
        frame = client.request("stackTrace", {"threadId": stop["threadId"], "levels": 1})["stackFrames"][0]
        for line in COUNTED.splitlines():
            client.evaluate_repl(f"python {line}", frame)
        client.request("continue", {"threadId": stop["threadId"]})
        stop = client.event("stopped")
        assert stop["text"] in client.output(), stop
        frame = client.request("stackTrace", {"threadId": stop["threadId"], "levels": 1})["stackFrames"][0]
        assert client.evaluate_repl("python print(len(asked))", frame) == "1\n"


@GDBS
def test_exceptions_of_compiled_code_are_a_filter(gdb: str) -> None:
    with started(gdb, "stopped_exceptions.py", [{"filterId": "numba"}]) as (client, _):
        for mark, text in (("first", "ZeroDivisionError"), ("second", "ValueError('bad')")):
            stop = client.event("stopped")
            assert stop["reason"] == "exception" and text in stop["text"], stop
            assert line_at(client, stop) == line_of("stopped_exceptions.py", mark)
            client.request("continue", {"threadId": stop["threadId"]})
        client.event("terminated")


@GDBS
def test_the_filter_takes_names_of_classes(gdb: str) -> None:
    named = {"filterId": "numba", "condition": "ValueError, KeyError"}
    with started(gdb, "stopped_exceptions.py", [named]) as (client, _):
        stop = client.event("stopped")
        assert "ValueError('bad')" in stop["text"], stop
        client.request("setExceptionBreakpoints", {"filters": []})
        client.request("continue", {"threadId": stop["threadId"]})
        client.event("terminated")


@GDBS
def test_a_filter_that_is_no_name_is_refused(gdb: str) -> None:
    wrong = {"filterId": "numba", "condition": "1 +"}
    with started(gdb, "stopped_exceptions.py", [wrong]) as (client, answer):
        refused = answer["breakpoints"][0]
        assert not refused["verified"] and "'1' is no name of an exception's class" in refused["message"], answer
        client.event("terminated")


@GDBS
def test_the_console_takes_python_where_gdb_has_no_such_command(gdb: str) -> None:
    with started(gdb, "stopped_exceptions.py", [], line_of("stopped_exceptions.py", "result")) as (client, _):
        stop = client.event("stopped")
        frame = client.request("stackTrace", {"threadId": stop["threadId"], "levels": 1})["stackFrames"][0]
        for text, shown in {"result * 2": "25.0", "(n, result)": "(25, 12.5)", "p 1 + 1": "$1 = 2\n"}.items():
            assert client.evaluate_repl(text, frame) == shown
        with pytest.raises(RuntimeError, match='Undefined command: "nosuch".* As Python: .*nosuch'):
            client.evaluate_repl("nosuch", frame)


@GDBS
def test_what_a_function_has_returned(gdb: str) -> None:
    with started(gdb, "stopped_exceptions.py", [], line_of("stopped_exceptions.py", "result")) as (client, _):
        stop = client.event("stopped")
        client.request("stepOut", {"threadId": stop["threadId"]})
        stop = client.event("stopped")
        assert stop["reason"] == "step" and "returned 12.5" in stop["description"], stop
        frame = client.request("stackTrace", {"threadId": stop["threadId"], "levels": 1})["stackFrames"][0]
        assert frame["name"] == "main" and frame["line"] == line_of("stopped_exceptions.py", "call"), frame
        scopes = {each["name"]: each for each in client.request("scopes", {"frameId": frame["id"]})["scopes"]}
        asked = {"variablesReference": scopes["Return"]["variablesReference"]}
        shown = client.request("variables", asked)["variables"]
        assert [(each["name"], each["value"]) for each in shown] == [("(return)", "12.5")]
        client.request("continue", {"threadId": stop["threadId"]})
        client.event("terminated")


@GDBS
def test_a_client_steps_through_interpreted_python_into_compiled_functions(gdb: str) -> None:
    program = "called_twice.py"
    with started(gdb, program, [], line_of(program, "double")) as (client, _):
        stop = client.event("stopped")
        client.set_breakpoint(program, line_of(program, "end"))
        client.request("stepOut", {"threadId": stop["threadId"]})
        stop = client.event("stopped")
        assert stop["description"] == "doubled returned 7", stop
        client.request("next", {"threadId": stop["threadId"]})
        stop = client.event("stopped")
        assert stop["reason"] == "step" and "hitBreakpointIds" not in stop, stop
        assert line_at(client, stop) == line_of(program, "second")
        client.request("stepIn", {"threadId": stop["threadId"]})
        stop = client.event("stopped")
        assert stop["reason"] == "step" and "hitBreakpointIds" not in stop, stop
        assert line_at(client, stop) == line_of(program, "double")
        # What the first call has returned is not said of the second one.
        assert "description" not in stop, stop
        frame, caller = client.request("stackTrace", {"threadId": stop["threadId"], "levels": 2})["stackFrames"]
        assert caller["line"] == line_of(program, "second")
        names = [each["name"] for each in client.request("scopes", {"frameId": frame["id"]})["scopes"]]
        assert "Return" not in names
        client.request("stepOut", {"threadId": stop["threadId"]})
        stop = client.event("stopped")
        frame = client.request("stackTrace", {"threadId": stop["threadId"], "levels": 1})["stackFrames"][0]
        client.evaluate_repl("set can-use-hw-watchpoints 0", frame)
        client.request("next", {"threadId": stop["threadId"]})
        stop = client.event("stopped")
        assert stop["description"].startswith("the step cannot be made: it takes hardware watchpoints"), stop
        client.request("continue", {"threadId": stop["threadId"]})
        client.event("terminated")


@GDBS
def test_a_client_steps_out_of_interpreted_functions(gdb: str) -> None:
    program = "python_kinds.py"
    with started(gdb, program, [], line_of(program, "compiled")) as (client, _):
        stop = client.event("stopped")
        client.set_breakpoint(program, line_of(program, "module"))
        reached = []
        for command in ("stepOut", "next", "next", "stepIn", "stepOut", "stepOut", "next"):
            client.request(command, {"threadId": stop["threadId"]})
            stop = client.event("stopped")
            assert stop["reason"] == "step", stop
            reached.append(line_at(client, stop))
        first, method = line_of(program, "first"), line_of(program, "method")
        module = line_of(program, "module")
        assert reached == [first, first + 1, method, line_of(program, "super"), method, module, module + 1], reached
        client.request("continue", {"threadId": stop["threadId"]})
        client.event("terminated")
