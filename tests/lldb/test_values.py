"""Values in LLDB's own pane, as `frame variable` and a debug adapter show them: Python's texts, and children."""

from __future__ import annotations

import re

from tests.gdb.harness import line_of
from tests.gdb.looks import LOOKS
from tests.gdb.looks import PROGRAM as TYPES
from tests.lldb.session import LLDBS, run

CHILDREN = {  # by the beginning of a type's name: some of the children
    "array(int16, 2d, A)": ("[0] = array([2, 1, 0], dtype=int16)", "[1] = array([5, 4, 3], dtype=int16)"),
    "reflected list(int64)": ("[0] = 1", "[2] = 3"),
    "instance.jitclass.Counter": ("total = 4", "scale = 0.5"),
    "Point(float64 x 2)": ("x = 1.5", "y = 2.5"),
}


@LLDBS
def test_each_type_is_shown_as_python_writes_it(lldb: str) -> None:
    stop = f"breakpoint set -f {TYPES} -l {line_of(TYPES, 'look')}"
    said = run(lldb, TYPES, "steps", (stop, "run", *["frame variable v", "continue"] * len(LOOKS)))
    seen = re.findall(r"^\((.*)\) v = (.*)$", said.text, re.M)
    assert len(seen) == len(LOOKS), said.text[-3000:]
    for (kind, text), look in zip(seen, LOOKS):
        assert kind.startswith(look.type), (kind, look)
        # LLDB has its own text for the type bool, which C++ has, too
        expected = "true" if look.type == "bool" else look.with_jitscope
        assert text == expected if expected else re.fullmatch(look.plain, text), (kind, text)


@LLDBS
def test_children(lldb: str) -> None:
    stop = f"breakpoint set -f {TYPES} -l {line_of(TYPES, 'look')}"
    show = (
        "script v = lldb.frame.FindVariable('v'); print(v.GetTypeName(), "
        "[f'{c.GetName()} = {c.GetSummary() or c.GetValue()}' for c in v])"
    )
    said = run(lldb, TYPES, "steps", (stop, "run", *[show, "continue"] * len(LOOKS)))
    for kind, parts in CHILDREN.items():
        found = next(text for text in said.of(show) if text.startswith(kind))
        assert all(f"'{part}'" in found for part in parts), found


@LLDBS
def test_only_the_corrected_objects_are_there(lldb: str) -> None:
    """LLDB's own modules of the JIT's objects would show unproved values."""
    stop = f"breakpoint set -f {TYPES} -l {line_of(TYPES, 'look')}"
    said = run(lldb, TYPES, "stock", (stop, "run", "image list"))
    assert re.search(r"/jit-\d+\.o", said.of("image list")[0])
    assert "JIT(0x" not in said.of("image list")[0]
