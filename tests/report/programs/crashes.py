"""Crashes in a chosen way, at a chosen place. Usage: crashes.py KIND PLACE FOLDER; FOLDER gets the report."""

import atexit
import ctypes
import mmap
import os
import signal
import sys
import tempfile
import threading

import jitscope

C = ctypes.CDLL(None)
COMPARE = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p)


def index():
    import compiled
    import numpy as np

    compiled.store(np.zeros(10), 10**9)


def null():
    C.memset(None, 0, 8)  # here: null


def overflow():
    import compiled

    compiled.deeper(1)


def python_overflow():
    sys.setrecursionlimit(10**9)

    class Endless:
        def __repr__(self):
            return str([self])  # here: python_overflow

    repr(Endless())


def abort():
    os.abort()  # here: abort


def bad_free():
    C.free.argtypes = [ctypes.c_void_p]
    C.free(ctypes.addressof(ctypes.create_string_buffer(64)) + 8)  # here: bad_free


def double_free():
    C.malloc.restype, C.free.argtypes = ctypes.c_void_p, [ctypes.c_void_p]
    block = C.malloc(10000)
    C.free(block)
    C.free(block)  # here: double_free


def cut_file():
    with tempfile.TemporaryFile() as file:
        file.write(bytes(8192))
        file.flush()
        mapped = mmap.mmap(file.fileno(), 8192)
        file.truncate(0)
        mapped[4096]  # here: cut_file


def division():
    C.div.argtypes = [ctypes.c_int, ctypes.c_int]
    C.div(1, 0)  # here: division


def illegal():
    memory = mmap.mmap(
        -1, 4096, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS, mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC
    )
    memory.write(b"\x0f\x0b")  # ud2
    run = ctypes.CFUNCTYPE(None)(ctypes.addressof(ctypes.c_char.from_buffer(memory)))
    run()  # here: illegal


def jump():
    ctypes.CFUNCTYPE(None)(0x10)()  # here: jump


def killed():
    signal.pthread_kill(threading.get_ident(), signal.SIGSEGV)  # here: killed


def worker_overflow():
    import compiled

    compiled.overflow_in_a_worker(64)


def in_main(crash):
    crash()


def in_thread(crash):
    thread = threading.Thread(target=crash)
    thread.start()
    thread.join()


def in_callback(crash):
    """Called by qsort() of the C library."""
    values = (ctypes.c_int * 4)(4, 3, 2, 1)
    C.qsort(values, 4, 4, COMPARE(lambda one, other: crash() or 0))


def in_child(crash):
    child = os.fork()
    if child == 0:
        crash()
        os._exit(0)
    _, status = os.waitpid(child, 0)
    signal.signal(os.WTERMSIG(status), signal.SIG_DFL)
    jitscope.disable_crash_report()
    os.kill(os.getpid(), os.WTERMSIG(status))


def at_exit(crash):
    atexit.register(crash)


def in_worker(crash):
    import compiled
    import numpy as np

    compiled.in_workers(np.zeros((2, 10)), 10**9)


def main(kind, place, folder):
    jitscope.enable_crash_report(folder, html=True, seconds=60)
    globals()[place](globals()[kind])


def only(kind, way):
    """Crash in the main thread, for scripts/bench: with jitscope's report if that is the way."""
    if way == "jitscope":
        jitscope.enable_crash_report(seconds=60)
    globals()[kind]()


if __name__ == "__main__":
    main(*sys.argv[1:])
