"""`%load_ext jitscope` in a real kernel: a cell crashes it, and the next kernel of the notebook says so."""

from __future__ import annotations

import os
import pathlib
import stat
import subprocess
import sys
import time
from collections.abc import Iterator
from typing import Any

import jupyter_client
import pytest

from tests.stacks.taking import needs_library

LONGEST = 120  # seconds
FUNCTION = """\
import numba, numpy as np
@numba.njit
def store(values, index):
    values[index] = 1.0
values = np.zeros(10)
store(values, 0)"""


class Notebook:
    """A kernel, which is started again after it has died, as a server does."""

    def __init__(self, home: pathlib.Path) -> None:
        needs_library()
        own = {name: value for name, value in os.environ.items() if not name.startswith(("JITSCOPE_LEVEL", "XDG_"))}
        self.env = {**own, "HOME": str(home), "IPYTHONDIR": str(home / "ipython")}
        self.manager = jupyter_client.KernelManager()
        self.manager.start_kernel(env=self.env, cwd=home)
        self.connect()

    def connect(self) -> None:
        self.client = self.manager.client()
        self.client.start_channels()
        self.client.wait_for_ready(timeout=LONGEST)

    def run(self, cell: str) -> tuple[str, dict[str, Any]]:
        """Return the text that the cell has written, and its result by MIME types."""
        said, results = [], {}

        def take(message: dict[str, Any]) -> None:
            content = message["content"]
            said.append(content.get("text", ""))
            results.update(content.get("data", {}))

        self.client.execute_interactive(cell, timeout=LONGEST, output_hook=take)
        return "".join(said), results

    def crash(self, cell: str) -> None:
        """Run a cell that ends the kernel, and start it again."""
        self.client.execute(cell)
        until = time.monotonic() + LONGEST
        while self.manager.is_alive() and time.monotonic() < until:
            time.sleep(0.1)
        assert not self.manager.is_alive()
        self.restart()

    def restart(self) -> None:
        self.client.stop_channels()
        self.manager.restart_kernel(now=True)
        self.connect()


@pytest.fixture
def notebook(tmp_path: pathlib.Path) -> Iterator[Notebook]:
    found = Notebook(tmp_path)
    yield found
    found.client.stop_channels()
    found.manager.shutdown_kernel(now=True)


def test_a_crash_in_a_cell(notebook: Notebook, tmp_path: pathlib.Path) -> None:
    assert notebook.run("%load_ext jitscope") == ("", {})
    said, _ = notebook.run("%jitscope_report")
    assert said == "jitscope: no kernel of this notebook has left a report\n"
    notebook.run(FUNCTION)
    notebook.crash("store(values, 10**9)")
    said, _ = notebook.run("%load_ext jitscope")
    assert len(said.splitlines()) == 5, said
    first, second, third, *rest = said.splitlines()
    assert first == "jitscope: the last kernel of this notebook has crashed"
    assert second.startswith("jitscope: report of ") and ": SIGSEGV at the address 0x" in second
    assert third.startswith("`index` = 1000000000 is outside axis 0 of `values` (10 elements)"), said
    assert "runs store at" in rest[0]
    folder = tmp_path / ".local" / "state" / "jitscope"
    (path,) = folder.glob("*/report-*.json")
    assert rest[1] == f"the report is in {path}; %jitscope_report shows it" and len(rest) == 2
    assert {stat.S_IMODE(each.stat().st_mode) for each in (folder, path.parent)} == {0o700}
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    _, shown = notebook.run("%jitscope_report")
    assert shown["text/plain"] + "\n" == path.with_suffix(".txt").read_text()
    assert "4      values[index] = 1.0" in shown["text/html"]  # the cell's source
    assert shown["text/html"].startswith('<iframe sandbox="" srcdoc="&lt;!DOCTYPE html&gt;')
    notebook.restart()  # what was said is not said again
    assert notebook.run("%load_ext jitscope") == ("", {})
    assert "store" in notebook.run("%jitscope_report")[1]["text/plain"]
    assert notebook.run(f"%jitscope_report {path}")[1]["text/plain"] == shown["text/plain"]
    assert notebook.run("%jitscope_report /none")[0] == "jitscope: /none: No such file or directory\n"


def test_a_child_and_the_end_of_the_extension(notebook: Notebook) -> None:
    notebook.run("%load_ext jitscope")
    notebook.run("import os, signal\nif os.fork() == 0: os.kill(os.getpid(), signal.SIGSEGV)\nos.wait()")
    notebook.restart()
    said, _ = notebook.run("%load_ext jitscope")
    assert said.startswith("jitscope: a process of the last kernel of this notebook has crashed\n"), said
    notebook.run("%unload_ext jitscope")
    said, _ = notebook.run("%jitscope_report")
    assert "not found" in said
    notebook.crash("import os, signal; os.kill(os.getpid(), signal.SIGSEGV)")
    assert notebook.run("%load_ext jitscope") == ("", {})


@pytest.mark.parametrize("place", ["another_user", "link", "no_other_folder"])
def test_a_folder_that_is_not_ours(place: str, tmp_path: pathlib.Path) -> None:
    """It is not used."""
    needs_library()
    folder = tmp_path / ("jitscope" if place == "another_user" else "elsewhere")
    folder.mkdir()
    if place != "another_user":
        (tmp_path / "jitscope").symlink_to(folder)
    elif os.geteuid() == 0:
        os.chown(folder, 65534, 65534)
    else:
        pytest.skip("only root can give a folder away")
    code = "from IPython.testing.globalipapp import start_ipython\nshell = start_ipython()\n"
    code += "shell.run_line_magic('load_ext', 'jitscope')\nimport os\n"
    code += "print('jitscope' in ' '.join(os.listdir(os.environ['TMPDIR'])))"
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    if place == "no_other_folder":
        (temporary / f"jitscope-{os.getuid()}").write_text("")
    env = {**os.environ, "XDG_STATE_HOME": str(tmp_path), "TMPDIR": str(temporary), "IPYTHONDIR": str(tmp_path / "ip")}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=env, timeout=LONGEST)
    if place == "no_other_folder":
        path = temporary / f"jitscope-{os.getuid()}"
        assert done.stderr == f"jitscope: {path} is no folder of this user, so that crashes are not reported\n", done
        return
    assert done.stdout.endswith("True\n") and not list(folder.iterdir()), done
    assert stat.S_IMODE((temporary / f"jitscope-{os.getuid()}").stat().st_mode) == 0o700
