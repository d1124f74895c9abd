"""Facts about a function that the lowering needs before it begins: its loops, where its variables are assigned, and
where each of the user's lines starts. They are read from Numba's IR as it is after all passes."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable, Iterator, Mapping
from types import CodeType
from typing import TYPE_CHECKING, Any

from numba.core import analysis, dispatcher, ir

from jitscope.compiler.numba_ir import bytecode, closures, origins, pruning, repeats

if TYPE_CHECKING:
    from jitscope.compiler.parallel.kernels import Kernel

_NOTHING = ("null", "undef")  # the operations by which Numba initialises a version that no assignment reaches
_VERSION = re.compile(r"(.+?)(?:\.\d+)*")

Inlined = tuple[str, closures.Variable]  # the result of kernels.inlined()
Versions = dict[str, frozenset[str]]  # names of the IR's variables, by name of the source


class Names:
    """The user's variables in the IR, with their names in the source."""

    def __init__(self, func_ir: Any, kernel: Kernel | None, inlined: Callable[[str], Inlined | None]) -> None:
        code = func_ir.func_id.code
        called = closures.called(func_ir, code) if kernel is None else ()
        self._own = frozenset(bytecode.variables(code))
        self._kernel = kernel
        self._inlined: Callable[[str], Inlined | None] = inlined
        self.inner: Any = getattr(kernel, "inner", None) or closures.Inner(code, called)
        self.all = () if kernel is not None else bytecode.variables(code)
        assigned = bytecode.assigned(code)
        # Arguments in the IR that keep the value that they were given, whether the IR reads them or not → their names.
        self.unchanged: Mapping[str, str] = (
            kernel.unread
            if kernel is not None
            else {name: name for name in func_ir.arg_names if name in self.all and name not in assigned}
        )

    def base(self, name: str) -> str | None:
        """Return `s` for `s`, `s.1`, `s.2.1`; None for a name that is not the user's."""
        if self._kernel is not None:
            return self._kernel.user_name(name)
        if name.startswith("$"):
            return None
        found = _VERSION.fullmatch(name)
        base = found[1] if found else name
        if base in self._own:
            return base
        found_inside = self._inlined(name)
        return found_inside[1][1] if found_inside and self.inner.shows(found_inside[1]) else None

    def are_one(self, name: str, other: str) -> bool:
        """True if both are versions of one variable."""
        base = self.base(name)
        if base is None or base != self.base(other):
            return False
        return base not in self.inner.names or (self._inlined(name) or ("",))[0] == (self._inlined(other) or ("",))[0]

    def begun_by(self, name: str) -> list[str]:
        """Return the names that have no value yet when this variable gets its own, because a call of an inlined
        function begins."""
        if self._kernel is not None:
            return self._kernel.begun_by(name)
        found = self._inlined(name) if not name.startswith("$") else None
        return self.inner.begun_by(found[1]) if found else []

    def in_call(self, name: str, line: int, holding: Versions) -> frozenset[str]:
        """Return the versions of an inlined function's variable that hold its value in the call that the line is in,
        and not those of an earlier call. The first argument's version identifies the call."""
        first = self.inner.first_of(name, line)
        calls = {self._call_of(version) for version in holding.get(first, ())} if first else set()
        return frozenset(each for each in holding.get(name, ()) if self._call_of(each) in calls)

    def _call_of(self, version: str) -> str:
        found = self._inlined(version)
        return found[0][: -len(found[1][1])] if found else version

    def keep_begun(self, blocks: dict[int, Any]) -> None:
        targets = (inst.target.name for block in blocks.values() for inst in block.body if isinstance(inst, ir.Assign))
        self.inner.keep(found for name in targets if (found := self._inlined(name)))


@dataclasses.dataclass(eq=False)
class Loop:
    """An innermost loop. Edges are (block before, block after); back: the edges to its header from within."""

    header: int
    blocks: frozenset[int]
    entries: list[tuple[int, int]]
    exits: list[tuple[int, int]]
    back: list[tuple[int, int]]
    assigned: set[str]


Edge = tuple[int, int]


def _either(one: Versions, other: Versions) -> Versions:
    return {base: one.get(base, frozenset()) | other.get(base, frozenset()) for base in one.keys() | other.keys()}


def _both(one: Versions, other: Versions) -> Versions:
    return {base: versions & other.get(base, frozenset()) for base, versions in one.items()}


def _is_nothing(inst: Any) -> bool:
    return isinstance(inst, ir.Assign) and isinstance(inst.value, ir.Expr) and inst.value.op in _NOTHING


def _nothing(blocks: dict[int, Any]) -> set[str]:
    """Return the temporaries that hold only what Numba has in place of a value."""
    assigned: dict[str, list[Any]] = {}
    for block in blocks.values():
        for inst in block.body:
            if isinstance(inst, ir.Assign) and inst.target.name.startswith("$"):
                assigned.setdefault(inst.target.name, []).append(inst)
    found: set[str] = set()
    changed = True
    while changed:
        more = {
            name
            for name, own in assigned.items()
            if all(_is_nothing(i) or isinstance(i.value, ir.Var) and i.value.name in found for i in own)
        }
        changed, found = more != found, more
    return found


def lifted(block: Any) -> Any:
    """Return the function that Numba has made of a loop or a `with` block and calls in this block, or None."""
    for inst in block.body:
        if isinstance(inst, ir.Assign) and isinstance(inst.value, ir.Const):
            if isinstance(inst.value.value, dispatcher.LiftedCode):
                return inst.value.value
    return None


def _lines(blocks: dict[int, Any]) -> range:
    found = [inst.loc.line for block in blocks.values() for inst in block.body if inst.loc.line > 0]
    return range(min(found, default=0), max(found, default=0) + 1)


def _not_lifted(found: list[bytecode.Lined], blocks: dict[int, Any]) -> Iterator[bytecode.Lined]:
    """Yield this function's own instructions: without the pieces lifted out of it or, in a piece, those of the piece
    alone."""
    is_piece = min(blocks) > 0
    own = _lines(blocks)
    others = [_lines(code.func_ir.blocks) for code in map(lifted, blocks.values()) if code is not None]
    for line, instruction in found:
        if (line in own or not is_piece) and not any(line in other for other in others):
            yield line, instruction


class Flow:
    """The facts about a function. `names`, `cfg`; `loops`: the innermost loops."""

    def __init__(
        self,
        func_ir: Any,
        blocks: dict[int, Any],
        kernel: Kernel | None,
        inlined: Callable[[str], Inlined | None],
    ) -> None:
        self.names = Names(func_ir, kernel, inlined)
        self.names.keep_begun(blocks)
        self._file = func_ir.loc.filename
        self.has_lines = kernel is None or bool(kernel.loop)
        self.has_own_labels = kernel is None  # True if its blocks are those of its bytecode
        self.has_array_loops = kernel is not None and kernel.has_array_loops
        self._index_names = kernel.turning if kernel else frozenset()
        self.blocks = blocks
        self._code = func_ir.func_id.code
        self._kernel = kernel
        self._source: CodeType = self._code if kernel is None else kernel.code  # the code that its lines belong to
        self._called = closures.called(func_ir, self._code)
        self._nothing = _nothing(blocks)
        self.cfg = analysis.compute_cfg_from_blocks(blocks)
        self._repeats: set[int] = set()
        self._repeats = repeats.of(blocks, self.cfg, self.names, self.is_copy)
        self.instructions = list(pruning.left(func_ir, kernel.loop if kernel else bytecode.instructions(self._code)))
        self.lineless = bytecode.lineless(self._source)
        if kernel is None:
            self.instructions = list(_not_lifted(self.instructions, blocks))
        self._current: dict[int, Versions] | None = None
        self._holding: dict[int, Versions] | None = None
        self._stored_elsewhere: dict[tuple[int, str], set[int]] = {}
        for line, name, made_on in bytecode.stores_of_values(self.instructions):
            if line != made_on:
                self._stored_elsewhere.setdefault((made_on, name), set()).add(line)
        self.loops = list(self._innermost())
        self._entry = self._definitely_assigned()
        use_defs = analysis.compute_use_defs(blocks)
        self._live = analysis.compute_live_map(self.cfg, blocks, use_defs.usemap, use_defs.defmap)

    # -- assignments

    def assigned_by(self, inst: Any, is_copy: bool | None = None) -> Iterator[str]:
        """Yield the user's variables in the IR that the statement assigns. `is_copy`: what is_copy() says, if known."""
        if isinstance(inst, ir.Assign):
            if not (self.is_copy(inst) if is_copy is None else is_copy) and self.names.base(inst.target.name):
                yield inst.target.name
        elif type(inst) in analysis.ir_extension_usedefs:
            _, defined = analysis.ir_extension_usedefs[type(inst)](inst)
            # if a body is one block, Numba lists none of its reductions as defined
            reduced = getattr(inst, "redvars", None) or ()
            yield from (name for name in sorted(defined.union(reduced)) if self.names.base(name))

    def given(self) -> set[str]:
        """Return the IR variables that hold only a value that the caller has given."""
        assigned: dict[bool, set[str]] = {True: set(), False: set()}
        for block in self.blocks.values():
            for inst in block.body:
                if isinstance(inst, ir.Assign):
                    assigned[isinstance(inst.value, ir.Arg)].add(inst.target.name)
        return assigned[True] - assigned[False]

    def changed(self) -> set[str]:
        """Return the user's variables that are assigned anything but a value that the caller has given."""
        found = (inst for block in self.blocks.values() for inst in block.body)
        others = (inst for inst in found if not (isinstance(inst, ir.Assign) and isinstance(inst.value, ir.Arg)))
        return {self.names.base(name) or name for inst in others for name in self.assigned_by(inst)}

    def is_copy(self, inst: Any) -> bool:
        """True if the statement is bookkeeping of SSA: a version of a variable is taken from another version, or from
        none."""
        if not isinstance(inst, ir.Assign):
            return False
        if _is_nothing(inst) or id(inst) in self._repeats:
            return True
        if not isinstance(inst.value, ir.Var):
            return False
        return self.names.are_one(inst.target.name, inst.value.name)

    @staticmethod
    def is_item(inst: Any) -> bool:
        """True if the statement assigns a loop's next item before it is known whether there is one. The target is a
        user's variable only if Numba has propagated copies (parallel=True)."""
        return isinstance(inst, ir.Assign) and isinstance(inst.value, ir.Expr) and inst.value.op == "pair_first"

    def is_cleared(self, inst: Any) -> bool:
        """True if the statement deletes a comprehension's variable (Python 3.12), which had no value before."""
        return isinstance(inst, ir.Assign) and isinstance(inst.value, ir.Var) and inst.value.name in self._nothing

    def assigned_in(self, label: int) -> set[str]:
        names = (name for inst in self.blocks[label].body for name in self.assigned_by(inst))
        return {base for name in names if (base := self.names.base(name))}

    def _definitely_assigned(self) -> dict[int, frozenset[str]]:
        """Return for the entry of each block the variables that every path to it has assigned."""
        own = {label: frozenset(self._surely_assigned_in(label)) for label in self.blocks}
        everything = frozenset().union(*own.values())
        entry = dict.fromkeys(self.blocks, everything)
        order = list(self.cfg.topo_order())
        first = self.cfg.entry_point()
        entry[first] = frozenset()
        changed = True
        while changed:
            changed = False
            for label in order:
                if label == first:
                    continue
                before = [entry[source] | own[source] for source, _ in self.cfg.predecessors(label)]
                found = before[0].intersection(*before[1:]) if before else frozenset()
                if found != entry[label]:
                    entry[label], changed = found, True
        return entry

    def _surely_assigned_in(self, label: int) -> set[str]:
        found = (
            name
            for inst in self.blocks[label].body
            if not self.is_item(inst) and not self.is_cleared(inst)
            for name in self.assigned_by(inst)
        )
        return {base for name in found if (base := self.names.base(name))}

    def definite_at(self, label: int) -> frozenset[str]:
        return self._entry[label]

    def definite_after(self, label: int) -> frozenset[str]:
        return self._entry[label] | self._surely_assigned_in(label)

    def advance(self, inst: Any, current: Versions) -> None:
        """Change `current`, for each name of the source the versions that may hold its value, as the statement does."""
        if isinstance(inst, ir.Del) and (base := self.names.base(inst.value)) is not None:
            current[base] = current.get(base, frozenset()) - {inst.value}  # Numba fills a deleted variable with zeros
        if self.is_copy(inst):
            base = self.names.base(inst.target.name) or ""
            found = current.get(base, frozenset()) - {inst.target.name}
            is_of_current = id(inst) in self._repeats or isinstance(inst.value, ir.Var) and inst.value.name in found
            current[base] = found | {inst.target.name} if is_of_current else found
            return
        for name in self.assigned_by(inst, is_copy=False):
            current[self.names.base(name) or name] = frozenset((name,))

    def current_at(self, label: int) -> Versions:
        """Return the current versions at the block's entry, as `advance` makes them."""
        if self._current is None:
            self._current = self._forward(_either)
        return self._current.get(label, {})

    def holding_at(self, label: int) -> Versions:
        """Return at the block's entry, by name of the source, versions that all hold its value, on any path that leads
        there."""
        if self._holding is None:
            self._holding = self._forward(_both)
        return self._holding.get(label, {})

    def _forward(self, merge: Callable[[Versions, Versions], Versions]) -> dict[int, Versions]:
        """Return for each block's entry the merged results of `advance` on all paths to it."""
        entry: dict[int, Versions] = {self.cfg.entry_point(): {}}
        order = list(self.cfg.topo_order())
        changed = True
        while changed:
            changed = False
            for label in order:
                after = dict(entry[label])
                for inst in self.blocks[label].body:
                    self.advance(inst, after)
                for target, _ in self.cfg.successors(label):
                    found = merge(entry[target], after) if target in entry else after
                    if entry.get(target) != found:
                        entry[target], changed = found, True
        return entry

    def live_at(self, label: int) -> set[str]:
        """Return the user's variables whose value the program still reads at the block's entry."""
        return {base for name in self._live.get(label, ()) if (base := self.names.base(name))}

    # -- loops

    def _innermost(self) -> Iterator[Loop]:
        found = list(self.cfg.loops().values())
        for loop in found:
            body = frozenset(loop.body)
            if any(other is not loop and set(other.body) < body for other in found):
                continue
            before = [source for source, _ in self.cfg.predecessors(loop.header)]
            entries = [(source, loop.header) for source in before if source not in body]
            back = [(source, loop.header) for source in before if source in body]
            exits = [
                (source, target)
                for source in sorted(body)
                for target, _ in self.cfg.successors(source)
                if target not in body
            ]
            assigned = set().union(*(self.assigned_in(label) for label in body))
            yield Loop(loop.header, body, entries, exits, back, assigned)

    def assigned_each_iteration(self, loop: Loop) -> set[str]:
        """Return the user's variables that every iteration assigns."""
        dominators = self.cfg.dominators()
        always = set(loop.blocks).intersection(*(dominators[source] for source, _ in loop.back))
        return set().union(*(self.assigned_in(label) for label in always))

    def items(self, loop: Loop) -> set[str]:
        """Return the user's variables that are assigned the loop's items."""
        found: set[str] = set()
        for label in sorted(loop.blocks):
            for inst in self.blocks[label].body:
                taken = isinstance(inst, ir.Assign) and isinstance(inst.value, ir.Var) and inst.value.name in found
                if taken or self.is_item(inst):
                    found.add(inst.target.name)
        return {base for name in found if (base := self.names.base(name))}

    def holder(self, edge: Edge, base: str) -> set[str]:
        """Return the versions of the variable that hold its value on the edge, and that the program still reads."""
        source, target = edge
        return set(self.holding_after(source).get(base, ())) & set(self._live.get(target, ()))

    def holding_after(self, label: int) -> Versions:
        """Like holding_at(), but at the block's end."""
        after = dict(self.holding_at(label))
        for inst in self.blocks[label].body:
            self.advance(inst, after)
        return after

    def origins(self) -> dict[int, int]:
        """Return by the blocks' labels the labels before a pass renamed them: offsets in the bytecode."""
        return origins.of(self.blocks, self._source)

    def owners(self) -> dict[int, Any]:
        """Return the inner functions by their lines."""
        if not self.has_own_labels:
            return {}
        own = {line for line, _ in self.instructions}
        codes = (each for one in (self._code, *self._called) for each in bytecode.codes(one))
        inner = (code for code in codes if code is not self._code)
        return {line: code for code in inner for line, _ in bytecode.instructions(code) if line not in own}

    def hidden(self) -> Mapping[int, set[str]]:
        """Return by line the names that mean other variables there than this function's."""
        return closures.hidden(self._code, self._called) if self._kernel is None else self._kernel.hidden

    def begins_piece(self, label: int) -> bool:
        """True if the block takes over the values passed to a piece that was lifted out of the function."""
        return self.has_own_labels and 0 < label == min(self.blocks)

    def is_users(self, inst: Any) -> bool:
        """True if the statement belongs to a line of the function. It does not if it was inlined from another file, or
        is in the kernel of an array expression, whose only line is the one where the function starts it."""
        return self.has_lines and inst.loc.line > 0 and inst.loc.filename == self._file

    # -- statements that earlier passes have removed

    def removed(self) -> dict[int, set[str]]:
        """Return line → variables that the source assigns there, and that the IR assigns nowhere on that line."""
        kept_on: dict[str, set[int]] = {}
        for block in self.blocks.values():
            for inst in block.body:
                for name in self.assigned_by(inst):
                    kept_on.setdefault(self.names.base(name) or name, set()).add(closures.assigned_on(inst))
        found: dict[int, set[str]] = {}
        for line, name, made_on in bytecode.stores_of_values(self.instructions):
            if not ({line, made_on} & kept_on.get(name, set()) or name in self._index_names):
                found.setdefault(line, set()).add(name)
        return found

    def stored_on(self, inst: Any) -> Iterator[int]:
        """Yield the line on which the source assigns the statement's value, if that is another than the statement's."""
        if not isinstance(inst, ir.Assign) or self.is_copy(inst):
            return
        name = self.names.base(inst.target.name)
        if name is not None:
            lines = self._stored_elsewhere.get((inst.loc.line, name), ())
            if len(lines) == 1:
                yield from lines

    def lost(self, marked: set[int]) -> set[str]:
        """Return the variables that the source assigns, in code that runs, on a line with no statement left in the IR:
        the place where they change is not known. `marked`: the lines that begin somewhere. The variables that a
        parallel loop assigns are known from its statement; code without a line was never compiled."""
        parallel = {
            self.names.base(name)
            for block in self.blocks.values()
            for inst in block.body
            if type(inst) in analysis.ir_extension_usedefs
            for name in self.assigned_by(inst)
        }
        found: set[str] = set()
        for piece in bytecode.pieces(self.instructions):
            if self.has_own_labels or any(line in marked for line, _ in piece):
                found.update(name for line, name in bytecode.stores(piece) if line not in marked)
        return found - parallel - self._index_names
