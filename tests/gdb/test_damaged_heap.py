"""The line about a damaged heap names the array beside the header that was overwritten, and nothing that is not
proven."""

from __future__ import annotations

import pathlib
import re

import pytest

from tests.gdb import harness

HEAD = """\
import ctypes

import numpy as np
from numba import njit

release = ctypes.CFUNCTYPE(None, ctypes.c_void_p)(("free", ctypes.CDLL(None)))


@njit
def fill(a, n):
    for i in range(n):
        a[i] = 1.5


@njit
def work(n, m):
    first = np.zeros(n)
    second = np.zeros(n)
    for i in range(m):
        first[i] = 1.5
    total = second.sum() + first[0]
    second = np.zeros(1)
    return total + second[0] + first[1]


@njit
def made(n):
    return np.ones((n, 2), np.int32)


@njit
def free(address):
    release(address)


fill(np.zeros(9), 3)
fill(made(9).ravel(), 3)
"""
BESIDE = "the allocator's header after the memory of"
WRITE = "was overwritten, by a write past the end of"
ELSE = "or before the start of the memory after it"
CASES = {
    "numpy": (
        "values = np.zeros(14000)\nfill(values, 14004)\nother = [np.zeros(14000) for _ in range(99)]",
        rf"\w+\(\) has found that the heap is damaged: {BESIDE} `values` of <module>, where `values\[14001\]` would "
        rf"be, {WRITE} `values` {ELSE}; ",
    ),
    "compiled": (
        "work(400, 460)",
        rf"free\(\) has found that the heap is damaged: {BESIDE} `first` of work, where `first\[4\d\d\]` would be, "
        rf"{WRITE} `first` {ELSE}, unless that memory was freed before; ",
    ),
    "with two axes": (
        "grid = made(7000)\nfill(grid.ravel(), 14040)\nother = [np.zeros(15000) for _ in range(99)]",
        rf"\w+\(\) has found that the heap is damaged: {BESIDE} `grid` of <module> {WRITE} `grid` {ELSE}; ",
    ),
    "freed by Numba": (
        "grid = made(7000)\nfill(grid.ravel(), 14040)\ndel grid",
        r"free\(\) has found that the heap is damaged: the allocator's header after the memory that is being freed "
        rf"\(at most 56\d\d\d bytes at 0x\w+\) {WRITE} that memory {ELSE}, unless that memory was freed before; ",
    ),
    "without a variable": (
        "def run():\n    values = np.zeros(14000)\n    fill(values, 14004)\nrun()",
        r"free\(\) has found that the heap is damaged: the allocator's header after the memory that is being freed "
        rf"\(at most 112008 bytes at 0x\w+\) {WRITE} that memory {ELSE}, unless that memory was freed before; ",
    ),
}


def said(code: str, tmp_path: pathlib.Path) -> str:
    path = tmp_path / "program.py"
    path.write_text(f"{HEAD}{code}\n", encoding="utf-8")
    return harness.run(["run"], program=path, env={"JITSCOPE_LEVEL": ""}).of("run")


@pytest.mark.parametrize("case", CASES)
def test_the_array_beside_the_header_is_named(case: str, tmp_path: pathlib.Path) -> None:
    code, wanted = CASES[case]
    shown = said(code, tmp_path)
    assert re.search(f"^{wanted}`set environment NUMBA_BOUNDSCHECK 1`", shown, re.M), shown


def test_a_block_that_is_freed_twice_has_no_overwritten_header(tmp_path: pathlib.Path) -> None:
    shown = said("a, b = np.ones(12500), np.ones(12501)\nfree(a.ctypes.data)\nfree(a.ctypes.data)", tmp_path)
    assert "free() has found that the heap is damaged: an earlier write outside" in shown and BESIDE not in shown, shown
