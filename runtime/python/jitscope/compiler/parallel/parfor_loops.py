"""Parallel loops of Numba's IR, and the loops of the source from which they were made."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from types import CodeType
from typing import Any

from numba.core import ir
from numba.parfors import parfor as parfors

from jitscope.compiler.numba_ir import bytecode


def locations(parfor: Any) -> Iterator[Any]:
    for each in with_inner(parfor):
        yield each.loc
        for block in (each.init_block, *each.loop_body.values()):
            yield block.loc
            yield from (statement.loc for statement in block.body)


def with_inner(parfor: Any) -> Iterator[Any]:
    yield parfor
    for block in parfor.loop_body.values():
        for statement in block.body:
            if isinstance(statement, parfors.Parfor):
                yield from with_inner(statement)


def loops_of(parfor: Any, codes: Iterable[CodeType]) -> tuple[CodeType, list[list[bytecode.Lined]]] | None:
    """Return the code and the instructions of the source's loops from which a parallel loop was made, if it was made
    from several array expressions and loops; else None."""
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
    which its kernel has, too, or of its beginning if none is a loop; None if it was not made of several."""
    if len(parfor.patterns) < 2:
        return None
    own = lowerer.func_ir.loc
    codes = [each for each in bytecode.codes(lowerer.func_ir.func_id.code) if each.co_filename == own.filename]
    found = loops_of(parfor, codes) if parfor.loc.filename == own.filename else None
    return ir.Loc(own.filename, found[1][0][0][0]) if found else parfor.loc


def fused(statement: Any) -> Iterator[Any]:
    """Yield the statements of a parallel loop that was made of several, and of the loops in it."""
    if isinstance(statement, parfors.Parfor) and len(statement.patterns) > 1:
        for each in with_inner(statement):
            for block in (each.init_block, *each.loop_body.values()):
                yield from block.body


def index_of(loop: list[bytecode.Lined]) -> str:
    return next(bytecode.stores(loop[:1]), (0, ""))[1]


def index_variables(parfor: Any) -> list[str]:
    return [parfor.index_var.name.lstrip("$"), parfor.index_var.name]


def assigned_before(code: CodeType, loop: list[bytecode.Lined]) -> frozenset[str]:
    """Return the names to which the code may have given a value when the loop begins."""
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


def index_names(parfor: Any, codes: Iterable[CodeType], header: int) -> dict[str, list[str]]:
    """Return the variable of the IR that holds a loop's index → its name. Array expressions have none; a loop that was
    fused of several has none here."""
    names: dict[str, list[str]] = {nest.index_variable.name: [] for nest in parfor.loop_nests}
    if [pattern[0] for pattern in parfor.patterns].count("prange") == 1:
        loops = [(code, loop) for code in codes for loop in bytecode.loops(code, header)]
        found = {(code, index_of(loop)) for code, loop in loops if loop}
        if len(found) == 1:
            ((code, name),) = found
            own = [name] if name in bytecode.variables(code) else []
            names.update(dict.fromkeys(index_variables(parfor), own))
    return names


def index_variable(blocks: Mapping[int, Any], code: CodeType, name: str) -> str | None:
    """Return the variable of the IR that holds the index of a parallel loop, by the index's name; None: there is
    none."""
    found = (statement for block in blocks.values() for statement in block.body)
    for each in (
        nested for statement in found if isinstance(statement, parfors.Parfor) for nested in with_inner(statement)
    ):
        for variable, names in index_names(each, [code], each.loc.line).items():
            if name in names:
                return variable
    return None
