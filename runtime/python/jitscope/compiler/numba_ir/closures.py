"""Functions in functions, which Numba inlines before it compiles (numba/core/inline_closurecall.py, 0.57-0.68):
assignments of their arguments belong to the line of the call, and their results are assigned there."""

from __future__ import annotations

import collections
import contextlib
import copy
import functools
import itertools
import os
from collections.abc import Iterable
from types import CodeType
from typing import Any

import numba
from numba.core import inline_closurecall, ir

from jitscope.compiler.numba_ir import bytecode

_LAMBDA = "<lambda>"
_NUMBA = os.path.dirname(numba.__file__)
Variable = tuple[str, str]  # function, variable
# attribute of an ir.Loc: the line on which the source assigns the statement's value
_ASSIGNED_ON = "_jitscope_assigned_on"
_OWNER = "_jitscope_owner"  # attribute of an ir.Loc: the code of the lambda that the statement is part of
# attribute of a FunctionIdentity: codes of functions that were inlined because they ask for it
_CALLED = "_jitscope_called"
_CALLS = "_jitscope_calls"  # attribute of an ir.Loc: what calls_to() returns
_PASSES = "_jitscope_passes"  # attribute of an ir.Loc: the statement passes an argument to a function that was inlined


def check() -> str | None:
    """Return why closures cannot be followed in this Numba, or None."""
    for name, found in (
        ("inline_closure_call", getattr(inline_closurecall, "inline_closure_call", None)),
        ("InlineWorker.inline_ir", getattr(getattr(inline_closurecall, "InlineWorker", None), "inline_ir", None)),
    ):
        if not callable(found):
            return f"numba.core.inline_closurecall has no {name}"
    return None


def assigned_on(inst: Any) -> int:
    """Return the line on which the source assigns the statement's value."""
    return int(getattr(inst.loc, _ASSIGNED_ON, inst.loc.line))


def owner(inst: Any) -> CodeType | None:
    """Return the lambda from which the statement has been inlined, or None: its line is the outer function's, too."""
    return getattr(getattr(inst, "loc", None), _OWNER, None)


def passes(inst: Any) -> bool:
    """True if the statement passes an argument to a function that was inlined."""
    return hasattr(inst.loc, _PASSES)


def calls_to(loc: Any) -> tuple[tuple[CodeType | None, int], ...] | None:
    """Return the calls by which a statement with this location has been inlined, and the statement's own line last:
    the code of a function and a line in it, the outermost first. The code is None for the function into which all is
    inlined. Numba's own functions are left out. None: the statement has not been inlined."""
    found: tuple[tuple[CodeType | None, int], ...] | None = getattr(loc, _CALLS, None)
    return found


def called(func_ir: Any, code: CodeType) -> list[CodeType]:
    """Return the functions of the code's file that Numba has inlined because they ask for it (`inline=`)."""
    found = [each for each in getattr(func_ir.func_id, _CALLED, ()) if each.co_filename == code.co_filename]
    return sorted(found, key=lambda each: each.co_firstlineno)


def constants(func_ir: Any) -> dict[str, Any]:
    """Return the variables that the function has from functions around it, which Numba takes as constants when it
    compiles."""
    code, cells = func_ir.func_id.code, getattr(func_ir.func_id.func, "__closure__", None) or ()
    found = {}
    for name, cell in zip(code.co_freevars, cells):
        with contextlib.suppress(ValueError):  # the variable has no value yet
            found[name] = cell.cell_contents
    return found


def hidden(code: CodeType, others: Iterable[CodeType]) -> dict[int, set[str]]:
    """Return, by line of the inner functions and of others that were inlined there, the names that mean variables of
    their own there, and other variables around them."""
    found: dict[int, set[str]] = {}
    outer = {*code.co_varnames, *code.co_cellvars, *code.co_freevars}
    for inner in dict.fromkeys(each for around in (code, *others) for each in bytecode.codes(around)):
        if inner is not code:
            names = outer & {*inner.co_varnames, *inner.co_cellvars}
            for line, _ in bytecode.instructions(inner) if names else ():
                found.setdefault(line, set()).update(names)
    return found


class Inner:
    """The variables of inner functions, as far as one frame can show them: variables with a name that no other has, in
    functions with a name that no other has.

    `names`: the variables' names; `lines`: the functions' lines. Each call gives the first argument a value: no other
    variable has a value then."""

    def __init__(self, code: CodeType, others: Iterable[CodeType] = ()) -> None:
        """Find the variables. `others`: functions that Numba has inlined because they ask for it."""
        inner = [each for around in (code, *others) for each in bytecode.codes(around) if each is not code]
        named = collections.Counter(each.co_name for each in inner)
        taken = collections.Counter(name for each in (code, *inner) for name in set(bytecode.variables(each)))
        taken.update(code.co_freevars)
        self._shown: set[Variable] = set()
        self._entered: dict[Variable, list[str]] = {}
        self._lines: dict[str, set[int]] = {}
        for each in inner:
            if (
                named[each.co_name] > 1
                or not each.co_argcount
                or each.co_name.startswith("<") != (each.co_name == _LAMBDA)
            ):
                continue
            own = [name for name in bytecode.variables(each) if taken[name] == 1]
            self._shown.update((each.co_name, name) for name in own)
            self._entered[each.co_name, each.co_varnames[0]] = own
            lines = {line for line, _ in bytecode.instructions(each)}
            self._lines.update(dict.fromkeys(own, lines))
        self.names = frozenset(name for _, name in self._shown)
        self.lines = {line for each in inner for line, _ in bytecode.instructions(each)}

    def keep(self, found: Iterable[tuple[str, Variable]]) -> None:
        """Keep only functions whose calls all have their beginning left: if a pass has removed it, the start of the
        call is not known. `found`: Numba's names of inlined functions' variables that are assigned."""
        copies = collections.Counter(variable for _, variable in set(found))
        begun = {function: copies[function, first] for function, first in self._entered}
        lost = {function for (function, _), count in copies.items() if count > begun.get(function, 0)}
        self._shown = {variable for variable in self._shown if variable[0] not in lost}
        self._entered = {first: names for first, names in self._entered.items() if first[0] not in lost}
        self.names = frozenset(name for _, name in self._shown)

    def shows(self, variable: Variable) -> bool:
        return variable in self._shown

    def first_of(self, name: str, line: int) -> str | None:
        """Return the first argument of the function that the variable belongs to, if the line is one of that
        function's; else None."""
        firsts = (first for (_, first), names in self._entered.items() if name in names)
        return next(firsts, None) if line in self._lines.get(name, ()) else None

    def begun_by(self, variable: Variable) -> list[str]:
        """Return the names that have no value when a call has given the function's variable one."""
        return self._entered.get(variable, [])


def _place(blocks: dict[int, Any], arguments: int, call: Any) -> None:
    for statement in itertools.islice(blocks[min(blocks)].body, arguments):
        # Const: the value is a default
        if isinstance(statement, ir.Assign) and isinstance(statement.value, (ir.Var, ir.Const)):
            statement.loc = copy.copy(call.loc)
            setattr(statement.loc, _PASSES, True)
    for block in blocks.values():
        for statement in block.body:
            if isinstance(statement, ir.Assign) and statement.target.name == call.target.name:
                statement.loc = copy.copy(statement.loc)
                setattr(statement.loc, _ASSIGNED_ON, call.loc.line)


def _note_calls(blocks: dict[int, Any], code: CodeType, call: Any) -> None:
    """Note the call by which these blocks have been inlined."""
    outer = calls_to(call.loc) or ((None, call.loc.line),)
    for block in blocks.values():
        for statement in block.body:
            inner = calls_to(statement.loc) or ((None, statement.loc.line),)
            if code.co_filename.startswith(_NUMBA):
                inner = inner[1:]
            statement.loc = copy.copy(statement.loc)
            setattr(statement.loc, _CALLS, (*outer, *((each or code, line) for each, line in inner)))


def _own(blocks: dict[int, Any], code: CodeType) -> None:
    for block in blocks.values():
        for statement in block.body:
            statement.loc = copy.copy(statement.loc)
            setattr(statement.loc, _OWNER, code)


def _put_on_call_line(blocks: dict[int, Any], call: Any) -> None:
    """Put Numba's code for a function of NumPy (parallel=True) on the line that calls the function."""
    for block in blocks.values():
        block.loc = call.loc
        for statement in block.body:
            statement.loc = call.loc


def install() -> None:
    """Wrap Numba's inlining, once for each process, after check()."""
    inline = inline_closurecall.inline_closure_call

    @functools.wraps(inline)
    def inline_closure_call(func_ir: Any, glbls: Any, block: Any, i: int, callee: Any, *rest: Any, **named: Any) -> Any:
        call = block.body[i]
        result = inline(func_ir, glbls, block, i, callee, *rest, **named)
        code = callee.code if hasattr(callee, "code") else callee.__code__
        if code.co_filename.startswith(_NUMBA):
            _put_on_call_line(result[0], call)
            return result
        _note_calls(result[0], code, call)
        if code.co_name == _LAMBDA:
            _own(result[0], code)
        if isinstance(call, ir.Assign):
            _place(result[0], code.co_argcount, call)
        return result

    inline_ir = inline_closurecall.InlineWorker.inline_ir

    @functools.wraps(inline_ir)
    def inline_called(
        self: Any, caller_ir: Any, block: Any, i: int, callee_ir: Any, *rest: Any, **named: Any
    ) -> tuple[Any, ...]:
        call, called = block.body[i], callee_ir.func_id
        codes = {*getattr(caller_ir.func_id, _CALLED, ()), called.code, *getattr(called, _CALLED, ())}
        setattr(caller_ir.func_id, _CALLED, codes)
        result: tuple[Any, ...] = inline_ir(self, caller_ir, block, i, callee_ir, *rest, **named)
        _note_calls(result[1], called.code, call)
        if isinstance(call, ir.Assign) and not called.code.co_filename.startswith(_NUMBA):
            _place(result[1], called.code.co_argcount, call)
        return result

    inline_closurecall.inline_closure_call = inline_closure_call
    inline_closurecall.InlineWorker.inline_ir = inline_called
