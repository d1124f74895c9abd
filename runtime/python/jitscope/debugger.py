"""The GDB to use (JITSCOPE_GDB, Numba's NUMBA_GDB_BINARY, or the `gdb` of PATH), and its start with jitscope."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Sequence
from typing import NoReturn

from jitscope.paths import gdb_script

VARIABLES = ("JITSCOPE_GDB", "NUMBA_GDB_BINARY")


def find_gdb() -> str:
    """Return the GDB's absolute path. Raise FileNotFoundError, whose text says what to do, if there is none: a variable
    that names no program is an error, and is not ignored."""
    for variable in VARIABLES:
        named = os.environ.get(variable)
        if named:
            found = shutil.which(named)
            if found is None:
                raise FileNotFoundError(f"{variable} names {named}, which is no program: unset {variable}")
            return os.path.abspath(found)
    found = shutil.which("gdb")
    if found is None:
        raise FileNotFoundError(f"gdb is not installed: {how_to_install('gdb')}, or set JITSCOPE_GDB")
    return os.path.abspath(found)


# The first known word of ID or ID_LIKE in os-release(5) decides.
_INSTALLERS = {
    "debian": "sudo apt-get install",
    "ubuntu": "sudo apt-get install",
    "fedora": "sudo dnf install",
    "rhel": "sudo dnf install",
    "arch": "sudo pacman -S",
    "suse": "sudo zypper install",
    "opensuse": "sudo zypper install",
    "alpine": "sudo apk add",
}


def how_to_install(package: str) -> str:
    """Return the command that installs a package of this system's distribution."""
    words: list[str] = []
    for path in ("/etc/os-release", "/usr/lib/os-release"):
        try:
            with open(path, encoding="utf-8", errors="replace") as stream:
                lines = dict(line.strip().split("=", 1) for line in stream if "=" in line)
        except OSError:
            continue
        words = f"{lines.get('ID', '')} {lines.get('ID_LIKE', '')}".replace('"', "").split()
        break
    command = next((_INSTALLERS[word] for word in words if word in _INSTALLERS), "install the package")
    return f"{command} {package}"


def load_arguments() -> list[str]:
    """Return GDB's arguments that load jitscope. If .gdbinit loads it, too, the second time does nothing."""
    return ["-iex", f"source {gdb_script()}"]


def become_gdb(arguments: Sequence[str]) -> NoReturn:
    """Replace this process by GDB with jitscope loaded. Raise OSError if that fails."""
    gdb = find_gdb()
    command = [gdb, *load_arguments(), *arguments]
    sys.stdout.flush()
    sys.stderr.flush()
    os.execv(gdb, command)
