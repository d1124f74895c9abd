"""The files that jitscope writes for GDB: if there is no room, and if other GDBs run."""

from __future__ import annotations

import pathlib
import shlex
import subprocess

import pytest

from tests.gdb import harness
from tests.interpreters import JITSCOPE, first_gdb

FULL = "mount -t tmpfs -o size=4k none {0}; head -c 4096 /dev/zero >{0}/filled"
READ_ONLY = "mount --rbind {0} {0}; mount -o remount,bind,ro {0}"
FILES = "python print([o.filename for o in gdb.objfiles() if '/jit-' in o.filename or '/fd/' in o.filename])"


def unshare(*options: str) -> list[str]:
    command = ["unshare", "--map-root-user", *options]
    if subprocess.run([*command, "true"], capture_output=True, check=False).returncode:
        pytest.skip(f"{' '.join(command)} is not allowed here")
    return command


def wrapped(folder: pathlib.Path, prefix: str) -> str:
    """Return a GDB that begins with these lines of shell."""
    script = folder / "gdb"
    script.write_text(f'#!/bin/sh\n{prefix} exec {shlex.quote(first_gdb())} "$@"\n')
    script.chmod(0o755)
    return str(script)


@pytest.mark.parametrize("left", ["/tmp", "memory"])
def test_another_place_is_taken_where_there_is_no_room(left: str, tmp_path: pathlib.Path) -> None:
    chosen = tmp_path / "chosen"
    chosen.mkdir()
    mounts = [FULL.format(chosen), *(READ_ONLY.format(place) for place in ("/dev/shm", "/var/tmp"))]
    mounts += [READ_ONLY.format("/tmp")] if left == "memory" else []
    inside = " && ".join(mounts) + f' && exec {shlex.quote(first_gdb())} "$@"'
    gdb = wrapped(tmp_path, f'exec {shlex.join([*unshare("--mount"), "sh", "-c", inside, "gdb"])} "$@" #')
    commands = ["break chk.py:9", "run", "info locals", "info args", FILES]
    done = harness.run(commands, program="chk.py", gdb=gdb, env={"TMPDIR": str(chosen), "NUMBA_OPT": "0"})
    assert done.of("info args").strip() == "a = 123", done.text
    assert "c = 287.82" in done.of("info locals"), done.text
    assert ("/tmp/jitscope-" if left == "/tmp" else "/proc/") in done.of(FILES), done.text
    assert "jitscope: " not in done.text, done.text


def test_nothing_is_shown_where_no_file_can_be_written(tmp_path: pathlib.Path) -> None:
    gdb = wrapped(tmp_path, "trap '' XFSZ; ulimit -f 0;")  # SIGXFSZ would end GDB
    env = {"TMPDIR": str(tmp_path), "NUMBA_BOUNDSCHECK": "0"}
    done = harness.run(["run", "info locals", "info args", "bt 1", "jit bt"], program="crash.py", gdb=gdb, env=env)
    assert "SIGSEGV" in done.of("run"), done.text
    (line,) = [line for line in done.text.splitlines() if "jitscope: " in line]
    why = "compiled functions are not shown, since their file for GDB cannot be written: "
    assert line.startswith(f"jitscope: {why}{tmp_path} (") and "File too large" in line and " on /" in line, line
    for command in ("info locals", "info args", "bt 1"):
        assert "index" not in done.of(command) and "array" not in done.of(command), done.text
    assert "index=1000000000" in done.of("jit bt"), done.text


def test_a_python_line_is_not_shown_where_no_file_can_be_written(tmp_path: pathlib.Path) -> None:
    """A front end has the line from such a file. The disk is full after the first stop."""
    pytest.importorskip("pygdbmi")
    gdb = wrapped(tmp_path, "trap '' XFSZ;")
    with harness.machine_interface("chk.py", gdb=gdb) as mi:
        mi.send("-break-insert -f foo")
        mi.until_stop("-exec-run")
        process = mi.controller.gdb_process
        assert process is not None
        subprocess.run(["prlimit", "--pid", str(process.pid), "--fsize=0"], check=True)
        mi.until_stop("-exec-finish")
        (line,) = [line for line in mi.said.splitlines() if "Python line" in line]
        assert line.startswith("jitscope: the Python line is not shown: ") and "File too large" in line, mi.said


def test_a_folder_is_removed_when_its_gdb_has_ended(tmp_path: pathlib.Path) -> None:
    abandoned = tmp_path / "jitscope-1-abandoned"  # there is a process of this number
    abandoned.mkdir()
    other = [*unshare("--pid", "--fork", "--mount-proc"), first_gdb(), "-nx", "-batch", "-ex", f"source {JITSCOPE}"]
    write = "print('wrote', private_files.write('x', lambda path: open(path, 'w').close()))"
    other += ["-ex", f"python from jitscope_shared.base import private_files; {write}"]
    exists = "python import os; print([os.path.exists(o.filename) for o in gdb.objfiles() if '/jit-' in o.filename])"
    commands = ["break foo", "run", f"shell {shlex.join(other)}", exists]
    done = harness.run(commands, program="chk.py", env={"TMPDIR": str(tmp_path)})
    assert f"wrote {tmp_path}/jitscope-" in done.text, done.text
    assert "True" in done.of(exists) and "False" not in done.of(exists), done.text
    assert list(tmp_path.iterdir()) == [], done.text
