"""The arrays of the function that has crashed are in the report as NumPy knows them, and drawn in its page."""

from __future__ import annotations

import json
import os
import pathlib
import re
import shutil
import subprocess
import time
from typing import Any
from xml.etree import ElementTree

import jsonschema
import pytest

from jitscope.report import arrays, pictures
from jitscope.stacks.taking import Stacks
from tests.interpreters import ROOT, newest_python
from tests.report.ways import SEGV
from tests.stacks.taking import needs_library, running

PROGRAM = pathlib.Path(__file__).parent / "programs" / "arrays.py"
SCHEMA = json.loads((ROOT / "docs" / "schema" / "report.json").read_text("utf-8"))
ARRAY = json.loads((ROOT / "docs" / "schema" / "array.json").read_text("utf-8"))
DRAWN = ("line", "matrix", "reversed_rows", "numbers_8", "truths", "cube", "scalar", "infinite", "extreme")
SAMPLED = ("huge", "spread", "repeated")
OTHERS = ("complexes", "times", "records", "empty")
RED = pictures._ODD


def crash(kind: str, folder: pathlib.Path, *words: str) -> tuple[dict[str, Any], dict[str, Any], str, str]:
    """Return what NumPy says, the report, its text and its page."""
    needs_library()
    command = [newest_python(), PROGRAM, kind, folder, *words]
    env = {**os.environ, "JITSCOPE_LEVEL": ""}
    done = subprocess.run(command, capture_output=True, text=True, env=env, timeout=300)
    assert done.returncode == SEGV, done.stderr
    (written,) = folder.glob("*.json")
    report: dict[str, Any] = json.loads(written.read_text("utf-8"))
    jsonschema.validate(report, SCHEMA)
    for each in report["arrays"]:
        jsonschema.validate(each["array"], ARRAY)
    texts = written.with_suffix(".txt").read_text(), written.with_suffix(".html").read_text()
    return json.loads((folder / "expected").read_text()), report, *texts


def entry_of(report: dict[str, Any], name: str) -> dict[str, Any]:
    found: dict[str, Any] = next(each for each in report["arrays"] if each["name"] == name)
    return found


@pytest.mark.parametrize("kind", [*DRAWN, *SAMPLED, *OTHERS])
def test_array(kind: str, tmp_path: pathlib.Path) -> None:
    known, report, shown, page = crash(kind, tmp_path / "reports")
    assert report["arrays"][0]["name"] == "victim"  # which the sentence names
    assert "`index` = 1000000000 is outside axis 0 of `victim` (10 elements)" in report["cause"]
    entry = entry_of(report, "password")
    array = entry["array"]
    assert entry["function"] == "crash" and entry["file"] == str(PROGRAM) and entry["why"] is None
    assert [array["shape"], array["data"]] == [known["shape"], known["data"]]
    if array["size"]:
        assert array["strides"] == known["strides"]
    assert array["overlaps"] == ["view"] or not array["size"]
    assert f"array password of crash at {PROGRAM}:" in shown
    assert f"\n  shape      {tuple(known['shape'])}, " in shown
    assert (entry["step"] is not None) is (kind in SAMPLED) is ("\n  (of the elements [::" in shown)
    statistics = array["statistics"]
    if "min" in known:
        if kind not in SAMPLED:
            keys = ("min", "max", "nan", "zero")
            assert [float(statistics[key]) for key in keys] == [known[key] for key in keys]
        assert f"\n  min, max   {statistics['min']}, {statistics['max']}\n" in shown
    if kind in (*DRAWN, *SAMPLED):
        assert array["plot"]["kind"] == ("heat" if len(known["shape"]) == 2 else "line")
        assert page.count("<svg") >= 2 and pictures.svg(array["plot"]) in page
    if entry["step"]:
        assert statistics["count"] <= 4096


def test_statistics_of_a_huge_array(tmp_path: pathlib.Path) -> None:
    """Its 8 GB are not read: the report has its usual time."""
    known, report, _, _ = crash("huge", tmp_path / "reports")
    entry = entry_of(report, "password")
    assert known["shape"] == [10**9] and entry["step"] == [1 << 18]
    statistics = entry["array"]["statistics"]
    threes = -(-(10**9) // (1 << 20))
    assert (statistics["max"], statistics["count"]) == (3.0, -(-(10**9) // (1 << 18)))
    assert statistics["zero"] == statistics["count"] - threes


def test_memory_that_is_gone(tmp_path: pathlib.Path) -> None:
    known, report, shown, _ = crash("unmapped", tmp_path / "reports")
    entry = entry_of(report, "password")
    assert entry["array"]["shape"] == known["shape"] and entry["array"]["statistics"] is None
    assert entry["why"] == "some elements cannot be read" and "\n  (some elements cannot be read)\n" in shown


def test_redacted(tmp_path: pathlib.Path) -> None:
    """Neither the array of that name, nor the same memory under another name."""
    _, report, shown, page = crash("matrix", tmp_path / "reports", "password")
    assert [each["name"] for each in report["arrays"]] == ["victim"]
    assert "array password" not in shown + page and "array view" not in shown + page


SECRET = """\
import ctypes, sys, jitscope
def login(user, password):
    ctypes.CDLL(None).memset(None, 0, 8)
jitscope.enable_crash_report(sys.argv[1], html=True, redact="password")
login("me", password="hunter2")
"""


def test_redacted_source(tmp_path: pathlib.Path) -> None:
    """A line with the name may have the value as a literal; one name may be given without a list."""
    (tmp_path / "program.py").write_text(SECRET)
    env = {**os.environ, "JITSCOPE": ""}
    subprocess.run([newest_python(), tmp_path / "program.py", tmp_path / "reports"], env=env, capture_output=True)
    texts = [file.read_text() for file in (tmp_path / "reports").iterdir()]
    assert len(texts) == 3 and not any("hunter2" in text for text in texts)
    assert any("memset" in text for text in texts)


SPINS = """\
import numba, numpy as np
@numba.njit(debug=True)
def spins(values):
    while values[0] == 0.0:
        values[1] += 1.0
    return values[1]
values = np.zeros(50)
values[0] = 1.0
spins(values)
values[0] = 0.0
print("ready", flush=True)
spins(values)
"""


@pytest.mark.skipif(not shutil.which("gcore"), reason="no gcore")
def test_time_that_is_over(tmp_path: pathlib.Path) -> None:
    """The layout is there, and the report says that the elements are not."""
    needs_library()
    program = tmp_path / "spins.py"
    program.write_text(SPINS)
    with running(newest_python(), program, env={"JITSCOPE_LEVEL": ""}) as process:
        subprocess.run(["gcore", "-o", tmp_path / "core", str(process.pid)], check=True, capture_output=True)
    with (tmp_path / f"core.{process.pid}").open("rb") as core:
        stacks = Stacks(core=core.fileno(), values=True, written=time.time())
    with stacks:
        frames = stacks.take()["threads"][0]["frames"]
        ((read,), (late,)) = arrays.of(stacks, frames, None, 60), arrays.of(stacks, frames, None, 0)
    assert read["array"]["statistics"]["count"] == 50 and read["array"]["statistics"]["zero"] >= 48
    is_new = read["array"]["statistics"]["zero"] == 49  # the loop keeps the sum in a register
    assert is_new or "may be older" in read["array"]["older"], read
    assert late["array"]["shape"] == [50] and late["array"]["statistics"] is None
    assert "(the elements were not read, to end in time)" in arrays.text(late)
    assert "no statistics" not in arrays.text(late)


def boxes(picture: str) -> list[dict[str, str]]:
    return [each.attrib for each in ElementTree.fromstring(picture)]


def test_picture_of_a_matrix(tmp_path: pathlib.Path) -> None:
    _, report, _, page = crash("matrix", tmp_path / "reports")
    plot = entry_of(report, "password")["array"]["plot"]
    assert (plot["columns"], plot["rows"]) == (96, 40) and sum(plot["not_finite"]) == 101
    drawn = boxes(pictures.svg(plot))
    assert sum(each["fill"] == RED for each in drawn) == sum(count > 0 for count in plot["not_finite"])
    covered = sum(int(each["width"]) // 7 for each in drawn if each["fill"] != RED)
    assert covered == sum(mean is not None for mean in plot["mean"])
    assert "-2990 to 2998.5" in page or re.search(r"-?\d+(\.\d+)? to \d+(\.\d+)?, means of cells; red: 101 NaN", page)


def test_picture_of_a_line(tmp_path: pathlib.Path) -> None:
    _, report, _, _ = crash("line", tmp_path / "reports")
    plot = entry_of(report, "password")["array"]["plot"]
    assert sum(plot["not_finite"]) == 12
    drawn = boxes(pictures.svg(plot))
    lines = [each for each in drawn if each["fill"] != RED]
    assert len(lines) == sum(low is not None for low in plot["low"])
    by_height = sorted(zip((float(each["y"]) for each in lines), (high for high in plot["high"] if high is not None)))
    assert all(one >= other - 0.05 for (_, one), (_, other) in zip(by_height, by_height[1:]))


def test_picture_of_what_is_not_finite(tmp_path: pathlib.Path) -> None:
    _, report, _, page = crash("infinite", tmp_path / "reports")
    plot = entry_of(report, "password")["array"]["plot"]
    assert [each["fill"] for each in boxes(pictures.svg(plot))] == [RED] * 4
    assert "no finite elements; red: 4 NaN or infinite" in page
