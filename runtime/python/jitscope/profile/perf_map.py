"""The file /tmp/perf-PID.map, in which `perf` and other profilers look for names of code that no file has. Source of
the format: linux/tools/perf/Documentation/jit-interface.txt; of the place, dso__find_perf_map in
linux/tools/perf/util/symbol.c: for a process in another mount namespace, its own /tmp and its own number of itself."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable
from typing import NamedTuple

from jitscope.process_sources import start_time
from jitscope.profile.live_names import Frame, Function, Range

# The first line of a map that `jitscope names` has made, and its last one: symbols at addresses where no code is.
BEGIN = b"0 1 [names by jitscope]\n"
END = b"1 1 [end of the names by jitscope]\n"
_WRITTEN = {"function", "generator-next", "parfor-kernel", "cuda"}


class Unwritable(Exception):
    """The map may not be written; the text says why."""


class Entry(NamedTuple):
    """A line of the map."""

    low: int
    high: int
    label: str

    def line(self) -> bytes:
        return b"%x %x %s\n" % (self.low, self.high - self.low, self.label.encode("utf-8", "backslashreplace"))


def escaped(text: str) -> str:
    """Return the text with each character escaped that would end a line, or that a terminal would not show as it is."""
    return "".join(
        char if char.isprintable() else char.encode("unicode_escape", "surrogatepass").decode() for char in text
    )


def place(file: str, line: int, module: str = "") -> str:
    """Return " (FILE:LINE)", without the line " (FILE)", without both " (MODULE)", or ""."""
    name = os.path.basename(file)
    if name:
        return f" ({name}:{line})" if line else f" ({name})"
    return f" ({module})" if module else ""


def label_of(function: Function) -> str:
    if function.kind not in _WRITTEN:
        return escaped(function.name if function.kind == "other" else f"{function.name} [{function.kind}]")
    return escaped(function.name + place(function.file, function.line, function.module))


def entries(functions: Iterable[Function], inlined: bool = False) -> list[Entry]:
    """Return a line for each function; `inlined`: one for each range with the same inlined code, whose label has the
    calls from the outside in: "outer (a.py:3)->inner (b.py:7)"."""
    found: list[Entry] = []
    for function in functions:
        own = label_of(function)
        if not inlined or not function.ranges:
            found.append(Entry(function.low, function.high, own))
            continue
        for part in function.ranges:
            label = _chain(own, part)
            last = found[-1] if found else None
            if last and last.high == part.low and last.label == label and last.low >= function.low:
                found[-1] = last._replace(high=part.high)
            else:
                found.append(Entry(part.low, part.high, label))
    return found


def _chain(own: str, part: Range) -> str:
    def label(frame: Frame) -> str:
        return escaped(frame.name + place(frame.file, frame.first_line))

    return "->".join([own, *(label(frame) for frame in reversed(part.frames[:-1]))])


# -- the file


def path_for(pid: int) -> tuple[str, str]:
    """Return the folder that has the map, as this process can open it, and the map's name in it."""
    try:
        is_same = os.readlink(f"/proc/{pid}/ns/mnt") == os.readlink("/proc/self/ns/mnt")
    except OSError:
        is_same = True
    if is_same:
        return "/", f"tmp/perf-{pid}.map"
    return f"/proc/{pid}/root", f"tmp/perf-{_innermost(pid)}.map"


def _innermost(pid: int) -> int:
    """Return the number that the process has in its own PID namespace."""
    with open(f"/proc/{pid}/status", "rb") as stream:
        for line in stream:
            if line.startswith(b"NSpid:"):
                return int(line.split()[-1])
    return pid


class PerfMap:
    """The map of one process. A map that others write is only ever appended to; one that `jitscope names` alone has
    made is replaced; one that is older than the process was another's, and is replaced too."""

    def __init__(self, pid: int) -> None:
        self.pid = pid
        root, name = path_for(pid)
        self.path = os.path.join(root, name)
        self._root, self._folder, self._name = root, os.path.dirname(name), os.path.basename(name)
        self._kept: dict[int, Entry] = {}  # what was written, by address: freed code is still in older samples

    def write(self, found: list[Entry]) -> None:
        """Write the entries. Raise Unwritable."""
        self._keep(found)
        try:
            self._write()
        except OSError as error:
            raise Unwritable(f"{self.path} cannot be written: {error.strerror}") from None

    def _keep(self, found: list[Entry]) -> None:
        """Add the entries, and drop older ones whose code they have replaced."""
        starts = {entry.low for entry in found}
        old = sorted(entry for low, entry in self._kept.items() if low not in starts)
        fresh = sorted(found)
        place = 0
        for entry in old:
            while place < len(fresh) and fresh[place].high <= entry.low:
                place += 1
            if place < len(fresh) and fresh[place].low < entry.high:
                del self._kept[entry.low]
        self._kept.update((entry.low, entry) for entry in found)

    def _write(self) -> None:
        folder = _open_folder(self._root, self._folder)
        try:
            file = self._open(folder)
            try:
                self._put(file)
            finally:
                os.close(file)
        finally:
            os.close(folder)

    def _open(self, folder: int) -> int:
        """Open the map, or create it, in the folder. No link is followed, and a FIFO is not waited for."""
        flags = os.O_RDWR | os.O_APPEND | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK
        try:
            file = os.open(self._name, flags, dir_fd=folder)
        except FileNotFoundError:
            return self._create(folder, flags)
        status, start = os.fstat(file), start_time(self.pid)
        if not stat.S_ISREG(status.st_mode) or status.st_nlink != 1:
            os.close(file)
            raise Unwritable(f"{self.path} is no plain file of its own, and is left alone")
        owner = os.stat(f"/proc/{self.pid}").st_uid
        if status.st_uid not in (os.geteuid(), owner):
            os.close(file)
            raise Unwritable(f"{self.path} belongs to another user, and is left alone")
        if start is not None and status.st_mtime < start - 2:
            os.close(file)
            os.unlink(self._name, dir_fd=folder)
            return self._create(folder, flags)
        return file

    def _create(self, folder: int, flags: int) -> int:
        file = os.open(self._name, flags | os.O_CREAT | os.O_EXCL, 0o600, dir_fd=folder)
        if os.geteuid() == 0:
            # perf reads a map only if it belongs to its user or to root, and its user may be the process's.
            owner = os.stat(f"/proc/{self.pid}")
            os.fchown(file, owner.st_uid, owner.st_gid)
        return file

    def _put(self, file: int) -> None:
        there = _read(file)
        lines = [entry.line() for entry in sorted(self._kept.values())]
        if not there or (there.startswith(BEGIN) and there.endswith(END)):
            text = b"".join([BEGIN, *lines, END])
            if there != text:
                os.ftruncate(file, 0)
                _write_all(file, text)
            return
        known = set(there.splitlines(keepends=True))
        missing = [line for line in lines if line not in known]
        if missing:
            _write_all(file, (b"" if there.endswith(b"\n") else b"\n") + b"".join(missing))


def _open_folder(root: str, folder: str) -> int:
    """Open a folder below `root` without following a link in it, which the process might have put there."""
    flags = os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC
    top = os.open(root, flags)
    try:
        return os.open(folder, flags | (os.O_NOFOLLOW if root != "/" else 0), dir_fd=top)
    finally:
        os.close(top)


def _read(file: int) -> bytes:
    found = bytearray()
    while part := os.pread(file, 1 << 20, len(found)):
        found += part
    return bytes(found)


def _write_all(file: int, text: bytes) -> None:
    while text:
        text = text[os.write(file, text) :]
