"""Cores that systemd keeps, by coredumpctl(1)."""

from __future__ import annotations

import os
import shutil

from jitscope.cores.compressed import Damaged, Says, output_of, write_temporary
from jitscope.debugger import how_to_install

TOOL = "coredumpctl"
QUIET = (TOOL, "--quiet", "--no-pager")


def dump(pid: int | None, says: Says) -> int:
    """Return a descriptor of a temporary file without a name, which has the newest core that systemd keeps of the
    process, or with None of any, and the time of the crash. Raise OSError, whose text is one line."""
    which = "of the last crash" if pid is None else f"of process {pid}"
    if shutil.which(TOOL) is None:
        text = f"there is no file of this name, and {TOOL}, which knows the cores of systemd, is not installed"
        raise FileNotFoundError(f"{'last' if pid is None else pid}: {text}: {how_to_install('systemd-coredump')}")
    match = [] if pid is None else [str(pid)]
    try:
        time = _time_of(match)
        with output_of([*QUIET, "dump", *match]) as blocks:
            descriptor = write_temporary(blocks, f"reading the core {which}", says)
    except Damaged as error:
        text = f"{TOOL} gives no core {which}: {error}; `{TOOL} list` shows which there are"
        raise FileNotFoundError(text) from None
    os.utime(descriptor, ns=(time, time))
    return descriptor


def _time_of(match: list[str]) -> int:
    """Return when the newest crash was, in nanoseconds since 1970; 0, as long ago as can be, if that is not known,
    because source that is newer than a core is not believed."""
    with output_of([*QUIET, "-1", "-F", "COREDUMP_TIMESTAMP", "list", *match]) as blocks:
        microseconds = b"".join(blocks).strip()
    return int(microseconds) * 1000 if microseconds.isdigit() else 0
