"""scripts/setup does nothing twice, and works where a newcomer may run it."""

from __future__ import annotations

import fcntl
import os
import pathlib
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator

import pytest

from tests.minutes import BESIDE_BARE
from tests.packaging.conftest import ROOT, clean_environment, files, run

# In a folder one setup waits for the other, and reports that: one worker runs these.
IN_THE_CHECKOUT = pytest.mark.xdist_group("checkout")


def copy_checkout(target: pathlib.Path) -> None:
    """Copy what a clone would contain."""
    for name in files():
        (target / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(ROOT / name, target / name)


@pytest.fixture
def readable_copy() -> Iterator[pathlib.Path]:
    """Yield a copy of the checkout that another user can read."""
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o755)
        copy = pathlib.Path(folder, "jit scope")
        copy_checkout(copy)
        run("chmod", "-R", "a+rX", copy)
        yield copy


@IN_THE_CHECKOUT
def test_twice_is_nothing_in_two_seconds() -> None:
    """The two seconds are of the processor, because the elapsed time depends on other programs."""
    run(ROOT / "scripts/setup", "--tests")
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = run(ROOT / "scripts/setup", "--tests")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime < 2
    assert done.stdout == "setup: nothing to do\n"


LEAVES_ONE_RUNNING = """#!/bin/sh
sleep 600 >/dev/null 2>&1 &
echo $! >>{pids}
exec {python} "$@"
"""


@IN_THE_CHECKOUT
def test_what_setup_leaves_running_holds_no_lock(tmp_path: pathlib.Path) -> None:
    pids, python = tmp_path / "pids", tmp_path / "python"
    python.write_text(LEAVES_ONE_RUNNING.format(pids=pids, python=ROOT / ".venv/bin/python"))
    python.chmod(0o755)
    try:
        run(ROOT / "scripts/setup", env=clean_environment(JITSCOPE_PYTHON=str(python)))
        running = [int(line) for line in pids.read_text().split()]
        assert all(pathlib.Path(f"/proc/{pid}/stat").read_text().split()[2] == "S" for pid in running)
        done = run(ROOT / "scripts/setup", "--tests", timeout=60)
    finally:
        for pid in pids.read_text().split():
            os.kill(int(pid), signal.SIGKILL)
    assert (done.stdout, done.stderr) == ("setup: nothing to do\n", "")


@IN_THE_CHECKOUT
def test_one_waits_for_another() -> None:
    with open(ROOT / "scripts/setup", "rb") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        with subprocess.Popen(
            [ROOT / "scripts/setup"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        ) as waiting:
            assert waiting.stderr is not None
            notice = waiting.stderr.readline()
            still = waiting.poll() is None
            fcntl.flock(lock, fcntl.LOCK_UN)
            output, progress = waiting.communicate(timeout=60)
    assert notice == "setup: another one is at work, waiting for it\n" and still
    assert (output, progress, waiting.returncode) == ("setup: nothing to do\n", "", 0)


def test_without_leave_it_prints_what_to_run(readable_copy: pathlib.Path) -> None:
    """The real dpkg-query runs on a system whose database has all but two packages."""
    database = readable_copy / "dpkg"
    (database / "updates").mkdir(parents=True)
    (database / "info").mkdir()
    kept = [
        entry
        for entry in pathlib.Path("/var/lib/dpkg/status").read_text("utf-8").split("\n\n")
        if not entry.startswith(("Package: libdw-dev\n", "Package: libcmocka-dev\n"))
    ]
    (database / "status").write_text("\n\n".join(kept), "utf-8")
    run("chmod", "-R", "a+rX", database)
    command = [str(readable_copy / "scripts/setup")]
    if os.geteuid() == 0:
        command = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", *command]
    done = subprocess.run(
        command, capture_output=True, text=True, cwd="/", env=clean_environment(DPKG_ADMINDIR=str(database))
    )
    assert done.returncode == 1
    assert done.stdout == ""
    assert "\n    sudo apt-get install libdw-dev libcmocka-dev\n" in done.stderr
    assert not (readable_copy / ".venv").exists()


@IN_THE_CHECKOUT
def test_a_python_that_will_not_do_is_named() -> None:
    env = clean_environment(JITSCOPE_PYTHON="/bin/false")
    done = subprocess.run([ROOT / "scripts/setup"], capture_output=True, text=True, env=env)
    assert done.returncode == 1
    assert "JITSCOPE_PYTHON=/bin/false" in done.stderr and done.stderr.count("\n") == 1


def test_a_link_in_place_of_the_environment_is_refused(tmp_path: pathlib.Path) -> None:
    """What it leads to stays as it is."""
    copy, other = tmp_path / "copy", tmp_path / "other"
    copy_checkout(copy)
    other.mkdir()
    (other / "kept").write_text("kept")
    (copy / ".venv").symlink_to(other)
    done = subprocess.run([copy / "scripts/setup"], capture_output=True, text=True, env=clean_environment())
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == f"setup: {copy}/.venv is a symbolic link; remove it, and start again\n"
    assert [entry.name for entry in other.iterdir()] == ["kept"] and (copy / ".venv").is_symlink()


@BESIDE_BARE
def test_clean_copy_in_a_folder_with_spaces(tmp_path: pathlib.Path) -> None:
    """It also works without a network, if the wheels of this machine's first set-up suffice."""
    copy = tmp_path / "a copy, with spaces"
    copy_checkout(copy)
    no_network = ["unshare", "--net"] if os.geteuid() == 0 else []
    if no_network and subprocess.run([*no_network, "true"], stderr=subprocess.DEVNULL).returncode != 0:
        no_network = []
    python = os.path.realpath(sys.executable)  # the interpreter whose wheels are kept
    quick = clean_environment(CFLAGS="-O0", JITSCOPE_PYTHON=python)
    run(*no_network, copy / "scripts/setup", env=quick, cwd=tmp_path)
    again = run(*no_network, copy / "scripts/setup", env=clean_environment(), cwd=tmp_path)
    assert again.stdout == "setup: nothing to do\n"
    assert run(copy / ".venv/bin/jitscope", "gdbinit").stdout == f"source {copy}/gdbext/jitscope.py\n"
    run(copy / ".venv/bin/python", "-c", "import numba; from jitscope.native import load; load()", cwd="/")


BARE_COMMANDS = """
set -e
mount -t proc proc /proc
setpriv --reuid=65534 --regid=65534 --clear-groups /jitscope/scripts/setup && exit 9
/jitscope/scripts/setup
/jitscope/scripts/setup
/jitscope/.venv/bin/jitscope gdbinit
gdb -nx -batch -ex 'source /jitscope/gdbext/jitscope.py' -ex 'help jit'
"""


def test_bare_debian_12(tmp_path: pathlib.Path) -> None:
    """Only Debian's minimum is there: first without leave to install, then with."""
    if not os.environ.get("JITSCOPE_MATRIX"):
        pytest.skip("only with scripts/test --matrix: installs a Debian")
    if os.geteuid() != 0 or not shutil.which("debootstrap"):
        pytest.skip("needs root and debootstrap")
    listed = run("apt-get", "indextargets", "--format", "$(REPO_URI)", "Created-By: Packages").stdout.split()
    mirrors = [uri for uri in listed if uri.rstrip("/").endswith("/debian")]
    if not mirrors:
        pytest.skip("apt has no source whose address ends in /debian")
    bare = tmp_path / "bare"
    run("debootstrap", "--variant=minbase", "bookworm", bare, mirrors[0])
    for name in ("etc/resolv.conf", "etc/hosts"):
        shutil.copy(f"/{name}", bare / name)
    env = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "HOME": "/root"}
    env.update({k: v for k, v in os.environ.items() if k.startswith("PIP_") or k.lower().endswith("_proxy")})
    if certificates := env.get("PIP_CERT"):
        shutil.copy(certificates, bare / "machine.crt")
        env["PIP_CERT"] = "/machine.crt"
    copy_checkout(bare / "jitscope")
    run("chmod", "-R", "a+rX", bare / "jitscope")
    done = run("unshare", "--mount", "--pid", "--fork", "chroot", bare, "/bin/bash", "-c", BARE_COMMANDS, env=env)
    assert "\n    sudo apt-get install gdb gcc " in done.stderr
    assert "setup: nothing to do\nsource /jitscope/gdbext/jitscope.py\n" in done.stdout
    assert "jit status" in done.stdout
