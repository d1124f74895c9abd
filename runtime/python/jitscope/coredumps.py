"""Cores that systemd keeps, by coredumpctl(1)."""

from __future__ import annotations

import shutil

from jitscope.compressed import Damaged, output_of, write_temporary
from jitscope.debugger import how_to_install

TOOL = "coredumpctl"


def dump(pid: int | None) -> int:
    """Return a descriptor of a temporary file without a name, which has the newest core that systemd keeps of the
    process, or with None of any. Raise OSError, whose text is one line."""
    which = "of the last crash" if pid is None else f"of process {pid}"
    if shutil.which(TOOL) is None:
        text = f"there is no file of this name, and {TOOL}, which knows the cores of systemd, is not installed"
        raise FileNotFoundError(f"{'last' if pid is None else pid}: {text}: {how_to_install('systemd-coredump')}")
    command = (TOOL, "--quiet", "--no-pager", "dump", *([] if pid is None else [str(pid)]))
    try:
        with output_of(command) as blocks:
            return write_temporary(blocks, f"reading the core {which}")
    except Damaged as error:
        text = f"{TOOL} gives no core {which}: {error}; `{TOOL} list` shows which there are"
        raise FileNotFoundError(text) from None
