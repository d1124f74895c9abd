"""python -m tests.dap.record [NAME…]: record the sessions whose names begin so, or all, with the newest GDB and LLDB of
JITSCOPE_GDBS and JITSCOPE_LLDBS. Compare every value of a file with Python's own before you commit it:
tests/dap/test_values.py does that for numbers, texts, tuples and arrays."""

from __future__ import annotations

import pathlib
import sys
import tempfile

from tests.gdb.harness import make_core
from tests.interpreters import gdbs, lldb_adapter, lldbs

from .scenarios import GDB, SCENARIOS
from .session import FOLDER, environment, started, write


def main() -> None:
    wanted = tuple(sys.argv[1:]) or ("",)
    FOLDER.mkdir(exist_ok=True)
    for scenario in SCENARIOS:
        for beginning in scenario.beginnings():
            if not beginning.name.startswith(wanted):
                continue
            last = list((gdbs() if beginning.debugger == GDB else lldbs()).values())[-1]
            adapter = last if beginning.debugger == GDB else lldb_adapter(last)
            with tempfile.TemporaryDirectory() as folder:
                core = None
                if beginning.how == "core":
                    core = make_core(beginning.program, pathlib.Path(folder), environment(beginning.env))
                with started(beginning, adapter, core) as session:
                    try:
                        scenario.run(session, beginning)
                    finally:
                        print(f"{beginning.name}: {len(session.lines)} lines")
                        write(beginning, session.lines)


if __name__ == "__main__":
    main()
