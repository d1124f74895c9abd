"""Search of the program's source for a function of a name, which may still be compiled later."""

from __future__ import annotations

import itertools
import os
import re
from typing import Iterator

_IMPORT = re.compile(rb"^[ \t]*(?:import|from)[ \t]+(\w+)", re.M)
# packages that compile no function of the user's
_NOT_THEIRS = {"numba", "llvmlite", "numpy", "scipy", "jitscope", "__future__"}
_NOT_SEARCHED = {"site-packages", "dist-packages", "node_modules", "__pycache__"}
_FOLDERS, _FILES, _BYTES = 500, 1000, 1 << 20


def in_program(pid: int, name: str, packages: str, keyword: bytes = b"def") -> bool | None:
    """Return True if the process's script, a file beside or below it, or a package that these import defines a function
    `name`, or a class with the keyword `class`; None: the process has no script. `packages`: the folder of installed
    packages."""
    script, folder, module = start(pid)
    if not script and not module:
        return None
    definition = _definition(name, keyword)
    imported = {module.partition(".")[0]} if module else set()
    for text in _texts(_below(folder, script)):
        if definition.search(text):
            return True
        imported.update(word.decode() for word in _IMPORT.findall(text))
    roots = [os.path.join(packages, each) for each in sorted(imported - _NOT_THEIRS) if packages]
    return any(definition.search(text) for root in roots for text in _texts(_below(root, f"{root}.py")))


def files_with(pid: int, name: str) -> list[str]:
    """Return the process's script and the files beside or below it, of those that define a function `name`."""
    script, folder, _ = start(pid)
    definition = _definition(name, b"def")
    paths = dict.fromkeys(os.path.realpath(each) for each in _below(folder, script) if each) if folder else {}
    return [path for path in paths for text in _texts(iter([path])) if definition.search(text)]


def _definition(name: str, keyword: bytes) -> re.Pattern[bytes]:
    last = re.escape(name.rpartition(".")[2]).encode()
    return re.compile(rb"^[ \t]*(?:async[ \t]+)?" + keyword + rb"[ \t]+" + last + rb"\b", re.M)


def start(pid: int) -> tuple[str, str, str]:
    """Return the process's script, the folder of its modules, and the module of `python -m`."""
    try:
        with open(f"/proc/{pid}/cmdline", "rb") as file:
            words = os.fsdecode(file.read()).split("\0")
        folder = os.readlink(f"/proc/{pid}/cwd")
    except OSError:
        return "", "", ""
    scripts = [os.path.join(folder, word) for word in words[1:] if word.endswith(".py")]
    if scripts and os.path.isfile(scripts[0]):
        return scripts[0], os.path.dirname(os.path.realpath(scripts[0])), ""
    module = words[words.index("-m") + 1] if "-m" in words[:-1] else ""
    return "", folder, module


def file_called(pid: int, name: str) -> str:
    """Return the path of the process's script, or of a file below its folder, that has this name or ends in it; "":
    there is none, or there are several."""
    script, folder, _ = start(pid)
    ending = os.path.join(os.sep, name)
    found = {os.path.realpath(each) for each in _below(folder, script) if each.endswith(ending)} if folder else set()
    return found.pop() if len(found) == 1 else ""


def _below(folder: str, first: str) -> Iterator[str]:
    yield first
    count = 0
    for path, folders, files in itertools.islice(os.walk(folder), _FOLDERS):
        folders[:] = sorted(each for each in folders if each not in _NOT_SEARCHED and not each.startswith("."))
        for name in sorted(files):
            if name.endswith(".py"):
                count += 1
                if count > _FILES:
                    return
                yield os.path.join(path, name)


def _texts(paths: Iterator[str]) -> Iterator[bytes]:
    for path in paths:
        try:
            with open(path, "rb") as file:
                yield file.read(_BYTES)
        except OSError:
            pass
