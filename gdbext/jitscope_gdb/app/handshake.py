"""Attaching from a GDB that the program itself has started: GDB sources this file, attaches, and reports when its
breakpoint is set.

runtime/inferior/debugger/attach.c writes JITSCOPE_HANDSHAKE; the answer is one line, A (attached) or E with the
reason."""

from __future__ import annotations

import contextlib
import os
import select
import signal
import sys
import warnings

import gdb

_HERE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.realpath(os.path.expanduser(__file__)))))


class Handshake:
    """One attempt to attach, which `answer` ends."""

    def __init__(self, words: str):
        pid, go, ack, stop, other, timeout, commands = words.split()
        self.pid = int(pid)
        self.go, self.ack = int(go), int(ack)
        self.stops = [(int(stop, 16), "jitscope.breakpoint"), (int(other, 16), "numba.gdb_breakpoint")]
        self.timeout = int(timeout) / 1000
        self.commands = commands != "0"  # whether GDB commands follow at the first stop

    def answer(self, text: str) -> None:
        try:
            os.write(self.ack, (text.replace("\n", " ") + "\n").encode())
        except OSError:
            pass  # the program no longer waits
        os.close(self.ack)

    def wait_for_go(self) -> None:
        """Wait until the program has permitted this GDB to trace it (prctl)."""
        os.read(self.go, 1)
        os.close(self.go)

    def guard(self) -> None:
        """Start a process that ends GDB if it hangs, and that gives the terminal back to the program when GDB has
        ended.

        GDB may be killed at any time, and the terminal's foreground would stay with the dead process. guard.py ensures
        that the program goes on."""
        reading, self.writing = os.pipe()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # the child of a process with threads only waits, sends a signal and exits
            child = os.fork()
        if child:
            os.close(reading)
            return
        try:
            os.close(self.writing)
            os.close(self.ack)
            for number in (signal.SIGINT, signal.SIGQUIT, signal.SIGTSTP, signal.SIGTTOU, signal.SIGHUP):
                signal.signal(number, signal.SIG_IGN)
            parent = os.getppid()
            ready, _, _ = select.select([reading], [], [], self.timeout)
            if not ready:
                os.kill(parent, signal.SIGKILL)
            finished = os.read(reading, 1)
            if finished:
                os.read(reading, 1)  # returns when GDB has ended
            _give_terminal(self.pid)
        finally:
            os._exit(0)

    def finished(self) -> None:
        os.write(self.writing, b"x")


def _give_terminal(pid: int) -> None:
    try:
        group = os.getpgid(pid)
        if os.isatty(0) and os.tcgetpgrp(0) == os.getpgrp() != group:
            os.tcsetpgrp(0, group)
    except OSError:
        pass  # the program has ended, or has another terminal


def _try(shake: Handshake) -> str | None:
    """Attach, and catch every exception, because the program waits for the answer. Return why this failed, or None."""
    sys.path.insert(0, _HERE)
    try:
        from jitscope_gdb.app import attaching

        return attaching.attach(_HERE, shake.pid, shake.stops, shake.commands)
    except Exception as error:
        return f"{type(error).__name__}: {error}"


def _detach() -> None:
    if gdb.selected_inferior().pid:
        # An attach that has failed half-way, such as by a breakpoint that cannot be inserted, has left GDB's own signal
        # for the program, which would stop it for ever.
        with contextlib.suppress(gdb.error):  # the program has been killed
            gdb.execute("handle SIGSTOP nopass", False, True)
        gdb.execute("detach", False, True)


def run(words: str) -> None:
    shake = Handshake(words)
    shake.wait_for_go()
    shake.guard()
    problem = _try(shake)
    if problem:
        _detach()
        shake.answer("E" + problem)
        gdb.execute("quit", False, True)
        return
    shake.answer("A")
    shake.finished()
    try:
        gdb.execute("continue")
    except gdb.error as error:  # the program was killed as it was resumed
        print(f"jitscope: the program cannot continue: {' '.join(str(error).split())}", file=sys.stderr)


run(os.environ.pop("JITSCOPE_HANDSHAKE"))
