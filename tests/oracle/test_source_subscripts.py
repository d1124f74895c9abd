"""What a line subscripts, as the explanation of a fault is told it."""

from __future__ import annotations

import pathlib

import pytest
from jitscope_source import subscripts

LINES = {
    "x = a[i]": "a\tni",
    "a[-1] += b[i, j + 1]": "a\tc-1|b\tni\tej + 1",
    "x = a[i][j]": "a\tni\tnj",
    "x = a[index[i]]": "a\teindex[i]|index\tni",
    "x = self.data[i]": "\tni",
    "x = a[1:2, None, ..., True]": "a\ts\ts\ts\ts",
    "x = table['key']": "table\ts",
    "x = f(i)": "",
    "x = a[" + "i + " * 20 + "1]": "a\te" + ("i + " * 20)[:59] + "…",
}


@pytest.mark.parametrize("line", LINES)
def test_each_index_is_told(line: str, tmp_path: pathlib.Path) -> None:
    path = tmp_path / "m.py"
    path.write_text(f"def f(a, i):\n    {line}\n    y = other[9]\n", encoding="utf-8")
    text = subscripts.subscripts_for_file(str(path), 2)
    assert text is not None and sorted(text.splitlines()) == sorted(LINES[line].split("|") if LINES[line] else [])


def test_a_file_that_says_nothing(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "m.py"
    assert subscripts.subscripts_for_file(str(path), 1) is None
    path.write_text("a[", encoding="utf-8")
    assert subscripts.subscripts_for_file(str(path), 1) is None
    path.write_text("x = a[i]\n", encoding="utf-8")
    assert subscripts.subscripts_for_file(str(path), 1, path.stat().st_mtime - 1) is None
