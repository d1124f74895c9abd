"""Reports that programs have left."""

from __future__ import annotations

import json
import os
import shlex
from typing import Any

from jitscope.report import writing


def names(folder: str) -> list[str]:
    """Return the paths of the JSON files of the reports in a folder, oldest first. Raise OSError."""
    found = [name for name in os.listdir(folder) if name.startswith("report-") and name.endswith(".json")]
    return sorted((os.path.join(folder, name) for name in found), key=os.path.getmtime)


def path_of(path: str) -> str:
    """Return the path, or, if it is a folder, that of its newest report. Raise OSError if it has none."""
    if not os.path.isdir(path):
        return path
    found = names(path)
    if not found:
        start = f"start it with JITSCOPE_REPORT={shlex.quote(os.path.abspath(path))} in its environment"
        raise OSError(f"{path} has no report: a program leaves one when it crashes; {start}")
    return found[-1]


def read(path: str) -> dict[str, Any]:
    """Read a report; `path`: its JSON file, or a folder, for its newest one. Raise OSError, whose text says what is
    wrong."""
    path = path_of(path)
    try:
        with open(path, encoding="utf-8") as stream:
            report = json.load(stream)
    except (ValueError, UnicodeDecodeError):
        raise OSError(f"{path} is no report: it is not JSON") from None
    if not isinstance(report, dict) or report.get("version") != writing.VERSION or "stacks" not in report:
        raise OSError(f"{path} is no report of this version of jitscope")
    return report
