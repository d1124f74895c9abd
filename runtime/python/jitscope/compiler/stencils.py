"""Stencils under the user's name, with their lines and variables. Numba writes the loops around a stencil as a function
of its own, in a file `<string>`, puts the stencil's IR in it, and compiles it as if nobody had asked for debug
information (numba/stencils/stencil.py, StencilFunc._stencil_wrapper, 0.57-0.68)."""

from __future__ import annotations

import functools
from typing import Any

from numba.core import compiler, config, ir, targetconfig
from numba.stencils import stencil

from jitscope.compiler import bytecode, kernels, levels
from jitscope.compiler.dibuilder import user_name
from jitscope.compiler.lines import TEMPORARY

_PREFIX = "__numba_stencil_"


def check() -> str | None:
    """Why stencils can't be followed in this Numba, or None."""
    if not callable(getattr(stencil.StencilFunc, "_stencil_wrapper", None)):
        return "numba.stencils.stencil.StencilFunc has no _stencil_wrapper"
    return None if hasattr(compiler, "DEFAULT_FLAGS") else "numba.core.compiler has no DEFAULT_FLAGS"


class Stencil:
    """As kernels.Kernel, of the function that computes a stencil; and as closures.Inner, of its body, which begins anew
    for each element. The loops around it are on no line."""

    has_array_loops = False

    def __init__(self, kernel_ir: Any) -> None:
        identity = kernel_ir.func_id
        self.level = levels.level_of(identity.func)
        self.name = user_name(identity.func_qualname)
        self.function = identity.func
        self.header = kernel_ir.loc
        self.loop = list(bytecode.instructions(identity.code))
        self.lines = {line for line, _ in self.loop}
        self._own = frozenset(bytecode.variables(identity.code))
        self.names = self._own - {*kernel_ir.arg_names}
        self.inner = self
        self._index = ""  # of the innermost loop

    def user_name(self, name: str) -> str | None:
        base = kernels.strip(name, dict.fromkeys(self._own))
        return base if base in self._own else None

    def begun_by(self, name: str) -> list[str]:
        return sorted(self.names) if kernels.strip(name, {self._index: None}) == self._index else []

    def keep(self, found: Any) -> None:
        """Nothing is put in line."""

    def adopt(self, func_ir: Any, typemap: dict[str, Any]) -> None:
        """The IR of the whole now lies in the user's file."""
        self._index = func_ir.func_id.code.co_varnames[-2]  # the last is the statement in whose place the body is
        for block in func_ir.blocks.values():
            own = block.loc  # also of what Numba has put into the body
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
        """The line that makes this temporary, or the only one that assigns this variable."""
        if made := TEMPORARY.match(name):
            return next((line for line, each in self.loop if each.offset == int(made[1])), None)
        variable = self.user_name(name)
        lines = {line for line, stored, _ in bytecode.stores_at(self.loop) if stored == variable}
        return lines.pop() if len(lines) == 1 else None


def _flags() -> Any:
    """Those of functions without any, with debug information where the function that calls the stencil has it."""
    asked = targetconfig.ConfigStack.top_or_none()
    flags = compiler.DEFAULT_FLAGS.copy()
    flags.debuginfo = asked.debuginfo if asked is not None else bool(config.DEBUGINFO_DEFAULT)
    if levels.debugs_all():
        flags.debuginfo = True
    flags.dbg_extend_lifetimes = flags.debuginfo
    return flags


def install() -> None:
    """Once a process, after check()."""
    wrapper = stencil.StencilFunc._stencil_wrapper

    @functools.wraps(wrapper)
    def _stencil_wrapper(self: Any, *arguments: Any, **named: Any) -> Any:
        before = compiler.DEFAULT_FLAGS
        compiler.DEFAULT_FLAGS = _flags()
        try:
            with kernels.opened(_PREFIX, Stencil(self.kernel_ir)):
                return wrapper(self, *arguments, **named)
        finally:
            compiler.DEFAULT_FLAGS = before

    stencil.StencilFunc._stencil_wrapper = _stencil_wrapper
