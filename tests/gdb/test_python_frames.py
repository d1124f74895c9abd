"""`jit bt`, `jit locals`, `jit frame` and `jit threads` for Python's own frames, in an attached process and in a
core."""

from __future__ import annotations

import json
import pathlib
import re
from collections.abc import Iterator
from typing import Any

import jsonschema
import pytest

from tests.gdb import harness
from tests.interpreters import ROOT

pytestmark = pytest.mark.xdist_group("python-frames")  # one GDB for all
PROGRAM = "python_frames.py"
COMMANDS = [
    "jit threads",
    "jit threads -json",
    "jit bt",
    "jit bt -full",
    "jit bt -json",
    "jit frame",
    "jit locals",
    "jit frame 2",
    "jit locals",
    "jit args",
    "jit print (b + len(made), text + key)",
    "jit print made[0]",
    "jit print later",
    "jit print nothing",
    "jit print event",
    'print $jit("b") * 2',
    "jit up",
    "jit locals -json",
    "jit up",
    "jit locals",
    "jit up",
    "jit down 3",
    "jit locals",
    "jit down 99",
    "jit down",
    "jit frame 77",
    "jit frame x",
]


def line(mark: str) -> int:
    return harness.line_of(PROGRAM, mark)


@pytest.fixture(scope="module")
def attached(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[harness.Transcript, pathlib.Path]]:
    core = tmp_path_factory.mktemp("python_frames") / "core"
    with harness.target(PROGRAM) as pid:
        for _ in range(3):  # a thread that waits for the GIL asks again every 5 ms, and is not waiting in between
            done = harness.run([*COMMANDS, f"generate-core-file {core}"], pid=pid)
            if "waits for the GIL" in done.of("jit threads"):
                break
        yield done, core
    core.unlink(missing_ok=True)


@pytest.fixture(scope="module")
def shown(attached: tuple[harness.Transcript, pathlib.Path]) -> harness.Transcript:
    return attached[0]


def entries(shown: harness.Transcript, command: str, schema: str) -> Any:
    found = json.loads(shown.of(command).splitlines()[-1])
    jsonschema.validate(found, json.loads((ROOT / "docs" / "schema" / f"{schema}.json").read_text()))
    return found


THREADS = {
    "compiled": "holds the GIL",  # compiled code keeps it
    "holder": f"holder () at {PROGRAM}:{line('busy')}, waits for the GIL, which thread 1 holds",
    "wants": f"wants () at {PROGRAM}:{line('lock')}, waits for a lock (an RLock) that thread {{holder}} holds",
    "wants_plain": f"wants_plain () at {PROGRAM}:{line('plain')}, waits for a lock that thread {{holder}} holds",
    "joins": "waits for thread {holder} to end",
    "waits": f"called by waits () at {PROGRAM}:{line('event')}, waits for a notification",
    "reads": f"Python thread: reads () at {PROGRAM}:{line('read')}",
}


def check_threads(text: str) -> dict[str, str]:
    """Check the lines, and return the threads' numbers by their functions."""
    lines = re.findall(r"^[* ] (\d+) +(.*)$", text, re.M)
    numbers = {name: n for name in THREADS for n, said in lines if re.search(rf"\b{name} \(\) at ", said)}
    for name, said in THREADS.items():
        own = dict(lines)[numbers[name]]
        assert own.endswith(said.format(**numbers)), (said, text)
    return numbers


def test_threads(shown: harness.Transcript) -> None:
    numbers = check_threads(shown.of("jit threads"))
    found = {entry["function"]: entry for entry in entries(shown, "jit threads -json", "threads")}
    holder = next(each for each in found.values() if each["thread"] == int(numbers["holder"]))
    by = {"thread": holder["thread"], "native_id": holder["native_id"]}
    assert found["wants"]["waits_for"] == {"for": "rlock", **by}
    assert found["wants_plain"]["waits_for"] == {"for": "lock", **by}
    assert found["reads"]["waits_for"] is None and found["reads"]["holds_gil"] is False


def test_stack_has_arguments(shown: harness.Transcript) -> None:
    inner, outer, module = [each for each in shown.of("jit bt").splitlines() if each.endswith("[py]")]
    assert re.match(
        r"#2  inner \(text='hello\\x1b\[31m', b=5, key='x', rest=\(6,\), "
        r"more=\{'z': <function outer\.<locals>\.shared at 0x\w+>\}\) at .*:",
        inner,
    )
    assert outer.startswith("#3  outer (text='hello\\x1b[31m') at ") and f":{line('outer')} " in outer
    assert module.startswith("#4  <module> () at ")
    assert "\x1b" not in shown.text
    python = [entry for entry in entries(shown, "jit bt -json", "bt")["frames"] if entry["kind"] == "python"]
    assert [entry["name"] for entry in python] == ["inner", "outer", "<module>"]


LOCALS = r"""text = 'hello\\x1b\[31m'
b = 5
key = 'x'
rest = \(6,\)
more = \{'z': <function outer\.<locals>\.shared at 0x\w+>\}
made = \['hello\\x1b\[31m', 5\]
told = <__main__\.Told object at 0x\w+>
later = <unassigned>"""


def test_full_stack_has_variables(shown: harness.Transcript) -> None:
    text = shown.of("jit bt -full").replace("\n        ", "\n")
    assert re.search(LOCALS, text), text
    assert re.search(r"\ntext = 'hello\\x1b\[31m'\nshared = <function outer\.<locals>\.shared at 0x", text), text
    assert re.search(r"\n\(\d+ functions, classes or modules\)$", text), text
    assert "CPUDispatcher" not in text.rpartition("<module>")[2], text


def test_locals_of_the_selected_python_frame(shown: harness.Transcript) -> None:
    assert shown.of("jit locals", 1).startswith("Python frame 2, inner at ")
    assert re.fullmatch(LOCALS, shown.of("jit locals", 1).partition("\n")[2])
    assert shown.of("jit args").splitlines()[1:] == shown.of("jit locals", 1).splitlines()[1:6]
    assert re.match(r"#3  outer \(text='hello\\x1b\[31m'\) at .*\n\d+ +inner\(text, 5, 6", shown.of("jit up"))
    names = [entry["name"] for entry in entries(shown, "jit locals -json", "locals")]
    assert names == ["text", "shared"]
    module = shown.of("jit locals", 2)
    assert "Python frame 4, <module> at " in module and "\nlock = <locked _thread.RLock object owner=" in module


def test_expressions_over_the_selected_python_frame(shown: harness.Transcript) -> None:
    assert shown.of("jit print (b + len(made), text + key)") == r"(7, 'hello\x1b[31mx')"
    assert shown.of("jit print made[0]") == r"'hello\x1b[31m'"
    assert shown.of("jit print later") == "<unassigned>"
    assert shown.of("jit print nothing") == "NameError: name 'nothing' is not defined"
    assert re.match(r"<threading\.Event object at 0x\w+>$|<threading\.Event at 0x", shown.of("jit print event"))
    assert shown.of('print $jit("b") * 2') == "$1 = 10"


def test_selection_ends_at_the_last_frames(shown: harness.Transcript) -> None:
    assert shown.of("jit up", 2).endswith("Initial frame selected; you can't go up.")
    assert re.match(r"#1  compiled \(n=5\) at ", shown.of("jit down 3"))
    assert "n = 5" in shown.of("jit locals", 3).splitlines()
    assert shown.of("jit down 99").startswith("#0 ")
    assert shown.of("jit down").endswith("Bottom (innermost) frame selected; you can't go down.")
    assert shown.of("jit frame 77") == "there is no frame 77; `jit bt` shows 5"
    assert shown.of("jit frame x").startswith("'x' is no number. Usage: jit frame [N]")


def test_a_core_shows_the_same(attached: tuple[harness.Transcript, pathlib.Path]) -> None:
    live, core = attached
    commands = ["jit threads", "jit bt", "jit frame 2", "jit locals"]
    shown = harness.run(commands, core=core)
    check_threads(shown.of("jit threads"))
    assert [each for each in shown.of("jit bt").splitlines() if "[py]" in each] == [
        each for each in live.of("jit bt").splitlines() if "[py]" in each
    ]
    assert shown.of("jit locals") == live.of("jit locals", 1)


def test_interpreter_without_python_frames() -> None:
    """A line says why the stack is empty, before the program's module runs and after it."""
    done = harness.run(
        ["break Py_InitializeFromConfig", "run", "jit bt", "delete", "break Py_FinalizeEx", "continue", "jit bt 2"]
        + ["jit bt -json", "kill"],
        program="chk.py",
    )
    all_frames = "; `jit bt -all` shows the native frames"
    assert done.of("jit bt") == f"(the interpreter is starting{all_frames})", done.text
    assert done.of("jit bt 2") == f"(the interpreter is ending{all_frames})"
    found = json.loads(done.of("jit bt -json"))
    assert (found["frames"], found["notes"]) == ([], [f"the interpreter is ending{all_frames}"])


def test_the_first_thread_waits_for_the_others() -> None:
    """At the end of the program, threading waits for a thread to end, and does not say which."""
    with harness.target("main_has_ended.py") as pid:
        shown = harness.run(["jit threads"], pid=pid).of("jit threads")
    assert re.search(r"^\* 1 .*, waits for a thread to end$", shown, re.M), shown
