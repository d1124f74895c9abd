"""Statements over a scope: statements that compilers delete, move, merge, unroll or vectorise."""

from __future__ import annotations

from collections.abc import Callable

from .expressions import ARRAYS, Expressions, Scope

Lines = list[str]
ASSIGNED = ("int", "int", "int", "float", "float", "bool", "str", "pair", "triple", *ARRAYS, "grid")
# Numba itself makes variables with the last ones of these names.
NAMES = ("x", "y", "z", "w", "u", "v", "acc", "best", "left", "size", "index", "array", "one", "zero", "ret")


def indent(lines: Lines) -> Lines:
    return ["    " + line for line in lines]


class Statements(Expressions):
    """A generator of blocks of a function. `loop`: inside a loop; `born`: names whose first assignment is in this
    block."""

    serial = 0
    exceptions = True
    returns = "int"
    left = 12  # statements that this function may still have

    def fresh(self, stem: str) -> str:
        self.serial += 1
        return f"{stem}{self.serial}"

    def block(self, scope: Scope, depth: int, loop: int, most: int = 3, least: int = 1) -> Lines:
        lines: Lines = []
        born: set[str] = set()
        for _ in range(self.number(least, most)):
            if self.left <= 0 and lines:
                break
            self.left -= 1
            lines += self.statement(scope, depth, loop, born)
        return lines

    def statement(self, scope: Scope, depth: int, loop: int, born: set[str]) -> Lines:
        kinds: list[Callable[[Scope, int, int, set[str]], Lines]] = [self.assign] * 5
        kinds += [self.add] * 3 + [self.retype] * 2 + [self.dead, self.swap, self.unpack]
        if depth > 0:
            kinds += [self.branch] * 3 + [self.loop_range] * 2 + [self.loop_while, self.loop_closed, self.loop_unrolled]
            kinds += [self.loop_array, self.loop_typed, self.loop_enumerate, self.loop_first, self.loop_forever]
            kinds += [self.loop_grid] * bool(scope.of("grid"))
            kinds += [self.catch] * self.exceptions
            if loop < 2:
                kinds += [self.loop_vector] * 2
        if scope.of(*ARRAYS, "grid"):
            kinds += [self.store] * 2 + [self.slice]
        if loop:
            kinds += [self.leave] * 2
        elif 0 < depth < 3:
            kinds += [self.early]
        if self.exceptions and 0 < depth < 3:
            kinds += [self.throw]
        return self.pick(kinds)(scope, depth, loop, born)

    # --- assignments ----------------------------------------------------------------------------------

    def target(self, kind: str, scope: Scope, born: set[str]) -> str:
        """Return a name that may be given a value of this type here."""
        same = [name for name in scope.of(kind) if name not in scope.frozen]
        if same and self.chance(50):
            return self.pick(same)
        free = [name for name in NAMES if name not in scope.types and name not in self.taken]
        return self.pick(free) if free else self.fresh("t")

    taken: set[str] = set()

    def give(self, name: str, kind: str, scope: Scope, born: set[str]) -> None:
        if name not in scope.types:
            born.add(name)
        self.taken.add(name)
        scope.types[name] = kind
        scope.bounded.discard(name)

    def assign(self, scope: Scope, depth: int, loop: int, born: set[str]) -> Lines:
        kind = self.pick(ASSIGNED)
        if kind in (*ARRAYS, "grid"):  # a name keeps its array, because a view elsewhere may have another layout
            name = self.fresh("a")
        else:
            name = self.target(kind, scope, born)
        text = self.expression(kind, scope, 2, bool(loop))
        self.give(name, kind, scope, born)
        return [f"{name} = {text}"]

    def add(self, scope: Scope, depth: int, loop: int, born: set[str]) -> Lines:
        names = [name for name in scope.of("int", "float") if name not in scope.frozen]
        if not names:
            return self.assign(scope, depth, loop, born)
        name = self.pick(names)
        sign = self.pick(("+=", "+=", "-="))
        if scope.types[name] == "float":
            return [f"{name} {sign} {self.real(scope, 1)}"]
        bounded = sorted(scope.bounded - {name})
        scope.bounded.discard(name)
        amount = self.pick(bounded) if bounded and self.chance(70) else str(self.number(1, 9))
        return [f"{name} {sign} {amount}"]

    def retype(self, scope: Scope, depth: int, loop: int, born: set[str]) -> Lines:
        """Give a name that is born in this block a value of another type."""
        able = sorted(name for name in born if scope.types.get(name) in ("int", "float", "bool", "str", "pair"))
        if not able:
            return self.assign(scope, depth, loop, born)
        name = self.pick(able)
        kind = self.pick([k for k in ("int", "float", "float", "str", "bool") if k != scope.types[name]])
        text = self.expression(kind, scope, 1, bool(loop))
        self.give(name, kind, scope, born)
        return [f"{name} = {text}"]

    def dead(self, scope: Scope, depth: int, loop: int, born: set[str]) -> Lines:
        name = self.fresh("unused")
        return [f"{name} = {self.expression(self.pick(('int', 'float', 'triple')), scope, 1, bool(loop))}"]

    def swap(self, scope: Scope, depth: int, loop: int, born: set[str]) -> Lines:
        names = [name for name in scope.of("int") if name not in scope.frozen]
        if len(names) < 2:
            return self.assign(scope, depth, loop, born)
        first, second = names[0], names[1]
        scope.bounded -= {first, second}
        return [f"{first}, {second} = {second}, {first}"]

    def unpack(self, scope: Scope, depth: int, loop: int, born: set[str]) -> Lines:
        first, second = self.fresh("p"), self.fresh("q")
        texts = self.expression("int", scope, 1, bool(loop)), self.real(scope, 1)
        lines = [f"{first}, {second} = {texts[0]}, {texts[1]}"]
        if scope.of("pair") and self.chance(50):
            lines = [f"{first}, {second} = {self.pick(scope.of('pair'))}"]
        self.give(first, "int", scope, born)
        self.give(second, "float", scope, born)
        return lines

    def store(self, scope: Scope, depth: int, loop: int, born: set[str]) -> Lines:
        name = self.pick(scope.of(*ARRAYS, "grid"))
        if scope.types[name] == "grid":
            return [f"{name}[{self.number(0, 1)}, {self.number(0, 1)}] = {self.real(scope, 1)}"]
        at = self.index(name, scope)
        if scope.types[name] == "ints":
            if self.chance(50):
                return [f"{name}[{at}] += {self.number(1, 9)}"]
            return [f"{name}[{at}] = ({self.integer(scope, 1)[0]}) % 97"]
        return [f"{name}[{at}] {self.pick(('=', '+='))} {self.real(scope, 1)}"]

    def slice(self, scope: Scope, depth: int, loop: int, born: set[str]) -> Lines:
        able = [name for name in scope.of(*ARRAYS, "grid") if not name.startswith("view")]
        if not able:
            return self.assign(scope, depth, loop, born)
        name = self.pick(able)
        view = self.fresh("view")
        if scope.types[name] == "grid":
            self.give(view, "floats", scope, born)
            return [f"{view} = {name}[{self.pick(('0', '1', ':, 0', '-1'))}]"]
        self.give(view, scope.types[name], scope, born)
        return [f"{view} = {name}[{self.pick((':', '1:', '::2', '::-1', ':2', '-2:'))}]"]

    # --- branches -------------------------------------------------------------------------------------

    def branch(self, scope: Scope, depth: int, loop: int, born: set[str]) -> Lines:
        lines = [f"if {self.boolean(scope, 1)}:"]
        ends = [scope.copy()]
        lines += indent(self.block(ends[0], depth - 1, loop, 2))
        if self.chance(25):
            ends.append(scope.copy())
            lines += [f"elif {self.boolean(scope, 1)}:", *indent(self.block(ends[-1], depth - 1, loop, 2))]
        if self.chance(60):
            ends.append(scope.copy())
            lines += ["else:", *indent(self.block(ends[-1], depth - 1, loop, 2))]
        else:
            ends.append(scope.copy())
        self.join(scope, ends)
        return lines

    def join(self, scope: Scope, ends: list[Scope]) -> None:
        """Keep, after branches or a loop, the names on which every path agrees."""
        scope.types = {
            name: kind for name, kind in ends[0].types.items() if all(end.types.get(name) == kind for end in ends)
        }
        scope.bounded = set.intersection(*[end.bounded for end in ends]) & set(scope.types)

    def leave(self, scope: Scope, depth: int, loop: int, born: set[str]) -> Lines:
        return [f"if {self.boolean(scope, 0)}:", f"    {self.pick(('break', 'continue'))}"]

    def early(self, scope: Scope, depth: int, loop: int, born: set[str]) -> Lines:
        return [f"if {self.boolean(scope, 0)}:", f"    return {self.expression(self.returns, scope, 1)}"]

    def throw(self, scope: Scope, depth: int, loop: int, born: set[str]) -> Lines:
        return [f"if {self.boolean(scope, 0)}:", f"    raise {self.pick(('ValueError', 'IndexError'))}('no')"]

    def catch(self, scope: Scope, depth: int, loop: int, born: set[str]) -> Lines:
        if self.trying:
            return self.assign(scope, depth, loop, born)
        self.trying = True
        inner, other = scope.copy(), scope.copy()
        body = self.assign(inner, 0, loop, set()) + self.throw(inner, 0, 0, set()) + self.assign(inner, 0, loop, set())
        handler = self.assign(other, 0, loop, set())
        self.trying = False
        self.join(scope, [scope.copy(), inner, other])
        return ["try:", *indent(body), "except Exception:", *indent(handler)]

    trying = False

    # --- loops ----------------------------------------------------------------------------------------

    def body(self, scope: Scope, counters: dict[str, str], depth: int, loop: int, most: int = 3) -> Lines:
        """Return a loop's body; afterwards the scope has the names that were there before, if their types stayed."""
        inner = scope.copy()
        inner.types.update(counters)
        inner.bounded = (inner.bounded & self.arguments) | set(counters)
        inner.frozen |= set(counters)
        lines = self.block(inner, depth - 1, loop + 1, most)
        self.join(scope, [scope.copy(), inner])
        return lines

    arguments: set[str] = set()

    def trips(self, scope: Scope, loop: int) -> str:
        known = sorted(self.arguments & set(scope.of("int")))
        if known and self.chance(60):
            name = self.pick(known)
            return f"{name} % {self.number(2, 5) - min(loop, 2)}" if loop or self.chance(50) else name
        return str(self.number(0, 4 - min(loop, 2)))

    def loop_range(self, scope: Scope, depth: int, loop: int, born: set[str]) -> Lines:
        name = self.pick([n for n in ("i", "j", "k") if n not in scope.types] or [self.fresh("i")])
        span = self.trips(scope, loop)
        span = self.pick((span, span, f"1, {span}", f"{span}, 0, -1"))
        return [f"for {name} in range({span}):", *indent(self.body(scope, {name: "int"}, depth, loop))]

    def loop_while(self, scope: Scope, depth: int, loop: int, born: set[str]) -> Lines:
        name = self.fresh("turn")
        self.give(name, "int", scope, born)
        limit = self.trips(scope, loop)
        lines = self.body(scope, {name: "int"}, depth, loop, 2)
        return [f"{name} = 0", f"while {name} < {limit}:", f"    {name} += 1", *indent(lines)]

    def loop_closed(self, scope: Scope, depth: int, loop: int, born: set[str]) -> Lines:
        """Return a sum that LLVM writes in closed form, deleting the loop."""
        name, index = self.fresh("s"), self.fresh("i")
        step = self.pick([*sorted(self.arguments & set(scope.of("int"))), "3", index, f"2 * {index} + 1"])
        lines = [f"{name} = 0", f"for {index} in range({self.trips(scope, loop)}):", f"    {name} += {step}"]
        self.give(name, "int", scope, born)
        return lines

    def loop_unrolled(self, scope: Scope, depth: int, loop: int, born: set[str]) -> Lines:
        index = self.fresh("i")
        lines = self.body(scope, {index: "int"}, depth, loop, 2)
        return [f"for {index} in range({self.number(2, 4)}):", *indent(lines)]

    def loop_vector(self, scope: Scope, depth: int, loop: int, born: set[str]) -> Lines:
        sources = scope.of("floats")
        if not sources:
            return self.loop_closed(scope, depth, loop, born)
        source, out, index = self.pick(sources), self.fresh("out"), self.fresh("i")
        scale = self.pick([*sorted(self.arguments & set(scope.of("float"))), "0.5"])
        body = [f"{out}[{index}] = {source}[{index}] * {scale} + 1.0"]
        if self.chance(50):
            value = self.fresh("e")
            body = [f"{value} = {source}[{index}] * {scale}", f"{out}[{index}] = {value} - 0.25"]
        self.give(out, "floats", scope, born)
        return [f"{out} = np.zeros(len({source}))", f"for {index} in range(len({source})):", *indent(body)]

    def loop_array(self, scope: Scope, depth: int, loop: int, born: set[str]) -> Lines:
        able = scope.of(*ARRAYS)
        if not able or loop:
            return self.loop_range(scope, depth, loop, born)
        source, value = self.pick(able), self.fresh("item")
        kind = "int" if scope.types[source] == "ints" else "float"
        return [f"for {value} in {source}:", *indent(self.body(scope, {value: kind}, depth, loop, 2))]

    def loop_enumerate(self, scope: Scope, depth: int, loop: int, born: set[str]) -> Lines:
        able = scope.of(*ARRAYS)
        if not able or loop:
            return self.loop_closed(scope, depth, loop, born)
        source, index, value = self.pick(able), self.fresh("i"), self.fresh("item")
        kinds = {index: "int", value: "int" if scope.types[source] == "ints" else "float"}
        return [f"for {index}, {value} in enumerate({source}):", *indent(self.body(scope, kinds, depth, loop, 2))]

    def loop_typed(self, scope: Scope, depth: int, loop: int, born: set[str]) -> Lines:
        """Return a loop in which an int becomes a float."""
        name, index = self.fresh("f"), self.fresh("i")
        lines = [f"{name} = {self.number(-3, 3)}", f"for {index} in range({self.trips(scope, loop)}):"]
        lines += [f"    {name} = {name} * 0.5 + {index}"]
        self.give(name, "float", scope, born)
        return lines

    def loop_first(self, scope: Scope, depth: int, loop: int, born: set[str]) -> Lines:
        """Return a loop in which a name is first assigned, and is only read there."""
        name, index = self.fresh("first"), self.fresh("i")
        names = [n for n in scope.of("int") if n not in scope.frozen]
        total = self.pick(names) if names else None
        lines = [f"for {index} in range({self.trips(scope, loop)}):", f"    {name} = {index} * {self.number(2, 5)} + 1"]
        if total:
            scope.bounded.discard(total)
            lines.append(f"    {total} += {name}")
        return lines

    def loop_forever(self, scope: Scope, depth: int, loop: int, born: set[str]) -> Lines:
        name = self.fresh("turn")
        self.give(name, "int", scope, born)
        lines = self.body(scope, {name: "int"}, depth, loop, 2)
        end = [f"    if {name} > {self.number(0, 3)}:", "        break"]
        return [f"{name} = 0", "while True:", f"    {name} += 1", *end, *indent(lines)]

    def loop_grid(self, scope: Scope, depth: int, loop: int, born: set[str]) -> Lines:
        """Return a nest over a 2-D array."""
        source, row, column, total = self.pick(scope.of("grid")), self.fresh("r"), self.fresh("c"), self.fresh("sum")
        self.give(total, "float", scope, born)
        lines = [f"{total} = 0.0", f"for {row} in range({source}.shape[0]):", f"    for {column} in range(2):"]
        lines.append(f"        {total} += {source}[{row}, {column}]")
        if self.chance(50):
            lines.append(f"        {source}[{row}, {column}] = {total} * 0.5")
        return lines
