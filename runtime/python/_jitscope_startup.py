"""What has to happen before a program runs: reports of crashes, if JITSCOPE_REPORT or `python -X jitscope` requests
them, and the path of GDB for Numba's own tools (its tests of GDB, `numba -g`). They look for GDB by
numba.core.config.GDB_BINARY when they are imported, which is before Numba loads extensions, and since 0.56 its default
`gdb` is no path. This module replaces it by a path.

jitscope-startup.pth imports this module whenever Python starts: it is small, is outside of the package, and imports
nothing else until the program imports Numba. JITSCOPE=0 leaves it out."""

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

CONFIG, VARIABLE = "numba.core.config", "NUMBA_GDB_BINARY"


class _Watch:
    """A finder that finds only Numba's configuration module, by the other finders, and then removes itself."""

    @classmethod
    def find_spec(cls, name: str, path: "Any" = None, target: "Any" = None) -> "Any":
        if name != CONFIG:
            return None
        for finder in [finder for finder in sys.meta_path if finder is not cls]:
            spec = finder.find_spec(name, path, target)
            if spec is not None:
                _then_name_gdb(spec.loader)
                if cls in sys.meta_path:
                    sys.meta_path.remove(cls)
                return spec
        return None


def _then_name_gdb(loader: "Any") -> None:
    execute = getattr(loader, "exec_module", None)
    if execute is None:
        return

    def exec_module(module: "Any") -> None:
        execute(module)
        name_gdb(module)
        guard_arrays()

    loader.exec_module = exec_module


def guard_arrays() -> None:
    """Guard the arrays that NumPy makes from now on, if JITSCOPE_GUARD requests it: the program may make those that it
    passes to compiled code before Numba loads jitscope."""
    import os

    if os.environ.get("JITSCOPE_GUARD", "0") != "0":
        from jitscope import guarding

        if guarding.chosen() is not None:
            guarding.begin()


def name_gdb(config: "Any") -> None:
    """Make GDB_BINARY a path, now and whenever Numba reads its settings again, unless the user named a GDB.

    Source: numba/core/config.py, _EnvReloader, which did not change from 0.50 to 0.68."""
    reloader = getattr(config, "_env_reloader", None)
    process = getattr(reloader, "process_environ", None)
    if reloader is None or process is None or not hasattr(config, "GDB_BINARY") or hasattr(process, "names_gdb"):
        return

    def process_environ(environ: "Any") -> None:
        process(environ)
        _name(config, environ)

    process_environ.names_gdb = True  # type: ignore[attr-defined]
    reloader.process_environ = process_environ
    _name(config, getattr(reloader, "old_environ", {}))


def _name(config: "Any", environ: "Any") -> None:
    import os
    import shutil

    if VARIABLE not in environ and not os.path.isfile(config.GDB_BINARY):
        config.GDB_BINARY = shutil.which(os.environ.get("JITSCOPE_GDB") or config.GDB_BINARY) or config.GDB_BINARY


def report_crashes() -> None:
    """Report crashes from now on, if that is requested."""
    import os

    if os.environ.get("JITSCOPE_REPORT") or "jitscope" in sys._xoptions:
        from jitscope.report.enabling import enable_at_start

        enable_at_start()


sys.meta_path.insert(0, _Watch)
report_crashes()
