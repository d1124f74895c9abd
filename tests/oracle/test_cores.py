"""The reader of cores (bytes/core) against GDB on the same cores, which the kernel and gcore wrote: whole, truncated,
sparse, and without the program's files."""

from __future__ import annotations

import os
import pathlib
import random
import re
import shutil
import subprocess
from collections.abc import Iterator

import pytest

from tests.gdb import harness
from tests.interpreters import first_gdb
from tests.oracle.core_reader import Core, Segment, ask_gdb, notes_of, segments

pytestmark = [
    pytest.mark.xdist_group("cores-read"),
    pytest.mark.skipif(os.uname().machine != "x86_64", reason="the registers of cores are known on x86-64 only"),
]
ADDRESSES, SIZE = 1000, 16
ENV = {"NUMBA_OPT": "0", "NUMBA_BOUNDSCHECK": "0", "OPENBLAS_NUM_THREADS": "3", "JITSCOPE": "0"}


@pytest.fixture(scope="module", params=["kernel", "gcore"])
def core(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[pathlib.Path]:
    folder = tmp_path_factory.mktemp("core")
    if request.param == "gcore":
        made: pathlib.Path | None = harness.gdb_core("crash.py", folder, ENV)
    else:
        made = harness.kernel_core("crash.py", folder, ENV, None)
    if made is None:
        pytest.skip("the kernel gives cores to another program here (/proc/sys/kernel/core_pattern)")
    yield made
    shutil.rmtree(folder)


def addresses_of(path: pathlib.Path, number: int) -> list[int]:
    """Return random addresses: as many in each segment, whatever its size."""
    chosen = random.Random(7)
    every = segments(path)
    found = []
    for _ in range(number):
        segment = chosen.choice(every)
        found.append(segment.start + chosen.randrange(segment.size))
    return found


def segment_of(path: pathlib.Path, address: int) -> Segment:
    return next(one for one in segments(path) if one.start <= address < one.start + one.size)


def test_threads_and_memory_are_those_that_gdb_shows(core: pathlib.Path, tmp_path: pathlib.Path) -> None:
    addresses = addresses_of(core, ADDRESSES)
    with Core(core) as ours:
        assert ours.lacking == 0 and ours.missing() == {}
        gdb = ask_gdb(core, ours.executable, addresses, SIZE, tmp_path)
        threads = {t.native_id: [*t.registers, t.thread_pointer, t.system_call] for t in ours.threads()}
        assert threads == gdb.threads and len(threads) >= 2
        assert ours.threads()[0].native_id == next(iter(gdb.threads)), "the crashed thread comes first"
        left_out = 0
        for address, expected in zip(addresses, gdb.memory):
            found = ours.read(address, SIZE)
            if found is not None:
                assert found == expected, hex(address)
                continue
            # GDB shows zeros, or what a file has, for memory that the core does not describe.
            segment = segment_of(core, address)
            assert address - segment.start + SIZE > segment.held, hex(address)
            left_out += 1
        assert left_out < ADDRESSES / 4


def test_the_crash(core: pathlib.Path) -> None:
    with Core(core) as ours:
        crashed, *others = ours.threads()
        assert crashed.signal == 11 and crashed.has_siginfo and crashed.siginfo_signal == 11
        assert crashed.siginfo_code in (1, 2) and crashed.siginfo_address > 1 << 30
        assert ours.process.pid == crashed.native_id
        assert b"python" in ours.process.name and b"crash.py" in ours.process.arguments
        assert os.path.samefile(ours.executable, os.path.realpath(harness.newest_python()))
        assert ours.python_functions(crashed.native_id) == ["<module>"]
        assert all(thread.native_id != crashed.native_id for thread in others)


def test_symbols_of_libraries(core: pathlib.Path) -> None:
    with Core(core) as ours:
        found = ours.everywhere("__jit_debug_descriptor")
        runtime = ours.runtime()
        executable = ours.executable
    assert found and runtime is not None and runtime[1] >> 24 == 3
    commands = [f"info symbol {address}" for address in (*found, runtime[0])]
    options = [word for command in commands for word in ("-ex", command)]
    done = subprocess.run(
        [first_gdb(), "-nx", "-q", "-batch", *options, executable, "-c", str(core)],
        env=harness.environment(),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert len(re.findall(r"^__jit_debug_descriptor in section ", done.stdout, re.M)) == len(found), done.stdout
    assert re.search(r"^_PyRuntime in section ", done.stdout, re.M), done.stdout


def test_a_truncated_core_has_no_zeros(core: pathlib.Path, tmp_path: pathlib.Path) -> None:
    """What can still be read of a core that was cut at a random place is what the whole core has."""
    size, cut, chosen = core.stat().st_size, tmp_path / "cut", random.Random(7)
    headers = 64 + 56 * (len(segments(core)) + 1)
    copy_sparsely(core, cut)
    lengths = {chosen.randrange(1 << bits, min(size, 2 << bits)) for bits in range(6, size.bit_length()) for _ in "12"}
    for length in sorted(lengths, reverse=True):
        os.truncate(cut, length)
        with Core(core) as whole, Core(cut) as ours:
            # GDB writes headers of sections at the end, which nothing needs.
            unknown = size - length - ours.lacking
            assert ours.status == 0 and 0 <= unknown and (unknown < 1 << 20 or length < headers)
            for segment in segments(core):
                compare_cut_segment(ours, whole, segment, max(0, min(segment.held, length - segment.offset)))
            assert {t.native_id for t in ours.threads()} <= {t.native_id for t in whole.threads()}


def compare_cut_segment(ours: Core, whole: Core, segment: Segment, available: int) -> None:
    offsets = {0, available - 8, available - 7, available, segment.held - 8}
    for offset in offsets:
        if not 0 <= offset <= segment.held - 8:
            continue
        found = ours.read(segment.start + offset, 8)
        assert found == (whole.read(segment.start + offset, 8) if offset + 8 <= available else None)
    if available < segment.held:
        assert ours.explain(segment.start + available) == "the core is truncated before it"


def copy_sparsely(source: pathlib.Path, copy: pathlib.Path) -> None:
    """Copy a file, with holes where it has zeros."""
    subprocess.run(["cp", "--sparse=always", str(source), str(copy)], check=True)


def test_a_sparse_core(core: pathlib.Path, tmp_path: pathlib.Path) -> None:
    """Holes in the file are zeros of the process, and are read as such."""
    sparse = tmp_path / "sparse"
    copy_sparsely(core, sparse)
    with Core(core) as whole, Core(sparse) as ours:
        assert ours.lacking == 0
        for address in addresses_of(core, ADDRESSES):
            assert ours.read(address, SIZE) == whole.read(address, SIZE)


# --- without its files ---------------------------------------------------------------------------


def patched(core: pathlib.Path, copy: pathlib.Path, old: str, new: str) -> None:
    """Copy a core with another path of a mapped file, as long as the old one."""
    assert len(old) == len(new)
    copy_sparsely(core, copy)
    place, size = notes_of(core)
    with copy.open("r+b") as file:
        file.seek(place)
        notes = file.read(size)
        file.seek(place)
        file.write(notes.replace(os.fsencode(old) + b"\0", os.fsencode(new) + b"\0"))


@pytest.fixture
def other_place(core: pathlib.Path) -> Iterator[pathlib.Path]:
    """Give a path that is as long as that of the program, and at which nothing is."""
    with Core(core) as whole:
        length = len(whole.executable)
    path = pathlib.Path(f"/tmp/js-{os.getpid()}".ljust(length, "-"))
    if len(str(path)) != length or path.exists():
        pytest.skip(f"no file can be at {path}")
    yield path
    path.unlink(missing_ok=True)


def test_a_program_that_has_gone(core: pathlib.Path, other_place: pathlib.Path, tmp_path: pathlib.Path) -> None:
    moved = tmp_path / "moved"
    with Core(core) as whole:
        patched(core, moved, whole.executable, str(other_place))
    with Core(core) as whole, Core(moved) as ours:
        assert ours.missing() == {str(other_place): "absent"}
        assert [t.native_id for t in ours.threads()] == [t.native_id for t in whole.threads()]
        found, expected = ours.runtime(), whole.runtime()
        assert expected is not None
        # The kernel's core holds the first page of the program only, where no symbol is; gcore's has symbols.
        assert found is None or found[0] == expected[0]
        for address in addresses_of(core, ADDRESSES):
            assert ours.read(address, SIZE) in (None, whole.read(address, SIZE))


def test_symbols_in_pages_that_the_core_holds(other_place: pathlib.Path, tmp_path: pathlib.Path) -> None:
    """A core with the pages of files has the dynamic symbols of a program that has gone, and its constants."""
    if pathlib.Path("/proc/sys/kernel/core_pattern").read_text().strip() != "core":
        pytest.skip("the kernel gives cores to another program here (/proc/sys/kernel/core_pattern)")
    every = 'ulimit -c unlimited && echo 0x7f >/proc/self/coredump_filter && exec "$0" "$@"'
    crash = "import ctypes; ctypes.string_at(16)"
    subprocess.run(
        ["bash", "-c", every, harness.newest_python(), "-c", crash],
        cwd=tmp_path,
        env=harness.environment(),
        check=False,
    )
    written, moved = next(tmp_path.glob("core*")), tmp_path / "moved"
    with Core(written) as whole:
        program, expected = whole.executable, whole.runtime()
        assert expected is not None and expected[1] >> 24 == 3 and whole.missing() == {}
    patched(written, moved, program, str(other_place))
    with Core(moved) as ours:
        assert ours.missing() == {str(other_place): "absent"}
        assert ours.runtime() == expected
        assert ours.python_functions(ours.threads()[0].native_id) == ["string_at", "<module>"]


def test_another_program_in_its_place(core: pathlib.Path, other_place: pathlib.Path, tmp_path: pathlib.Path) -> None:
    """The build-id, or else the first page, tells them apart."""
    moved = tmp_path / "moved"
    with Core(core) as whole:
        patched(core, moved, whole.executable, str(other_place))
    shutil.copyfile("/bin/sh", other_place)
    with Core(moved) as ours:
        assert ours.missing() == {str(other_place): "different"}


def test_a_program_that_was_copied(core: pathlib.Path, other_place: pathlib.Path, tmp_path: pathlib.Path) -> None:
    moved = tmp_path / "moved"
    with Core(core) as whole:
        program, expected = whole.executable, whole.runtime()
    patched(core, moved, program, str(other_place))
    shutil.copyfile(program, other_place)
    with Core(moved) as ours:
        assert ours.missing() == {} and ours.runtime() == expected
    os.truncate(other_place, other_place.stat().st_size // 2)
    with Core(moved) as ours:
        assert ours.missing() == {str(other_place): "no object"}
