"""`pytest --jitscope`: a crash of the tests is reported, and under xdist shown at the test that has crashed."""

from __future__ import annotations

import glob
import os
import tempfile
from typing import Any

import pytest

KEY = "jitscope_folder"  # a key of a worker's input


def pytest_addoption(parser: Any) -> None:
    group = parser.getgroup("jitscope", "reports of crashes")
    group.addoption(
        "--jitscope", action="store_true", help="report a crash of the tests with the stacks of all threads"
    )
    group.addoption("--jitscope-folder", metavar="FOLDER", help="write the reports there, too; implies --jitscope")


def _is_on(config: Any) -> bool:
    return bool(config.getoption("jitscope") or config.getoption("jitscope_folder"))


@pytest.hookimpl(trylast=True)
def pytest_configure(config: Any) -> None:
    """Report crashes of this process. A worker of xdist writes its report for the process that shows the results."""
    if not _is_on(config):
        return
    from jitscope.report.enabling import enable_crash_report

    folder = getattr(config, "workerinput", {}).get(KEY) or config.getoption("jitscope_folder")
    enable_crash_report(folder)
    if config.pluginmanager.hasplugin("dsession"):
        config.pluginmanager.register(Workers(folder), "jitscope-workers")


class Workers:
    """The workers of xdist, for the process that shows their results."""

    def __init__(self, folder: Any) -> None:
        self._own = None if folder else tempfile.TemporaryDirectory(prefix="jitscope-")
        self._folder = os.path.abspath(folder) if folder else self._own.name if self._own else ""
        self._known = self._texts()  # reports of other runs, and reports that a test already has

    def _texts(self) -> set[str]:
        return set(glob.glob(os.path.join(glob.escape(self._folder), "report-*.txt")))

    @pytest.hookimpl(optionalhook=True)
    def pytest_configure_node(self, node: Any) -> None:
        node.workerinput[KEY] = self._folder

    @pytest.hookimpl(optionalhook=True)
    def pytest_handlecrashitem(self, crashitem: str, report: Any, sched: Any) -> None:
        """Add the newest report that no test has yet to that of the test. A worker may have ended without one, as by
        os._exit() or SIGKILL."""
        found = sorted(self._texts() - self._known, key=os.path.getmtime)
        if found:
            self._known.add(found[-1])
            with open(found[-1], encoding="utf-8") as stream:
                report.sections.append(("report of jitscope", stream.read()))

    def pytest_unconfigure(self) -> None:
        if self._own:
            self._own.cleanup()
