"""Programs that block after they have printed the frames of each of their threads."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager

from tests.oracle.python_stacks.interpreters import Interpreter

# The debugged program: every thread ends in block(), and the main thread prints the frames of all.
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

RUNNING = """
import threading
class K:
    def __init__(self, n):
        self.n = n
    def __lt__(self, other):
        return self.n < other.n
def gen(n):
    for i in range(n):
        yield leaf(i)
def leaf(i):
    return i + 1
def mid(n):
    t = 0
    for x in gen(n):
        t += x
    k = K(t)
    sorted([k, K(1)])
    return sum(map(lambda x: leaf(x), range(5)))
def top():
    while True:
        mid(5)
print(threading.get_ident(), flush=True)
top()
"""


class Target:
    """The blocked child, and its output."""

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
