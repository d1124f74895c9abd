"""The expressions that a line subscripts, as the explanation of a fault gets them."""

from __future__ import annotations

import json
import pathlib

import jsonschema
import pytest
from jitscope_source import subscripts

from tests.interpreters import ROOT

# The name of each array, and its indices: each begins with the first letter of its kind.
LINES = {
    "x = a[i]": [("a", "n:i")],
    "a[-1] += b[i, j + 1]": [("a", "c:-1"), ("b", "n:i", "e:j + 1")],
    "x = a[i][j]": [("a", "n:i", "n:j")],
    "x = a[1:][i]": [(None, "s:1:", "n:i")],
    "x = a[index[i]]": [("a", "e:index[i]"), ("index", "n:i")],
    "x = self.data[i]": [("self.data", "n:i")],
    "x = f(a).data[i]": [(None, "n:i")],
    "x = a[1:2, None, ..., True]": [("a", "s:1:2", "o:None", "o:...", "o:True")],
    "x = table['key']": [("table", "o:'key'")],
    "x = f(i)": [],
    "x = a[" + "i + " * 20 + "1]": [("a", "e:" + ("i + " * 20)[:59] + "…")],
}
SCHEMA = json.loads((ROOT / "docs/schema/subscripts.json").read_text())


@pytest.mark.parametrize("line", LINES)
def test_each_index_is_told(line: str, tmp_path: pathlib.Path) -> None:
    path = tmp_path / "m.py"
    path.write_text(f"def f(a, i):\n    {line}\n    y = other[9]\n", encoding="utf-8")
    found = subscripts.subscripts_for_file(str(path), 2)
    assert found is not None
    jsonschema.validate(found, SCHEMA)
    listed = [(each["array"], *(f"{i['kind'][0]}:{i['text']}" for i in each["indices"])) for each in found]
    assert sorted(listed, key=str) == LINES[line]


# What the line uses without a subscript: functions that are called and what is assigned are none of it.
WHOLE = {
    "for x in values: total += weights[x]": ["values", "total", "x"],
    "x = a[i] + b": ["b", "i"],
    "b += a[i]": ["b", "i"],
    "x = [a[k] for k in self.data]": ["k", "self.data"],
    "x = values.T + f(a.size, self.a.shape[0])": ["values.T"],
    "x = values.sum() + (values * a[0])[1]": ["values", "values.sum"],
    "x = a[i].field + f(b)[0]": ["b", "i"],
}


@pytest.mark.parametrize("line", WHOLE)
def test_what_is_used_without_an_index(line: str, tmp_path: pathlib.Path) -> None:
    path = tmp_path / "m.py"
    path.write_text(f"def f(a, i):\n    {line}\n    y = other\n", encoding="utf-8")
    found = subscripts.whole_for_file(str(path), 2)
    jsonschema.validate(found, SCHEMA)
    assert all(each["indices"] == [] for each in found)
    assert {each["array"] for each in found} - {"x"} == set(WHOLE[line]) - {"x"}
    assert subscripts.whole_for_file(str(tmp_path / "other.py"), 2) == []


def test_a_file_that_says_nothing(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "m.py"
    assert subscripts.subscripts_for_file(str(path), 1) is None
    path.write_text("a[", encoding="utf-8")
    assert subscripts.subscripts_for_file(str(path), 1) is None
    path.write_text("x = a[i]\n", encoding="utf-8")
    assert subscripts.subscripts_for_file(str(path), 1, path.stat().st_mtime - 1) is None
