"""Each type that hook_types.py shows, with the texts that GDB alone and GDB with jitscope print for a variable of the
type."""

from __future__ import annotations

import dataclasses
import re

PROGRAM = "hook_types.py"
ARRAY = r"\{meminfo = 0x\w+, parent = 0x\w+, nitems = %s, itemsize = %s, data = 0x\w+[^,]*, shape = %s, strides = %s\}"


@dataclasses.dataclass
class Look:
    """The output of one call of look(). `plain`: a pattern for GDB alone; `with_jitscope`: the text, None: as plain;
    `more`: expressions in GDB alone, with patterns."""

    type: str
    plain: str
    with_jitscope: str | None = None
    more: tuple[tuple[str, str], ...] = ()


def array(nitems: int, itemsize: int, shape: str, strides: str) -> str:
    return ARRAY % (nitems, itemsize, re.escape(shape), re.escape(strides))


LOOKS = (
    Look("bool", "true", "True"),
    Look("int8", "-5 .*", "-5"),
    Look("uint64", "9223372036854775809"),
    Look("int64", "-7"),
    Look("float32", "0.5"),
    Look("float64", "2.5"),
    Look("complex128", r"\{real = 1.5, imag = -2\}", "(1.5-2j)"),
    Look("datetime64[D]", "18263", "np.datetime64('2020-01-02')"),
    Look("timedelta64[ms]", "5", "np.timedelta64(5,'ms')"),
    Look("IntEnum<int64>(Color)", r"Color\.GREEN", "<Color.GREEN: 2>"),
    Look("Enum<int64>(Shape)", r"Shape\.DOT", "<Shape.DOT: -3>"),
    Look("Tuple(int8, int64, bool)", r"\{f0 = 1 .*, f1 = 1099511627776, f2 = true\}", "(1, 1099511627776, True)"),
    Look("UniTuple(int64 x 3)", r"\{1, 2, 3\}", "(1, 2, 3)", (("v[1]", "2"),)),
    Look(
        "UniTuple(Tuple(int64, float64) x 2)",
        r"\{\{f0 = 1, f1 = 2.5\}, \{f0 = 3, f1 = 4.5\}\}",
        "((1, 2.5), (3, 4.5))",
    ),
    Look("Point(float64 x 2)", r"\{x = 1.5, y = 2.5\}", "Point(x=1.5, y=2.5)"),
    Look("Mixed(int64, float64)", r"\{name = 3, count = 4.5\}", "Mixed(name=3, count=4.5)"),
    Look(
        "array(int16, 2d, A)",
        array(6, 2, "{2, 3}", "{6, -2}"),
        "array([[2, 1, 0], [5, 4, 3]], dtype=int16)",
        (("v.data[0]", "2"), ("v.data[-1]", "1"), ("v.strides[1]", "-2")),
    ),
    Look("array(float64, 0d, C)", array(1, 8, "{<No data fields>}", "{<No data fields>}"), "array(3.5)"),
    Look(
        "unicode_type",
        r"\{data = 0x\w+, length = 2, kind = 2, is_ascii = 0, hash = -?\d+, meminfo = 0x\w+, parent = 0x\w+\}",
        "'h\u20ac'",
    ),
    Look("readonly bytes(uint8, 1d, C)", array(3, 1, "{3}", "{1}"), "b'abc'"),
    Look(
        "ListType[int64]",
        r"\{meminfo = 0x\w+, data = 0x\w+\}",
        "ListType[int64]([1, 2, 3])",
        (("v.data->size", "3"), ("v.data->items[2]", "3")),
    ),
    Look(
        "DictType[unicode_type,int64]<iv=None>",
        r"\{meminfo = 0x\w+, data = 0x\w+\}",
        "DictType[unicode_type,int64]<iv=None>({a: 1})",
        (("v.data->used", "1"), ("v.data->keys->nentries", "1")),
    ),
    Look(
        "reflected list(int64)<iv=None>",
        r"\{meminfo = 0x\w+, parent = 0x\w+\}",
        "[1, 2, 3]",
        (("v.meminfo->data->size", "3"), ("(&v.meminfo->data->data)[2]", "3")),
    ),
    Look(
        "instance.jitclass.Counter#",
        r"\{meminfo = 0x\w+, data = 0x\w+\}",
        "Counter(total=4, scale=0.5)",
        (("*v.data", r"\{total = 4, scale = 0.5\}"),),
    ),
    Look(
        "numba.BoxType(('width', float64), ('tag', int64))",
        r"\{meminfo = 0x\w+\}",
        "BoxType(width=2.5, tag=3)",
        (("*v.meminfo->data", r"\{width = 2.5, tag = 3\}"),),
    ),
    Look(
        "Record(a[type=int8;offset=0],b[type=float64;offset=8],c[type=bool;offset=16],"
        "d[type=nestedarray(int32, (2,));offset=20],s[type=[char x 3];offset=28];32;True)",
        r".*0x\w+",
        "(-1, 2.5, True, [3, 4], b'xy')",
        (("*v", r'\{a = -1 .*, b = 2.5, c = true, d = \{3, 4\}, s = "xy"\}'), ("v->d[1]", "4")),
    ),
    Look(
        "unaligned array(Record(a[type=int8;offset=0],b[type=float64;offset=1];9;False), 1d, C)",
        array(2, 9, "{2}", "{9}"),
        "array([(1, 1.), (1, 1.)], dtype=[('a', 'i1'), ('b', '<f8')])",
        (("v.data[1].b", "1"),),
    ),
    Look(
        "array([unichr x 3], 1d, C)",
        array(2, 12, "{2}", "{12}"),
        "array(['ab', 'cde'], dtype='<U3')",
        (("v.data[1]", 'U"cde"'),),
    ),
    Look("slice<a:b:c>", r"\{start = 1, stop = 5, step = 2\}", "slice(1, 5, 2)"),
    Look("none", "None", "None"),
    Look("class(float64)", r"<class\(float64\)>", "<class(float64)>"),
)
