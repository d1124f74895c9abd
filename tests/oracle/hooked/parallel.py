"""Parallel functions: some `prange` loops, one in another or one after the other, array expressions, reductions, and
arrays that are made directly before the loop that fills them."""

from __future__ import annotations

from .expressions import Callee, Scope
from .statements import Lines, Statements, indent

MADE = ("np.zeros(len(rows))", "np.ones(len(rows))", "np.zeros_like(rows)", "np.full(len(rows), k)")


class Parallel(Statements):
    """A generator of functions of `rows` (floats), `cells` (a grid with a row for each), `k` (int) and `scale`
    (float)."""

    def parallel(self, name: str) -> tuple[Lines, list[str]]:
        """Return a function and its calls."""
        parameters = {"rows": "floats", "cells": "grid", "k": "int", "scale": "float"}
        scope = Scope(dict(parameters), {"k"}, set(parameters))
        self.left, self.serial, self.taken = 40, 0, {*parameters, "i", "j"}
        self.arguments, self.exceptions = {"k", "scale"}, False
        callees, self.callees = self.callees, list[Callee]()
        lines: Lines = []
        self.results: list[str] = []
        self.filled: list[str] = []
        for _ in range(self.number(1, 3)):
            lines += self.before(scope) if self.chance(70) else []
            lines += self.pick((self.fill, self.fill, self.reduce, self.nest, self.whole, self.repeated))(scope)
        lines += self.before(scope) if self.chance(40) else []
        sums = [f"{name}[0]" for name in self.filled] + self.results or ["scale"]
        lines += [f"top = {' + '.join(sums)}", "return top"]
        self.exceptions, self.callees = True, callees
        head = ["@njit(debug=True, parallel=True)", f"def {name}(rows, cells, k, scale):"]
        size = self.number(3, 9)
        given = f"np.arange({size}) * 0.5, np.arange({size * 3}.0).reshape({size}, 3), {self.number(0, 4)}, 1.5"
        return [*head, *indent(lines), ""], [f"{name}({given})"]

    # -- between the loops

    def before(self, scope: Scope) -> Lines:
        ways = (self.assign_scalar, self.assign_scalar, self.branch_scalar, self.loop_closed, self.dead, self.whole)
        way = self.pick(ways)
        return self.whole(scope) if way == self.whole else way(scope, 1, 0, set())

    def assign_scalar(self, scope: Scope, depth: int, loop: int, born: set[str]) -> Lines:
        kind = self.pick(("int", "float", "bool"))
        name = self.fresh("v")
        text = self.expression(kind, scope, 1, True)
        self.give(name, kind, scope, born)
        return [f"{name} = {text}"]

    def branch_scalar(self, scope: Scope, depth: int, loop: int, born: set[str]) -> Lines:
        lines = [f"if {self.boolean(scope, 0)}:"]
        lines += indent(self.assign_scalar(scope.copy(), 0, loop, set()))
        return [*lines, "else:", *indent(self.assign_scalar(scope.copy(), 0, loop, set()))]

    def whole(self, scope: Scope) -> Lines:
        """Write code from which Numba makes a parallel loop though the source has none."""
        source, name = self.pick(["rows", *self.filled]), self.fresh("w")
        texts = (
            f"{source} * scale + 1.0",
            f"{source} * 2.0 + {source}",
            f"np.sqrt(np.abs({source}))",
            f"np.where({source} > scale, {source}, 0.0)",
            "cells[:, 1] - rows",
        )
        if self.chance(60):
            self.filled.append(name)
            scope.types[name] = "floats"
            scope.frozen.add(name)
            return [f"{name} = {self.pick(texts)}"]
        self.results.append(name)
        self.give(name, "float", scope, set())
        scope.frozen.add(name)
        # Sums of rows are the same in any order.
        texts = ("rows.sum()", "np.sum(rows * 2.0)", f"{source}.max()", "cells.sum()", "rows.mean()")
        return [f"{name} = {self.pick(texts)}"]

    # -- loops

    def inside(self, scope: Scope, *indices: str) -> Scope:
        """Return the scope of a loop's body, which may read arrays only element by element."""
        kept = {name: kind for name, kind in scope.types.items() if kind in ("int", "float", "bool")}
        inner = Scope({**kept, **dict.fromkeys(indices, "int")}, {"k", *indices}, {*kept, *indices})
        return inner

    def turns(self, inner: Scope) -> Lines:
        found: Lines = []
        for _ in range(self.number(0, 2)):
            way = self.pick((self.assign_scalar, self.branch_scalar, self.loop_closed, self.loop_typed, self.dead))
            found += way(inner, 1, 1, set())
        return found

    def header(self) -> str:
        return self.pick(("len(rows)", "len(rows)", "rows.shape[0]", "rows.size", "1, len(rows)"))

    def fill(self, scope: Scope) -> Lines:
        """Write a loop in which each iteration writes its own element of an array that is made before it."""
        out, inner = self.fresh("out"), self.inside(scope, "i")
        source = self.pick(["rows", *self.filled])
        body = [f"here = {source}[i] * scale"]
        inner.types["here"] = "float"
        body += self.turns(inner)
        body.append(f"{out}[i] = {self.real(inner, 1)}")
        lines = [f"{out} = {self.pick(MADE)}"]
        lines += self.assign_scalar(scope, 1, 0, set()) if self.chance(30) else []
        total = self.fresh("total") if self.chance(40) else ""
        if total:
            self.results.append(total)
            lines.append(f"{total} = 0")
            body.append(f"{total} += {self.pick(('i', 'k', '1'))}")
        self.filled.append(out)
        scope.types[out] = "floats"
        scope.frozen.add(out)
        return [*lines, f"for i in prange({self.header()}):", *indent(body)]

    def reduce(self, scope: Scope) -> Lines:
        """Write a loop with reductions only."""
        inner = self.inside(scope, "i")
        body, lines = self.turns(inner), Lines()
        source = self.pick(["rows", *self.filled])
        for way in ("sum", "count", "most", "least", "product"):
            if not (self.chance(40) or way == "sum"):
                continue
            name = self.fresh(way)
            self.results.append(name)
            texts = {
                "sum": ("0.0", f"{name} += rows[i]"),
                "count": ("0", f"{name} += {self.pick(('i', '1', 'k'))}"),
                "most": ("-100.0", f"{name} = max({name}, {source}[i])"),
                "least": ("k + 0.5", f"{name} = min({name}, {source}[i])"),
                "product": ("1.0", f"{name} *= {self.pick(('0.5', '-1.0'))}"),
            }
            lines.append(f"{name} = {texts[way][0]}")
            body += [f"if {self.boolean(inner, 0)}:", *indent([texts[way][1]])] if self.chance(25) else [texts[way][1]]
        return [*lines, f"for i in prange({self.header()}):", *indent(body)]

    def nest(self, scope: Scope) -> Lines:
        """Write a loop in a loop; Numba runs the outer one in parallel."""
        out, inner = self.fresh("out"), self.inside(scope, "i")
        body = self.turns(inner)
        deeper = self.inside(inner, "j")
        way = self.pick(("prange", "prange", "range"))
        once = [f"part = cells[i, j] * {self.pick(('scale', '0.5'))}", *self.turns(deeper), "line += part"]
        if self.chance(30):
            once.append("cells[i, j] = part + 1.0")
        body += ["line = 0.0", f"for j in {way}({self.pick(('3', 'cells.shape[1]'))}):", *indent(once)]
        inner.types["line"] = "float"
        body += [*self.turns(inner), f"{out}[i] = line"]
        self.filled.append(out)
        scope.types[out] = "floats"
        scope.frozen.add(out)
        return [f"{out} = {self.pick(MADE[:2])}", f"for i in prange({self.header()}):", *indent(body)]

    def repeated(self, scope: Scope) -> Lines:
        """Write a parallel loop that runs several times, or under a test."""
        out, inner, turn = self.fresh("out"), self.inside(scope, "i"), self.fresh("turn")
        lines = [f"{out} = {self.pick(MADE[:2])}"]
        self.filled.append(out)
        body = [*self.turns(inner), f"{out}[i] += rows[i] * {self.pick(('scale', '2.0'))}"]
        loop = [f"for i in prange({self.header()}):", *indent(body)]
        if self.chance(50):
            lines += [f"for {turn} in range({self.pick(('2', 'k', '1'))}):", *indent(loop)]
        else:
            lines += [f"if {self.boolean(scope, 0)}:", *indent(loop)]
        scope.types[out] = "floats"
        scope.frozen.add(out)
        return lines
