"""Stencils under the user's name, with their lines and variables. Numba writes the loops around a stencil as a function
of its own, in a file `<string>`, puts the stencil's IR in it, and compiles it as if the user had not asked for debug
information (numba/stencils/stencil.py, StencilFunc._stencil_wrapper, 0.57-0.68)."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Iterable, Mapping
from types import CodeType
from typing import Any

from numba.core import compiler, config, ir, targetconfig
from numba.parfors import parfor
from numba.stencils import stencil, stencilparfor

from jitscope.compiler.base import levels, wanted
from jitscope.compiler.debuginfo.dibuilder import user_name
from jitscope.compiler.flow.lines import TEMPORARY
from jitscope.compiler.numba_ir import bytecode, remnants
from jitscope.compiler.parallel import kernels

_PREFIX = "__numba_stencil_"


def check() -> str | None:
    """Return why stencils cannot be followed in this Numba, or None."""
    if not callable(getattr(stencil.StencilFunc, "_stencil_wrapper", None)):
        return "numba.stencils.stencil.StencilFunc has no _stencil_wrapper"
    make = getattr(stencilparfor.StencilPass, "_mk_stencil_parfor", None)
    if make is None or not {"in_args", "target", "stencil_func"} <= inspect.signature(make).parameters.keys():
        return "numba.stencils.stencilparfor.StencilPass has another _mk_stencil_parfor"
    if not callable(getattr(stencilparfor.StencilPass, "replace_return_with_setitem", None)):
        return "numba.stencils.stencilparfor.StencilPass has no replace_return_with_setitem"
    return None if hasattr(compiler, "DEFAULT_FLAGS") else "numba.core.compiler has no DEFAULT_FLAGS"


class Stencil:
    """The function that computes a stencil, with the interface of kernels.Kernel, and its body, which begins anew for
    each element, with the interface of closures.Inner. The loops around the body are on no line."""

    is_parallel = False
    has_array_loops = False
    hidden: Mapping[int, set[str]] = {}  # attributes that Kernel has, too
    turning: frozenset[str] = frozenset()
    unread: Mapping[str, str] = {}

    def __init__(self, kernel_ir: Any) -> None:
        identity = kernel_ir.func_id
        self.choice = levels.choice_of(identity.func)
        self.owner = identity
        self.traps = wanted.traps_in(identity.func)
        self.name = user_name(identity.func_qualname)
        self.function = identity.func
        self.header = kernel_ir.loc
        self.code: CodeType = identity.code
        self.loop = list(bytecode.instructions(identity.code))
        self.lines = {line for line, _ in self.loop}
        self._own = frozenset(bytecode.variables(identity.code))
        self.names = self._own - {*kernel_ir.arg_names}
        self.inner = self
        self._index = ""  # the index of the innermost loop

    def user_name(self, name: str) -> str | None:
        base = kernels.strip(name, dict.fromkeys(self._own))
        return base if base in self._own else None

    def begun_by(self, name: str) -> list[str]:
        return sorted(self.names) if kernels.strip(name, {self._index: None}) == self._index else []

    def keep(self, found: Any) -> None:
        """Do nothing: no function is inlined."""

    def first_of(self, name: str, line: int) -> str | None:
        """Return None, because a stencil's body has no function in it."""
        return None

    def adopt(self, func_ir: Any, typemap: dict[str, Any]) -> None:
        """Put the IR of the whole function into the user's file."""
        # the last variable is the target of the statement that the body replaces
        self._index = func_ir.func_id.code.co_varnames[-2]
        for block in func_ir.blocks.values():
            own = block.loc  # Numba's statements in the body have this location, too
            if own.filename != self.header.filename:
                own = block.loc = ir.Loc(self.header.filename, 0)
            place = own
            for statement in reversed(block.body):
                if statement.loc.filename != self.header.filename:
                    statement.loc = ir.Loc(self.header.filename, 0)
                elif statement.loc is own and isinstance(statement, ir.Assign):  # the index, and the element
                    line = self._line_of(statement.target.name)
                    statement.loc = place = ir.Loc(self.header.filename, line) if line else place
            for before, statement in zip(block.body, block.body[1:]):  # the result
                if statement.loc is own:
                    statement.loc = before.loc
        func_ir.loc = self.header

    def _line_of(self, name: str) -> int | None:
        """Return the line that makes this temporary, or the only one that assigns this variable, or None."""
        if made := TEMPORARY.match(name):
            return next((line for line, each in self.loop if each.offset == int(made[1])), None)
        variable = self.user_name(name)
        lines = {line for line, stored, _ in bytecode.stores_at(self.loop) if stored == variable}
        return lines.pop() if len(lines) == 1 else None


class Body:
    """A stencil that is made a parallel loop (numba/stencils/stencilparfor.py): its function, and the names of that
    function's variables in the function that calls it."""

    def __init__(self, kernel_ir: Any, arguments: Iterable[Any]) -> None:
        self._of = Stencil(kernel_ir)
        self.arguments = {given.name: name for given, name in zip(arguments, kernel_ir.arg_names)}
        self.code: CodeType = kernel_ir.func_id.code
        self.loop, self.lines, self.names = self._of.loop, self._of.lines, self._of.names
        self.file: str = kernel_ir.loc.filename

    def keep(self, found: Any) -> None:
        """Do nothing: no function is inlined."""

    def first_of(self, name: str, line: int) -> str | None:
        """Return None, because a stencil's body has no function in it."""
        return None

    def place(self, func_ir: Any) -> None:
        """Give the statements that Numba has put around and before the stencil's the line of the stencil's next
        statement, or none."""
        for block in func_ir.blocks.values():
            place = ir.Loc(self.file, 0)
            for statement in reversed(block.body):
                is_own = statement.loc.filename == self.file and statement.loc.line in self.lines
                if is_own and statement.loc is not func_ir.loc:
                    place = statement.loc
                else:
                    statement.loc = place
            block.loc = place


def _flags(function: Any) -> Any:
    """Return Numba's default flags, with debug information if the function that calls the stencil has it, unless the
    hook leaves that function alone. `function`: the stencil's."""
    asked = targetconfig.ConfigStack.top_or_none()
    flags = compiler.DEFAULT_FLAGS.copy()
    flags.debuginfo = asked.debuginfo if asked is not None else bool(config.DEBUGINFO_DEFAULT)
    if levels.is_left_alone(function, asked):
        return compiler.DEFAULT_FLAGS
    if levels.debugs(function):
        flags.debuginfo = True
    flags.dbg_extend_lifetimes = flags.debuginfo
    return flags


def install() -> None:
    """Wrap Numba's making of stencils, once for each process, after check()."""
    wrapper = stencil.StencilFunc._stencil_wrapper

    @functools.wraps(wrapper)
    def _stencil_wrapper(self: Any, *arguments: Any, **named: Any) -> Any:
        before = compiler.DEFAULT_FLAGS
        compiler.DEFAULT_FLAGS = _flags(self.kernel_ir.func_id.func)
        try:
            with kernels.opened(_PREFIX, Stencil(self.kernel_ir)):
                return wrapper(self, *arguments, **named)
        finally:
            compiler.DEFAULT_FLAGS = before

    make = stencilparfor.StencilPass._mk_stencil_parfor

    @functools.wraps(make)
    def _mk_stencil_parfor(self: Any, *arguments: Any, **named: Any) -> Any:
        given = inspect.signature(make).bind(self, *arguments, **named).arguments
        body = Body(given["stencil_func"].kernel_ir, given["in_args"])
        nodes = make(self, *arguments, **named)
        for node in nodes:  # on the line of the call, not on the line where its argument was made
            node.loc = given["target"].loc
            if isinstance(node, parfor.Parfor):
                vars(node)[kernels.STENCIL] = body
                for statement in node.init_block.body:
                    statement.loc = node.loc
        return nodes

    end = stencilparfor.StencilPass.replace_return_with_setitem

    @functools.wraps(end)
    def replace_return_with_setitem(self: Any, blocks: Any, *arguments: Any, **named: Any) -> Any:
        last = {label: block.body[-1] for label, block in blocks.items() if block.body}
        ends = {label: inst.loc for label, inst in last.items() if isinstance(inst, ir.Return)}
        result = end(self, blocks, *arguments, **named)
        is_at_steps = levels.level_of(self.func_ir.func_id.func) == levels.STEPS
        for label, loc in ends.items():
            assignment, jump = blocks[label].body[-2:]
            assignment.loc = jump.loc = loc
            if is_at_steps:  # later passes move the returned value to the store of the result
                blocks[label].body.insert(-2, remnants.Remnant(loc))
        return result

    stencil.StencilFunc._stencil_wrapper = _stencil_wrapper
    stencilparfor.StencilPass.replace_return_with_setitem = replace_return_with_setitem
    stencilparfor.StencilPass._mk_stencil_parfor = _mk_stencil_parfor
