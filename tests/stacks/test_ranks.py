"""Processes that a launcher of MPI has started."""

from __future__ import annotations

import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys

import pytest

from jitscope.stacks.ranks import Rank, rank_of

from .taking import command, needs_library, running, until

WAITS = "import time\nprint('ready', flush=True)\ntime.sleep(3600)\n"


@pytest.mark.parametrize(
    "variables, expected",
    [
        ({"OMPI_COMM_WORLD_RANK": "3", "OMPI_COMM_WORLD_SIZE": "8"}, Rank(3, 8)),
        ({"PMI_RANK": "0", "PMI_SIZE": "2", "SLURM_PROCID": "7", "SLURM_NTASKS": "9"}, Rank(0, 2)),
        ({"PMIX_RANK": "5"}, Rank(5, None)),
        ({"SLURM_PROCID": "1", "SLURM_NTASKS": "2"}, Rank(1, 2)),
        ({"PMI_RANK": "-1", "OMPI_COMM_WORLD_RANK": "", "PMIX_RANK": "9" * 30}, None),
        ({}, None),
    ],
)
def test_variables_of_launchers(variables: dict[str, str], expected: Rank | None) -> None:
    with running(sys.executable, "-c", WAITS, env=variables) as process:
        assert rank_of(process.pid) == expected


def test_the_heading_has_the_rank() -> None:
    needs_library()
    with running(sys.executable, "-c", WAITS, env={"PMI_RANK": "1", "PMI_SIZE": "4"}) as process:
        shown = command(str(process.pid)).stdout
    assert re.match(rf"process {process.pid} \(.*\), rank 1 of 4: 1 thread, Python", shown), shown


def test_the_tree_of_mpirun(tmp_path: pathlib.Path) -> None:
    """The launcher's children are shown with their ranks, in whatever order it has started them."""
    needs_library()
    if not shutil.which("mpirun"):
        pytest.skip("no mpirun")
    script = tmp_path / "rank.py"
    script.write_text("import time\ntime.sleep(3600)\n")
    env = {**os.environ, "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
    words = ["mpirun", "-n", "2", sys.executable, script]
    launcher = subprocess.Popen(words, env=env, start_new_session=True, stdin=subprocess.DEVNULL)
    try:
        found: set[str] = set()

        def are_shown() -> bool:
            shown = command("--tree", str(launcher.pid)).stdout
            found.update(re.findall(r"(rank \d of \d): 1 thread", shown))
            return len(found) == 2

        until(are_shown)
        assert found == {"rank 0 of 2", "rank 1 of 2"}
    finally:
        os.killpg(launcher.pid, signal.SIGTERM)
        launcher.wait()
