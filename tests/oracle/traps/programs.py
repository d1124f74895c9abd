"""Programs of arithmetic, and what happens in them."""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from typing import Any

from tests.oracle.traps import elements, values
from tests.oracle.traps.values import FLOATS, INTEGERS, Undefined, Value

_HEAD = """\
import math
import numpy as np
from numba import njit, prange


def bits(value):
    if isinstance(value, tuple):
        return tuple(map(bits, value))
    value = np.array(value, ndmin=1)
    value[value != value] = np.nan if value.dtype.kind == "f" else 0  # LLVM does not define a NaN's sign
    return value.tobytes().hex()

"""
_BINARY = ("+", "-", "*", "+", "-", "*", "//", "%", "**", "<<", ">>", "/", "divmod")
_PARTS = ("straight", "straight", "loop", "store", "call", "parallel", "arrays", "arrays")
_WIDE = ("int64", "uint64", "int32", "int64", "uint8", "int16")  # types of arrays


@dataclass(frozen=True)
class Node:
    """An expression. `operation`: "name", "literal", "convert", "call", or one of values.OPERATORS, neg, abs, sqrt."""

    operation: str
    parts: tuple[Node, ...] = ()
    given: Any = None  # a name, a literal, a type, or a helper

    @property
    def text(self) -> str:
        inner = [part.text for part in self.parts]
        if self.operation in ("name", "literal"):
            return str(self.given)
        if self.operation == "convert":
            return f"np.{self.given}({inner[0]})"
        if self.operation == "call":
            return f"{self.given.name}({inner[0]})"
        if self.operation == "sqrt":
            return f"math.sqrt({inner[0]})"
        if self.operation == "divmod":
            return f"divmod({inner[0]}, {inner[1]})[0]"
        if self.operation in ("neg", "abs"):
            return f"(-{inner[0]})" if self.operation == "neg" else f"abs({inner[0]})"
        return f"({inner[0]} {self.operation} {inner[1]})"


@dataclass
class Helper:
    name: str
    body: Node = field(default_factory=lambda: Node("name", given="h"))
    line: int = 0


@dataclass(frozen=True)
class Event:
    """A trap: what a true sentence says."""

    text: str

    def __str__(self) -> str:
        return self.text


class Machine:
    """The computation of one program, with its events. `is_defined`: False once a result is not defined."""

    def __init__(self, file: str) -> None:
        self.file = file
        self.events: list[Event] = []
        self.is_defined = True

    def compute(self, node: Node, names: dict[str, Value], function: str, line: int) -> Value:
        if node.operation == "name":
            return Value(names[node.given].kind, names[node.given].number, node.given)
        if node.operation == "literal":
            return Value("int64", node.given, literal=True)
        operands = [self.compute(part, names, function, line) for part in node.parts]
        if node.operation == "call":
            inner = Value(operands[0].kind, operands[0].number, "h")
            return self.compute(node.given.body, {"h": inner}, node.given.name, node.given.line)
        if node.operation == "convert":
            if node.given in FLOATS:
                return Value(node.given, values.number(node.given, operands[0].number))
            made, traps = values.convert(operands[0], node.given)
            made = Value(made.kind, made.number)
        else:
            made, traps = values.compute(node.operation, operands)
        self.note(traps, function, line)
        if made.number is None:
            raise Undefined
        return made

    def note(self, traps: list[values.Said], function: str, line: int) -> None:
        for trap in traps:
            self.events.append(Event(f"{trap[0]} in {function} at {self.file}:{line}: {trap[1]}"))


class Writer:
    """The text of one program, which it computes as it writes it."""

    def __init__(self, seed: int, file: str) -> None:
        self.random = random.Random(seed)
        self.lines: list[str] = _HEAD.split("\n")
        self.machine = Machine(file)
        self.calls: list[str] = []

    def add(self, text: str) -> int:
        self.lines.append(text)
        return len(self.lines)

    def special(self, kind: str) -> Any:
        pick = self.random
        if kind in FLOATS:
            return values.number(
                kind, pick.choice((0.0, -0.0, 1.5, -2.25, 1e300, -1e30, 3e38, 1e-40, float("inf"), 7.0))
            )
        least, greatest = values.limits(kind)
        near = [least, greatest, least + 1, greatest - 1, 0, 1, 2, 3, 5, 7, greatest // 2, greatest // 3]
        near += [-1, -2, -7] if least else []
        return pick.choice((pick.choice(near), pick.randint(least, greatest)))

    # -- expressions

    def expression(self, kinds: dict[str, str], depth: int, literals: bool = True) -> tuple[Node, str] | None:
        """Return an expression over the names, and its type; None: this try has none."""
        pick = self.random
        if depth == 0:
            name = pick.choice(list(kinds))
            return Node("name", given=name), kinds[name]
        inner = self.expression(kinds, depth - 1, literals)
        if inner is None:
            return None
        operation = pick.choice((*_BINARY, "neg", "abs", "sqrt", "convert"))
        if operation == "convert":
            to = pick.choice(INTEGERS + FLOATS)
            if inner[1] in FLOATS and to in INTEGERS and pick.random() < 0.9:
                return None  # what does not fit is not defined, and ends the program for the generator
            return Node("convert", (inner[0],), to), to
        if operation in ("neg", "abs", "sqrt"):
            if operation == "sqrt" and inner[1] != "float64":
                return None
            kind = values.result_kind(operation, inner[1])
            return (Node(operation, (inner[0],)), kind) if kind else None
        if literals and pick.random() < 0.3:
            number = pick.choice((1, 2, 3, 7, 31, 255, 65537, 1 << 40))
            other: tuple[Node, Any] | None = Node("literal", given=number), number
        else:
            name = pick.choice(list(kinds))
            other = Node("name", given=name), kinds[name]
        return self._binary(operation, inner, other)

    def _binary(self, operation: str, left: tuple[Node, str], right: tuple[Node, Any]) -> tuple[Node, str] | None:
        kinds = (left[1], right[1])
        if operation in ("<<", ">>", "**"):
            if left[1] in FLOATS or right[1] in FLOATS or right[0].operation == "literal" and right[0].given > 40:
                return None
            if right[0].operation != "literal":
                mask = 63 if operation != "**" else 15
                masked = values.result_kind("&", right[1], mask)
                if masked is None or operation == "**" and masked != "int64":
                    return None
                right = Node("&", (right[0], Node("literal", given=mask))), masked
        elif operation in ("//", "%", "divmod") and not any(kind in FLOATS for kind in kinds):
            if right[0].operation != "literal":
                odd = values.result_kind("|", right[1], 1)
                if odd is None:
                    return None
                right = Node("|", (right[0], Node("literal", given=1))), odd
        kind = values.result_kind(operation, left[1], right[1])
        if operation == "divmod" and kind in FLOATS:
            return None
        return (Node(operation, (left[0], right[0])), kind) if kind else None

    def some(self, kinds: dict[str, str], depth: int, wanted: str | None = None, literals: bool = True) -> Any:
        """Return an expression and its type, which is the wanted one if there is one; None after many tries."""
        for _ in range(200):
            found = self.expression(kinds, depth, literals)
            if found is not None and (wanted is None or found[1] == wanted):
                return found
        return None

    # -- functions

    def function(self, number: int, part: str) -> None:
        """Write a function, and compute its call."""
        pick, name = self.random, f"f{number}"
        arguments = {f"a{i}": pick.choice(INTEGERS + FLOATS) for i in range(pick.randint(2, 4))}
        if part == "parallel":
            arguments = {"a0": pick.choice(("int64", "float64", "uint64")), "a1": "int64"}
        if part == "arrays":
            arguments = {"a0": "int64"}
        given = {each: Value(kind, self.special(kind)) for each, kind in arguments.items()}
        helper = self.helper(number, pick.choice(list(arguments.values()))) if part == "call" else None
        self.add(f"@njit(error_model='numpy'{', parallel=True' if part == 'parallel' else ''})")
        extra = {"store": ["o"], "parallel": ["data"], "arrays": ["p", "q"]}.get(part, [])
        self.add(f"def {name}({', '.join([*arguments, *extra])}):")
        body = Body(self, name, dict(arguments), given)
        shown = ""
        if part == "store":
            kind = pick.choice(INTEGERS)
            shown = f"np.zeros(4, np.{kind})"
            body.stores(kind)
        elif part == "parallel":
            shown = body.parallel()
        elif part == "arrays":
            shown = self.arrays(body)
        else:
            for _ in range(pick.randint(2, 5)):
                body.assignment()
            if part == "loop":
                body.loop()
            elif helper is not None:
                body.call(helper)
        names = [each for each in body.kinds if each not in arguments]
        self.add(f"    return {', '.join(names) or '0'}{',' if len(names) == 1 else ''}")
        self.add("")
        self.add("")
        texts = [f"np.{each.kind}({_spelled(each)})" for each in given.values()]
        if shown:
            self.calls.append(f"o = {shown}")
            texts.append("*o" if part == "arrays" else "o")
        self.calls.append(f"print(bits({name}({', '.join(texts)})){', bits(o)' if shown else ''})")

    def arrays(self, body: Body) -> str:
        """Write statements about arrays of integers, and return the tuple of the two that the function is given."""
        pick = self.random
        given = {name: (pick.choice(_WIDE), [self.special("int8") for _ in range(3)]) for name in ("p", "q")}
        for _, (kind, items) in given.items():
            items[:] = [values.wrapped(self.special(kind) if pick.random() < 0.5 else each, kind) for each in items]
        kept = {name: (kind, list(items)) for name, (kind, items) in given.items()}
        arrays = elements.Arrays(self.machine, body.function, given, Value("int64", body.values["a0"].number, "a0"))
        for number in range(pick.randint(1, 3)):
            for _ in range(100):
                written = arrays.statement(pick, f"r{number}")
                if written is not None:
                    break
            if written is not None:
                text, compute = written
                line = self.add(f"    {text}")
                if self.machine.is_defined:
                    compute(line)
        body.kinds.update({name: "" for name in arrays.made})
        texts = (f"np.array([{', '.join(map(repr, items))}], np.{kind})" for kind, items in kept.values())
        return f"({', '.join(texts)})"

    def helper(self, number: int, kind: str) -> Helper:
        helper = Helper(f"g{number}")
        found = self.some({"h": kind}, 1)
        if found is not None:
            helper.body = found[0]
        self.add("@njit(error_model='numpy')")
        self.add(f"def {helper.name}(h):")
        helper.line = self.add(f"    return {helper.body.text}")
        self.add("")
        self.add("")
        return helper

    def finish(self) -> str:
        self.lines += ["with np.errstate(all='ignore'):", *(f"    {call}" for call in self.calls), ""]
        return "\n".join(self.lines)


class Body:
    """The statements of one function, which are computed as they are written. `kinds`: types of its variables."""

    def __init__(self, writer: Writer, function: str, kinds: dict[str, str], given: dict[str, Value]) -> None:
        self.writer, self.function, self.kinds, self.values = writer, function, kinds, dict(given)

    def compute(self, node: Node, line: int) -> Value | None:
        """Return what the expression is in this run; None if it is not defined, and then nothing is any more."""
        machine = self.writer.machine
        if not machine.is_defined:
            return None
        try:
            return machine.compute(node, self.values, self.function, line)
        except Undefined:
            machine.is_defined = False
            return None

    def assign(self, name: str, node: Node, kind: str, line: int) -> None:
        self.kinds[name] = kind
        made = self.compute(node, line)
        if made is not None:
            self.values[name] = Value(kind, made.number, name)

    def assignment(self) -> None:
        found = self.writer.some(self.kinds, self.writer.random.choice((1, 1, 2, 3)))
        if found is not None:
            name = f"v{len(self.kinds)}"
            line = self.writer.add(f"    {name} = {found[0].text}")
            self.assign(name, *found, line)

    def call(self, helper: Helper) -> None:
        kinds = {name: kind for name, kind in self.kinds.items()}
        static = [(name, _kind_of(helper.body, {"h": kind})) for name, kind in kinds.items()]
        name, kind = self.writer.random.choice([each for each in static if each[1]] or [("a0", None)])
        if kind is not None:
            made = f"v{len(self.kinds)}"
            line = self.writer.add(f"    {made} = {helper.name}({name})")
            self.assign(made, Node("call", (Node("name", given=name),), helper), kind, line)

    def loop(self) -> None:
        """Write a loop in which a variable keeps its type."""
        pick = self.writer.random
        name = pick.choice(list(self.kinds))
        inner = {**self.kinds, "t": self.kinds[name], "i": "int64"}
        for _ in range(100):
            found = self.writer.some(inner, pick.choice((1, 2)), self.kinds[name])
            if found is None or "t" in found[0].text.replace("sqrt", "").replace("int", "").replace("float", ""):
                break
        if found is None:
            return
        self.writer.add(f"    t = {name}")
        self.writer.add(f"    for i in range({(count := pick.randint(1, 5))}):")
        line = self.writer.add(f"        t = {found[0].text}")
        self.kinds["t"] = self.kinds[name]
        if self.writer.machine.is_defined:
            self.values["t"] = Value(self.kinds[name], self.values[name].number, "t")
        for i in range(count):
            if self.writer.machine.is_defined:
                self.values["i"] = Value("int64", i, "i")
                self.assign("t", *found, line)

    def stores(self, kind: str) -> None:
        machine = self.writer.machine
        for index in range(4):
            found = self.writer.some(self.kinds, self.writer.random.choice((0, 1, 1)))
            if found is None:
                continue
            line = self.writer.add(f"    o[{index}] = {found[0].text}")
            made = self.compute(found[0], line)
            if made is not None:
                stored, traps = values.convert(made, kind, "o")
                machine.note(traps, self.function, line)
                machine.is_defined = stored.number is not None

    def parallel(self) -> str:
        """Write a parallel loop, and return the array that it goes over."""
        pick = self.writer.random
        kind = self.kinds["a0"]
        data = [self.writer.special(kind) for _ in range(4)]
        inner = {"a0": kind, "a1": "int64", "x": kind}
        found = self.writer.some(inner, 1)
        assert found is not None
        self.writer.add(f"    r = np.zeros(4, np.{found[1]})")
        self.writer.add("    for i in prange(4):")
        self.writer.add("        x = data[i]")
        line = self.writer.add(f"        y = {found[0].text}")
        self.writer.add("        r[i] = y")
        self.writer.add("    for i in range(4):")
        self.writer.add("        data[i] = r[i] != 0")
        for each in data:
            self.values["x"] = Value(kind, each, "x")
            self.compute(found[0], line)
        pick.random()
        return f"np.array([{', '.join(_spelled(Value(kind, each)) for each in data)}], np.{kind})"


def _kind_of(node: Node, kinds: dict[str, str]) -> Any:
    """Return the type of an expression, an integer for a literal; None: it has none."""
    if node.operation == "name":
        return kinds[node.given]
    if node.operation == "literal":
        return node.given
    inner = [_kind_of(part, kinds) for part in node.parts]
    if None in inner:
        return None
    return node.given if node.operation == "convert" else values.result_kind(node.operation, *inner)


def _spelled(value: Value) -> str:
    return f"float('{float(value.number)!r}')" if value.kind in FLOATS else repr(value.number)


def program(seed: int, functions: int, file: str) -> tuple[str, Machine]:
    """Return a program's text and what happens in it."""
    writer = Writer(seed, file)
    for number in range(functions):
        if writer.machine.is_defined:
            writer.function(number, writer.random.choice(_PARTS))
    return writer.finish(), writer.machine
