"""IPython's extension: `%load_ext jitscope` has crashes of a kernel reported, and says what the last one has left."""

from __future__ import annotations

import contextlib
import hashlib
import html
import json
import os
import stat
import sys
import tempfile
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from jitscope.report import stored, writing
from jitscope.report.enabling import disable_crash_report, enable_crash_report

_KEPT = 20  # reports of a notebook
_STATE = "kernel.json"  # what the last kernel has left in the folder: its process, and the last report that was shown


class ShownReport:
    """A report as IPython shows it: a page in a notebook, text on a terminal."""

    def __init__(self, path: str) -> None:
        """`path`: as stored.read() takes it. Raise OSError."""
        self._path = stored.path_of(path)
        self._report = stored.read(self._path)

    def __repr__(self) -> str:
        return "\n".join(writing.lines(self._report))

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        printer.text(repr(self))

    def _repr_html_(self) -> str | None:
        """Return the page in a frame of its own, whose style is not that of the notebook; None without jinja2."""
        try:
            with open(self._path.removesuffix(".json") + ".html", encoding="utf-8") as stream:
                whole = stream.read()  # made with the sources as they were
        except OSError:
            if not find_spec("jinja2"):
                return None
            whole = import_module("jitscope.report.page").of(self._report, writing.lines(self._report))
        content = html.escape(whole)
        size = 'width="100%" height="600" style="border: 1px solid #8886"'
        return f'<iframe sandbox="" srcdoc="{content}" {size}></iframe>'


def load_ipython_extension(shell: Any) -> None:
    """Have crashes of this kernel reported, and say what the last kernel of the notebook has left."""
    shell.register_magic_function(show_report, "line", "jitscope_report")
    try:
        folder = _folder(shell)
        before = _read_state(folder)
        enable_crash_report(folder, html=find_spec("jinja2") is not None)
        reports = stored.names(folder)
        newest = reports[-1] if reports else None
        _write_state(folder, {"pid": os.getpid(), "shown": newest})
    except OSError as error:
        print(f"jitscope: {error.strerror or error}", file=sys.stderr)
        return
    if before and newest and newest != before.get("shown"):
        _say(newest, before.get("pid"))
    for path in reports[:-_KEPT]:
        for ending in (".json", ".txt", ".html"):
            with contextlib.suppress(OSError):
                os.unlink(path.removesuffix(".json") + ending)


def unload_ipython_extension(shell: Any) -> None:
    """Report crashes no longer."""
    disable_crash_report()
    shell.magics_manager.magics["line"].pop("jitscope_report", None)


def show_report(line: str) -> ShownReport | None:
    """Show the last report of this notebook's kernels, or the one in a file or folder: %jitscope_report [PATH]"""
    from IPython import get_ipython

    try:
        return ShownReport(os.path.expanduser(line.strip()) or _folder(get_ipython()))
    except OSError as error:
        text = f"{line.strip()}: {error.strerror}" if error.strerror else str(error)
        text = text if line.strip() else "no kernel of this notebook has left a report"
        print(f"jitscope: {text}", file=sys.stderr)
        return None


def _say(path: str, pid: int | None) -> None:
    """Say what is in the report that the last kernel, the process `pid`, has left."""
    try:
        report = stored.read(path)
    except OSError:
        return
    who = "the last kernel" if report["stacks"]["pid"] == pid else "a process of the last kernel"
    what = "has crashed" if report["signal"]["number"] else "was reported"
    thread = next(iter(report["stacks"]["threads"]), None)
    does = [f"thread {thread['native_id']}: {thread['does']}"] if thread and thread["does"] else []
    shown = [f"jitscope: {who} of this notebook {what}", *writing.head(report), *does]
    print("\n".join([*shown, f"the report is in {path}; %jitscope_report shows it"]))


def _folder(shell: Any) -> str:
    """Return the folder for the reports of this notebook, made if it is not there. Raise OSError."""
    own = os.path.join(_base(), hashlib.sha256(_notebook(shell).encode("utf-8", "replace")).hexdigest()[:16])
    _make_private(own)
    return own


def _notebook(shell: Any) -> str:
    """Return what the kernels of one notebook have in common: its path, if the server passes that, or else the file by
    which they are connected. On a terminal it is the folder."""
    session = os.environ.get("JPY_SESSION_NAME")
    if session:
        return f"notebook {session}"
    connection = getattr(getattr(getattr(shell, "kernel", None), "parent", None), "connection_file", "")
    return f"connection {connection}" if connection else f"terminal {os.getcwd()}"


def _base() -> str:
    """Return the folder of this user's reports. Raise OSError."""
    state = os.environ.get("XDG_STATE_HOME") or os.path.join(os.path.expanduser("~"), ".local", "state")
    with contextlib.suppress(OSError):
        folder = os.path.join(state, "jitscope")
        os.makedirs(state, exist_ok=True)
        _make_private(folder)
        return folder
    folder = os.path.join(tempfile.gettempdir(), f"jitscope-{os.getuid()}")
    _make_private(folder)
    return folder


def _make_private(folder: str) -> None:
    """Make a folder that only its owner may read. Raise OSError, also if another one's is there."""
    with contextlib.suppress(FileExistsError):
        os.mkdir(folder, 0o700)
    found = os.lstat(folder)
    if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.getuid() or not os.access(folder, os.W_OK | os.X_OK):
        raise OSError(f"{folder} is no folder of this user, so that crashes are not reported")
    if stat.S_IMODE(found.st_mode) != 0o700:
        os.chmod(folder, 0o700)


def _read_state(folder: str) -> dict[str, Any] | None:
    with contextlib.suppress(OSError, ValueError):
        with open(os.path.join(folder, _STATE), encoding="utf-8") as stream:
            state = json.load(stream)
        return state if isinstance(state, dict) else None
    return None


def _write_state(folder: str, state: dict[str, Any]) -> None:
    path = os.path.join(folder, _STATE)
    with open(f"{path}.new", "w", encoding="utf-8") as stream:
        json.dump(state, stream)
    os.replace(f"{path}.new", path)
