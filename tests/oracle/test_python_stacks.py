"""Python frames read from outside against what the interpreter says of itself, for every CPython at hand.

Interpreters: python3.9 … python3.14 on PATH, pyenv's, the one that runs this, and those in JITSCOPE_PYTHONS
(separated by colons). The library is JITSCOPE_INSPECT_LIBRARY.
"""

from __future__ import annotations

import ctypes
import json
import os
import random
import re
import shutil
import signal
import struct
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from typing import Any

import pytest

MINORS = range(9, 15)
OFFSETS_SOURCE = Path(__file__).parents[2] / "runtime/inspect/stacks/cpython/offsets_print.c"
ENOMEM, EFAULT, EBAD, ELIMIT, ENOTFOUND, EUNSUP, ECANCEL, EARG = range(-1, -9, -1)
READ = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_uint64, ctypes.c_void_p, ctypes.c_size_t)
POLL = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p)
ASK = "import sys; print(sys.version_info[1], sys.hexversion, sys.base_prefix, hasattr(sys, '_is_gil_enabled'))"

# The program debugged: every thread ends in block(), the main thread prints what all of them are in.
CHILD = r"""
import ctypes, functools, json, os, sys, threading

try:
    ctypes.CDLL(None).prctl(0x59616D61, ctypes.c_ulong(-1), 0, 0, 0)  # PR_SET_PTRACER, any
except OSError:
    pass
sys.setrecursionlimit(20000)
threading.stack_size(16 << 20)
pipe = os.pipe()
arrived = threading.Semaphore(0)
idents = {}


def block():
    idents[threading.current_thread().name] = threading.get_native_id(), threading.get_ident()
    arrived.release(); os.read(pipe[0], 1)


def recursion(depth=1000):
    if depth == 0:
        block()
    else:
        recursion(depth - 1)


def generators():
    def inner():
        yield 1
        block()
        yield 2

    def outer(n):
        if n:
            yield from outer(n - 1)
        else:
            yield from inner()

    return [x for x in (y + 1 for y in outer(5))]


class Key:
    def __init__(self, stop):
        self.stop = stop

    def __lt__(self, other):
        if self.stop or other.stop:
            block()
        return False

    @property
    def blocked(self):
        return block()

    def __getattr__(self, name):
        return self.blocked


def c_calls():
    def under_map(x):
        return functools.reduce(lambda a, b: under_reduce(b), [x, 1])

    def under_reduce(x):
        return sorted([Key(False), Key(True)])

    return list(map(under_map, [1, 2]))


def attributes():
    return min([3, 1], key=lambda x: Key(False).nothing)


def class_body():
    class Outer:
        class Inner:
            value = (lambda: block())()


class Base:
    def __init__(self, n):
        if n == 0:
            block()
        self.n = n


class Derived(Base):
    def __init__(self, n):
        super().__init__(n)


def init():
    for n in range(200, -1, -1):
        Derived(n)


def naïve(): πr2()
def πr2(): 中文()
def 中文(): 𐎠()
def 𐎠(): block()


def executed():
    source = "\n".join(f"x{i} = (\n    {i})" for i in range(6000))
    source += "\ny = (block\n(\n)\n)\n" + "\n".join(f"z{i} = {i}" for i in range(6000))
    # Long way back and forth in the table: a call whose arguments stand on earlier and later lines.
    far = "def far(f):\n  return [\n" + "\n" * 3000 + "  f\n" + "\n" * 3000 + "  ()]\n"
    scope = {"block": lambda: exec(compile(source, "<ex\xe9c \U0001f40d>", "exec"), {"block": block})}
    exec(compile(far, "bad\udcff.py", "exec"), scope)
    exec(compile("far(block)", "f" * 5000, "eval"), scope)


async def waited(n):
    if n:
        return await waited(n - 1)
    block()


def coroutines():
    waited(20).send(None)


class Manager:
    def __enter__(self):
        return self

    def __exit__(self, *info):
        try:
            raise KeyError(1)
        except KeyError:
            block()
        finally:
            pass


def managers():
    try:
        with Manager():
            raise ValueError(
                2)
    except ZeroDivisionError:
        pass


def traced():
    def trace(frame, event, argument):
        return trace

    sys.settrace(trace)
    plain(3)


def plain(n):
    for i in range(2):
        if i:
            plain(n - 1) if n else block()


def imported():
    import blocks_at_import


def in_destructor():
    class Dying:
        def __del__(self):
            block()

    dying = Dying()
    del dying


def hot():
    for i in range(5000):
        hot_leaf(i)


def hot_leaf(i):
    if i == 4999:
        block()


sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
functions = [recursion, generators, c_calls, attributes, class_body, init, naïve, executed, coroutines, managers,
             traced, imported, in_destructor, hot]
import __main__
__main__.block = block
for function in functions:
    threading.Thread(target=function, name=function.__name__, daemon=True).start()
for function in functions:
    arrived.acquire()


def frames(frame):
    while frame:
        code = frame.f_code
        yield [code.co_name, getattr(code, "co_qualname", None), code.co_filename, frame.f_lineno, code.co_firstlineno]
        frame = frame.f_back


def truth(own):
    import time
    time.sleep(0.2)  # the last release is a moment before the last read
    current = sys._current_frames()
    threads = {name: [*ids, list(frames(current[ids[1]]))] for name, ids in idents.items()}
    threads["main"] = [threading.get_native_id(), threading.get_ident(), list(frames(own))]
    return json.dumps(threads)


def main_waits():
    print(truth(sys._getframe()), flush=True), os.read(0, 1)


list(map(lambda x: main_waits(), [1]))
"""

BUSY = """
import os, sys, threading
threading.Thread(target=os.read, args=(0, 1), daemon=True).start()
def spin():
    print(threading.get_native_id(), threading.get_ident(), flush=True)
    while True: pass
spin()
"""


class Interpreter:
    """One CPython to look at."""

    def __init__(self, path: str, minor: int, version: int, prefix: str) -> None:
        self.path, self.minor, self.version, self.prefix = path, minor, version, prefix

    def __str__(self) -> str:
        micro = f"{self.version >> 8 & 0xFF}"
        return f"3.{self.minor}.{micro}-{'pyenv' if 'pyenv' in self.prefix else Path(self.prefix).name or 'root'}"


def _candidates() -> Iterator[str]:
    yield from filter(None, os.environ.get("JITSCOPE_PYTHONS", "").split(":"))
    for minor in MINORS:
        path = shutil.which(f"python3.{minor}")
        if path:
            yield path
    if shutil.which("pyenv"):
        versions = subprocess.run(["pyenv", "versions", "--bare"], capture_output=True, text=True).stdout.split()
        root = subprocess.run(["pyenv", "root"], capture_output=True, text=True).stdout.strip()
        yield from (f"{root}/versions/{version}/bin/python" for version in versions if "/" not in version)
    yield sys.executable


@lru_cache
def interpreters() -> tuple[Interpreter, ...]:
    """Every one once, by version and prefix."""
    found: dict[tuple[str, str], Interpreter] = {}
    for path in _candidates():
        asked = subprocess.run([path, "-c", ASK], capture_output=True, text=True) if os.access(path, os.X_OK) else None
        if asked and asked.returncode == 0:
            minor, version, prefix, _ = asked.stdout.split()
            if int(minor) in MINORS:
                found.setdefault((version, prefix), Interpreter(path, int(minor), int(version), prefix))
    return tuple(found.values())


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "interpreter" in metafunc.fixturenames:
        metafunc.parametrize("interpreter", all_or_skips(), scope="module")


def all_or_skips() -> list[Any]:
    """The interpreters, and a skip for every version of which there is none."""
    have = {interpreter.minor for interpreter in interpreters()}
    missing = [
        pytest.param(None, id=f"3.{minor}", marks=pytest.mark.skip(f"no python3.{minor} on PATH or in pyenv"))
        for minor in MINORS
        if minor not in have
    ]
    return [pytest.param(interpreter, id=str(interpreter)) for interpreter in interpreters()] + missing


@lru_cache
def library() -> ctypes.CDLL:
    """The C library."""
    lib = ctypes.CDLL(os.environ["JITSCOPE_INSPECT_LIBRARY"])
    address, out = ctypes.c_uint64, ctypes.c_void_p
    lib.js_bytes_create_process.argtypes = [ctypes.c_int, out]
    lib.js_bytes_create_callback.argtypes = [READ, ctypes.c_void_p, out]
    lib.js_bytes_destroy.argtypes = [ctypes.c_void_p]
    lib.js_free.argtypes = [ctypes.c_void_p]
    lib.js_python_create.argtypes = [ctypes.c_void_p, address, ctypes.c_uint32, out]
    lib.js_python_destroy.argtypes = lib.js_python_forget.argtypes = [ctypes.c_void_p]
    lib.js_python_threads_json.argtypes = lib.js_python_offsets_json.argtypes = [ctypes.c_void_p, out]
    lib.js_python_frames_json.argtypes = [ctypes.c_void_p, address, address, ctypes.c_uint, POLL, ctypes.c_void_p, out]
    lib.js_python_find_runtime.argtypes = [ctypes.c_int, out, out]
    return lib


class Failed(Exception):
    """A negative js_status."""

    def __init__(self, status: int) -> None:
        super().__init__(status)
        self.status = status


def check(status: int) -> None:
    if status < 0:
        raise Failed(status)


def find_runtime(pid: int) -> tuple[int, int]:
    runtime, version = ctypes.c_uint64(), ctypes.c_uint32()
    check(library().js_python_find_runtime(pid, ctypes.byref(runtime), ctypes.byref(version)))
    return runtime.value, version.value


class Reader:
    """A js_python over a live process, or over `read` in its place."""

    def __init__(self, pid: int, version: int | None = None, read: Any = None) -> None:
        lib, self.bytes, self.python = library(), ctypes.c_void_p(), ctypes.c_void_p()
        self.runtime, found = find_runtime(pid)
        if read is None:
            check(lib.js_bytes_create_process(pid, ctypes.byref(self.bytes)))
        else:
            self.read = READ(read)
            check(lib.js_bytes_create_callback(self.read, None, ctypes.byref(self.bytes)))
        wanted = found if version is None else version
        status = lib.js_python_create(self.bytes, self.runtime, wanted, ctypes.byref(self.python))
        if status < 0:
            self.close()
            raise Failed(status)

    def close(self) -> None:
        library().js_python_destroy(self.python)
        library().js_bytes_destroy(self.bytes)

    def __enter__(self) -> Reader:
        return self

    def __exit__(self, *info: object) -> None:
        self.close()

    def _text(self, function: Any, *arguments: Any) -> Any:
        out = ctypes.c_void_p()
        check(function(self.python, *arguments, ctypes.byref(out)))
        text = ctypes.string_at(out.value or 0)
        library().js_free(out)
        return json.loads(text.decode("utf-8", "strict"))

    def forget(self) -> None:
        library().js_python_forget(self.python)

    def threads(self) -> Any:
        return self._text(library().js_python_threads_json)

    def offsets(self) -> Any:
        return self._text(library().js_python_offsets_json)

    def frames(self, native: int, pthread: int, limit: int = 0, poll: Any = None) -> Any:
        return self._text(library().js_python_frames_json, native, pthread, limit, POLL(poll or 0), None)


class Target:
    """The child, blocked, and what it said."""

    def __init__(self, interpreter: Interpreter, process: subprocess.Popen[bytes], said: str) -> None:
        self.interpreter, self.process, self.pid = interpreter, process, process.pid
        self.truth = {name: value for name, value in json.loads(said).items()}

    def ids(self, thread: str) -> tuple[int, int]:
        return self.truth[thread][0], self.truth[thread][1]


@contextmanager
def running(interpreter: Interpreter, *arguments: str) -> Iterator[tuple[subprocess.Popen[bytes], str]]:
    process = subprocess.Popen(
        [interpreter.path, "-X", "utf8", *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env={name: value for name, value in os.environ.items() if name not in ("LD_PRELOAD", "PYTHONPATH")},
    )
    assert process.stdout
    try:
        yield process, process.stdout.readline().decode()
    finally:
        process.kill()
        process.communicate()


@pytest.fixture(scope="module", autouse=True)
def needs_library() -> None:
    if "JITSCOPE_INSPECT_LIBRARY" not in os.environ:
        pytest.skip("JITSCOPE_INSPECT_LIBRARY is not set")


@pytest.fixture(scope="module")
def target(interpreter: Interpreter, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Target]:
    folder = tmp_path_factory.mktemp("déjà")
    (folder / "blocks_at_import.py").write_text("import __main__\n\n__main__.block()\n")
    program = folder / "π_🐍.py"
    program.write_text(CHILD, encoding="utf-8")
    with running(interpreter, str(program)) as (process, said):
        yield Target(interpreter, process, said)


def as_read(name: str | None) -> str | None:
    """What must be shown of a name: at most 4 KiB, no lone surrogates."""
    if name is None:
        return None
    name = re.sub("[\ud800-\udfff]", "\ufffd", name)
    return name[:4096] + "…" if len(name) > 4096 else name


def expected(truth: Any) -> list[list[Any]]:
    return [[as_read(frame[0]), as_read(frame[1]), as_read(frame[2]), *frame[3:]] for frame in truth[2]]


def shown(frames: Any) -> list[list[Any]]:
    return [[frame[key] for key in ("function", "qualname", "file", "line", "first_line")] for frame in frames]


@pytest.mark.parametrize("how", ["version", "no version", "pthread"])
def test_frames_are_those_of_the_interpreter(target: Target, how: str) -> None:
    with Reader(target.pid, 0 if how == "no version" else target.interpreter.version) as reader:
        for name, truth in target.truth.items():
            native = 0 if how == "pthread" or target.interpreter.minor <= 10 else truth[0]
            answer = reader.frames(native, truth[1])
            assert shown(answer["frames"]) == expected(truth), name
            assert answer["truncated"] is False and "why" not in answer
            assert len(answer["frames"]) > 1000 or name != "recursion"


def test_threads_are_those_of_the_interpreter(target: Target) -> None:
    with Reader(target.pid) as reader:
        answer = reader.threads()
    known = target.interpreter.minor > 10
    assert sorted(map(str, ([t["native_id"], t["pthread"]] for t in answer["threads"]))) == sorted(
        str([truth[0] if known else None, truth[1]]) for truth in target.truth.values()
    )
    assert len({thread["id"] for thread in answer["threads"]}) == len(target.truth)
    assert {thread["holds_gil"] for thread in answer["threads"]} == {False}
    version = target.interpreter.version
    exact = f"3.{target.interpreter.minor}.{version >> 8 & 255}" if known else f"3.{target.interpreter.minor}"
    assert answer["version"] == exact


def test_gil_holder_is_the_running_thread(interpreter: Interpreter) -> None:
    with running(interpreter, "-c", BUSY) as (process, said):
        time.sleep(0.05)
        process.send_signal(signal.SIGSTOP)
        with Reader(process.pid) as reader:
            holders = {thread["pthread"]: thread["holds_gil"] for thread in reader.threads()["threads"]}
        assert holders.pop(int(said.split()[1])) is True
        assert list(holders.values()) == [False]


def test_offsets_are_those_of_the_headers(target: Target, tmp_path: Path) -> None:
    ask = "import sysconfig; print(sysconfig.get_path('include')); print(sysconfig.get_path('platinclude'))"
    paths = subprocess.run([target.interpreter.path, "-c", ask], capture_output=True, text=True).stdout.split()
    if not (Path(paths[0]) / "internal/pycore_interp.h").exists():
        pytest.skip(f"no headers of {target.interpreter}")
    flags = [f"-I{path}" for path in [*paths, Path(paths[0]).parent]]
    program = tmp_path / "offsets_print"
    subprocess.run(["cc", "-w", *flags, str(OFFSETS_SOURCE), "-o", str(program)], check=True)
    with Reader(target.pid) as reader:
        assert reader.offsets() == json.loads(subprocess.run([program], capture_output=True, text=True).stdout)


def native_evaluations(pid: int) -> dict[int, int]:
    """Frames of _PyEval_EvalFrameDefault by LWP, unwound by GDB."""
    script = "\n".join(
        [
            "import gdb",
            "for t in gdb.selected_inferior().threads():",
            "    t.switch()",
            "    f, n = gdb.newest_frame(), 0",
            "    while f:",
            "        n += (f.name() or '') == '_PyEval_EvalFrameDefault'",
            "        f = f.older()",
            "    print('evaluations', t.ptid[1], n)",
        ]
    )
    command = ["gdb", "-nx", "-batch", "-iex", "set debuginfod enabled off", "-p", str(pid), "-ex", f"python {script}"]
    command[-1] = "python exec(" + repr(script) + ")"
    env = {name: value for name, value in os.environ.items() if name != "LD_PRELOAD"}
    out = subprocess.run(command, capture_output=True, text=True, env=env, timeout=120).stdout
    return {int(lwp): int(n) for lwp, n in re.findall(r"^evaluations (\d+) (\d+)$", out, re.MULTILINE)}


def test_entries_are_the_evaluations_of_the_native_stack(target: Target) -> None:
    if not shutil.which("gdb"):
        pytest.skip("no gdb")
    native = native_evaluations(target.pid)
    assert native, "GDB could not attach"
    if not any(native.values()):
        pytest.skip(f"{target.interpreter} names no _PyEval_EvalFrameDefault")
    with Reader(target.pid) as reader:
        for name, truth in target.truth.items():
            frames = reader.frames(truth[0] if target.interpreter.minor > 10 else 0, truth[1])["frames"]
            assert sum(frame["entry"] for frame in frames) == native[truth[0]], name


def test_entries_stand_where_c_calls_python(target: Target) -> None:
    with Reader(target.pid) as reader:
        frames = reader.frames(0, target.ids("c_calls")[1])["frames"]
        entries = {frame["function"]: frame["entry"] for frame in frames}
        assert all(entries[name] for name in ("__lt__", "<lambda>", "under_map"))
        old = target.interpreter.minor <= 10
        assert entries["block"] is old and entries["under_reduce"] is old
        assert frames[-1]["entry"] is True
        deep = [frame["entry"] for frame in reader.frames(0, target.ids("recursion")[1])["frames"][1:1000]]
        assert set(deep) == {old}


def test_limit_and_poll(target: Target) -> None:
    native, pthread = 0, target.ids("recursion")[1]
    with Reader(target.pid) as reader:
        whole = reader.frames(native, pthread)
        some = reader.frames(native, pthread, limit=10)
        assert some["frames"] == whole["frames"][:10]
        assert some["truncated"] is True and some["why"] == "limit"
        assert reader.frames(native, pthread, limit=len(whole["frames"])) == whole
        answers = [0, 0, 0]
        assert reader.frames(native, pthread, poll=lambda context: answers.pop()) == whole
        assert not answers  # asked every 256 frames of 1004
        with pytest.raises(Failed) as failed:
            reader.frames(native, pthread, poll=lambda context: 1)
        assert failed.value.status == ECANCEL
        with pytest.raises(Failed) as failed:
            reader.frames(1, 1)
        assert failed.value.status == ENOTFOUND


def test_a_thousand_frames_take_ten_milliseconds(target: Target) -> None:
    spent = []
    with Reader(target.pid) as reader:
        for _ in range(5):
            reader.forget()
            out = ctypes.c_void_p()
            start = time.perf_counter()
            pthread = target.ids("recursion")[1]
            status = library().js_python_frames_json(reader.python, 0, pthread, 0, POLL(0), None, ctypes.byref(out))
            spent.append(time.perf_counter() - start)
            assert status == 0
            library().js_free(out)
    assert min(spent) <= 0.01


def test_wrong_version_shows_nothing(target: Target) -> None:
    if target.interpreter.minor >= 13:
        with Reader(target.pid, 0x030B07F0) as reader:  # what the process declares wins
            assert reader.threads()["version"].startswith(f"3.{target.interpreter.minor}.")
        return
    for minor in {*MINORS} - {target.interpreter.minor}:
        with pytest.raises(Failed) as failed:
            Reader(target.pid, 3 << 24 | minor << 16 | 0xF0)
        assert failed.value.status == EUNSUP


def test_child_of_fork_is_found_by_pthread(interpreter: Interpreter) -> None:
    source = (
        "import os, threading\n"
        "def child():\n"
        "    print(os.getpid(), threading.get_ident(), flush=True), os.read(0, 1)\n"
        "if os.fork() == 0: child()\n"
        "else: os.wait()"
    )
    with running(interpreter, "-c", source) as (process, said):
        pid, pthread = map(int, said.split())
        try:
            with Reader(pid) as reader:
                frames = reader.frames(pid if interpreter.minor > 10 else 0, pthread)["frames"]
            assert [frame["function"] for frame in frames] == ["child", "<module>"]
        finally:
            os.kill(pid, signal.SIGKILL)


GDB_SCRIPT = """
import ctypes, gdb, json
lib = ctypes.CDLL({library!r})
READ = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_uint64, ctypes.c_void_p, ctypes.c_size_t)
@READ
def read(context, address, buffer, size):
    try:
        ctypes.memmove(buffer, bytes(gdb.selected_inferior().read_memory(address, size)), size)
        return 0
    except Exception:
        return -2
data, python, out = ctypes.c_void_p(), ctypes.c_void_p(), ctypes.c_void_p()
assert lib.js_bytes_create_callback(read, None, ctypes.byref(data)) == 0
runtime = int(gdb.parse_and_eval("(long)&_PyRuntime"))
assert lib.js_python_create(data, ctypes.c_uint64(runtime), {version}, ctypes.byref(python)) == 0
for pthread in {pthreads}:
    status = lib.js_python_frames_json(python, ctypes.c_uint64(0), ctypes.c_uint64(pthread), 0, None, None,
                                       ctypes.byref(out))
    print("frames", status, ctypes.string_at(out.value).decode())
"""


def test_core_opened_in_gdb(target: Target, tmp_path: Path) -> None:
    if not shutil.which("gdb"):
        pytest.skip("no gdb")
    env = {name: value for name, value in os.environ.items() if name != "LD_PRELOAD"}
    gdb = ["gdb", "-nx", "-batch", "-iex", "set debuginfod enabled off"]
    core = tmp_path / "core"
    dump = [*gdb, "-p", str(target.pid), "-ex", f"generate-core-file {core}"]
    dumped = subprocess.run(dump, capture_output=True, env=env, timeout=120)
    assert core.exists()
    # GDB 13 leaves a stack out of the core where glibc >= 2.42 guards it by madvise: the walk must say so.
    holes = b"Memory read failed" in dumped.stderr
    executable = os.path.realpath(f"/proc/{target.pid}/exe")
    script = tmp_path / "script.py"
    pthreads = [truth[1] for truth in target.truth.values()]
    version = target.interpreter.version if target.interpreter.minor > 10 else 0
    text = GDB_SCRIPT.format(library=os.environ["JITSCOPE_INSPECT_LIBRARY"], version=version, pthreads=pthreads)
    script.write_text(text)
    opened = [*gdb, executable, "-c", str(core), "-ex", f"source {script}"]
    done = subprocess.run(opened, capture_output=True, env=env, timeout=120)
    answers = re.findall(r"^frames 0 (.*)$", done.stdout.decode(), re.MULTILINE)
    assert len(answers) == len(pthreads), done.stderr.decode()[-2000:]
    for answer, (name, truth) in zip(answers, target.truth.items()):
        frames, why = shown(json.loads(answer)["frames"]), json.loads(answer).get("why")
        whole = expected(truth)
        if holes and why and name != "main":
            assert frames == whole[: len(frames)] and frames, name
        else:
            assert (why, frames) == (None, whole), name


class Memory:
    """The target's memory as a callback, with changes laid over it."""

    def __init__(self, pid: int) -> None:
        self.file = os.open(f"/proc/{pid}/mem", os.O_RDONLY)
        self.pages: dict[int, bytes | None] = {}
        self.words: dict[int, int] = {}
        self.random: random.Random | None = None
        self.rate = 0.0

    def page(self, page: int) -> bytes | None:
        if page not in self.pages:
            try:
                self.pages[page] = os.pread(self.file, 4096, page * 4096)
            except (OSError, OverflowError):
                self.pages[page] = None
        return self.pages[page]

    def get(self, address: int, size: int) -> bytes | None:
        parts = [self.page(page) for page in range(address >> 12, (address + size - 1 >> 12) + 1)]
        if None in parts:
            return None
        return b"".join(part for part in parts if part is not None)[address & 4095 :][:size]

    def word(self, address: int) -> int:
        data = self.get(address, 8)
        assert data is not None
        return int.from_bytes(data, "little")

    def spoil(self, data: bytearray, rand: random.Random) -> None:
        for _ in range(rand.randrange(1, 4)):
            at = rand.randrange(len(data))
            how = rand.randrange(4)
            if how == 0 or len(data) < 16:
                data[at] ^= 1 << rand.randrange(8)
            elif how == 1:
                data[at] = rand.randrange(256)
            else:  # a pointer elsewhere into the same data, or an extreme
                at = at & ~7 if at & ~7 <= len(data) - 8 else 0
                other = rand.randrange(0, len(data) - 7) & ~7
                extremes = [bytes(8), b"\xff" * 8, struct.pack("<q", 2**63 - 1), bytes(data[other : other + 8])]
                data[at : at + 8] = rand.choice(extremes)

    def read(self, context: int | None, address: int, buffer: int, size: int) -> int:
        if size > 64 << 20:
            return EFAULT
        found = self.get(address, size)
        if found is None:
            return EFAULT
        data = bytearray(found)
        for at, word in self.words.items():
            if address <= at and at + 8 <= address + size:
                data[at - address : at - address + 8] = struct.pack("<Q", word)
        if self.random and self.random.random() < self.rate:
            if self.random.random() < 0.1:
                return EFAULT
            self.spoil(data, self.random)
        ctypes.memmove(buffer, bytes(data), size)
        return 0

    def close(self) -> None:
        os.close(self.file)


@pytest.fixture
def memory(target: Target) -> Iterator[Memory]:
    memory = Memory(target.pid)
    yield memory
    memory.close()


def frame_addresses(target: Target, memory: Memory, o: dict[str, int], runtime: int, thread: str) -> list[int]:
    """Addresses of the frames of a thread, by the offsets in use."""
    state = memory.word(memory.word(runtime + o["interpreters_head"]) + o["interp_threads"])
    while memory.word(state + o["thread_pthread"]) != target.ids(thread)[1]:
        state = memory.word(state + o["thread_next"])
    frame = memory.word(state + o["thread_frame"])
    if target.interpreter.minor in (11, 12):
        frame = memory.word(frame + o["cframe_current"])
    addresses = []
    while frame:
        addresses.append(frame)
        frame = memory.word(frame + o["frame_previous"])
    return addresses


def test_spoilt_links_end_the_walk(target: Target, memory: Memory) -> None:
    with Reader(target.pid, read=memory.read) as reader:
        pthread = target.ids("recursion")[1]
        whole = reader.frames(0, pthread)
        o = reader.offsets()
        addresses = frame_addresses(target, memory, o, reader.runtime, "recursion")
        fifth = addresses[5]
        code = memory.word(fifth + o["frame_code"])
        cases = [
            (fifth + o["frame_previous"], addresses[0], "the frames form a cycle"),
            (fifth + o["frame_previous"], fifth, "the frames form a cycle"),
            (fifth + o["frame_previous"], 0x10, "a frame cannot be read"),
            (fifth + o["frame_previous"], fifth + 4, "a frame cannot be read"),
            (fifth + o["frame_code"], 0, "a frame without a code object"),
            (fifth + o["frame_code"], memory.word(code + o["object_type"]), "a frame without a code object"),
        ]
        for at, word, why in cases:
            reader.forget()
            memory.words = {at: word}
            answer = reader.frames(0, pthread)
            assert (answer["truncated"], answer["why"]) == (True, why)
            known = 5 if at == fifth + o["frame_code"] else 6
            assert shown(answer["frames"]) == shown(whole["frames"][:known])
            assert answer["frames"][:-1] == whole["frames"][: known - 1]
        reader.forget()
        memory.words = {code + o["code_name"]: 0x18, code + o["code_linetable"]: memory.word(code + o["code_name"])}
        frame = reader.frames(0, pthread)["frames"][5]
        assert frame["function"] is None and frame["first_line"] == whole["frames"][5]["first_line"]
        memory.words = {}
        reader.forget()
        assert reader.frames(0, pthread) == whole


def test_free_threaded_build_is_refused(target: Target, memory: Memory) -> None:
    if target.interpreter.minor < 13:
        pytest.skip("free-threaded builds begin with 3.13")
    runtime, _ = find_runtime(target.pid)
    memory.words = {runtime + 16: 1}  # _Py_DebugOffsets.free_threaded
    with pytest.raises(Failed) as failed:
        Reader(target.pid, read=memory.read)
    assert failed.value.status == EUNSUP


def test_spoilt_memory_never_hurts(target: Target, memory: Memory) -> None:
    """Every read may be spoilt: a status, or JSON that says where it ends; never a crash, never long."""
    threads = list(target.truth)
    outcomes = {"whole": 0, "truncated": 0, "refused": 0}
    slowest = 0.0
    rounds = int(os.environ.get("JITSCOPE_SPOIL_ROUNDS", "500"))
    for seed in range(rounds):
        rand = random.Random(seed)
        memory.random, memory.rate = None, rand.choice([0.02, 0.1, 0.5])
        hostile_from_start = rand.random() < 0.3
        memory.random = rand if hostile_from_start else None
        start = time.perf_counter()
        try:
            with Reader(target.pid, rand.choice([0, target.interpreter.version]), memory.read) as reader:
                memory.random = rand
                reader.threads()
                answer = reader.frames(0, target.ids(rand.choice(threads))[1])
                assert answer["truncated"] is ("why" in answer)
                outcomes["truncated" if answer["truncated"] else "whole"] += 1
        except Failed as failed:
            assert EARG < failed.status < 0
            outcomes["refused"] += 1
        slowest = max(slowest, time.perf_counter() - start)
    assert slowest < 5
    assert all(outcomes.values()), outcomes
