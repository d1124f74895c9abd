"""Libraries that a core's machine had, and their debug files, from a server of debuginfod."""

from __future__ import annotations

import contextlib
import http.server
import os
import pathlib
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator

import pytest

from jitscope.stacks.taking import Stacks
from tests.interpreters import ROOT, first_gdb

from .taking import command, needs_library, running, state, until

LIBRARY = """\
#include <unistd.h>
__attribute__((noinline)) void innermost(int x) { volatile int y = x; for (;;) { pause(); y++; } }
__attribute__((noinline)) void middle(int x) { innermost(x + 1); __asm__(""); }
void outer(void) { middle(41); __asm__(""); }
"""
PROGRAM = """\
import ctypes, sys
library = ctypes.CDLL(sys.argv[1])
print("ready", flush=True)
library.outer()
"""


class Server:
    """Answers as debuginfod does (debuginfod(8), WEBAPI) for one library."""

    def __init__(self, library: bytes, build_id: str) -> None:
        self.asked: list[str] = []
        self.is_slow = False
        outer = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                outer.asked.append(self.path)
                while outer.is_slow:
                    time.sleep(0.05)
                is_known = self.path in (f"/buildid/{build_id}/executable", f"/buildid/{build_id}/debuginfo")
                self.send_response(200 if is_known else 404)
                self.send_header("Content-Length", str(len(library) if is_known else 0))
                self.end_headers()
                with contextlib.suppress(BrokenPipeError):
                    self.wfile.write(library if is_known else b"")

            def log_message(self, format: str, *args: object) -> None:
                pass

        self._server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_port}/"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def close(self) -> None:
        self.is_slow = False
        self._server.shutdown()
        self._server.server_close()


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> tuple[pathlib.Path, bytes, str]:
    """Return the core of a process that was in a library without symbols, which is not here any more; and that
    library with its debug information, and its build-id."""
    needs_library()
    folder = tmp_path_factory.mktemp("debuginfod")
    source, library, core = folder / "called.c", folder / "libcalled.so", folder / "core"
    source.write_text(LIBRARY)
    (folder / "program.py").write_text(PROGRAM)
    flags = ["-g", "-O1", "-fPIC", "-shared", "-fomit-frame-pointer", "-Wl,--build-id=sha1"]
    subprocess.run(["gcc", *flags, "-o", library, source], check=True)
    whole = library.read_bytes()
    notes = subprocess.run(["readelf", "-n", library], capture_output=True, text=True, check=True).stdout
    found = re.search(r"Build ID: ([0-9a-f]+)", notes)
    assert found
    subprocess.run(["strip", library], check=True)
    with running(sys.executable, folder / "program.py", library) as process:
        until(lambda: state(process.pid) == "S")
        words = ["-nx", "-q", "-batch", "-p", str(process.pid), "-ex", f"generate-core-file {core}"]
        subprocess.run([first_gdb(), *words], capture_output=True, check=True)
    library.unlink()
    return core, whole, found[1]


@pytest.fixture
def server(
    made: tuple[pathlib.Path, bytes, str], tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Server]:
    if not any(pathlib.Path("/usr").glob("lib*/**/libdebuginfod.so.1")):
        pytest.skip("libdebuginfod is not installed")
    started = Server(*made[1:])
    monkeypatch.setenv("DEBUGINFOD_URLS", started.url)
    monkeypatch.setenv("DEBUGINFOD_CACHE_PATH", str(tmp_path / "cache"))
    yield started
    started.close()


def names(text: str) -> list[str]:
    return re.findall(r"^#\d+ +(\S+)", text, re.M)


def test_frames_of_a_missing_library(made: tuple[pathlib.Path, bytes, str], server: Server) -> None:
    done = command("--core", made[0])
    assert names(done.stdout)[1:4] == ["innermost", "middle", "outer"], done.stdout
    assert "called.c:2" in done.stdout and "is not here" not in done.stdout
    assert f"/buildid/{made[2]}/executable" in server.asked


def test_without_a_server_the_gap_is_noted(
    made: tuple[pathlib.Path, bytes, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("DEBUGINFOD_URLS", raising=False)
    done = command("--core", made[0])
    assert "libcalled.so is not here)" in done.stdout
    assert "libcalled.so, which has no call frame information here)" in done.stdout


def test_a_server_that_does_not_have_the_file(made: tuple[pathlib.Path, bytes, str], server: Server) -> None:
    server._server.RequestHandlerClass.do_GET = lambda self: self.send_error(404)  # type: ignore[attr-defined]
    assert "libcalled.so is not here)" in command("--core", made[0]).stdout


def test_interrupted_while_a_server_is_slow(made: tuple[pathlib.Path, bytes, str], server: Server) -> None:
    server.is_slow = True
    process = subprocess.Popen(
        [sys.executable, "-m", "jitscope", "stack", "--core", made[0]],
        env={**os.environ, "PYTHONPATH": str(ROOT / "runtime" / "python")},
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    until(lambda: server.asked)
    process.send_signal(signal.SIGINT)
    out, error = process.communicate(timeout=60)
    assert process.returncode == 130 and out == ""
    assert error == "jitscope stack: interrupted\n"


def test_what_is_fetched_is_said(
    made: tuple[pathlib.Path, bytes, str], server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first core is taken where no server is named, which is no answer for the second one."""
    said: list[str] = []
    urls = os.environ["DEBUGINFOD_URLS"]
    monkeypatch.delenv("DEBUGINFOD_URLS")
    with made[0].open("rb") as core, Stacks(core=core.fileno()) as stacks:
        stacks.take()
    monkeypatch.setenv("DEBUGINFOD_URLS", urls)

    def says(text: str) -> None:
        said.append(text)
        server.is_slow = False

    server.is_slow = True
    with made[0].open("rb") as core, Stacks(core=core.fileno(), says=says) as stacks:
        stacks.take()
    assert said and re.fullmatch(r"debuginfod has sent \d+\.\d( of \d+\.\d)? MB", said[0])
