"""The facts of `jit array` about an array's elements, against NumPy on the same memory."""

from __future__ import annotations

import math
import pathlib
import struct
from typing import Any

import numba
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.oracle.inspect_expressions import Cancelled, Expressions


@pytest.fixture(scope="module")
def library() -> Any:
    lib = Expressions()
    yield lib
    lib.close()


def held(**variables: Any) -> dict[str, tuple[str, bytes]]:
    found = {}
    for name, array in variables.items():
        head = struct.pack("<QQqqQ", 0, 0, array.size, array.itemsize, array.ctypes.data)
        kind = str(array.dtype) if array.dtype.names is None else "Record(x[type=int32;offset=0];4;False)"
        kind = kind if kind != "timedelta64" else "timedelta64[]"
        found[name] = (
            f"array({kind}, {array.ndim}d, A)",
            head + struct.pack(f"<{2 * array.ndim}q", *array.shape, *array.strides),
        )
    return found


DTYPES = ["?", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f2", "f4", "f8", "c8", "c16", "M8[D]", "m8[s]"]


@st.composite
def arrays(draw: Any) -> np.ndarray[Any, Any]:
    dtype = np.dtype(draw(st.sampled_from(DTYPES)))
    shape = tuple(draw(st.lists(st.integers(0, 5), max_size=3)))
    if draw(st.integers(0, 3)) == 0:
        shape = (draw(st.integers(2000, 9000)),)
    steps = [draw(st.sampled_from([1, 1, 2, -1, -2])) for _ in shape]
    whole = tuple(length * abs(step) for length, step in zip(shape, steps))
    if dtype.kind in "fc":
        part = np.dtype("f8")
        tiny = {2: 6e-8, 4: 1e-42, 8: 5e-324}[dtype.itemsize // (2 if dtype.kind == "c" else 1)]
        numbers = st.sampled_from([0.0, -0.0, 1.0, -2.5, tiny, -tiny, math.inf, -math.inf, math.nan, 0.1])
        pool = np.array(draw(st.lists(numbers | st.floats(-100, 100), min_size=2, max_size=30)), part)
        pool = (pool + 1j * pool[::-1] if dtype.kind == "c" else pool).astype(dtype)
    elif dtype.kind in "mM":
        words = st.sampled_from([-(2**63), 0, 1, -5, 10**6])
        pool = np.array(draw(st.lists(words, min_size=1, max_size=10)), "i8").view(dtype)
    else:
        info = np.iinfo(dtype) if dtype.kind in "iu" else None
        low, high = (int(info.min), int(info.max)) if info else (0, 1)
        whole_numbers = st.sampled_from([low, high, 0, 1]) | st.integers(low, high)
        pool = np.array(draw(st.lists(whole_numbers, min_size=1, max_size=30))).astype(dtype)
    array = np.resize(pool, whole) if whole else pool[:1].reshape(())
    array = np.asarray(array, order=draw(st.sampled_from("CF")))
    array = array[tuple(slice(None, None, step) for step in steps)] if shape else array
    return array.T if draw(st.booleans()) else array


def plain(value: Any) -> Any:
    if isinstance(value, dict) and "re" in value:
        return complex(plain(value["re"]), plain(value["im"]))
    return float(value) if isinstance(value, str) and value in ("nan", "inf", "-inf") else value


def close(mine: Any, expected: Any, scale: float) -> bool:
    mine, expected = plain(mine), expected.item() if isinstance(expected, np.generic) else expected
    if isinstance(expected, complex):
        return close(mine.real, expected.real, scale) and close(mine.imag, expected.imag, scale)
    if math.isnan(expected) or math.isinf(expected):
        return repr(float(mine)) == repr(float(expected))
    return abs(mine - expected) <= max(1e-12 * max(abs(expected), scale), 5e-324)  # the last digit of a subnormal


@given(arrays())
@settings(max_examples=1500, deadline=None)
def test_statistics(library: Expressions, a: np.ndarray[Any, Any]) -> None:
    found = library.array("a", held(a=a))
    assert found["error"] is None
    assert (found["shape"], found["strides"], found["nbytes"]) == (list(a.shape), list(a.strides), a.nbytes)
    assert found["data"] == a.ctypes.data or not a.size
    if a.size:
        order = ("C" if a.flags.c_contiguous else "") + ("F" if a.flags.f_contiguous else "")
        assert found["order"] == order
        assert found["aligned"] == a.flags.aligned
    s = found["statistics"]
    odd = np.isnat(a) if a.dtype.kind in "mM" else np.isnan(a) if a.dtype.kind in "fc" else np.zeros(a.shape, bool)
    valid = a[~odd]
    assert (s["count"], s["nan"]) == (a.size, int(odd.sum()))
    where = np.argwhere(odd)
    assert s["first_nan"] == (where[0].tolist() if len(where) else None)
    assert s["zero"] == int((valid == np.zeros(1, a.dtype)[0]).sum())
    if a.dtype.kind == "f":
        tiny = np.finfo(a.dtype).smallest_normal
        assert s["positive_infinity"] == int((valid == np.inf).sum())
        assert s["negative_infinity"] == int((valid == -np.inf).sum())
        assert s["subnormal"] == int(((np.abs(valid) < tiny) & (valid != 0)).sum())
    assert s["distinct_is_exact"] and s["distinct"] == len(np.unique(a))
    check_moments(s, a, valid)
    check_histogram(s, a)


def check_moments(s: dict[str, Any], a: np.ndarray[Any, Any], valid: np.ndarray[Any, Any]) -> None:
    if not valid.size:
        assert s["min"] is None and s["max"] is None and s["mean"] is None
        return
    if a.dtype.kind in "mM":
        assert str(valid.min()) in s["min"] or a.dtype.kind == "m"
        assert s["mean"] is None
        return
    assert plain(s["min"]) == valid.min().item() and plain(s["max"]) == valid.max().item()
    if a.dtype.kind == "c" and not np.isfinite(valid).all():
        return  # in NumPy's arithmetic an infinite part makes the other part NaN, and here it does not
    wide = valid.astype("c16" if a.dtype.kind == "c" else "f8")
    with np.errstate(all="ignore"):
        scale = float(np.abs(wide).max())
        assert close(s["mean"], wide.mean(), scale), (s["mean"], wide.mean())
        assert close(s["std"], wide.std(), scale), (s["std"], wide.std())


def check_histogram(s: dict[str, Any], a: np.ndarray[Any, Any]) -> None:
    h = s["histogram"]
    if h is None or a.dtype.kind not in "f":
        return
    finite = a[np.isfinite(a)].astype("f8")
    assert h["every"] == 1 and sum(h["counts"]) == finite.size
    assert (h["low"], h["high"]) == (finite.min(), finite.max())
    if h["high"] - h["low"] < 1e-290:
        return  # NumPy has no bins for such values
    expected = np.histogram(finite, bins=16, range=(h["low"], h["high"]))[0]
    # An element on the border of two bins may be in either.
    assert np.abs(np.cumsum(h["counts"]) - np.cumsum(expected)).max() <= max(2, finite.size // 4)


@given(arrays(), st.sampled_from(["x > 0", "x == x", "(x < 1) | (x > 5)", "x != x"]))
@settings(max_examples=300, deadline=None)
def test_where(library: Expressions, a: np.ndarray[Any, Any], condition: str) -> None:
    if a.dtype.kind in "mM" or a.ndim == 0:
        return
    found = library.array("a", held(a=a), where=condition, limit=20)
    mask = eval(condition, {"x": a})
    assert found["where"]["count"] == int(mask.sum())
    assert found["where"]["indices"] == np.argwhere(mask)[:20].tolist()
    for mine, expected in zip(found["where"]["values"], a[mask][:20]):
        assert repr(plain(mine)) == repr(expected.item())


@given(arrays(), st.lists(st.integers(0, 10**6), max_size=5))
@settings(max_examples=300, deadline=None)
def test_difference(library: Expressions, a: np.ndarray[Any, Any], places: list[int]) -> None:
    if a.dtype.kind in "mM" or a.ndim == 0 or not a.size:
        return
    b = a.copy()
    for place in places:
        b[np.unravel_index(place % a.size, a.shape)] = 1
    found = library.array("a", held(a=a, b=b), other="b")["difference"]
    both_nan = (a != a) & (b != b)
    differs = (a != b) & ~both_nan
    assert (found["count"], found["of"]) == (int(differs.sum()), a.size)
    assert found["indices"] == np.argwhere(differs)[:10].tolist()
    with np.errstate(all="ignore"):
        wide = "c16" if a.dtype.kind == "c" else "f8"
        x, y = a.astype(wide)[differs], b.astype(wide)[differs]
        errors = np.abs(x - y) / np.maximum(np.abs(x), np.abs(y))
    if np.isfinite(errors).all():
        assert plain(found["largest_relative_error"]) == pytest.approx(float(errors.max(initial=0)), rel=1e-12)


def test_many_distinct_ones(library: Expressions) -> None:
    a = np.arange(65536.0)
    s = library.array("a", held(a=a))["statistics"]
    assert (s["distinct"], s["distinct_is_exact"]) == (65536, True)
    b = np.arange(65537)
    s = library.array("a", held(a=b))["statistics"]
    assert (s["distinct"], s["distinct_is_exact"]) == (65536, False)


def test_slices_and_what_is_computed(library: Expressions) -> None:
    a = np.arange(24.0).reshape(4, 6)
    found = library.array("a", held(a=a), slice="1:3, ::2")
    assert (found["shape"], found["strides"]) == ([2, 3], [48, 16])
    assert found["statistics"]["mean"] == a[1:3, ::2].mean()
    computed = library.array("a * 2 - 1", held(a=a))
    assert computed["data"] is None and computed["statistics"]["max"] == 45.0
    wrong = library.array("a", held(a=a), slice="9")
    assert wrong["error"] == "IndexError: index 9 is out of bounds for axis 0 with size 4"
    assert library.array("a", held(a=a), where="x")["error"].startswith("TypeError: the condition is no array of truth")
    assert library.array("a +", held(a=a))["offset"] == 3
    wrong = library.array("a", held(a=a), slice="1:*")
    assert (wrong["name"], wrong["offset"]) == ("(a)[1:*]", 6)
    assert library.array("a[0, 0]", held(a=a))["error"] == "TypeError: 'float' object is no array"
    assert library.array("a", held(a=a), other="a[:2]")["error"].startswith(
        "ValueError: operands could not be broadcast"
    )


def test_fields_of_records_and_odd_addresses(library: Expressions) -> None:
    """Fields begin where their type may not begin, within records and by themselves; texts have no statistics."""
    fields = [("b", "i1"), ("x", "f8"), ("s", "S3"), ("u", "U2"), ("m", "M8[D]"), ("n", [("y", "f4"), ("z", "c8")])]
    a = np.zeros(5, np.dtype([*fields, ("t", "i4", (2, 2))]))
    a["x"], a["n"]["z"], a["t"][:, 1] = [1, np.nan, np.inf, -0.0, 5e-324], 1 + 2j, 7
    a["m"][1], a["s"] = "NaT", [b"ab", b"", b"abc", b"ab", b"z"]
    head = struct.pack("<QQqqQqq", 0, 0, a.size, a.itemsize, a.ctypes.data, a.size, a.strides[0])
    variables = {"a": (f"array({numba.from_dtype(a.dtype)}, 1d, C)", head)}
    for text in ("a['x']", "a['m']", "a['n']['z']", "a['t']", "a.x[::-2]", "a.t[:, 1]", "a['t'].T"):
        part = eval(text.replace(".x", "['x']").replace(".t[", "['t']["), {"a": a})
        found = library.array(text, variables)
        assert found["error"] is None, found
        layout = (found["data"], found["shape"], found["strides"], found["aligned"], found["nbytes"])
        assert layout == (part.ctypes.data, list(part.shape), list(part.strides), part.flags.aligned, part.nbytes), text
        s = found["statistics"]
        odd = np.isnat(part) if part.dtype.kind == "M" else np.isnan(part)
        assert (s["count"], s["nan"], s["distinct"]) == (part.size, int(odd.sum()), len(np.unique(part))), text
        if part.dtype.kind == "f":
            assert s["subnormal"] == 1 and s["positive_infinity"] == int((part == np.inf).sum())
    for text in ("a['s']", "a['u'][1:]", "a", "a['n']"):
        found = library.array(text, variables)
        assert found["error"] is None and found["statistics"] is None, found
    odd_place = np.zeros(41, "u1")[1:].view("f8")
    odd_place[:] = [1, 2, np.nan, 4, 5]
    found = library.array("a", held(a=odd_place), other="a * 2", where="x > 2")
    assert not found["aligned"] and found["difference"]["count"] == 4 and found["where"]["indices"] == [[3], [4]]
    assert found["statistics"]["mean"] == 3.0 and found["statistics"]["first_nan"] == [2]


def test_descriptor_bytes(library: Expressions) -> None:
    a = np.arange(3.0)
    members = library.array("a", held(a=a), members=1)["members"]
    assert [m["name"] for m in members] == ["meminfo", "parent", "nitems", "itemsize", "data", "shape", "strides"]
    assert bytes.fromhex(members[4]["bytes"]) == struct.pack("<Q", a.ctypes.data)
    assert members[5]["text"] == "(3,)"


def test_plots(library: Expressions) -> None:
    a = np.sin(np.arange(1000.0))
    a[17] = np.nan
    plot = library.array("a", held(a=a), columns=10, rows=5)["plot"]
    parts = a.reshape(10, 100)
    assert plot["kind"] == "line"
    assert plot["low"] == np.nanmin(parts, 1).tolist() and plot["high"] == np.nanmax(parts, 1).tolist()
    b = np.arange(800.0).reshape(40, 20)
    plot = library.array("b", held(b=b), columns=10, rows=8)["plot"]
    assert (plot["kind"], plot["columns"], plot["rows"]) == ("heat", 10, 8)
    assert plot["mean"] == pytest.approx(b.reshape(8, 5, 10, 2).mean((1, 3)).ravel().tolist())


@pytest.mark.parametrize("dtype", ["?", "i1", "u8", "f2", "f4", "f8", "c16", "M8[D]"])
def test_files(library: Expressions, tmp_path: pathlib.Path, dtype: str) -> None:
    a = np.arange(24).astype("i8").astype(dtype).reshape(4, 6)[::-1, ::2]
    assert library.array("a", held(a=a), save=str(tmp_path / "a.npy"))["error"] is None
    again = np.load(tmp_path / "a.npy")
    assert again.dtype == a.dtype and np.array_equal(again, a)
    assert library.array("a", held(a=a), save=str(tmp_path / "a.csv"))["error"] is None
    if a.dtype.kind in "iuf":
        assert np.array_equal(np.loadtxt(tmp_path / "a.csv", delimiter=",").astype(dtype), a)
    assert "No such file" in library.array("a", held(a=a), save=str(tmp_path / "none" / "a.npy"))["error"]


def test_unreadable_and_cancelled(library: Expressions, tmp_path: pathlib.Path) -> None:
    nowhere = ("array(float64, 1d, C)", struct.pack("<QQqqQqq", 0, 0, 4, 8, 0x10, 4, 8))
    assert library.array("a", {"a": nowhere})["error"] == "<unreadable: 0x10 (32 bytes)>"
    a = np.ones(10**7)
    for request in ({}, {"save": str(tmp_path / "a.npy")}):
        with pytest.raises(Cancelled):
            library.array("a", held(a=a), lambda done, _total: done > 10**6, **request)
    assert not (tmp_path / "a.npy").exists()
