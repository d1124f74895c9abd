"""scripts/packages makes the calls of a package in an interpreter that has Numba and the package alone."""

from __future__ import annotations

import datetime
import pathlib
import subprocess
import sys

import pytest

from tests.interpreters import ROOT
from tests.packages import document


def test_the_calls_need_no_pytest() -> None:
    code = "import sys; sys.modules['pytest'] = None; import tests.packages.calls.__main__"
    subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=True, timeout=600)


def test_rows_of_other_packages_stay_in_the_page(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page = document.DOCUMENT.read_text("utf-8")
    monkeypatch.setattr(document, "MEASURED", tmp_path / "measured")
    monkeypatch.setattr(document, "DOCUMENT", tmp_path / "packages.md")
    document.DOCUMENT.write_text(page, "utf-8")
    document.keep("umap", "it was left out")
    document.keep_stops("sparse", "core", {"stops": 1, "values": 2, "labels": 3, "false": 0})
    document.write()
    before, after = (set(text.splitlines()) for text in (page, document.DOCUMENT.read_text("utf-8")))
    new = {line for line in after - before if not line.startswith("Measured ")}
    assert new == {"- umap: it was left out", "| sparse | not measured | not measured | 1 / 2 / 3 / none |"}
    gone = {line for line in before - after if not line.startswith("Measured ")}
    assert all("umap" in line for line in gone)
    measured = next(line for line in after if line.startswith("Measured "))
    assert f"{datetime.date.today()} with Numba 0" in measured
