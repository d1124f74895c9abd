"""`jitscope filt --map`: names for addresses in what other tools print."""

from __future__ import annotations

import pathlib
import subprocess

import pytest

from jitscope.profile.named_addresses import NamedAddresses
from tests.attach.named import names, running
from tests.gdb.harness import environment
from tests.interpreters import newest_python

MAP = [
    b"0 1 [names by jitscope]\n",
    b"7f53a4c1d000 40 old (a.py:1)\n",
    b"7f53a4c1d000 100 kern (a.py:7)\n",
    b"no line of a map\n",
    b"54c7a00 80 other (b.py:3)->inner (b.py:1)\r\n",
    b"7f53a4c1d080 10 newer (a.py:9)\n",
]


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("==9==    at 0x54C7A31: ???", "==9==    at 0x54C7A31: other (b.py:3)->inner (b.py:1)"),
        ("==9==    by 0x54C7A80: ???", None),
        ("==9==    by 0x54C7A31: malloc (vg.c:1)", None),
        ("#1  0x00007f53a4c1d010 in malloc ()", None),
        ("    0x7f53a4c1d0e2", "    0x7f53a4c1d0e2 <kern (a.py:7)>"),
        ("#1  0x00007f53a4c1d010 in ?? ()", "#1  0x00007f53a4c1d010 in kern (a.py:7)"),
        ("\t7f53a4c1d08f [unknown] (/tmp/perf-4.map)", "\t7f53a4c1d08f newer (a.py:9) (/tmp/perf-4.map)"),
        ("\t7f53a4c1d090 [unknown]", "\t7f53a4c1d090 kern (a.py:7)"),
        ("7f53a4c1d090 x0x54C7A31 0x54C7A31g 0x54C7A31.5", None),
        ("0x0: ???", None),
    ],
)
def test_addresses(text: str, shown: str | None) -> None:
    assert NamedAddresses(MAP).fill(text.encode()).decode() == (shown or text)


def filt(*words: object, text: str = "") -> tuple[int, str, str]:
    command = [newest_python(), "-m", "jitscope", "filt", *map(str, words)]
    done = subprocess.run(command, env=environment(), input=text, capture_output=True, text=True, timeout=60)
    return done.returncode, done.stdout, done.stderr


def test_addresses_of_a_process(tmp_path: pathlib.Path) -> None:
    place = tmp_path / "perf.map"
    with running() as target:
        assert names(target.pid, "-o", place)[0] == 0
    low, size, name = next(
        line.split(" ", 2)
        for line in place.read_text("utf-8").splitlines()
        if line.split(" ", 2)[2].startswith("scaled (")
    )
    last = int(low, 16) + int(size, 16) - 1
    assert filt("--map", place, text=f"at {last:#x}: ???\n") == (0, f"at {last:#x}: {name}\n", "")


def test_no_map(tmp_path: pathlib.Path) -> None:
    place = tmp_path / "log"
    place.write_text("at 0x54C7A31: ???\n")
    assert filt("--map", place) == (1, "", f"jitscope filt: {place}: it is no perf map\n")
    assert filt("--map", tmp_path / "none")[2] == f"jitscope filt: {tmp_path / 'none'}: No such file or directory\n"
