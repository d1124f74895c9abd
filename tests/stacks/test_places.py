"""Processes that `jitscope stack` finds elsewhere or not at all: in another mount or pid namespace, of another user,
with files that were replaced, without Python, without a right to trace."""

from __future__ import annotations

import os
import pathlib
import shutil
import subprocess
import sys
import textwrap
from typing import Any

import pytest

from tests.stacks.taking import PROGRAMS, command, needs_library, running, state, take, until

IS_ROOT = os.geteuid() == 0
NEEDS_ROOT = pytest.mark.skipif(not IS_ROOT, reason="only root can make namespaces here")


@pytest.fixture(autouse=True)
def _library() -> None:
    needs_library()


def namespaces(*flags: str) -> tuple[str, ...]:
    """Return the command that runs one in new namespaces; skip where the kernel forbids them."""
    found = ("unshare", *flags)
    if not shutil.which("unshare") or subprocess.run([*found, "true"], capture_output=True).returncode:
        pytest.skip("namespaces cannot be made here")
    return found


def names(taken: dict[str, Any]) -> list[tuple[str, str | None, int | None]]:
    """Return name, file and line of the first thread's frames that are not native."""
    frames = taken["threads"][0]["frames"]
    return [(frame["name"], frame["file"], frame["line"]) for frame in frames if frame["kind"] != "native"]


SLEEPER = """\
import os, time
def asleep():
    print("ready", os.getpid(), flush=True)
    time.sleep(3600)
def outer():
    asleep()
outer()
"""
LIBRARY = """\
void callback(void (*function)(void)) { function(); }
void NAME(void (*function)(void)) { callback(function); __asm__ volatile(""); }
"""
CALLER = """\
import ctypes, os, sys, time
LIBRARY = ctypes.CDLL(sys.argv[1])
@ctypes.CFUNCTYPE(None)
def asleep():
    print("ready", os.getpid(), flush=True)
    time.sleep(3600)
LIBRARY[sys.argv[2]](asleep)
"""


def build(path: pathlib.Path, name: str, padding: int = 0) -> None:
    """Make a library whose function of this name calls its argument through another one."""
    source = path.with_suffix(".c")
    pads = "".join(f"int pad{i}(int x) {{ return x * {i + 3}; }}\n" for i in range(padding))
    source.write_text(pads + LIBRARY.replace("NAME", name))
    subprocess.run(["cc", "-O0", "-shared", "-fPIC", source, "-o", path], check=True)


def natives(taken: dict[str, Any]) -> list[str]:
    return [frame["name"] for frame in taken["threads"][0]["frames"] if frame["kind"] == "native"]


def test_library_that_was_replaced(tmp_path: pathlib.Path) -> None:
    """The names are those of the library that is mapped, and not of the one that has its path now."""
    library, other = tmp_path / "library.so", tmp_path / "other.so"
    build(library, "first_one")
    build(other, "another_one", padding=40)
    program = tmp_path / "caller.py"
    program.write_text(CALLER)
    with running(sys.executable, program, library, "first_one") as process:
        assert natives(take(process.pid))[-2:] == ["callback", "first_one"]
        os.replace(other, library)
        shown = natives(take(process.pid))
        assert "another_one" not in shown and not any(name.startswith("pad") for name in shown)
        library.unlink()
        assert "asleep" in [name for name, *_ in names(take(process.pid))]


@NEEDS_ROOT
def test_mount_namespace_with_other_files(tmp_path: pathlib.Path) -> None:
    """At the path of its library another one is mounted, which only the process sees."""
    inside = namespaces("--mount")
    library, other = tmp_path / "library.so", tmp_path / "other.so"
    build(library, "outside_one", padding=40)
    build(other, "inside_one")
    program = tmp_path / "caller.py"
    program.write_text(CALLER)
    script = f'mount --bind {other} {library} && exec "$@"'
    words = [*inside, "sh", "-c", script, "sh", sys.executable, str(program), str(library), "inside_one"]
    with running(*words) as process:
        assert natives(take(process.pid))[-2:] == ["callback", "inside_one"]


@NEEDS_ROOT
def test_pid_namespace(tmp_path: pathlib.Path) -> None:
    inside = namespaces("--pid", "--fork", "--kill-child")
    program = tmp_path / "sleeper.py"
    program.write_text(SLEEPER)
    with running(*inside, sys.executable, program) as process:
        children = pathlib.Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
        (pid,) = map(int, children)
        until(lambda: state(pid) == "S")
        taken = take(pid)
        assert names(taken) == [("asleep", str(program), 4), ("outer", str(program), 6), ("<module>", str(program), 7)]
        assert taken["threads"][0]["native_id"] == pid


@pytest.mark.skipif(not IS_ROOT or not shutil.which("setpriv"), reason="only root can become another user")
def test_process_of_another_user() -> None:
    with running(sys.executable, "-c", SLEEPER) as process:
        ids = ("--reuid=65534", "--regid=65534", "--clear-groups")
        nobody = ("setpriv", *ids, "--inh-caps=-all", "--bounding-set=-all")
        probe = subprocess.run([*nobody, sys.executable, "-c", "import jitscope"], capture_output=True)
        if probe.returncode:
            pytest.skip("another user cannot read the checkout")
        done = command(process.pid, before=nobody)
        assert done.returncode == 1 and not done.stdout
        assert len(done.stderr.splitlines()) == 1 and str(process.pid) in done.stderr


FORBID = """\
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>
int main(int count, char **words)
{
    struct sock_filter filter[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, FORBIDDEN, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog program = {4, filter};
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    return count < 2 || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) || execvp(words[1], words + 1);
}
"""


@pytest.mark.parametrize("forbidden", ["SYS_ptrace", "SYS_process_vm_readv"])
def test_seccomp_forbids_it(forbidden: str, tmp_path: pathlib.Path) -> None:
    """A container may forbid the tool's system calls: one line says so. Without process_vm_readv, memory is read
    otherwise, or the line says so, too."""
    (tmp_path / "forbid.c").write_text(FORBID)
    subprocess.run(["cc", f"-DFORBIDDEN={forbidden}", tmp_path / "forbid.c", "-o", tmp_path / "forbid"], check=True)
    with running(sys.executable, "-c", SLEEPER) as process:
        done = command(process.pid, before=(str(tmp_path / "forbid"),))
        if done.returncode == 0:
            assert forbidden != "SYS_ptrace" and "asleep" in done.stdout
        else:
            assert done.returncode == 1 and not done.stdout
            assert len(done.stderr.splitlines()) == 1, done.stderr
            assert "a seccomp filter refuses" in done.stderr or "cannot be read" in done.stderr


def test_process_without_python() -> None:
    process = subprocess.Popen(["sleep", "3600"])
    try:
        until(lambda: "nanosleep" in "".join(natives(take(process.pid))))
        taken = take(process.pid)
        assert taken["python"] is None and taken["python_problem"] is None
        done = command(process.pid)
        assert done.returncode == 0 and not done.stderr
        assert "1 thread, which rested" in done.stdout and "Python" not in done.stdout
    finally:
        process.kill()
        process.wait()


def test_python_by_a_wrapper(tmp_path: pathlib.Path) -> None:
    """The interpreter's file has another name, and its program is one of its arguments."""
    (tmp_path / "sleeper.py").write_text(SLEEPER)
    wrapper = tmp_path / "my-tool"
    wrapper.write_text(f'#!/bin/sh\nexec -a something {sys.executable} "$@"\n'.replace("/bin/sh", "/bin/bash"))
    wrapper.chmod(0o755)
    with running(wrapper, tmp_path / "sleeper.py") as process:
        assert [name for name, *_ in names(take(process.pid))] == ["asleep", "outer", "<module>"]


def test_executable_that_was_deleted(tmp_path: pathlib.Path) -> None:
    real = os.path.realpath(sys.executable)
    copy = tmp_path / "python3"
    shutil.copy(real, copy)
    program = tmp_path / "sleeper.py"
    program.write_text(SLEEPER)
    env = {"PYTHONHOME": sys.base_prefix, "LD_LIBRARY_PATH": f"{sys.base_prefix}/lib"}
    with running(copy, program, env=env) as process:
        copy.unlink()
        assert [name for name, *_ in names(take(process.pid))] == ["asleep", "outer", "<module>"]


def test_many_kinds_of_code(tmp_path: pathlib.Path) -> None:
    """Coroutines, generators, classes, comprehensions and code without a file have the interpreter's own names."""
    program = tmp_path / "kinds.py"
    program.write_text(textwrap.dedent(
        """\
        import asyncio, contextlib, os, sys, time
        def asleep():
            frame, own = sys._getframe(), []
            while frame:
                code = frame.f_code
                own.append([getattr(code, "co_qualname", code.co_name), code.co_filename, frame.f_lineno])
                frame = frame.f_back
            print("ready", own, flush=True)
            time.sleep(3600)
        @contextlib.contextmanager
        def managed():
            exec(compile("f = lambda: asleep()\\nf()", "<made>", "exec"), {"asleep": asleep})
            yield
        class Kind:
            with managed():
                pass
        """
    ).replace("class Kind:\n    with managed():\n        pass\n", textwrap.dedent(
        """\
        def make():
            class Kind:
                with managed():
                    pass
        async def inner():
            [make() for _ in range(1)]
        async def outer():
            await asyncio.gather(inner(), asyncio.sleep(100))
        asyncio.run(outer())
        """
    )))  # fmt: skip
    with running(sys.executable, program) as process:
        shown = names(take(process.pid))
        assert shown[0][0] == "asleep"
        assert [name for name, *_ in shown][:8] == [
            "asleep", "<lambda>", "<module>", "managed", "_GeneratorContextManager.__enter__", "make.<locals>.Kind",
            "make", *(["inner.<locals>.<listcomp>"] if sys.version_info < (3, 12) else ["inner"]),
        ]  # fmt: skip
        assert shown[1][1:] == ("<made>", 1) and shown[2][1:] == ("<made>", 2)


@pytest.mark.parametrize("depth", [3000])
def test_deep_recursion(depth: int, tmp_path: pathlib.Path) -> None:
    program = tmp_path / "deep.py"
    program.write_text(
        "import os, sys, time\n"
        f"sys.setrecursionlimit({depth + 1000})\n"
        "def deep(n):\n"
        "    if n:\n"
        "        return deep(n - 1) + 1\n"
        "    print('ready', os.getpid(), flush=True)\n"
        "    time.sleep(3600)\n"
        f"deep({depth})\n"
    )
    with running(sys.executable, program) as process:
        shown = names(take(process.pid))
        expected = [("deep", str(program), 7), *[("deep", str(program), 5)] * depth, ("<module>", str(program), 8)]
        assert shown == expected


def test_busy_program_is_where_it_says() -> None:
    """A thread of busy.py calls itself up to a given depth."""
    with running(sys.executable, PROGRAMS / "busy.py", "1", "40") as process:
        thread = take(process.pid)["threads"][1]
        called = [frame["name"] for frame in thread["frames"] if frame["name"] in ("deep", "work")]
        assert called[-1] == "work" and len(called) <= 42
