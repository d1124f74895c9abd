"""Parallel kernels under the user's names. The body of a parallel loop becomes a function of its own, made of a
template in a file `<string>` (numba/parfors/parfor_lowering.py, _create_gufunc_for_parfor_body, 0.57-0.68), and lowered
while the function that it was cut out of still is. Here the two are joined: the kernel of `foo` is `foo.prange`, in
foo's file; the template's statements belong to the line of the loop's header; the loop's index has its name."""

from __future__ import annotations

import collections
import contextlib
import copy
import functools
import itertools
from collections.abc import Iterable, Iterator, Mapping
from types import CodeType
from typing import Any

from numba.core import debuginfo, inline_closurecall, ir, lowering, types
from numba.parfors import parfor as parfors
from numba.parfors import parfor_lowering

from jitscope.compiler.base import levels
from jitscope.compiler.debuginfo.dibuilder import user_name
from jitscope.compiler.numba_ir import bytecode, closures, origins, pruning, remnants

STENCIL = "_jitscope_stencil"  # of a parallel loop that is made of a stencil: stencils.Body
TEMPLATE = "<string>"
MOVED = "_jitscope_moved"  # a statement that may have been moved to the other side of a parallel loop


def check() -> str | None:
    """Why kernels can't be joined to their functions in this Numba, or None."""
    for owner, names in (
        (
            parfor_lowering,
            ("_create_gufunc_for_parfor_body", "legalize_names_with_typemap", "hoist", "_hoist_internal"),
        ),
        (lowering.Lower, ("_compute_def_location", "__init__")),
        (inline_closurecall, ("_created_inlined_var_name",)),
        (parfors, ("Parfor", "_can_reorder_stmts", "ParforFusionPass")),
        (getattr(parfors, "ParforFusionPass", None), ("fuse_parfors",)),
    ):
        for name in names:
            if not hasattr(owner, name):
                return f"{getattr(owner, '__name__', owner)} has no {name}"
    return None


class Kernel:
    """The kernel of one parallel loop.

    name: for users. header: ir.Loc of the loop's header, in the user's file. loop: its instructions in the user's
    code, none where it is no `for` loop there."""

    is_parallel = True
    has_array_loops = True  # array expressions in it are loops, on lines that have none
    inner: Any = None  # as flow.Names has it, of a stencil

    def __init__(self, lowerer: Any, parfor: Any) -> None:
        outer = getattr(lowerer, "kernel", None)
        identity = lowerer.func_ir.func_id
        self.name: str = outer.name if outer else f"{user_name(identity.func_qualname)}.prange"
        self.choice: levels.Choice = outer.choice if outer else levels.choice_of(identity.func)
        begins = lowerer.func_ir.loc
        self.header = begins if parfor.loc.filename == TEMPLATE != begins.filename else parfor.loc
        self._locs = {id(loc): loc for loc in _locs(parfor)}  # source that was exec'd may be called `<string>` too
        codes = [code for code in bytecode.codes(identity.code) if code.co_filename == self.header.filename]
        code = next((code for code in codes if any(bytecode.loops(code, self.header.line))), None)
        self.loop = [each for loop in bytecode.loops(code, self.header.line) for each in loop] if code else []
        self._others: set[int] = set()  # lines of array expressions that the loop was fused with
        self.turning: frozenset[str] = frozenset()  # indices of fused loops, which each turn begins with
        if (code is None or len(parfor.patterns) > 1) and (fused := _fused(parfor, codes)) is not None:
            code, loops = fused
            self.loop = [each for loop in loops for each in loop]
            self._others = {line for line, _ in bytecode.instructions(code)} - {line for line, _ in self.loop}
            self.header = ir.Loc(self.header.filename, self.loop[0][0])
        self._stencil = vars(parfor).get(STENCIL) if len(parfor.patterns) == 1 else None
        if self._stencil is not None:
            code, self.loop, self.inner = self._stencil.code, self._stencil.loop, self._stencil
            self.header, self.has_array_loops = ir.Loc(self._stencil.file, self.loop[0][0]), False
        # An array expression is taken to stand in the function itself.
        is_expression = code is None and identity.code in codes
        self._is_inlined = not is_expression and code is not identity.code and self._stencil is None
        self._function = code.co_name if code else None
        self.code: CodeType = code or identity.code
        # By line: names of functions that were put in line; of a fused loop also the others' indices.
        called = closures.called(lowerer.func_ir, self.code)
        hidden = closures.hidden(self.code, called) if self._stencil is None else {}
        own_lines = {line for line, _ in self.loop}  # those of a comprehension may be the loop's, too
        self.hidden = {line: names for line, names in hidden.items() if line not in own_lines}
        is_own = code is identity.code and self._stencil is None
        self.reads = bytecode.loads(self.loop) - bytecode.assigned(identity.code) if is_own else frozenset()
        # Names that have a value before the loop, which a worker does not have, as the part of a sum that it adds up.
        self.assigned_before = _assigned_before(self.code, self.loop) if self._stencil is None else frozenset()
        self.unread: dict[str, str] = {}  # parameters that the IR does not read → the user's names
        self._own = _variables(self.code)
        self._indices: dict[str, list[str]] = {}
        for each in _nested(parfor):
            is_fused = each is parfor and self._others
            own = codes if each is parfor or code is None else [code]  # a comprehension's are not its own
            self._indices.update(_index_names(each, own, self.header.line if is_fused else each.loc.line))
        if code is not None and [pattern[0] for pattern in parfor.patterns].count("prange") > 1:
            self._name_fused(parfor, code, loops)
        self._names: dict[str, str | None] = dict.fromkeys(parfor.races)  # arrays of one element that workers share
        if len(parfor.patterns) > 1:  # what the source makes behind the loop has no value in it
            made = (each for each in parfor.init_block.body if isinstance(each, ir.Assign))
            self._names.update({each.target.name: None for each in made if each.loc.line >= self.header.line})
        self._reductions = {f"{name}_arr" for name in parfor.redvars}
        self.sums: set[str] = set()  # parameters: what each worker has added up, one behind the other

    def _name_fused(self, parfor: Any, code: CodeType, loops: list[list[bytecode.Lined]]) -> None:
        """Each loop of the source has its own index on its own lines, unless that is more than an index."""
        stored = collections.Counter(name for _, name in bytecode.stores(self.loop))
        heads = [_index(loop) for loop in loops]
        own = [name for name in dict.fromkeys(heads) if heads.count(name) == stored[name] and name in self._own]
        self._indices.update(dict.fromkeys(_index_variables(parfor), own))
        self.turning = frozenset(own)
        for loop, name in zip(loops, heads):
            for line, _ in loop:
                self.hidden.setdefault(line, set()).update(each for each in own if each != name)

    def is_given(self, name: str, parameters: Iterable[str]) -> bool:
        """Is a variable among the parameters, names of the function's IR?"""
        return any(self.user_name(each.lstrip("$")) == name for each in parameters)

    def legalized(self, names: dict[str, str]) -> None:
        """Names of the function → of the kernel's parameters and indices."""
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
                # A parameter `$scale.12` is what `scale` was given by the function.
                self._names[legal] = self.user_name(original[1:] if original.startswith("$") else original)

    def user_name(self, name: str) -> str | None:
        """Return the user's name ("my_sum") of a variable of the kernel's IR ("my__sum_2.1"); None: a variable of the
        template's or of Numba's own."""
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
        """As flow.Names has it: a turn of a loop leaves what the one before has assigned, a stencil's begins anew."""
        is_index = strip(name.lstrip("$"), self._indices) in self._indices
        return sorted(self.inner.names) if self.inner is not None and is_index else []

    def adopt(self, func_ir: Any, typemap: dict[str, Any]) -> None:
        """The kernel's IR now lies in the user's file. What Numba has hoisted out of the loop is not where the user has
        it: it belongs to the header, and a variable that is assigned there has no value that could be shown."""
        func_ir.loc = self.header
        first = min(func_ir.blocks)
        for label, block in func_ir.blocks.items():
            if self._is_template(block.loc):
                block.loc = self.header
            for statement in block.body:
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

    def _name_values(self, func_ir: Any) -> None:
        """What is left of `scale = $scale.12`, where the variable itself has been optimised away. Numba names such a
        value by any variable that is a copy of it: it is this one's from this one's own line on."""
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
        return loc.filename == TEMPLATE and id(loc) not in self._locs

    def _name_index(self, func_ir: Any, block: Any, typemap: dict[str, Any]) -> None:
        """A loop's header puts the next item into the index before it knows whether there is one. The user's variable
        is assigned where there is: at the beginning of the body."""
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
                # Where the body does not read the index, Numba lets go of the item, which makes it 0, before the body.
                block.body = [each for each in block.body if not (isinstance(each, ir.Del) and each.value == item.name)]

    def _place_body(self, func_ir: Any) -> None:
        """Where the loop's body begins in the bytecode: of its first block the template has made one with its own."""
        header = min(label for label, block in func_ir.blocks.items() if isinstance(block.terminator, ir.Branch))
        origins.stamp(
            func_ir.blocks[func_ir.blocks[header].terminator.truebr], self.code, self.loop[0][1].offset + pruning.LABELS
        )


def strip(name: str, known: Mapping[str, Any]) -> str:
    """Without versions (".1"), down to a known name."""
    while name not in known:
        head, dot, version = name.rpartition(".")
        if not dot or not version.isdigit():
            break
        name = head
    return name


def _variables(code: CodeType) -> frozenset[str]:
    return frozenset((*bytecode.variables(code), *code.co_freevars))


def _locs(parfor: Any) -> Iterator[Any]:
    for each in _nested(parfor):
        yield each.loc
        for block in (each.init_block, *each.loop_body.values()):
            yield block.loc
            yield from (statement.loc for statement in block.body)


def _nested(parfor: Any) -> Iterator[Any]:
    yield parfor
    for block in parfor.loop_body.values():
        for statement in block.body:
            if isinstance(statement, parfors.Parfor):
                yield from _nested(statement)


def _fused(parfor: Any, codes: Iterable[CodeType]) -> tuple[CodeType, list[list[bytecode.Lined]]] | None:
    """Return the code and the instructions of the loops that a parallel loop was made of, where it was made of several
    array expressions and loops of the source."""
    if not any(pattern[:2] == ("prange", "user") for pattern in parfor.patterns):
        return None
    own = {statement.loc.line for block in parfor.loop_body.values() for statement in block.body}
    for code in codes:
        if code.co_name.endswith("comp>"):  # a comprehension in the loop's body
            continue
        found: list[list[bytecode.Lined]] = []
        for loop in bytecode.loops(code):
            lines = {line for line, _ in loop}
            is_inner = bool(found) and loop[0][1].offset <= found[-1][-1][1].offset
            is_around = parfor.loc.line in lines and parfor.loc.line != loop[0][0]
            if not is_inner and not is_around and not own.isdisjoint(lines):
                found.append(loop)
        if found:
            return code, found
    return None


def fused_header(lowerer: Any, parfor: Any) -> Any:
    """Return, for a parallel loop that was made of several, ir.Loc of the header of the source's first loop among them,
    that its kernel has too, or where it begins when none is; None where it was not."""
    if len(parfor.patterns) < 2:
        return None
    own = lowerer.func_ir.loc
    codes = [each for each in bytecode.codes(lowerer.func_ir.func_id.code) if each.co_filename == own.filename]
    found = _fused(parfor, codes) if parfor.loc.filename == own.filename else None
    return ir.Loc(own.filename, found[1][0][0][0]) if found else parfor.loc


def fused(statement: Any) -> Iterator[Any]:
    """The statements of a parallel loop that was made of several, and of those in it."""
    if isinstance(statement, parfors.Parfor) and len(statement.patterns) > 1:
        for each in _nested(statement):
            for block in (each.init_block, *each.loop_body.values()):
                yield from block.body


def _index(loop: list[bytecode.Lined]) -> str:
    return next(bytecode.stores(loop[:1]), (0, ""))[1]


def _index_variables(parfor: Any) -> list[str]:
    return [parfor.index_var.name.lstrip("$"), parfor.index_var.name]


def _assigned_before(code: CodeType, loop: list[bytecode.Lined]) -> frozenset[str]:
    """Names that the code may have given a value when the loop begins."""
    if not loop:
        return frozenset()
    inside = {each.offset for _, each in loop}
    around = [each for each in bytecode.loops(code) if inside < {instruction.offset for _, instruction in each}]
    again = {instruction.offset for each in around for _, instruction in each}
    before = [
        (line, each)
        for line, each in bytecode.instructions(code)
        if each.offset not in inside and (each.offset < min(inside) or each.offset in again)
    ]
    given = code.co_argcount + code.co_kwonlyargcount
    return frozenset((*code.co_varnames[:given], *(name for _, name in bytecode.stores(before))))


def _index_names(parfor: Any, codes: Iterable[CodeType], header: int) -> dict[str, list[str]]:
    """The variable of the IR that holds a loop's index → its name. Array expressions have none, nor has here a loop
    that was fused of several."""
    names: dict[str, list[str]] = {nest.index_variable.name: [] for nest in parfor.loop_nests}
    if [pattern[0] for pattern in parfor.patterns].count("prange") == 1:
        loops = [(code, loop) for code in codes for loop in bytecode.loops(code, header)]
        found = {(code, _index(loop)) for code, loop in loops if loop}
        if len(found) == 1:
            ((code, name),) = found
            own = [name] if name in bytecode.variables(code) else []
            names.update(dict.fromkeys(_index_variables(parfor), own))
    return names


def index_variable(blocks: Mapping[int, Any], code: CodeType, name: str) -> str | None:
    """Return the variable of the IR that holds the index of a parallel loop, by the index's name."""
    found = (statement for block in blocks.values() for statement in block.body)
    for each in (
        nested for statement in found if isinstance(statement, parfors.Parfor) for nested in _nested(statement)
    ):
        for variable, names in _index_names(each, [code], each.loc.line).items():
            if name in names:
                return variable
    return None


_PLAIN = (types.Integer, types.Float, types.Complex, types.Boolean)


def _keep_arguments(lowerer: Any, parfor: Any, kernel: Kernel) -> None:
    """The kernel is also given the function's arguments that the loop's source reads, and Numba no longer does."""
    if lowerer.generator_info:
        return
    typemap = lowerer.fndesc.typemap
    for name, kind, value in zip(lowerer.func_ir.arg_names, lowerer.fndesc.argtypes, lowerer.fnargs):
        simple = kind.dtype if type(kind) is types.Array and kind.ndim else kind
        if name not in kernel.reads or not isinstance(simple, _PLAIN) or isinstance(simple, types.Literal):
            continue
        if kernel.is_given(name, parfor.params) or value.type != lowerer.context.get_value_type(kind):
            continue
        given = next(each for version in itertools.count() if (each := f"${name}.{version}") not in typemap)
        typemap[given] = kind
        with debuginfo.suspend_emission(lowerer.builder):
            lowerer.builder.store(value, lowerer.getvar(given))
        parfor.params = {*parfor.params, given}
        kernel.unread[given] = name


_inlined: dict[str, tuple[str, str]] = {}  # Numba's names of inlined functions' variables → function, variable
_INLINED_MAX = 100_000


def inlined(name: str) -> tuple[str, tuple[str, str]] | None:
    """Return the name that all versions of a variable in Numba's IR have, the function that was inlined, and the
    variable's name there."""
    base = strip(name, _inlined)
    return (base, _inlined[base]) if base in _inlined else None


def _part(parfor: Any) -> None:
    """SSA's copies in a loop may be the same statements as behind it, in which names that Numba changes for the kernel
    would be changed, too. Without the hook they are gone as dead."""
    for each in _nested(parfor):
        for block in each.loop_body.values():
            block.body = [
                copy.copy(inst) if isinstance(inst, ir.Assign) and isinstance(inst.value, ir.Var) else inst
                for inst in block.body
            ]


_open: list[Kernel] = []  # whose kernels are being made; Numba compiles one function at a time


def _keeps_place(statement: Any, func_ir: Any) -> bool:
    """Would a debugger tell that this statement has been moved to the other side of a parallel loop?"""
    if not levels.is_followed(func_ir.func_id.func):
        return False
    if levels.level_of(func_ir.func_id.func) == levels.STEPS:
        return True
    code = func_ir.func_id.code
    own = bytecode.variables(code)
    return isinstance(statement, ir.Assign) and statement.target.name.partition(".")[0] in own


_others: list[tuple[str, Any]] = []  # other functions that Numba makes of the user's: how their names begin


@contextlib.contextmanager
def opened(prefix: str, made: Any) -> Iterator[None]:
    """While a function whose name begins so is compiled, `made` stands for it, as a Kernel does."""
    _others.append((prefix, made))
    try:
        yield
    finally:
        _others.pop()


def of(func_ir: Any) -> Any:
    """The Kernel whose IR this is, or what `opened` has been given; None."""
    name = func_ir.func_id.func_name
    if _open and name.startswith(levels.KERNEL):
        return _open[-1]
    return next((made for prefix, made in reversed(_others) if name.startswith(prefix)), None)


def install() -> None:
    """Once a process. From then on `Lower` objects have an attribute `kernel`: a Kernel, or None."""
    make, legalize = parfor_lowering._create_gufunc_for_parfor_body, parfor_lowering.legalize_names_with_typemap
    may_move, fuse = parfors._can_reorder_stmts, parfors.ParforFusionPass.fuse_parfors
    inline = inline_closurecall._created_inlined_var_name
    hoist, hoist_one = parfor_lowering.hoist, parfor_lowering._hoist_internal
    initialise, locate = lowering.Lower.__init__, lowering.Lower._compute_def_location

    @functools.wraps(make)
    def create(lowerer: Any, parfor: Any, *arguments: Any, **named: Any) -> Any:
        if not lowerer.flags.debuginfo:
            return make(lowerer, parfor, *arguments, **named)
        if levels.is_left_alone(lowerer.func_ir.func_id.func, lowerer.flags):
            with levels.piece_of(levels.choice_of(lowerer.func_ir.func_id.func, flags=lowerer.flags)):
                return make(lowerer, parfor, *arguments, **named)
        _part(parfor)
        _open.append(Kernel(lowerer, parfor))
        _keep_arguments(lowerer, parfor, _open[-1])
        try:
            return make(lowerer, parfor, *arguments, **named)
        finally:
            _open.pop()

    @functools.wraps(legalize)
    def legalize_names(names: Any, typemap: Any) -> Any:
        legal = legalize(names, typemap)
        if _open:
            _open[-1].legalized(legal)
        return legal

    @functools.wraps(hoist)
    def hoist_out(parameters: Any, body: Any, *arguments: Any, **named: Any) -> Any:
        before = {label: list(block.body) for label, block in body.items()}
        found = hoist(parameters, body, *arguments, **named)
        if _open:
            for label, block in body.items():
                remnants.leave(before[label], block, _open[-1].header.filename, _open[-1].user_name)
        return found

    @functools.wraps(hoist_one)
    def _hoist_internal(inst: Any, *arguments: Any, **named: Any) -> Any:
        is_users = bool(_open) and _open[-1].user_name(inst.target.name) is not None
        if is_users and (isinstance(inst.value, ir.Const) or _open[-1].choice.level == levels.STEPS):
            return False  # a variable is assigned where the source says
        return hoist_one(inst, *arguments, **named)

    @functools.wraps(inline)
    def inlined_name(function_name: str, var_name: str) -> Any:
        name = inline(function_name, var_name)
        if not var_name.startswith("$"):
            if len(_inlined) >= _INLINED_MAX:
                _inlined.clear()
            function = function_name.rpartition(".")[2].partition("$")[0]
            inside = inlined(var_name)  # of a function that was inlined into this one
            _inlined[name] = inside[1] if inside else (function, strip(var_name, {}))
        return name

    @functools.wraps(may_move)
    def _can_reorder_stmts(stmt: Any, next_stmt: Any, func_ir: Any, *arguments: Any, **named: Any) -> Any:
        moved = next_stmt if isinstance(stmt, parfors.Parfor) else stmt
        if _keeps_place(moved, func_ir):
            return False
        found = may_move(stmt, next_stmt, func_ir, *arguments, **named)
        if found:
            setattr(moved, MOVED, True)
        return found

    @functools.wraps(fuse)
    def fuse_parfors(self: Any, array_analysis: Any, blocks: Any, func_ir: Any, *arguments: Any) -> Any:
        if remnants.is_at_steps(func_ir, of(func_ir)):
            return None  # the source's loops run one after the other
        return fuse(self, array_analysis, blocks, func_ir, *arguments)

    @functools.wraps(initialise)
    def __init__(self: Any, context: Any, library: Any, fndesc: Any, func_ir: Any, *rest: Any, **named: Any) -> None:
        self.kernel = of(func_ir)
        if self.kernel is not None:
            self.kernel.adopt(func_ir, fndesc.typemap)
        initialise(self, context, library, fndesc, func_ir, *rest, **named)
        if self.kernel is not None:
            self.debuginfo.name = self.kernel.name
            self.debuginfo.has_lines = bool(self.kernel.loop)

    @functools.wraps(locate)
    def _compute_def_location(self: Any) -> ir.Loc:
        # A kernel has no source to be found, of which Numba would warn.
        return self.kernel.header if self.kernel is not None else locate(self)

    inline_closurecall._created_inlined_var_name = inlined_name
    parfors._can_reorder_stmts = _can_reorder_stmts
    parfors.ParforFusionPass.fuse_parfors = fuse_parfors
    parfor_lowering._create_gufunc_for_parfor_body = create
    parfor_lowering.legalize_names_with_typemap = legalize_names
    parfor_lowering.hoist = hoist_out
    parfor_lowering._hoist_internal = _hoist_internal
    lowering.Lower.__init__ = __init__
    lowering.Lower._compute_def_location = _compute_def_location
