"""Parallel kernels under the user's names. The body of a parallel loop becomes a function of its own, made of a
template in a file `<string>` (numba/parfors/parfor_lowering.py, _create_gufunc_for_parfor_body, 0.57-0.68), and lowered
while its outer function is lowered. This module connects the two: the kernel of `foo` is `foo.prange`, in foo's file;
the template's statements belong to the line of the loop's header; the loop's index has its name."""

from __future__ import annotations

import collections
import contextlib
import itertools
from collections.abc import Iterable, Iterator, Mapping
from types import CodeType
from typing import Any, NamedTuple

from numba.core import ir

from jitscope.compiler.base import levels, wanted
from jitscope.compiler.debuginfo.dibuilder import LineBuilder, user_name
from jitscope.compiler.numba_ir import bytecode, closures, origins, pruning
from jitscope.compiler.parallel import parfor_loops

STENCIL = "_jitscope_stencil"  # attribute of a parallel loop that is made of a stencil: stencils.Body


class Kernel:
    """The kernel of one parallel loop.

    `name`: its name for users. `header`: ir.Loc of the loop's header, in the user's file. `loop`: its instructions in
    the user's code, none if it is no `for` loop there."""

    is_parallel = True
    has_array_loops = True  # array expressions in it are loops, on lines that have no loop
    inner: Any = None  # for a stencil: as in flow.Names

    def __init__(self, lowerer: Any, parfor: Any) -> None:
        outer = getattr(lowerer, "kernel", None)
        identity = lowerer.func_ir.func_id
        self.name: str = outer.name if outer else f"{user_name(identity.func_qualname)}.prange"
        self.choice: levels.Choice = outer.choice if outer else levels.choice_of(identity.func)
        self.owner: Any = outer.owner if outer else identity  # the FunctionIdentity of the user's function
        self.traps: int = outer.traps if outer else wanted.traps_in(identity.func)
        begins = lowerer.func_ir.loc
        self.header = begins if parfor.loc.filename == levels.TEMPLATE != begins.filename else parfor.loc
        self._locs = {
            id(loc): loc for loc in parfor_loops.locations(parfor)
        }  # the file of source that was exec'd may be called `<string>`, too
        codes = [code for code in bytecode.codes(identity.code) if code.co_filename == self.header.filename]
        code = next((code for code in codes if any(bytecode.loops(code, self.header.line))), None)
        self.loop = [each for loop in bytecode.loops(code, self.header.line) for each in loop] if code else []
        self._others: set[int] = set()  # lines of array expressions with which the loop was fused
        self.turning: frozenset[str] = frozenset()  # indices of fused loops, which each iteration assigns first
        if (code is None or len(parfor.patterns) > 1) and (fused := parfor_loops.loops_of(parfor, codes)) is not None:
            code, loops = fused
            self.loop = [each for loop in loops for each in loop]
            self._others = {line for line, _ in bytecode.instructions(code)} - {line for line, _ in self.loop}
            self.header = ir.Loc(self.header.filename, self.loop[0][0])
        self._stencil = vars(parfor).get(STENCIL) if len(parfor.patterns) == 1 else None
        if self._stencil is not None:
            code, self.loop, self.inner = self._stencil.code, self._stencil.loop, self._stencil
            self.header, self.has_array_loops = ir.Loc(self._stencil.file, self.loop[0][0]), False
        # An array expression counts as part of the function itself.
        is_expression = code is None and identity.code in codes
        self._is_inlined = not is_expression and code is not identity.code and self._stencil is None
        self._function = code.co_name if code else None
        self.code: CodeType = code or identity.code
        # By line: names of functions that were inlined; in a fused loop also the other loops' indices.
        called = closures.called(lowerer.func_ir, self.code)
        hidden = closures.hidden(self.code, called) if self._stencil is None else {}
        own_lines = {line for line, _ in self.loop}  # the names of a comprehension may be the loop's, too
        self.hidden = {line: names for line, names in hidden.items() if line not in own_lines}
        is_own = code is identity.code and self._stencil is None
        self.reads = bytecode.loads(self.loop) - bytecode.assigned(identity.code) if is_own else frozenset()
        # Names that have a value before the loop and not in a worker, such as a sum that a worker adds up only in part.
        self.assigned_before = (
            parfor_loops.assigned_before(self.code, self.loop) if self._stencil is None else frozenset()
        )
        self.unread: dict[str, str] = {}  # parameters that the IR does not read → the user's names
        self._own = _variables(self.code)
        self._indices: dict[str, list[str]] = {}
        for each in parfor_loops.with_inner(parfor):
            is_fused = each is parfor and self._others
            # a comprehension's loops are not the kernel's own
            own = codes if each is parfor or code is None else [code]
            self._indices.update(parfor_loops.index_names(each, own, self.header.line if is_fused else each.loc.line))
        if code is not None and [pattern[0] for pattern in parfor.patterns].count("prange") > 1:
            self._name_fused(parfor, code, loops)
        self._names: dict[str, str | None] = dict.fromkeys(parfor.races)  # arrays of one element that workers share
        if len(parfor.patterns) > 1:  # a variable that the source assigns after the loop has no value in it
            made = (each for each in parfor.init_block.body if isinstance(each, ir.Assign))
            self._names.update({each.target.name: None for each in made if each.loc.line >= self.header.line})
        self._reductions = {f"{name}_arr" for name in parfor.redvars}
        self.sums: set[str] = set()  # parameters: arrays of the workers' own sums, one after the other
        self.fills: dict[str, int] = {}  # the user's arrays that fused expressions fill → the expression's line

    def _name_fused(self, parfor: Any, code: CodeType, loops: list[list[bytecode.Lined]]) -> None:
        """Name the indices of a fused loop: each loop of the source has its own index on its own lines, unless the
        variable is more than an index. On the other loops' lines a loop's sum has no value: the source has the whole
        sum there, and a worker only its part."""
        stored = collections.Counter(name for _, name in bytecode.stores(self.loop))
        heads = [parfor_loops.index_of(loop) for loop in loops]
        own = [name for name in dict.fromkeys(heads) if heads.count(name) == stored[name] and name in self._own]
        self._indices.update(dict.fromkeys(parfor_loops.index_variables(parfor), own))
        self.turning = frozenset(own)
        for loop, name in zip(loops, heads):
            for line, _ in loop:
                self.hidden.setdefault(line, set()).update(each for each in own if each != name)
        sums = {strip(name, dict.fromkeys(self._own)) for name in parfor.redvars}
        for loop in loops:
            others = sums.difference(name for _, name in bytecode.stores(loop))
            for line, _ in loop:
                self.hidden[line].update(others)

    def is_given(self, name: str, parameters: Iterable[str]) -> bool:
        """True if a variable is among the parameters, which are names of the function's IR."""
        return any(self.user_name(each.lstrip("$")) == name for each in parameters)

    def legalized(self, names: dict[str, str]) -> None:
        """Note the names of the kernel's parameters and indices. `names`: names of the function → names in the
        kernel."""
        self.unread.update({legal: self.unread.pop(name) for name, legal in names.items() if name in self.unread})
        for original, legal in names.items():
            if original in self._indices:
                self._indices[legal] = self._indices[original]
            elif original in self._reductions:
                self._names[legal] = None
                self.sums.add(legal)
            elif self._stencil is not None and original in self._stencil.arguments:
                self._names[legal] = self._stencil.arguments[original]
            else:
                # A parameter `$scale.12` is the value that the function has given `scale`.
                self._names[legal] = self.user_name(original[1:] if original.startswith("$") else original)

    def user_name(self, name: str) -> str | None:
        """Return the user's name ("my_sum") of a variable of the kernel's IR ("my__sum_2.1"); None: the variable is the
        template's or Numba's own."""
        if name in self._names:
            return self._names[name]
        index = strip(name[1:] if name.startswith("$") else name, self._indices)
        if index in self._indices:
            own = self._indices[index]
            return own[0] if len(own) == 1 else None
        base = strip(name, self._names)
        if base in self._names:
            return self._names[base]
        if base in _inlined:
            function, variable = _inlined[base]
            return variable if self._is_inlined and function == (self._function or function) else None
        return base if base in self._own and base != "sched" else None

    def begun_by(self, name: str) -> list[str]:
        """Like flow.Names.begun_by(): an iteration keeps the values that the one before has assigned, but a stencil's
        begins anew."""
        is_index = strip(name.lstrip("$"), self._indices) in self._indices
        return sorted(self.inner.names) if self.inner is not None and is_index else []

    def adopt(self, func_ir: Any, typemap: dict[str, Any]) -> None:
        """Put the kernel's IR into the user's file. A statement that Numba has hoisted out of the loop is not where the
        user has it: it belongs to the header, and a variable that is assigned there has no value that could be
        shown."""
        func_ir.loc = self.header
        first = min(func_ir.blocks)
        for label, block in func_ir.blocks.items():
            if self._is_template(block.loc):
                block.loc = self.header
            for statement in block.body:
                self._note_fill(statement)
                if self._is_template(statement.loc) or statement.loc.line in self._others:
                    statement.loc = self.header
                elif label == first:
                    statement.loc = self.header
                    if isinstance(statement, ir.Assign):
                        self._names[statement.target.name] = None
        if self._stencil is not None:
            self._stencil.place(func_ir)
        if self.loop and not self._others and self._stencil is None:
            self._place_body(func_ir)
        for block in list(func_ir.blocks.values()):
            self._name_index(func_ir, block, typemap)
        self._name_values(func_ir)

    def _note_fill(self, statement: Any) -> None:
        if isinstance(statement, (ir.SetItem, ir.StaticSetItem)) and statement.loc.line in self._others:
            name = self.user_name(statement.target.name)
            if name is not None:
                self.fills[name] = statement.loc.line

    def _name_values(self, func_ir: Any) -> None:
        """Name the values left of `scale = $scale.12`, if the variable itself has been optimised away. Numba names such
        a value after any variable that is a copy of it: it is that variable's value from the variable's own line on."""
        targets = [
            (statement.target.name, statement.loc.line)
            for block in func_ir.blocks.values()
            for statement in block.body
            if isinstance(statement, ir.Assign)
        ]
        kept = {self.user_name(name) for name, _ in targets}
        assigned = {(line, name) for at, name, made in bytecode.stores_of_values(self.loop) for line in (at, made)}
        for name, line in targets:
            variable = strip(name[1:], {})
            if name.startswith("$") and name not in self._names and variable in self._own - kept:
                self._names[name] = variable if (line, variable) in assigned or not self.loop else None

    def _is_template(self, loc: Any) -> bool:
        return loc.filename == levels.TEMPLATE and id(loc) not in self._locs

    def _name_index(self, func_ir: Any, block: Any, typemap: dict[str, Any]) -> None:
        """Name the loop's index: the header assigns the next item before it is known whether there is one, and the
        user's variable is assigned only if there is, at the beginning of the body."""
        branch = block.terminator
        for statement in block.body if isinstance(branch, ir.Branch) else ():
            if not isinstance(statement, ir.Assign) or getattr(statement.value, "op", "") != "pair_first":
                continue
            item = statement.target
            for name in self._indices.get(strip(item.name.lstrip("$"), self._indices), ()):
                version = next(version for version in itertools.count() if f"{name}.{version}" not in typemap)
                target = ir.Var(item.scope, f"{name}.{version}", statement.loc)
                typemap[target.name] = typemap[item.name]
                self._names[item.name], self._names[target.name] = None, name
                func_ir.blocks[branch.truebr].prepend(ir.Assign(item, target, statement.loc))
                # If the body does not read the index, Numba deletes the item, which makes it 0, before the body.
                block.body = [each for each in block.body if not (isinstance(each, ir.Del) and each.value == item.name)]

    def _place_body(self, func_ir: Any) -> None:
        """Note where the loop's body begins in the bytecode: the template has merged its first block with one of its
        own."""
        header = min(label for label, block in func_ir.blocks.items() if isinstance(block.terminator, ir.Branch))
        origins.stamp(
            func_ir.blocks[func_ir.blocks[header].terminator.truebr], self.code, self.loop[0][1].offset + pruning.LABELS
        )


def _variables(code: CodeType) -> frozenset[str]:
    return frozenset((*bytecode.variables(code), *code.co_freevars))


def strip(name: str, known: Mapping[str, Any]) -> str:
    """Return the name without versions (".1"), down to a known name."""
    while name not in known:
        head, dot, version = name.rpartition(".")
        if not dot or not version.isdigit():
            break
        name = head
    return name


_inlined: dict[str, tuple[str, str]] = {}  # Numba's names of inlined functions' variables → function, variable
_INLINED_MAX = 100_000


def note_inlined(name: str, function_name: str, variable: str) -> None:
    """Note the name that Numba has given a variable of an inlined function."""
    if len(_inlined) >= _INLINED_MAX:
        _inlined.clear()
    function = function_name.rpartition(".")[2].partition("$")[0]
    inside = inlined(variable)  # the variable is one of a function that was inlined into this one
    _inlined[name] = inside[1] if inside else (function, strip(variable, {}))


def inlined(name: str) -> tuple[str, tuple[str, str]] | None:
    """Return the name that all versions of a variable in Numba's IR have, the function that was inlined, and the
    variable's name there; None for other variables."""
    base = strip(name, _inlined)
    return (base, _inlined[base]) if base in _inlined else None


being_made: list[Kernel] = []  # the kernels that are being made; Numba compiles one function at a time


class Place(NamedTuple):
    """The name and the place of a kernel that has lines only.

    `name`: its name for users. `header`: ir.Loc of the statement that the loop is made of; the template's statements
    belong to it."""

    name: str
    header: ir.Loc


_places: list[Place] = []  # places of the kernels with lines only that are being made, the innermost last


@contextlib.contextmanager
def with_lines(lowerer: Any, parfor: Any) -> Iterator[None]:
    """Give the kernel of this parallel loop its place, if the function that starts it has its lines."""
    if not isinstance(lowerer.debuginfo, LineBuilder):
        yield
        return
    outer = place_of(lowerer.func_ir)
    name = outer.name if outer else f"{user_name(lowerer.func_ir.func_id.func_qualname)}.prange"
    begins = lowerer.func_ir.loc
    _places.append(Place(name, begins if parfor.loc.filename == levels.TEMPLATE != begins.filename else parfor.loc))
    try:
        yield
    finally:
        _places.pop()


def place_of(func_ir: Any) -> Place | None:
    """Return the place of the kernel with lines only whose IR this is, or None."""
    return _places[-1] if _places and func_ir.func_id.func_name.startswith(levels.KERNEL) else None


_others: list[tuple[str, Any]] = []  # other functions that Numba makes for the user's: the beginnings of their names


@contextlib.contextmanager
def opened(prefix: str, made: Any) -> Iterator[None]:
    """Use `made` as the Kernel while a function whose name begins with `prefix` is compiled."""
    _others.append((prefix, made))
    try:
        yield
    finally:
        _others.pop()


def of(func_ir: Any) -> Any:
    """Return the Kernel whose IR this is, or the object that was passed to `opened`; else None."""
    name = func_ir.func_id.func_name
    if being_made and name.startswith(levels.KERNEL):
        return being_made[-1]
    return next((made for prefix, made in reversed(_others) if name.startswith(prefix)), None)
