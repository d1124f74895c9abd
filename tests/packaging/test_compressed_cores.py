"""Compressed cores, and those that systemd keeps: what `jitscope core` makes of them."""

from __future__ import annotations

import gzip
import lzma
import os
import pathlib
import resource
import shutil
import signal
import stat
import struct
import subprocess
import sys
import time
from collections.abc import Callable

import pytest

from jitscope.cores.compressed import HOLE, OtherContents, decompress, format_of
from jitscope.cores.corefile import NoCore, OpenCore, find_executable, open_core
from tests import pseudo_terminal
from tests.gdb.harness import environment

FORMATS = ("zst", "lz4", "xz", "gz")
PROGRAM = b"/usr/bin/made-up"


def made_up_core(size: int) -> bytes:
    """Return a core of that program, with `size` bytes of memory: zeros, and others at the end."""
    mapping = struct.pack("<QQQQQ", 1, 4096, 0x1000, 0x2000, 0) + PROGRAM + b"\0"
    notes = b""
    for kind, content in ((6, struct.pack("<QQ", 3, 0x1040)), (0x46494C45, mapping)):
        notes += struct.pack("<III4sI", 5, len(content), kind, b"CORE", 0) + content + bytes(-len(content) % 4)
    place = 64 + 2 * 56
    head = struct.pack("<16sHHIQQQIHHHHHH", b"\x7fELF\2\1\1", 4, 62, 1, 0, 64, 0, 0, 64, 56, 2, 0, 0, 0)
    head += struct.pack("<IIQQQQQQ", 4, 0, place, 0, 0, len(notes), 0, 4)
    head += struct.pack("<IIQQQQQQ", 1, 6, place + len(notes), 0x7F0000000000, 0, size, size, 4096)
    return head + notes + bytes(size - 8) + b"the end."


def compress(content: bytes, kind: str, file: pathlib.Path) -> None:
    if kind == "gz":
        file.write_bytes(gzip.compress(content, 1))
    elif kind == "xz":
        file.write_bytes(lzma.compress(content, preset=0))
    else:
        tool = "zstd" if kind == "zst" else "lz4"
        if shutil.which(tool) is None:
            pytest.skip(f"{tool} is not installed: scripts/setup --tests")
        file.write_bytes(subprocess.run([tool, "-qc"], input=content, stdout=subprocess.PIPE, check=True).stdout)


def refused(*words: str | os.PathLike[str], **env: str) -> str:
    """Return the one line of `jitscope core WORDS`."""
    done = subprocess.run(
        [sys.executable, "-m", "jitscope", "core", *map(os.fspath, words)],
        env=environment({"JITSCOPE_GDB": "/bin/true", **env}),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 1 and len(done.stderr.splitlines()) == 1 and not done.stdout, done
    return done.stderr.removeprefix("jitscope: ").rstrip("\n")


# --- contents ------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", FORMATS)
def test_the_contents_time_and_holes(tmp_path: pathlib.Path, kind: str) -> None:
    content, file = made_up_core(8 << 20), tmp_path / f"core.{kind}"
    compress(content, kind, file)
    os.utime(file, (1e9, 1e9))
    with open_core(str(file)) as core:
        status = os.fstat(core.descriptor)
        assert os.pread(core.descriptor, status.st_size, 0) == content
        assert status.st_nlink == 0 and status.st_mtime == 1e9
        assert status.st_blocks * 512 <= 8 * HOLE, "zeros take no space"
        assert find_executable(core) == os.fsdecode(PROGRAM)
        with open(core.keep_for_gdb(), "rb") as again:
            assert again.read(4) == b"\x7fELF"
        assert os.get_inheritable(core.descriptor)
    assert list(tmp_path.iterdir()) == [file]
    assert refused(file) == f"{file} came from {PROGRAM.decode()}, which is not here: jitscope core {file} PROGRAM"


def test_zstd_with_a_long_window(tmp_path: pathlib.Path) -> None:
    if shutil.which("zstd") is None:
        pytest.skip("zstd is not installed: scripts/setup --tests")
    content, file = made_up_core(1 << 20), tmp_path / "core.zst"
    packed = subprocess.run(["zstd", "-qc", "--long=31"], input=content, stdout=subprocess.PIPE, check=True)
    file.write_bytes(packed.stdout)
    with open_core(str(file)) as core:
        assert os.fstat(core.descriptor).st_size == len(content)


@pytest.mark.parametrize("size", [0, 1, 4, HOLE - 1, HOLE, HOLE + 1, 3 * HOLE + 7, (1 << 20) + 1])
def test_sizes_around_a_hole(tmp_path: pathlib.Path, size: int) -> None:
    for fill in (b"\0", b"x"):
        content = fill * size
        file = tmp_path / "file.gz"
        file.write_bytes(gzip.compress(content))
        with file.open("rb") as source:
            decompressed = decompress(source, "file.gz", b"")
        assert decompressed is not None
        descriptor, reason = decompressed
        assert reason == ""
        assert os.pread(descriptor, size + 1, 0) == content
        os.close(descriptor)


def test_what_is_not_compressed(tmp_path: pathlib.Path) -> None:
    assert [format_of(text) for text in (b"", b"\x7fELF", b"\x1f", b"(\xb5/\xfd")] == [None, None, None, "zstd"]
    file = tmp_path / "plain"
    file.write_bytes(b"plain text")
    with file.open("rb") as source:
        assert decompress(source, "plain", b"") is None
    with open_core(str(file)) as core, pytest.raises(NoCore, match="is no core file$"):
        find_executable(core)
    assert refused(tmp_path) == f"{tmp_path}: Is a directory"
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    descriptor = os.open(pipe, os.O_RDWR)
    with OpenCore(descriptor, "pipe", "pipe") as core:
        assert stat.S_ISFIFO(os.fstat(descriptor).st_mode)
        with pytest.raises(NoCore, match="^pipe is no file that can be read at any offset$"):
            find_executable(core)


# --- what goes wrong -----------------------------------------------------------------------------


@pytest.mark.parametrize("kind", FORMATS)
def test_damaged_files(tmp_path: pathlib.Path, kind: str) -> None:
    file = tmp_path / "core"
    memory = os.urandom(12 << 20 if kind == "lz4" else 1 << 20)  # lz4 writes whole blocks of 4 MiB
    content = made_up_core(4096)[:-8] + memory
    compress(content, kind, file)
    packed = file.read_bytes()
    file.write_bytes(packed[: len(packed) // 2])
    with open_core(str(file)) as core:
        assert core.warning.startswith(f"the end of {file} is missing (")
        assert core.warning.endswith("): what could be decompressed is read") and "stdin" not in core.warning
        size = os.fstat(core.descriptor).st_size
        assert len(content) / 4 < size < len(content) * 3 / 4
        assert os.pread(core.descriptor, size, 0) == content[:size]
    middle = len(packed) // 2
    changed = bytes(byte ^ 1 for byte in packed[middle : middle + 100])
    file.write_bytes(packed[:middle] + changed + packed[middle + 100 :])
    assert refused(file).startswith(f"{file} is damaged or incomplete: ")
    file.write_bytes(packed[:8])
    assert "Traceback" not in refused(file)


@pytest.mark.parametrize("kind", FORMATS)
def test_other_contents(tmp_path: pathlib.Path, kind: str) -> None:
    file = tmp_path / "text"
    compress(b"no core\n" * (1 << 18), kind, file)
    assert refused(file) == f"{file} is no core file: it is compressed, and contains something else"
    with file.open("rb") as source, pytest.raises(OtherContents):
        decompress(source, "text", b"\x7fELF")


@pytest.mark.parametrize(("kind", "tool"), [("zst", "zstd"), ("lz4", "lz4")])
def test_a_tool_that_is_missing(tmp_path: pathlib.Path, kind: str, tool: str) -> None:
    file = tmp_path / "core"
    file.write_bytes({"zst": b"\x28\xb5\x2f\xfd", "lz4": b"\x04\x22\x4d\x18"}[kind] + bytes(60))
    text = refused(file, PATH=str(tmp_path))
    assert text.startswith(f"{file} is compressed, and {tool} is not installed: ") and text.endswith(tool)


def test_a_tool_that_says_nothing(tmp_path: pathlib.Path) -> None:
    (tmp_path / "zstd").write_text("#!/bin/sh\nexit 3\n")
    (tmp_path / "zstd").chmod(0o755)
    file = tmp_path / "core"
    file.write_bytes(b"\x28\xb5\x2f\xfd" + bytes(60))
    assert refused(file, PATH=f"{tmp_path}:/usr/bin:/bin") == (
        f"{file} is damaged or incomplete: zstd failed without a word"
    )


def limited(size: int) -> Callable[[], None]:
    def limit() -> None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)  # a write that is too long fails then
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))

    return limit


def test_no_room(tmp_path: pathlib.Path) -> None:
    """A limit on the size of files stands in for a full disk."""
    file = tmp_path / "core.gz"
    file.write_bytes(gzip.compress(made_up_core(8 << 20)))
    done = subprocess.run(
        [sys.executable, "-m", "jitscope", "core", str(file)],
        env=environment({"JITSCOPE_GDB": "/bin/true", "TMPDIR": str(tmp_path)}),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
        preexec_fn=limited(1 << 20),
    )
    assert done.returncode == 1
    assert done.stderr == (
        f"jitscope: decompressing {file} failed: there is no room for it in {tmp_path} after 8 MB: set TMPDIR to a "
        "folder with more\n"
    )
    assert list(tmp_path.iterdir()) == [file]


def test_no_room_for_a_core_of_systemd(path_with_coredumpctl: str, tmp_path: pathlib.Path) -> None:
    (tmp_path / "kept").write_bytes(made_up_core(4096) + os.urandom(2 << 20))
    done = subprocess.run(
        [sys.executable, "-m", "jitscope", "core", "42"],
        env=environment({"JITSCOPE_GDB": "/bin/true", "PATH": path_with_coredumpctl, "TMPDIR": str(tmp_path)}),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
        preexec_fn=limited(1 << 20),
    )
    text = f"reading the core of process 42 failed: there is no room for it in {tmp_path} after "
    assert done.returncode == 1 and done.stderr.startswith(f"jitscope: {text}"), done.stderr


SLOW_ZSTD = "#!/bin/sh\nprintf '\\177ELF'\nwhile head -c 100000 /dev/zero; do sleep 0.02; done\n"


def test_progress_and_an_interrupt(tmp_path: pathlib.Path) -> None:
    """On a terminal the size is shown; Ctrl-C removes the line and ends the tool, too."""
    (tmp_path / "zstd").write_text(SLOW_ZSTD)
    (tmp_path / "zstd").chmod(0o755)
    file = tmp_path / "core.zst"
    file.write_bytes(b"\x28\xb5\x2f\xfd" + bytes(60))
    env = environment({"TERM": "xterm", "PATH": f"{tmp_path}:/usr/bin:/bin", "TMPDIR": str(tmp_path)})
    child = pseudo_terminal.spawn(sys.executable, ["-m", "jitscope", "core", str(file)], env=env, encoding="utf-8")
    child.expect(rf"\r\x1b\[K\x1b\[\?7ldecompressing {file}: \d+ MB", timeout=60)
    child.sendintr()
    child.expect(r"\r\x1b\[K", timeout=60)
    child.expect(pseudo_terminal.pexpect.EOF, timeout=60)
    child.close()
    assert child.exitstatus == 130 or child.signalstatus == signal.SIGINT
    deadline = time.monotonic() + 30
    while is_running(str(tmp_path / "zstd")) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not is_running(str(tmp_path / "zstd"))
    assert sorted(path.name for path in tmp_path.iterdir()) == ["core.zst", "zstd"]


def is_running(word: str) -> bool:
    for process in pathlib.Path("/proc").glob("[0-9]*/cmdline"):
        try:
            if os.fsencode(word) in process.read_bytes().split(b"\0"):
                return True
        except OSError:
            continue
    return False


# --- systemd -------------------------------------------------------------------------------------

# It answers like coredumpctl 252, with one crash, of process 42.
COREDUMPCTL = """#!/bin/sh
for word; do last=$word; done
case "$*" in
*COREDUMP_TIMESTAMP*)
    case $last in 42 | list) echo {microseconds};; esac;;
*dump*)
    case $last in
    42 | dump) echo "PID: 42 (python)" >&2; cat {core};;
    *) echo "No match found." >&2; exit 1;;
    esac;;
esac
"""


@pytest.fixture
def path_with_coredumpctl(tmp_path: pathlib.Path) -> str:
    core, tool = tmp_path / "kept", tmp_path / "bin" / "coredumpctl"
    core.write_bytes(made_up_core(1 << 20))
    tool.parent.mkdir()
    tool.write_text(COREDUMPCTL.format(microseconds=10**15, core=core))
    tool.chmod(0o755)
    return f"{tool.parent}:{os.environ['PATH']}"


@pytest.mark.parametrize(("word", "name"), [("42", "the core of process 42"), ("last", "the last core of systemd")])
def test_cores_of_systemd(
    path_with_coredumpctl: str, monkeypatch: pytest.MonkeyPatch, tmp_path: pathlib.Path, word: str, name: str
) -> None:
    monkeypatch.setenv("PATH", path_with_coredumpctl)
    monkeypatch.chdir(tmp_path)
    with open_core(word) as core:
        assert core.name == name and find_executable(core) == os.fsdecode(PROGRAM)
        status = os.fstat(core.descriptor)
        assert status.st_mtime == 1e9 and status.st_size == len(made_up_core(1 << 20))
    (tmp_path / word).write_bytes(b"a file of this name")  # comes first
    with open_core(word) as core:
        assert core.path == word


def test_a_core_that_systemd_does_not_keep(path_with_coredumpctl: str, tmp_path: pathlib.Path) -> None:
    assert refused("43", PATH=path_with_coredumpctl) == (
        "coredumpctl gives no core of process 43: No match found; `coredumpctl list` shows which there are"
    )
    missing = "there is no file of this name, and coredumpctl, which knows the cores of systemd, is not installed: "
    for word in ("43", "last"):
        text = refused(word, PATH=str(tmp_path))
        assert text.startswith(f"{word}: {missing}") and text.endswith("systemd-coredump")
    (tmp_path / "bin" / "coredumpctl").write_text("#!/bin/sh\nexit 1\n")
    assert refused("last", PATH=path_with_coredumpctl) == (
        "coredumpctl gives no core of the last crash: coredumpctl failed without a word; `coredumpctl list` shows "
        "which there are"
    )
