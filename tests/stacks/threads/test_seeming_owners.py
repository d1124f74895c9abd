"""The owner of a plain lock is claimed without a label only if the program has no code that could have released the
lock within the `with` statement that has acquired it, and have returned."""

from __future__ import annotations

from pathlib import Path

import pytest

from jitscope.stacks.taking import Stacks
from tests.oracle.python_stacks.interpreters import Interpreter, all_or_skips
from tests.stacks.taking import command, needs_library, running

# Ways by which a function that has returned releases the lock `lock`: what the program begins with, and the call.
RELEASES = {
    "function": ("def gives():\n    lock.release()", "gives()"),
    "__exit__": ("def gives():\n    lock.__exit__(None, None, None)", "gives()"),
    "method": ("class Gives:\n    def back(self): lock.release()\ngives = Gives()", "gives.back()"),
    "static method": ("class Gives:\n    @staticmethod\n    def back(): lock.release()", "Gives.back()"),
    "nested function": ("def make():\n    def gives(): lock.release()\n    return gives", "make()()"),
    "lambda in a list": ("gives = [None, [lambda: lock.release()]]", "gives[1][0]()"),
    "bound method": ("gives = lock.release", "gives()"),
    "another module": ("import other", "other.gives(lock)"),
    "function of another module": ("from other import gives", "gives(lock)"),
}
PROGRAM = """
import os, sys, threading
sys.path.insert(0, os.path.dirname(__file__))
lock, goes, is_taken = threading.Lock(), threading.Event(), threading.Event()
{begins}
def owner():
    with lock:
        {calls}
        goes.set()
        os.read(os.pipe()[0], 1)
def taker():
    goes.wait()
    {takes}
    is_taken.set()
    os.read(os.pipe()[0], 1)
def waits():
    lock.acquire()
for function in (owner, taker):
    threading.Thread(target=function, daemon=True, name=function.__name__).start()
is_taken.wait()
threading.Thread(target=waits, daemon=True, name="waits").start()
import time; time.sleep(0.2)
print("ready", flush=True)
os.read(0, 1)
"""


@pytest.fixture(autouse=True)
def _library() -> None:
    needs_library()


def said(interpreter: Interpreter, folder: Path, **parts: str) -> str:
    """Return what the thread that waits for the lock does."""
    program = folder / "program.py"
    program.write_text(PROGRAM.format(**parts))
    (folder / "other.py").write_text("def gives(lock):\n    lock.release()\n")
    with running(interpreter.path, program) as process, Stacks(process.pid) as stacks:
        (does,) = {
            (thread["does"], thread["waits_for"]["certain"])
            for _ in range(2)
            for thread in stacks.take(longest=10)["threads"]
            if any(frame["name"] == "waits" for frame in thread["frames"])
        }
        assert does[1] == ("seems" not in does[0])
        return str(does[0])


@pytest.mark.parametrize("how", RELEASES)
@pytest.mark.parametrize("interpreter", all_or_skips())
def test_a_lock_that_another_thread_has_taken(interpreter: Interpreter, how: str, tmp_path: Path) -> None:
    begins, calls = RELEASES[how]
    does = said(interpreter, tmp_path, begins=begins, calls=calls, takes="lock.acquire()")
    assert " holds" not in does, does
    assert "owner is not known" in does or "owner at program.py:" in does and "seems to hold (by its `with`)" in does


@pytest.mark.parametrize("interpreter", all_or_skips())
def test_a_lock_that_nobody_releases(interpreter: Interpreter, tmp_path: Path) -> None:
    does = said(interpreter, tmp_path, begins="import json, subprocess", calls="json.dumps([1])", takes="goes.wait()")
    assert "owner at program.py:" in does and does.endswith(" holds"), does


@pytest.mark.parametrize("interpreter", all_or_skips())
def test_a_module_that_the_owner_does_not_import(interpreter: Interpreter, tmp_path: Path) -> None:
    (tmp_path / "owning.py").write_text(
        "import os, threading\nlock = threading.Lock()\n"
        "def owner(back):\n    with lock:\n        back()\n        os.read(os.pipe()[0], 1)\n"
    )
    program = tmp_path / "program.py"
    program.write_text(
        "import owning, os, threading, time\n"
        "def gives(): owning.lock.release()\n"
        "threading.Thread(target=owning.owner, args=[gives], daemon=True).start()\n"
        "time.sleep(0.2)\nowning.lock.acquire()\n"
        "threading.Thread(target=owning.lock.acquire, daemon=True, name='waits').start()\n"
        "time.sleep(0.2)\nprint('ready', flush=True)\nos.read(0, 1)\n"
    )
    with running(interpreter.path, program) as process, Stacks(process.pid) as stacks:
        (does,) = (each["does"] for each in stacks.take(longest=10)["threads"] if each["python_name"] == "waits")
    assert "owner is not known" in does or "seems to hold (by its `with`)" in does, does


def test_a_circle_that_seems_one(tmp_path: Path) -> None:
    program = tmp_path / "circle.py"
    program.write_text(
        "import threading, time\n"
        "one, two, both = threading.Lock(), threading.Lock(), threading.Barrier(2)\n"
        "def unused():\n    one.release()\n"
        "def takes_its_own(own):\n    with own: own.acquire()\n"
        "threading.Thread(target=takes_its_own, args=[threading.Lock()], daemon=True).start()\n"
        "def takes(first, second):\n"
        "    with first:\n        both.wait()\n        with second: pass\n"
        "for locks in ((one, two), (two, one)):\n"
        "    threading.Thread(target=takes, args=locks, daemon=True).start()\n"
        "time.sleep(0.5)\nprint('ready', flush=True)\ntime.sleep(10000)\n"
    )
    with running("python3", program) as process:
        shown = command(process.pid, "--deadlock").stdout
    assert "2 threads seem to wait for each other in a circle" in shown, shown
    assert "1 thread seems to wait for itself" in shown
    assert "\na possible deadlock: 2 threads seem to wait for each other\n" in shown
    assert "\na possible deadlock: 1 thread seems to wait for itself\n" in shown
    assert "waits for a lock that it seems to hold itself (by its `with`)" in shown
