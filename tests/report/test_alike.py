"""Threads whose stacks differ in few values are shown once, with all that differs."""

from __future__ import annotations

import html
import json
import os
import pathlib
import re
import subprocess
from typing import Any

import jsonschema
import pytest

from jitscope.stacks import alike, text
from tests.gdb.threading_layers import LIBRARIES
from tests.interpreters import ROOT, newest_python
from tests.report.ways import SEGV
from tests.stacks.taking import needs_library

PROGRAM = pathlib.Path(__file__).parent / "programs" / "alike.py"
TRIES = 10  # runs until two workers have crashed
SCHEMA = json.loads((ROOT / "docs" / "schema" / "report.json").read_text("utf-8"))


def report_of(folder: pathlib.Path, *words: str, **variables: str) -> tuple[dict[str, Any], str]:
    """Return the JSON and the text of the report."""
    needs_library()
    env = {**os.environ, "JITSCOPE_LEVEL": "", **variables}
    command = [newest_python(), PROGRAM, folder, *words]
    done = subprocess.run(command, capture_output=True, text=True, env=env, timeout=300)
    assert done.returncode == SEGV, done.stderr
    (written,) = folder.glob("*.json")
    report: dict[str, Any] = json.loads(written.read_text("utf-8"))
    jsonschema.validate(report, SCHEMA)
    return report, written.with_suffix(".txt").read_text()


def values_of(thread: dict[str, Any], function: str) -> dict[str, str]:
    frame = next(each for each in thread["frames"] if each.get("name") == function)
    return {each["name"]: each["text"] for each in [*frame["arguments"], *frame["locals"]]}


@pytest.mark.parametrize("layer", ["workqueue", "omp"])  # TBB starts no more workers than there are cores
def test_workers_that_have_crashed(layer: str, tmp_path: pathlib.Path) -> None:
    """The others wait with their signal until the first one is reported, and are shown where it has come. Those that
    the report has held before have none."""
    # At `lines` the loop does not contain `store`, whose arguments differ between the workers.
    variables = {"NUMBA_THREADING_LAYER": layer, "NUMBA_NUM_THREADS": "4", "LD_LIBRARY_PATH": str(LIBRARIES)}
    variables["JITSCOPE_DEBUG"] = "lines"
    workers: list[dict[str, Any]] = []
    for attempt in range(TRIES):
        report, shown = report_of(tmp_path / str(attempt), "workers", **variables)
        crashed = [each for each in report["stacks"]["threads"] if each["signal"]]
        workers = [each for each in crashed if any(frame["kind"] == "region" for frame in each["frames"])]
        if len(workers) >= 2:
            break
    assert crashed[0] is report["stacks"]["threads"][0]
    for thread in crashed:
        assert thread["frames"][0]["name"] == "store", thread["frames"]
        number = int(values_of(thread, "store")["number"])
        assert thread["signal"]["number"] == 11
        assert thread["signal"]["address"] - crashed[0]["signal"]["address"] == 80 * (
            number - int(values_of(crashed[0], "store")["number"])
        )
    others = workers[1:]
    numbers = ", ".join(str(each["native_id"]) for each in workers)
    count = f" \\({len(workers)} in all\\)" if len(workers) > 3 else ""
    assert others and re.search(rf"^threads {numbers}{count} \S+: received SIGSEGV, runs store at", shown, re.M), shown
    for thread in others:
        (line,) = re.findall(rf"^\(thread {thread['native_id']}: (.*)\)$", shown, re.M)
        assert f"#0 number = {values_of(thread, 'store')['number']}" in line, line
        assert f"at the address {thread['signal']['address']:#x}" in line


def test_python_threads(tmp_path: pathlib.Path) -> None:
    report, shown = report_of(tmp_path, "python")
    threads = [each for each in report["stacks"]["threads"] if str(each["python_name"]).startswith("worker")]
    assert len(threads) == 5
    numbers = ", ".join(f'{each["native_id"]} "{each["python_name"]}"' for each in threads)
    assert f"threads {numbers} (5 in all) " in shown, shown
    assert shown.count("waits (number=") == 1 and "with_signal_stack" not in shown
    for thread in threads[1:]:
        own = values_of(thread, "waits")
        (line,) = re.findall(rf"^\(thread {thread['native_id']}: (.*)\)$", shown, re.M)
        assert f" number = {own['number']}" in line and f" text = {text.plain(own['text'])}" in line, line


def test_threads_with_many_values_of_their_own(tmp_path: pathlib.Path) -> None:
    """They are shown by themselves: nothing is lost."""
    report, shown = report_of(tmp_path, "many")
    threads = [each for each in report["stacks"]["threads"] if str(each["python_name"]).startswith("worker")]
    assert len(threads) == 5 and len(alike.groups(threads)) == 5
    for thread in threads:
        assert f"number={values_of(thread, 'waits_with_many')['number']}" in shown


def test_page(tmp_path: pathlib.Path) -> None:
    report_of(tmp_path, "python")
    words = [newest_python(), "-m", "jitscope", "report", "--html", tmp_path / "page.html", tmp_path]
    subprocess.run(words, check=True, capture_output=True, timeout=60)
    page = html.unescape((tmp_path / "page.html").read_text())
    assert "(5 in all)" in page and len(re.findall(r'<p class="faint">\(thread \d+: .* number = \d', page)) == 4
