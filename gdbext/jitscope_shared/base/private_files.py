"""Files that GDB is to read: corrected objects, symbols, texts of cells. They are in a folder that only this user can
read, in memory where there is room, and are removed when GDB ends."""

from __future__ import annotations

import atexit
import errno
import fcntl
import os
import re
import shutil
import tempfile
from typing import Callable, Iterator

_MEMORY = "/dev/shm"
_ROOM = 256 << 20  # bytes of free memory; an object takes about 10 000

_folders: dict[str, int] = {}  # by folder: a descriptor whose lock says that this GDB runs
_in_memory: dict[str, int] = {}  # by path: the descriptors of files that are in no folder
_has_swept = False


class Unwritable(Exception):
    """No place takes the file. The text names the file systems and their errors."""


def write(name: str, put: Callable[[str], None]) -> str:
    """Return the path of a new file that `put` has written. If `put` raises OSError, the place is full or broken, and
    `put` is called for the next place."""
    failed: list[str] = []
    for place in _places():
        try:
            path = os.path.join(_folder(place), name)
            os.makedirs(os.path.dirname(path), exist_ok=True)
        except OSError as error:
            failed.append(_failure(place, error))
            continue
        try:
            put(path)
            return path
        except OSError as error:
            failed.append(_failure(place, error))
            remove(path)
    try:
        return _write_to_memory(name, put)
    except OSError as error:
        failed.append(f"memory: {os.strerror(error.errno or errno.EIO)}")
    raise Unwritable("; ".join(failed))


def is_ours(path: str | None) -> bool:
    """True if this is the name of one of these files."""
    if not path:
        return False
    return path in _in_memory or any(path.startswith(folder + os.sep) for folder in _folders)


def remove(path: str) -> None:
    descriptor = _in_memory.pop(path, None)
    try:
        if descriptor is not None:
            os.close(descriptor)
        else:
            os.unlink(path)
    except OSError:
        pass


def _places() -> Iterator[str]:
    """Yield folders for temporary files, best first. TMPDIR is where its user wants files; making one in memory takes a
    tenth of the time."""
    chosen = os.environ.get("TMPDIR")
    found = [chosen] if chosen else [_MEMORY] if _has_room() else []
    seen = set()
    for place in [*found, "/tmp", "/var/tmp", _MEMORY]:
        real = os.path.realpath(place)
        if real not in seen and os.path.isdir(real):
            seen.add(real)
            yield real


def _has_room() -> bool:
    try:
        room = os.statvfs(_MEMORY)
    except OSError:
        return False
    return os.access(_MEMORY, os.W_OK | os.X_OK) and room.f_bavail * room.f_frsize >= _ROOM


def _folder(place: str) -> str:
    """Return this GDB's folder at the place. Raise OSError where none can be made."""
    for folder in _folders:
        if os.path.dirname(folder) == place and os.path.isdir(folder):
            return folder
    _sweep()
    while True:
        folder = tempfile.mkdtemp(prefix=f"jitscope-{os.getpid()}-", dir=place)
        lock = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
        try:
            fcntl.flock(lock, fcntl.LOCK_EX)
        except OSError:
            pass  # this file system has no locks, so no other process can take one either
        if os.path.isdir(folder):  # else another GDB has removed the folder before it was locked
            break
        os.close(lock)
    _folders[folder] = lock
    atexit.register(shutil.rmtree, folder, True)
    return folder


def _sweep() -> None:
    """Remove the folders of GDBs that were killed: the kernel has released their locks. The process number in the name
    is no proof, as it may be from another PID namespace."""
    global _has_swept
    if _has_swept:
        return
    _has_swept = True
    for place in _places():
        try:
            names = os.listdir(place)
        except OSError:
            continue
        for name in names:
            if re.fullmatch(r"jitscope-\d+-\w+", name):
                _remove_abandoned(os.path.join(place, name))


def _remove_abandoned(folder: str) -> None:
    try:
        lock = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    except OSError:
        return
    try:
        if os.fstat(lock).st_uid == os.getuid():
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            shutil.rmtree(folder, True)
    except OSError:
        pass  # its GDB runs, or the file system has no locks
    finally:
        os.close(lock)


def _write_to_memory(name: str, put: Callable[[str], None]) -> str:
    if not hasattr(os, "memfd_create"):
        raise OSError(errno.ENOSYS, os.strerror(errno.ENOSYS))
    descriptor = os.memfd_create(f"jitscope-{os.path.basename(name)}", os.MFD_CLOEXEC)
    path = f"/proc/{os.getpid()}/fd/{descriptor}"
    try:
        put(path)
    except OSError:
        os.close(descriptor)
        raise
    _in_memory[path] = descriptor
    return path


def _failure(place: str, error: OSError) -> str:
    return f"{place} ({_file_system(place)}): {os.strerror(error.errno or errno.EIO)}"


def _file_system(place: str) -> str:
    """Return the kind and the mount point of the file system that holds the folder."""
    best = ("", "?")
    try:
        with open("/proc/self/mounts", encoding="utf-8", errors="replace") as stream:
            for line in stream:
                _, point, kind = line.split()[:3]
                point = point.replace("\\040", " ")
                if (place + "/").startswith(point.rstrip("/") + "/") and len(point) >= len(best[0]):
                    best = (point, kind)
    except (OSError, ValueError):
        pass
    return f"{best[1]} on {best[0]}" if best[0] else "unknown file system"
