"""The lines and variables of a code object, from its bytecode (Python 3.9 to 3.14)."""

from __future__ import annotations

import dis
import functools
import inspect
import itertools
from collections.abc import Iterable, Iterator, Mapping
from types import CodeType
from typing import Any

Lined = tuple[int, dis.Instruction]

JUMPS = frozenset((*dis.hasjrel, *dis.hasjabs))


@functools.lru_cache(maxsize=256)  # Numba's passes remove dead code block by block, and call this for each block
def variables(code: CodeType) -> tuple[str, ...]:
    """Return the function's own variables, without those of a function around it, and without those that a
    comprehension in its code takes as its own for a while (PEP 709, Python 3.12), as their values look like the
    function's."""
    lent = {
        instruction.argval for instruction in dis.get_instructions(code) if instruction.opname == "LOAD_FAST_AND_CLEAR"
    }
    lent -= {*code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]}
    return tuple(name for name in (*code.co_varnames, *code.co_cellvars) if name not in lent)


def instructions(code: CodeType) -> Iterator[Lined]:
    """Yield the instructions with the lines that they belong to."""
    line = code.co_firstlineno
    for instruction in dis.get_instructions(code):
        starts: Any = getattr(instruction, "positions", None)
        if starts is not None and starts.lineno is not None:
            line = starts.lineno
        elif starts is None and instruction.starts_line is not None:
            line = instruction.starts_line
        yield line, instruction


def definition(code: CodeType) -> int:
    """Return the line before the first statement of the function's body, as Numba has it for debug information
    (numba/core/lowering.py, BaseLower._compute_def_location), without reading the source."""
    lines = [line for _, line in dis.findlinestarts(code) if line is not None and line > code.co_firstlineno]
    return min(lines) - 1 if lines else code.co_firstlineno


def lineless(code: CodeType) -> frozenset[int]:
    """Return the offsets where instructions without a line begin, such as a jump from several branches to the code
    after them: the interpreter has no trace event for them. Python 3.9 gives all instructions a line."""
    lines = getattr(code, "co_lines", None)
    return frozenset(start for start, _, line in lines() if line is None) if lines is not None else frozenset()


_BEGINNING = ("RESUME", "COPY_FREE_VARS", "MAKE_CELL", "RETURN_GENERATOR", "GEN_START", "POP_TOP")


def silent(found: Iterable[Lined]) -> frozenset[int]:
    """Return the line on which a function only begins, that of its first decorator: the interpreter has no trace event
    for it."""
    found = list(found)
    first = found[0][0] if found else 0
    own = [instruction.opname for line, instruction in found if line == first]
    return frozenset((first,)) if own and all(name in _BEGINNING for name in own) else frozenset()


def stores(found: Iterable[Lined]) -> Iterator[tuple[int, str]]:
    """Yield the line and the name of each assignment to a local variable."""
    return ((line, name) for line, name, _ in stores_at(found))


def loads(found: Iterable[Lined]) -> frozenset[str]:
    """Return the local variables that are read."""
    names: set[str] = set()
    for _, each in found:
        if each.opname.startswith("LOAD_FAST") or each.opname == "LOAD_DEREF":
            names.update(each.argval if isinstance(each.argval, tuple) else (each.argval,))
        elif each.opname == "STORE_FAST_LOAD_FAST":
            names.update(each.argval[1:])
    return frozenset(names)


def assigned(code: CodeType) -> set[str]:
    """Return the local variables that the function assigns or deletes."""
    found = list(instructions(code))
    deleted = {each.argval for _, each in found if each.opname.startswith("DELETE_")}
    return deleted.union(name for _, name in stores(found))


def bound_around(code: CodeType, piece: Iterable[Lined], begin: int) -> frozenset[str]:
    """Return the local variables that may have a value before a piece of the function begins, such as a lifted loop,
    whose instructions begin at this offset: those that the rest binds, and all if the piece is in a loop."""
    found = list(instructions(code))
    jumps = (each for _, each in found if each.opcode in JUMPS)
    if any(each.argval < begin <= each.offset for each in jumps):
        return frozenset(variables(code))
    own = {each.offset for _, each in piece if each.offset >= begin}
    rest = ((line, each) for line, each in found if each.offset not in own)
    given = code.co_argcount + code.co_kwonlyargcount + bool(code.co_flags & inspect.CO_VARARGS)
    return frozenset(code.co_varnames[:given]).union(name for _, name in stores(rest))


def _is_of_itself(before: dis.Instruction | None, instruction: dis.Instruction) -> bool:
    """True if the two instructions are `x = x`."""
    return (
        before is not None
        and before.opname in ("LOAD_FAST", "LOAD_FAST_CHECK", "LOAD_FAST_BORROW")
        and instruction.opname == "STORE_FAST"
        and before.argval == instruction.argval
    )


def stores_at(found: Iterable[Lined]) -> Iterator[tuple[int, str, int]]:
    """Yield the line, the name and the offset of each assignment to a local variable, except `x = x`."""
    before: dis.Instruction | None = None
    for line, instruction in found:
        own, before = _is_of_itself(before, instruction), instruction
        if own:
            continue
        if instruction.opname.startswith("STORE_FAST") or instruction.opname == "STORE_DEREF":
            names = instruction.argval if isinstance(instruction.argval, tuple) else (instruction.argval,)
            if instruction.opname == "STORE_FAST_LOAD_FAST":
                names = names[:1]
            yield from ((line, name, instruction.offset) for name in names if isinstance(name, str))


def stores_of_values(found: Iterable[Lined]) -> Iterator[tuple[int, str, int]]:
    """Yield the line and the name of each assignment to a local variable, and the line of the instruction before it,
    which makes the value."""
    before: Lined | None = None
    for lined in found:
        if before is None or not _is_of_itself(before[1], lined[1]):
            made_on = lined[0] if before is None else before[0]
            yield from ((line, name, made_on) for line, name in stores([lined]))
        before = lined


Idle = tuple[int, int, int, "list[Lined]"]

# These do nothing, or put a value on the interpreter's stack.
_IDLE = ("NOP", "COPY", "POP_TOP", "SWAP", "LOAD_FAST", "LOAD_CONST", "LOAD_DEREF", "LOAD_SMALL_INT", "DUP_TOP")

_AHEAD = ("JUMP_FORWARD", "JUMP_ABSOLUTE")

_MAKING = (
    *_IDLE,
    "LOAD_CLOSURE",
    "BUILD_TUPLE",
    "MAKE_FUNCTION",
    "SET_FUNCTION_ATTRIBUTE",
    "STORE_FAST",
    "STORE_DEREF",
)


# Instructions that also leave no trace if their result is not kept.
_COMPUTING = ("BINARY_", "COMPARE_", "UNARY_", "INPLACE_", "BUILD_TUPLE", "ROT_", "STORE_FAST", "STORE_DEREF")


# Instructions that name a function which the next lines call with their values.
_NAMING = ("LOAD_GLOBAL", "LOAD_ATTR", "LOAD_METHOD", "PUSH_NULL")


def idle(
    found: Iterable[Lined], removed: Mapping[int, set[str]], jumps: bool = False, naming: bool = False
) -> Iterator[Idle]:
    """Yield the lines that the function reaches and that have only such instructions: line, first and last offset, and
    where the lines after it begin, up to one that has an effect. `removed`: variables by lines that no longer assign
    them; `jumps`: include lines that then only jump ahead; `naming`: include lines that only name a function."""
    found = list(found)
    at = {each.offset: (line, each) for line, each in found}
    runs = [(line, [each for _, each in run]) for line, run in itertools.groupby(found, lambda lined: lined[0])]
    following: list[Lined] = []
    begins: dict[int, list[Lined]] = {}  # by a run's first offset: `following` for a jump to it
    behind: list[Idle] = []
    for line, run in reversed(runs):
        # the code that makes a function is gone if the function is inlined
        makes = any(each.opname == "MAKE_FUNCTION" for each in run)
        before = (None, *run)
        first, last = run[0], run[-1]
        target = at.get(last.argval) if jumps and last.opcode in JUMPS and last.opname in _AHEAD else None
        if target is not None and target[1].offset > last.offset:
            run, following = run[:-1], begins.get(target[1].offset, [target])
        names = {name for _, name in stores((line, each) for each in run)}
        is_removed = bool(names) and names <= removed.get(line, set())
        own = _MAKING if makes else (*_IDLE, *_COMPUTING) if is_removed else _IDLE
        own = (*own, *_NAMING) if naming else own
        if line > 0 and all(
            each.opname.startswith(own) or _is_of_itself(other, each) for other, each in zip(before, run)
        ):
            behind.append((line, first.offset, last.offset, following))
            following = [(line, first), *following]
        else:
            following = [(line, first)]
        begins[first.offset] = following
    return iter(behind[::-1])


def pieces(found: Iterable[Lined]) -> Iterator[list[Lined]]:
    """Yield the pieces that run from their beginning to their end: the code is cut at each target of a jump."""
    piece: list[Lined] = []
    for line, instruction in found:
        if instruction.is_jump_target and piece:
            yield piece
            piece = []
        piece.append((line, instruction))
    if piece:
        yield piece


def looping(found: Iterable[Lined]) -> set[int]:
    """Return the lines on which a loop of the source begins, or that make a function, which may have loops."""
    found = list(found)
    lines = {instruction.offset: line for line, instruction in found}
    back = {each.argval for _, each in found if each.opcode in JUMPS and each.argval <= each.offset}
    making = {line for line, each in found if each.opname in ("FOR_ITER", "MAKE_FUNCTION")}
    return {lines[offset] for offset in back & lines.keys()} | making


def codes(code: CodeType) -> Iterator[CodeType]:
    """Yield the code objects of the functions defined in it, the innermost first, and then itself."""
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from codes(constant)
    yield code


def loops(code: CodeType, line: int | None = None) -> Iterator[list[Lined]]:
    """Yield the `for` loops whose headers are on this line, or all: the instructions of one iteration, from the
    assignment of the item on."""
    found = list(instructions(code))
    for position, (at, instruction) in enumerate(found):
        if instruction.opname == "FOR_ITER" and line in (at, None):
            inside = found[position + 1 :]
            yield [(each, inner) for each, inner in inside if inner.offset < instruction.argval]
