"""Waits for what modules of the library make are named in words, in each take of the stacks."""

from __future__ import annotations

import json
import re
from pathlib import Path

import jsonschema
import pytest

from jitscope.stacks.taking import Stacks
from tests.interpreters import ROOT
from tests.oracle.python_stacks.interpreters import Interpreter, all_or_skips
from tests.stacks.taking import needs_library, running

PROGRAM = Path(__file__).parent / "library_waits.py"
SCHEMA = json.loads((ROOT / "docs" / "schema" / "stack.json").read_text())


@pytest.mark.parametrize("interpreter", all_or_skips())
def test_waits_are_named(interpreter: Interpreter) -> None:
    needs_library()
    with running(interpreter.path, PROGRAM) as process, Stacks(process.pid) as stacks:
        assert process.stdin and process.stdout
        process.stdin.write("\n")
        process.stdin.flush()
        truth = {int(thread): f"waits for {what}" for thread, what in json.loads(process.stdout.readline()).items()}
        for _ in range(2):
            taken = stacks.take(longest=10)
            jsonschema.validate(taken, SCHEMA)
            threads = {thread["native_id"]: thread for thread in taken["threads"] if thread["native_id"] in truth}
            said = {thread: re.sub(r" \(.* at .*\)", "", each["does"]) for thread, each in threads.items()}
            assert said == truth
            for thread, each in threads.items():
                assert each["waits_for"]["timed"] == truth[thread].endswith("with a timeout")
                assert each["waits_for"]["native_id"] is None
            assert taken["deadlock"]["circles"] == []
