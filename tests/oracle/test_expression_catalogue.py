"""Expressions that Python and NumPy users type, one after the other, against Python and NumPy themselves."""
# ruff: noqa: E501 (tables)

from __future__ import annotations

import math
import warnings
from typing import Any

import numpy as np
import pytest

from tests.oracle.expression_values import close, held, plain_value, text_variable
from tests.oracle.inspect_expressions import Expressions

A = np.arange(10, dtype="f8") * 1.5 - 3
M = np.arange(12, dtype="f8").reshape(3, 4)
VARIABLES: dict[str, Any] = {
    "a": A, "m": M, "k": np.arange(24, dtype="i8").reshape(2, 3, 4), "u": np.array([3, 0, 255], "u1"),
    "f": np.asfortranarray(M), "r": A[::-1], "z": np.array([1 + 2j, -3j, 0.5]), "b": np.array([True, False, True]),
    "e": np.empty((0, 3)), "d": np.array(7.25), "w": np.array([np.nan, 1.0, -np.inf, 4.0]), "h": np.array([1.5, -2.25], "f2"),
    "i": np.array([2, 0, -1]), "j": np.array([[0, 1], [2, 2]]), "s32": np.array([0.1, 0.2, 0.3], "f4"),
    "n": np.int64(5), "x": np.float64(2.5), "t": (np.int64(3), np.float64(0.5), np.int64(4)),
}  # fmt: skip

EXPRESSIONS = """
a[[1, 3]] | a[[1, -1]] | a[i] | a[j] | m[i] | m[i, 1] | m[1, i] | m[i, i] | m[[0, 2], :] | m[:, [0, 2]] | m[:, [0, 2]][1] | k[[0, 1], :, [1, 2]] | k[:, [0, 1], [1, 2]]
k[0, [0, 1]] | k[..., [0, 3]] | k[None, [0]] | k[[0], None, 1] | m[[[0], [2]], [1, 3]] | m[m > 5] | m[m[:, 0] > 3] | m[m[:, 0] > 3, 1] | m[:, m[0] > 1] | m[[True, False, True]] | m[b] | m[b, [0, 1]] | a[a > 0][::2] | a[[]]
m[(m > 2) & (m < 9)] | a[~(a > 0)] | a[(a < 0)|(a > 6)] | a[i] + 1 | a[i].sum() | m[i].T | a[::-1][i] | (a * 2)[i] | (m + 1)[:, [1]] | a[u > 1] if len(u) == 10 else 0 | a[3:7][[0, -1]]
m.sum(axis=0) | m.sum(axis=1) | m.sum(0) | m.sum(-1) | m.mean(axis=0) | m.std(axis=1) | m.var(axis=0, ddof=1) | m.std(ddof=1) | m.min(axis=1) | m.max(0) | m.argmax(axis=1) | m.argmin(0) | m.prod(axis=1) | m.any(axis=0) | m.all(axis=1)
k.sum(axis=(0, 2)) | k.sum(axis=1, keepdims=True) | k.max(axis=(0, 1, 2)) | m.sum(keepdims=True) | m.mean(1, keepdims=True) - m | e.sum(axis=0) | e.sum(axis=1) | f.sum(axis=0) | r.sum(axis=0) | u.sum(axis=0) | z.sum(axis=0) | z.mean(0) | b.sum(axis=0) | h.mean(axis=0) | s32.sum(axis=0)
m @ m.T | m @ a[:4] | a[:3] @ m | a @ a | (m > 3) @ (m.T > 2) | z @ z | i @ i | m.dot(a[:4]) | u @ u | np.dot(a, a) | np.matmul(m, m.T) | np.dot(a, 2)
a.reshape(2, 5) | a.reshape((5, 2)) | a.reshape(-1, 2) | a.reshape(2, -1).T | m.ravel() | f.ravel() | m.T.ravel() | f.flatten()[3:5] | m.T.flatten() | k.reshape(6, 4).sum(axis=0) | m.transpose() | k.transpose(2, 0, 1) | k.transpose((1, 0, 2)) | k.transpose(-1, 0, 1).shape | e.reshape(3, 0) | m[None].squeeze()
u.dtype == 'uint8' | u.dtype == 'u1' | u.dtype == np.uint8 | a.dtype == float | a.dtype != 'f8' | 'float64' == a.dtype | a.dtype == u.dtype | a.dtype == 'd' | u.dtype in ('int8', 'uint8') | a.dtype == 5 | b.dtype == bool | a.dtype == a.dtype | a.dtype == int
a.astype(int) | a.astype('i4') | a.astype(np.float32) | m.astype(bool) | u.astype(float) | a.astype('u1')[3:] | i.astype(np.int8) | a.astype('complex64') | b.astype(int) | a.astype(a.dtype) | a.tolist() | m.tolist() | d.tolist() | b.tolist() | a.copy() | a.item(3) | m.item(5) | m.item(1, 2) | d.item()
a.cumsum() | m.cumsum() | m.cumsum(axis=0) | m.cumsum(1) | u.cumsum() | a[1:4].cumprod() | np.cumsum(a) | m.diagonal() | m.trace() | z.conj() | a.conj() | a.clip(0, 5) | a.clip(-1) | np.clip(a, 0, 3) | a.round() | a.round(1) | np.round(a, 1) | (a * 1.234567).round(2) | a.nonzero() | m.nonzero() | z.real | z.imag | z.imag.sum() | m.T.shape | a.nbytes | m.itemsize | m.ndim | m.size
np.sqrt(a[2:]) | np.sqrt(4) | np.sqrt(u) | np.exp(a[:3]) | np.log(a[4:]) | np.log10(a[4:]) | np.sin(a) | np.cos(a) | np.tan(x) | np.arctan(a) | np.arctan2(a, r) | np.hypot(3, 4) | np.floor(a) | np.ceil(a) | np.trunc(a) | np.rint(a) | np.square(a) | np.square(i) | np.sign(a) | np.sign(i) | np.abs(a) | np.abs(z) | np.absolute(i) | np.negative(a) | np.exp(s32) | np.tanh(a)
np.maximum(a, 0) | np.minimum(a, r) | np.maximum(i, 1) | np.maximum(w, 0) | np.add(a, 1) | np.subtract(a, r) | np.multiply(a, 2) | np.divide(a, 2) | np.power(a, 2) | np.mod(i, 2) | np.equal(a, r) | np.less(a, 0) | np.greater(a, r) | np.logical_and(a > 0, a < 5) | np.logical_or(a, r) | np.logical_not(a) | np.logical_xor(a > 0, r > 0) | np.fmod(a, 2) | np.copysign(a, -1)
np.where(a > 0) | np.where(a > 0, a, 0) | np.where(m > 5, m, -m) | np.where(b, i, x) | np.where(a > 0, 1, -1) | np.where([True, False], [1, 2], [3, 4]) | np.nonzero(a > 0) | np.flatnonzero(m > 7) | np.count_nonzero(a > 0) | np.count_nonzero(m) | np.sum(a) | np.sum(m, axis=0) | np.mean(m, axis=1) | np.mean([1, 2, 4]) | np.std(a) | np.var(m, axis=0) | np.min(a) | np.max(m, axis=1) | np.argmax(a) | np.any(a > 6) | np.all(a > -9) | np.prod(a) | np.median(a) | np.median(u) | np.sort(r) | np.unique([3, 1, 3]) | np.unique(j) | np.diff(a) | np.diff(m) | np.diff(b)
np.nansum(w) | np.nanmin(w) | np.nanmax(w) | np.isnan(w) | np.isnan(w).sum() | np.isfinite(w) | w[~np.isnan(w)] | w[np.isfinite(w)].mean() | np.isclose(a, a + 1e-9) | np.allclose(a, a) | np.allclose(w, w) | np.isclose(w, w) | np.array_equal(a, a) | np.array_equal(a, r) | np.array_equal(a, m) | np.array([1, 2, 3]) | np.array([[1, 2], [3, 4]]) | np.array([1, 2.5]) | np.asarray([1, 2]) * 2 | np.array([1, 2], dtype=np.float32) | np.arange(5) | np.arange(2, 8, 3) | np.arange(5)[::-1] | np.float32(1.5) | np.int8(200 - 256) | np.int32(a) | np.float64(3) | np.uint8(255) | np.bool_(2)
np.pi | np.e | np.inf | -np.inf | np.nan | math.pi | math.sqrt(2) | math.floor(2.7) | math.ceil(-2.7) | math.exp(1) | math.log(10) | math.hypot(3, 4) | math.isnan(x) | math.trunc(-2.5) | math.atan2(1, 2) | a[np.newaxis].shape | np.shape(m) | np.size(m) | np.ndim(m) | np.real(z) | np.ravel(m) | np.reshape(m, (4, 3)) | np.transpose(m) | np.trace(m) | np.reshape(a, -1)[0]
str(5) | str(2.5) | str(None) | str(True) | str('q') | repr('q') | repr([1, 'x']) | str((1, 2.0)) | hex(255) | hex(-255) | oct(8) | bin(10) | bin(-3) | ord('a') | chr(233) | list((1, 2)) | list('abc') | list(t) | tuple([1, 2]) | tuple('ab') | sorted([3, 1, 2]) | sorted('hello') | list(reversed([1, 2, 3])) | divmod(7, 2) | divmod(-7, 2) | pow(2, 10) | complex(1, 2) | complex(3) | list(a) | sorted(t) | list() | tuple() | max([1, 5, 3]) | max(3, 7) | min(a) | max(a) | sum(a) | sum([1, 2, 3]) | any([0, 1]) | all([]) | round(2.675, 2) | round(2.5) | abs(-3) | int('12') | int(3.9) | float('1.5') | bool([]) | len('abc') | len(m)
[1, 2, 1].count(1) | [1, 2, 1].index(2) | [1, [2]].copy() | (1, 2).count(5) | t.index(4) | t.count(3) | 3 in t | 'x' in 'xyz' | 2.5 not in [1, 2] | x is None | None is None | x is not None | n if n > 3 else 0 | not a.any() | 1 < n < 10 | 1 < n > 9 | 3 <= n <= 5 <= 7 | n == 5 and x == 2.5 | n or 1 / 0 | -7 // 2 | -7 % 3 | 2 ** -1 | 7 & 3 | 1 << 4 | ~5 | 0x1f | 1_000 | 1e3 | 'a' 'b' | (1,) + (2,) | [0] * 3 | 'ab' * 2 | a[n] | a[-1] | a[1:n] | a[n - 1] == a[4]
'%d' % 5 | '%d items' % n | '%s' % 'x' | '%r' % 'x' | '%5.2f|' % 3.14159 | '%-5d|' % 3 | '%05d' % -42 | '%+d' % 3 | '%x' % 255 | '%#x' % 255 | '%X' % 255 | '%o' % 8 | '%e' % 12345.678 | '%g' % 1e-5 | '%g' % 100000 | '%g' % 1e6 | '%c' % 65 | '%c' % 'z' | '%%' % () | '%d/%d' % (1, 2) | '%s %s' % (1.5, [1, 2]) | '%.3s' % 'abcdef' | '%10s|' % 'ab' | '%s' % None | '%d' % 3.9 | '%.0f' % 2.5 | '%f' % -0.0 | '% d' % 5 | '%.3d' % 7 | '%s' % (t,) | '%g' % float('inf') | '%5.1f%%' % 12.34
s.upper() | s.lower() | s.startswith('He') | s.endswith('!') | s.split() | s.split('o') | s.find('o') | s.count('l') | s.strip('H!') | s.replace('l', 'L') | s.isdigit() | s[0] | s[-1] | s[::-1] | s[1:4] | s + '!' | s * 2 | s == 'Hello' | s != 'x' | s < 'Z' | 'ell' in s | 'zz' not in s | len(s) | s.title() | s.swapcase() | s.isalpha() | s.index('l') | '%s!' % s | str(s) | repr(s) | list(s)[:2] | max(s) | sorted(s)[0] | ord(s[0]) | [s, s][1] | (s, 1)[0] | s or 'x' | not s
k[:, ::-1, ::2] | k[..., 0] | k[0, ..., -1] | k[1][2][3] | k[None].shape | k[:, None, :, 0].shape | k[-1:, 1:] | k[::-1].sum() | m[1:, ::-2] | m[::2][0] | m[0][1:3] | m.T[0] | m.T @ m | (m * m).sum(axis=1) | (m - m.mean(axis=0)).std(axis=0) | (m > m.mean()).sum() | (a[1:] - a[:-1]).max() | a[a.argmax()] | m[m.argmax() // 4, m.argmax() % 4] | m.max(axis=0).argmax() | np.abs(a).max() | np.sqrt((a ** 2).mean()) | (a == a.max()).nonzero() | ((a > 0) & (a < 5)).any() | a.mean() + 3 * a.std() | [a.min(), a.max()] | (m.shape, m.ndim) | m.shape[0] | m.sum() / m.size | a.sum() == r.sum()
"""  # fmt: skip
CASES = [case.strip() for line in EXPRESSIONS.strip().splitlines() for case in line.split(" | ")]


def plain(value: Any) -> Any:
    """Return the value as JSON has it: arrays in a tuple are arrays."""
    if isinstance(value, tuple):
        return {"tuple": [plain(item) for item in value]}
    if isinstance(value, list):
        return {"list": [plain(item) for item in value][:64], "length": len(value)}
    return plain_value(value)


@pytest.fixture(scope="module")
def library() -> Any:
    lib = Expressions()
    yield lib
    lib.close()


def test_catalogue(library: Expressions) -> None:
    text, kept = text_variable("Hello, wörld!")
    variables = held(**VARIABLES)
    variables["s"] = text
    names = {**VARIABLES, "s": "Hello, wörld!", "np": np, "math": math, "t": tuple(v.item() for v in VARIABLES["t"])}
    wrong = []
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        for case in CASES:
            found = library.evaluate(case, variables)
            expected = eval(case, {**names})
            if found.get("state") != "exact" or not close(found["value"], plain(expected), 1e-6):
                wrong.append((case, found.get("error", found.get("value")), expected))
    assert not wrong, "\n".join(map(repr, wrong))
    assert kept is not None


ERRORS = [
    ("a[[12]]", "IndexError: index 12 is out of bounds for axis 0 with size 10"),
    ("m[[0], [9]]", "IndexError: index 9 is out of bounds for axis 1 with size 4"),
    ("m[[0.5]]", "IndexError: arrays used as indices must be of integer (or boolean) type"),
    ("m[b, b]", "IndexError: boolean index did not match indexed array along axis 1; size of axis is 4 but size of corresponding boolean axis is 3"),
    ("m.sum(axis=2)", "AxisError: axis 2 is out of bounds for array of dimension 2"),
    ("m.sum(axis=(0, 0))", "ValueError: duplicate value in 'axis'"),
    ("m.sum(foo=2)", "TypeError: sum() got an unexpected keyword argument 'foo'"),
    ("a.reshape(3, 4)", "ValueError: cannot reshape array of size 10 into shape (3, 4)"),
    ("e.max(axis=0)", "ValueError: zero-size array to reduction operation maximum which has no identity"),
    ("a @ m", "ValueError: matmul: Input operand 1 has a mismatch in its core dimension 0, with gufunc signature (n?,k),(k,m?)->(n?,m?) (size 3 is different from 10)"),
    ("'%d' % 'x'", "TypeError: %d format: a real number is required, not str"),
    ("'%d %d' % 1", "TypeError: not enough arguments for format string"),
    ("'x' % 1", "TypeError: not all arguments converted during string formatting"),
    ("chr(-1)", "ValueError: chr() arg not in range(0x110000)"),
    ("math.sqrt(-1)", "ValueError: math domain error"),
    ("math.log(0)", "ValueError: math domain error"),
    ("pow(3, 4, 5)", "TypeError: pow() of 3 arguments is not known here"),
    ("math.log(8, 2)", "TypeError: log() of 2 arguments is not known here"),
    ("int('zz', 36)", "TypeError: int() of 2 arguments is not known here"),
    ("abs()", "TypeError: abs() takes 1 argument (0 given)"),
    ("np.foo(1)", "AttributeError: numpy.foo is not known here"),
    ("'a'.encode()", "AttributeError: .encode of 'str' is not known here"),
    ("a.view('i8')", "AttributeError: .view of 'numpy.ndarray' is not known here"),
    ("a.nothing", "AttributeError: 'numpy.ndarray' object has no attribute 'nothing'"),
    ("isinstance(a, int)", "NameError: isinstance is not known here"),
    ("','.join(['a', 1])", "TypeError: sequence item 1: expected str instance, int found"),
    ("sorted([1, 'x'])", "TypeError: '<' not supported between instances of 'str' and 'int'"),
    ("m.astype('q9')", "TypeError: data type not understood here"),
    ("np.arange(10**9)", "MemoryError: more than 64 MiB would be held here"),
]  # fmt: skip


@pytest.mark.parametrize("expression, error", ERRORS)
def test_errors(library: Expressions, expression: str, error: str) -> None:
    assert library.evaluate(expression, held(**VARIABLES))["error"] == error


def test_indices_and_axes_of_arrays_that_are_larger_than_what_is_held(library: Expressions) -> None:
    wide = np.zeros((3, 10**6), "i1")
    wide[1, ::2] = 5
    variables = held(w=wide)
    assert library.evaluate("w.sum(axis=1)", variables)["value"]["data"] == [0, 2500000, 0]
    assert library.evaluate("w.max(axis=0)[:4]", variables)["value"]["data"] == [5, 0, 5, 0]
    assert library.evaluate("w.reshape(-1)[10**6 + 2]", variables)["value"] == 5
    assert library.evaluate("w[:, [0, 999999]]", variables)["value"]["data"] == [0, 0, 5, 0, 0, 0]
    assert library.evaluate("w[[0, 1]]", variables)["error"].startswith("MemoryError")
    assert library.evaluate("w.cumsum()", variables)["error"].startswith("MemoryError")
