"""A crash in code that a line has called, because an object of the line was freed: its variable is named, and no other
is."""

from __future__ import annotations

import pathlib
import re

from tests.gdb import harness

HEAD = """\
import ctypes

import numpy as np
from numba import njit, types
from numba.extending import intrinsic

length = ctypes.CFUNCTYPE(ctypes.c_long, ctypes.c_void_p)(("strlen", ctypes.CDLL(None)))


@intrinsic
def release(typingctx, value):
    def make(context, builder, signature, args):
        context.nrt.decref(builder, signature.args[0], args[0])
        return context.get_dummy_value()

    return types.none(value), make


@njit
def join(n):
    s = "x" * n
    release(s)
    t = "y" * n
    release(t)
    return s + t  # at: join


@njit
def total(a):
    return a.sum()


@njit
def right(n, where):
    a = np.ones(n)
    b = np.ones(n)
    return total(a) + length(where) + b[0]


"""
ADVICE = "`set environment JITSCOPE_GUARD 1` and `run` (or `jitscope run --guard`) show where"


def said(code: str, tmp_path: pathlib.Path) -> str:
    path = tmp_path / "program.py"
    path.write_text(HEAD + code, encoding="utf-8")
    return harness.run(["run"], program=path, env={"JITSCOPE_LEVEL": ""}).of("run")


def test_the_variable_is_named(tmp_path: pathlib.Path) -> None:
    line = next(n for n, text in enumerate(HEAD.splitlines(), 1) if text.endswith("# at: join"))
    shown = said("for _ in range(50):\n    join(2000)\n", tmp_path)
    what = f"the memory of `s`, which program.py:{line} uses, was freed or overwritten: its reference count is "
    assert re.search(rf"{re.escape(what)}0x\w+; {re.escape(ADVICE)}$", shown, re.M), shown


def test_a_crash_with_another_cause_blames_no_object(tmp_path: pathlib.Path) -> None:
    shown = said("right(5000, 7)", tmp_path)
    assert "SIGSEGV" in shown and "freed" not in shown, shown
