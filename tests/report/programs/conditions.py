"""Crashes under a chosen condition. Usage: conditions.py CONDITION; JITSCOPE_REPORT in the environment has them
reported, but where a condition has to be there before."""

import _thread
import ctypes
import faulthandler
import os
import resource
import signal
import struct
import sys
import threading
import time

C = ctypes.CDLL(None)
RECURSE = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p)
PR_SET_DUMPABLE, PR_SET_SECCOMP, PR_SET_NO_NEW_PRIVS, PR_SET_CHILD_SUBREAPER = 4, 22, 38, 36


def crash():
    value = 17
    C.memset(None, 0, 8)
    return value


def no_files():
    resource.setrlimit(resource.RLIMIT_NOFILE, (64, 64))
    try:
        while True:
            os.dup(0)
    except OSError:
        crash()


def standard_files_closed():
    os.closerange(0, 3)
    crash()


def all_files_closed():
    os.closerange(0, 256)
    crash()


def files_of_others():
    """All files are closed, and others have their numbers: these must not be written."""
    os.closerange(3, 256)
    others = [os.open(f"other{number}", os.O_RDWR | os.O_CREAT) for number in range(20)]
    assert others
    crash()


def children_ignored():
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    crash()


def subreaper():
    C.prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    crash()


def broken_pipe():
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    read, write = os.pipe()
    os.dup2(write, 2)
    os.close(write)
    os.close(read)
    crash()


def full_pipe():
    read, write = os.pipe()
    os.dup2(write, 2)
    os.set_blocking(write, False)
    try:
        while True:
            os.write(write, bytes(4096))
    except OSError:
        os.set_blocking(write, True)
    crash()
    os.close(read)


def no_processes():
    unprivileged()
    C.prctl(PR_SET_DUMPABLE, 1, 0, 0, 0)
    resource.setrlimit(resource.RLIMIT_NPROC, (0, 0))


def unprivileged():
    os.setgroups([])
    os.setgid(65534)
    os.setuid(65534)


def not_dumpable():
    if os.geteuid() == 0:
        unprivileged()
    C.prctl(PR_SET_DUMPABLE, 0, 0, 0, 0)
    crash()


def seccomp():
    """ptrace, process_vm_readv and process_vm_writev end the process that calls them (seccomp(2))."""
    load, jump, give = 0x20, 0x15, 0x06
    code = [(load, 0, 0, 0)]
    for number in (101, 310, 311):
        code += [(jump, 0, 1, number), (give, 0, 0, 0x80000000)]
    code.append((give, 0, 0, 0x7FFF0000))
    filters = ctypes.create_string_buffer(b"".join(struct.pack("=HBBI", *each) for each in code))
    program = struct.pack("@HP", len(code), ctypes.addressof(filters))
    C.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
    assert C.prctl(PR_SET_SECCOMP, 2, ctypes.create_string_buffer(program), 0, 0) == 0
    crash()


def memory_limit():
    resource.setrlimit(resource.RLIMIT_AS, (500 << 20, 500 << 20))
    crash()


def others_that_work():
    def work():
        number = 0
        while True:
            number += 1

    for _ in range(4):
        threading.Thread(target=work, daemon=True).start()
    time.sleep(0.1)
    crash()


def another_exits():
    def leave():
        time.sleep(0.3)
        os._exit(7)

    threading.Thread(target=leave, daemon=True).start()
    crash()


def signals_blocked():
    def work():
        signal.pthread_sigmask(signal.SIG_SETMASK, signal.valid_signals())
        time.sleep(60)

    threading.Thread(target=work, daemon=True).start()
    time.sleep(0.2)
    crash()


def at_once():
    barrier = threading.Barrier(4)

    def work():
        barrier.wait()
        crash()

    for _ in range(4):
        threading.Thread(target=work, daemon=True).start()
    time.sleep(60)


def other_thread():
    _thread.start_new_thread(crash, ())
    time.sleep(60)


def handled_before():
    """A handler of the program runs after the report, and the program goes on; then it crashes."""
    crash()


def many_threads():
    threading.stack_size(1 << 16)
    for _ in range(1200):
        threading.Thread(target=time.sleep, args=(60,), daemon=True).start()
    crash()


def stopped_reader():
    """Its reader is stopped by the test."""
    crash()


def faulthandler_later():
    faulthandler.enable()
    crash()


def abort_message():
    C.free.argtypes = [ctypes.c_void_p]
    C.free(ctypes.addressof(ctypes.create_string_buffer(64)) + 8)


def fatal_error():
    ctypes.pythonapi.Py_FatalError(b"something")


def early():
    """A thread that was there before reports were enabled overflows its stack."""
    import jitscope

    ready = threading.Event()

    def recur(one, other):
        values = (ctypes.c_int * 2)(2, 1)
        C.qsort(values, 2, 4, again)
        return 0

    again = RECURSE(recur)

    def work():
        ready.wait()
        sys.setrecursionlimit(10**9)
        recur(0, 0)

    thread = threading.Thread(target=work)
    thread.start()
    if "JITSCOPE_LATER" in os.environ:
        jitscope.enable_crash_report(os.environ["JITSCOPE_LATER"])
    ready.set()
    thread.join()


def main():
    if sys.argv[1] == "handled_before":
        import jitscope

        signal.signal(signal.SIGFPE, lambda *_: None)
        if "JITSCOPE_LATER" in os.environ:
            jitscope.enable_crash_report(os.environ["JITSCOPE_LATER"])
        signal.raise_signal(signal.SIGFPE)
    globals()[sys.argv[1]]()


if __name__ == "__main__":
    main()
