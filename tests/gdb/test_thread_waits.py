"""`jit threads` names what a thread waits for by the same words as `jitscope stack`, by the program's own record."""

from __future__ import annotations

import json
import pathlib
import re

import jsonschema
import pytest

from tests.gdb import harness
from tests.interpreters import ROOT
from tests.oracle.python_stacks.interpreters import Interpreter, all_or_skips
from tests.stacks.taking import running, until

WAITS = ROOT / "tests" / "stacks" / "threads" / "library_waits.py"
SCHEMA = json.loads((ROOT / "docs" / "schema" / "threads.json").read_text())
TASK = """
import asyncio, threading
lock = threading.Lock()
async def holder():
    with lock:
        await asyncio.sleep(10000)
async def blocker():
    await asyncio.sleep(0.1)
    with lock:
        pass
async def main():
    await asyncio.gather(*(asyncio.create_task(each(), name=each.__name__) for each in (holder, blocker)))
threading.Timer(0.5, lambda: print("ready", flush=True)).start()
asyncio.run(main())
"""


@pytest.mark.parametrize("interpreter", all_or_skips())
def test_waits_for_what_the_library_makes(interpreter: Interpreter) -> None:
    with running(interpreter.path, WAITS) as process:
        assert process.stdin and process.stdout
        process.stdin.write("\n")
        process.stdin.flush()
        truth = {int(thread): what for thread, what in json.loads(process.stdout.readline()).items()}
        shown = harness.run(["jit threads", "jit threads -json"], pid=process.pid)
    threads = json.loads(shown.of("jit threads -json").splitlines()[-1])
    jsonschema.validate(threads, SCHEMA)
    lines = {int(found[1]): found[0] for found in re.finditer(r"^[* ] (\d+) .*", shown.of("jit threads"), re.M)}
    said = {each["native_id"]: lines[each["thread"]] for each in threads if each["native_id"] in truth}
    assert len(said) == len(truth) > 15
    for thread, line in said.items():
        wanted = truth[thread].removesuffix(", with a timeout")
        assert f", waits for {wanted}" in line, (wanted, line)


def test_a_lock_that_a_task_keeps(tmp_path: pathlib.Path) -> None:
    program = tmp_path / "keeps.py"
    program.write_text(TASK)
    with running("python3", program) as process:
        until(lambda: len(list(pathlib.Path(f"/proc/{process.pid}/task").iterdir())) == 1)
        shown = harness.run(["jit threads", "jit threads -json"], pid=process.pid)
    assert "waits for a lock that task 'holder' of thread 1 holds" in shown.of("jit threads"), shown.text
    (thread,) = json.loads(shown.of("jit threads -json").splitlines()[-1])
    jsonschema.validate([thread], SCHEMA)
    assert thread["waits_for"] == {"for": "lock", "thread": 1, "native_id": process.pid, "task": "holder"}
