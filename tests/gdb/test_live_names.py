"""`jitscope names` of a process that nobody prepared gives the names and lines that GDB with jitscope gives."""

from __future__ import annotations

import json
import pathlib
import random
import re
import subprocess
from typing import Any

import pytest

from tests.gdb.harness import run, target
from tests.interpreters import ROOT, newest_python

PROGRAM = "named_code.py"
SCRIPT = pathlib.Path(__file__).with_name("names_by_gdb.py")
COUNT = 1000


@pytest.fixture(scope="module", params=["stock", "exact"])
def both(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> tuple[dict[str, Any], list[tuple[int, Any]], list[Any]]:
    """Return what `jitscope names --json` says, what GDB says of random addresses, and GDB's functions."""
    with target(PROGRAM, env={"JITSCOPE_LEVEL": request.param}) as pid:
        done = subprocess.run(
            [newest_python(), "-m", "jitscope", "names", str(pid), "--json"],
            capture_output=True,
            text=True,
            timeout=60,
            cwd=ROOT,
        )
        assert done.returncode == 0, done.stderr
        names = json.loads(done.stdout)
        chosen = random.Random(1)
        functions = names["functions"]
        with_lines = [each for each in functions if each["ranges"]]
        inlined = [each for function in functions for each in function["ranges"] if len(each["frames"]) > 1]
        addresses = []
        for number in range(COUNT):
            part = chosen.choice((functions, with_lines, inlined)[number % 3])
            addresses.append(chosen.randrange(part["low"], part["high"]))
        place = tmp_path_factory.mktemp("names") / "addresses.json"
        place.write_text(json.dumps(addresses))
        listed = "jit functions -all -json"
        transcript = run([listed, f'set $addresses = "{place}"', f"source {SCRIPT}"], pid=pid, timeout=300)
    found = json.loads(transcript.of(f"source {SCRIPT}"))
    return names, list(zip(addresses, found)), json.loads(transcript.of(listed))


def frames_at(names: dict[str, Any], address: int) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    (function,) = [each for each in names["functions"] if each["low"] <= address < each["high"]]
    ranges = [each["frames"] for each in function["ranges"] if each["low"] <= address < each["high"]]
    return function, ranges[0] if ranges else []


def test_functions_are_those_of_gdb(both: Any) -> None:
    names, _, listed = both
    keys = ("name", "kind", "file", "line", "low", "high", "linkage_name", "signature", "module")
    found = [{key: each[key] for key in keys} for each in names["functions"]]
    expected = [{key: each[key] for key in keys} for each in listed]
    assert sorted(found, key=str) == sorted(expected, key=str)
    kinds = {each["kind"] for each in names["functions"]}
    assert {"function", "parfor-kernel", "cpython-wrapper", "gufunc-wrapper", "generator-next"} <= kinds
    assert {"Box.area", "spread.prange", "plain_spread.prange"} <= {each["name"] for each in found}


def test_lines_and_inlined_calls_are_those_of_gdb(both: Any) -> None:
    names, answers, _ = both
    inlined = 0
    for address, said in answers:
        function, frames = frames_at(names, address)
        if frames and frames[0]["line"]:
            assert [frame["name"] for frame in frames] == [re.split(r"[(\[]", name)[0] for name in said["names"]], (
                hex(address),
                function["name"],
                said,
            )
            assert (frames[0]["line"], frames[0]["file"]) == (said["line"], said["file"]), (
                hex(address),
                function["name"],
                frames,
                said,
            )
            inlined += len(frames) > 1
        else:
            assert said["line"] == 0, (hex(address), function, said)
    assert inlined > COUNT // 4


def test_symbols_are_those_of_gdb(both: Any) -> None:
    names, answers, _ = both
    for address, said in answers:
        function, _ = frames_at(names, address)
        assert said["symbol"].startswith(function["name"]), (hex(address), function["name"], said)
