"""What a compiled function computes with numbers, noted while Numba compiles it: its statements, as plain data. Those
that compute something else are noted without what they compute, so that their results are not known.

This module reads Numba's IR of functions (numba/core/ir.py, 0.57-0.68)."""

from __future__ import annotations

import builtins
import math
import pickle
import sys
import zlib
from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np
from numba.core import ir, types
from numba.parfors.parfor import Parfor

from jitscope.compiler.base import fast
from jitscope.compiler.followed import writes

# kinds of a variable: int64, bool, float64, str, float32; smaller integers are the names of their types
INTEGER, BOOLEAN, FLOAT, TEXT, SINGLE, OTHER = "i", "b", "f", "s", "g", ""
SMALL = ("int8", "int16", "int32", "uint8", "uint16", "uint32")
_COMPARISONS = ("lt", "le", "eq", "ne", "gt", "ge")
_SHIFTS = ("lshift", "rshift")
# functions that are computed
_BUILTINS = ("range", "len", "bool", "int", "float", "abs", "min", "max", "slice", "enumerate", "zip")
_ROUNDING = ("sqrt", "floor", "ceil")  # functions of NumPy and math whose results are the same everywhere
_ARRAYS = ("arange", "zeros", "ones", "empty")  # functions of NumPy whose results' lengths are computed
_ATTRIBUTES = ("size", "shape", "ndim")  # of an array, which are computed
_METHODS = ("min", "max", "argmin", "argmax", "reshape", "sum", "copy")  # of an array: do they raise?
_HANDLING = "numba.core.unsafe.eh"  # module of the functions that Numba calls in place of `try` and `except`
_HANDLERS = {"mark_try_block": "try", "end_try_block": "end_try", "exception_check": "check"}
_FOLLOWS_HANDLERS = sys.version_info >= (3, 11)  # before, exception_check() ends the `try`, too
_NOTHING = (ir.DelItem, ir.SetAttr, ir.DelAttr, ir.StoreMap, ir.Print)
_MOST = 4000  # statements of a function
_LOOPS = "_jitscope_loops"  # attribute of a lowering: the variables of each parallel loop, by its id
RAISE = "!"  # in place of a symbol: the statement itself raises


class Statement(NamedTuple):
    """`target`, `kind`: the variable that is assigned, "" if none is, and its kind. `raises`, `calls`: numbers of the
    sites of the statement. `leaves`: an exception of its calls leaves the function, and no handler follows. `caught`:
    symbols of the functions that it calls where a handler follows, and RAISE if it raises itself there. `operands` of
    an unknown statement: the variables that it may write to."""

    operation: str
    target: str
    kind: str
    operands: tuple[Any, ...]
    raises: tuple[int, ...] = ()
    calls: tuple[int, ...] = ()
    leaves: bool = False
    caught: tuple[str, ...] = ()


class Program(NamedTuple):
    """`first`: the label of the block that is entered. `has_handlers`: it has `try` statements that are not
    followed. `writes`: it may write to an array that it has not made."""

    first: int
    blocks: dict[int, list[Statement]]
    has_handlers: bool
    writes: bool = True


class Draft(NamedTuple):
    """A program whose sites are not known yet: `statements` has the statement of Numba's IR for each one."""

    program: Program
    statements: dict[int, list[Any]]


def note_loop(lower: Any, inst: Parfor) -> None:
    """Note which variables a parallel loop has that is about to be lowered, which takes it apart."""
    vars(lower).setdefault(_LOOPS, {})[id(inst)] = tuple(sorted(_of_loop(inst)))


def draft(lower: Any) -> Draft | None:
    """Return what the function that has been lowered computes; None: it cannot be followed."""
    typed = getattr(lower.fndesc, "typemap", None)
    size = sum(len(block.body) for block in lower.blocks.values())
    if lower.generator_info or not typed or not lower.blocks or size > _MOST:
        return None
    writer = _Writer(lower)
    blocks, noted = {}, {}
    for label, block in lower.blocks.items():
        found = [writer.statement(inst) for inst in block.body]
        if any(each is None for each in found):
            return None
        blocks[label] = [each for each in found if each is not None]
        noted[label] = list(block.body)
    return Draft(Program(min(blocks), blocks, writer.has_handlers, writes.may_write(lower)), noted)


class Noted:
    """The sites of statements of Numba's IR, by their numbers."""

    def __init__(self) -> None:
        # by the statement's id: what Statement has, with `leaves` of each call
        self._sites: dict[int, tuple[list[int], list[int], list[bool], list[str]]] = {}
        self._statements: list[Any] = []  # keeps them, and with them their ids

    def _of(self, statement: Any) -> tuple[list[int], list[int], list[bool], list[str]]:
        self._statements.append(statement)
        return self._sites.setdefault(id(statement), ([], [], [], []))

    def add_raise(self, statement: Any, number: int) -> None:
        self._of(statement)[0].append(number)

    def add_call(self, statement: Any, number: int, leaves: bool) -> None:
        self._of(statement)[1].append(number)
        self._of(statement)[2].append(leaves)

    def add_caught(self, statement: Any, symbol: str) -> None:
        self._of(statement)[3].append(symbol)

    def are_in(self, statements: Iterable[Any]) -> bool:
        """True if no other statements have sites."""
        return self._sites.keys() <= {id(each) for each in statements}

    def of(self, statement: Any) -> tuple[tuple[int, ...], tuple[int, ...], bool, tuple[str, ...]]:
        """Return `raises`, `calls`, `leaves` and `caught` of the statement."""
        raises, calls, leave, caught = self._sites.get(id(statement), ((), (), (), ()))
        return tuple(dict.fromkeys(raises)), tuple(dict.fromkeys(calls)), all(leave), tuple(dict.fromkeys(caught))


def finish(drafted: Draft, noted: Noted) -> bytes:
    """Return the program as pack() does; b"" if other code of the function has sites, too."""
    if not noted.are_in(each for block in drafted.statements.values() for each in block):
        return b""
    blocks = {}
    for label, block in drafted.program.blocks.items():
        pairs = zip(block, drafted.statements[label])
        blocks[label] = [Statement(*each[:4], *noted.of(inst)) for each, inst in pairs]
        blocks[label] = [each for each in blocks[label] if each.operation != "unknown" or _has_effect(each)]
    return pack(drafted.program._replace(blocks=blocks))


def _has_effect(statement: Statement) -> bool:
    return bool(statement.target or statement.operands or statement.raises or statement.calls or statement.caught)


def pack(program: Program) -> bytes:
    plain = (program.first, {label: [tuple(each) for each in block] for label, block in program.blocks.items()})
    return zlib.compress(pickle.dumps((*plain, *program[2:])), 1)


def unpack(packed: bytes) -> Program:
    first, blocks, *rest = pickle.loads(zlib.decompress(packed))
    return Program(first, {label: [Statement(*each) for each in block] for label, block in blocks.items()}, *rest)


def _kind(numba_type: Any) -> str:
    if isinstance(numba_type, types.Omitted):
        return {int: INTEGER, bool: BOOLEAN, float: FLOAT, str: TEXT}.get(type(numba_type.value), OTHER)
    numba_type = types.unliteral(numba_type)
    if isinstance(numba_type, types.Integer) and numba_type.signed and numba_type.bitwidth == 64:
        return INTEGER
    if isinstance(numba_type, types.Integer) and numba_type.name in SMALL:
        return str(numba_type.name)
    if isinstance(numba_type, types.Boolean):
        return BOOLEAN
    if isinstance(numba_type, types.UnicodeType):
        return TEXT
    return FLOAT if numba_type == types.float64 else SINGLE if numba_type == types.float32 else OTHER


def _of_loop(inst: Parfor) -> set[str]:
    """Return the variables of a parallel loop, those that it assigns among them."""
    found = {each.name for each in inst.list_vars()}
    for block in (inst.init_block, *inst.loop_body.values()):
        for each in block.body:
            found |= _of_loop(each) if isinstance(each, Parfor) else {one.name for one in each.list_vars()}
    return found


def _is_harmless(tree: Any) -> bool:
    """True if an expression of arrays computes with operators and functions of NumPy, which raise nothing themselves:
    functions of the program may. `tree`: as Numba has it (numba/np/ufunc/array_exprs.py, 0.57-0.68)."""
    if not isinstance(tree, tuple):
        return True
    function, operands = tree
    is_known = isinstance(function, np.ufunc) or getattr(function, "__module__", "") == "_operator"
    return is_known and all(map(_is_harmless, operands))


def _is_plain(value: Any) -> bool:
    return value is None or type(value) in (int, bool, float, str)


class _Writer:
    def __init__(self, lower: Any) -> None:
        self._typemap, self._calltypes = lower.fndesc.typemap, lower.fndesc.calltypes
        self._is_fast = fast.is_fast(lower.func_ir.func_id.func, lower.flags)
        self._loops = vars(lower).get(_LOOPS, {})
        self.has_handlers = False

    def statement(self, inst: Any) -> Statement | None:
        """Return the statement; None: it is of a kind that is not followed."""
        if isinstance(inst, ir.Assign):
            return self._assign(inst)
        if isinstance(inst, ir.Jump):
            return Statement("jump", "", OTHER, (inst.target,))
        if isinstance(inst, ir.Branch):
            return Statement("branch", "", OTHER, (inst.cond.name, inst.truebr, inst.falsebr))
        if isinstance(inst, ir.Return):
            return Statement("return", "", OTHER, (inst.value.name,))
        if isinstance(inst, (ir.StaticTryRaise, ir.DynamicTryRaise)):
            self.has_handlers |= not _FOLLOWS_HANDLERS
            return Statement("try_raise", "", OTHER, ())
        if isinstance(inst, (ir.StaticRaise, ir.DynamicRaise, ir.Raise)):
            return Statement("raise", "", OTHER, ())
        if isinstance(inst, ir.SetItem):
            return Statement("setitem", "", OTHER, (inst.target.name, inst.index.name, inst.value.name))
        if isinstance(inst, ir.StaticSetItem) and inst.index_var is not None:
            return Statement("setitem", "", OTHER, (inst.target.name, inst.index_var.name, inst.value.name))
        if isinstance(inst, ir.Del):
            return Statement("unknown", "", OTHER, ())
        if isinstance(inst, Parfor):
            return Statement("forget", "", OTHER, self._loops[id(inst)]) if id(inst) in self._loops else None
        return Statement("unknown", "", OTHER, self._written(inst)) if isinstance(inst, _NOTHING) else None

    def _written(self, inst: Any) -> tuple[str, ...]:
        """Return the variables of a statement whose lists it may write to, or give to something that will."""
        return tuple(each.name for each in inst.list_vars() if _may_hold(self._typemap.get(each.name)))

    def _assign(self, inst: Any) -> Statement | None:
        self._target = inst.target.name
        value, kind = inst.value, _kind(self._typemap[inst.target.name])
        operation: tuple[str, tuple[Any, ...]] | None = None
        if isinstance(value, ir.Arg):
            operation = self._argument(value, self._typemap[inst.target.name])
        elif isinstance(value, (ir.Const, ir.Global, ir.FreeVar)):
            operation = ("constant", (value.value,)) if _is_plain(value.value) else None
            if getattr(value.value, "__module__", "") == _HANDLING:
                self.has_handlers |= not _FOLLOWS_HANDLERS
        elif isinstance(value, ir.Var):
            operation = "copy", (value.name,)
        elif isinstance(value, ir.Expr):
            operation = self._expression(value)
        elif isinstance(value, ir.Yield):
            return None
        name, operands = operation or ("unknown", self._written(inst))
        return Statement(name, inst.target.name, kind, operands)

    @staticmethod
    def _argument(value: Any, numba_type: Any) -> tuple[str, tuple[Any, ...]] | None:
        if isinstance(numba_type, types.Omitted):
            default = numba_type.value
            return ("constant", (default,)) if _is_plain(default) else None
        is_star = isinstance(numba_type, (types.StarArgTuple, types.StarArgUniTuple))
        return ("argument", (value.index,)) if not is_star else None

    def _expression(self, value: Any) -> tuple[str, tuple[Any, ...]] | None:
        op = value.op
        if op in ("binop", "inplace_binop"):
            return self._binary(value)
        if op == "unary":
            kind = _kind(self._typemap[value.value.name])
            name = getattr(value.fn, "__name__", "")
            return (
                ("unary", (name, value.value.name))
                if kind not in (OTHER, TEXT) and not (kind in (FLOAT, SINGLE) and self._is_fast)
                else None
            )
        if op == "call":
            return self._call(value)
        if op in ("getiter", "iternext", "cast"):
            return ("copy" if op == "cast" else op), (value.value.name,)
        if op in ("pair_first", "pair_second"):
            return "item", (value.value.name, int(op == "pair_second"))
        if op == "build_tuple":
            return "tuple", tuple(each.name for each in value.items)
        if op == "static_getitem" and isinstance(self._typemap[value.value.name], types.BaseTuple):
            return ("item", (value.value.name, value.index)) if type(value.index) is int else None
        if op in ("getitem", "static_getitem"):
            index = value.index if op == "getitem" else value.index_var
            return ("getitem", (value.value.name, index.name)) if index is not None else None
        if op == "build_list":
            kind = _kind(getattr(self._typemap[self._target], "dtype", None))
            return ("list", (kind, *(each.name for each in value.items))) if kind else None
        if op == "getattr":
            return self._attribute(value)
        if op == "arrayexpr" and _is_harmless(value.expr):
            return "broadcast", tuple(sorted({each.name for each in value.list_vars()}))
        if op == "exhaust_iter":
            return "exhaust", (value.value.name, value.count)
        return None

    def _attribute(self, value: Any) -> tuple[str, tuple[Any, ...]] | None:
        owner = self._typemap[value.value.name]
        if isinstance(owner, types.BaseNamedTuple):
            return ("item", (value.value.name, owner.fields.index(value.attr))) if value.attr in owner.fields else None
        if isinstance(owner, types.List):
            return "bound", (value.value.name, value.attr)
        if isinstance(owner, types.Array) and value.attr in _METHODS:
            return "bound", (value.value.name, value.attr)
        is_computed = isinstance(owner, types.Array) and value.attr in _ATTRIBUTES
        return ("attribute", (value.value.name, value.attr)) if is_computed else None

    def _binary(self, value: Any) -> tuple[str, tuple[Any, ...]] | None:
        signature = self._calltypes.get(value)
        kinds = [_kind(each) for each in signature.args] if signature is not None else []
        function = value.immutable_fn if value.op == "inplace_binop" else value.fn
        name = getattr(function, "__name__", "")
        if name in _SHIFTS and len(kinds) == 2 and signature.args[1] == types.uint64:
            kinds[1] = INTEGER
        if len(kinds) != 2 or not all(kinds):
            return None
        if self._is_fast and (FLOAT in kinds or SINGLE in kinds):
            # the optimiser takes for granted that a number is none of NaN and infinities
            return ("compare", (name, value.lhs.name, value.rhs.name, *kinds)) if name in _COMPARISONS else None
        return "binary", (name, value.lhs.name, value.rhs.name, *kinds)

    def _call(self, value: Any) -> tuple[str, tuple[Any, ...]] | None:
        function, signature = self._typemap[value.func.name], self._calltypes.get(value)
        names = tuple(each.name for each in value.args)
        called: Any = getattr(function, "typing_key", None)
        name = getattr(called, "__name__", "")
        is_array = name in _ARRAYS and called is getattr(np, name)
        if value.vararg is not None or signature is None:
            return None
        if is_array and len(names) == 1 and [key for key, _ in value.kws or ()] in ([], ["dtype"]):
            return name, names
        if value.kws:
            return None
        if isinstance(function, types.BoundFunction) and isinstance(function.this, (types.List, types.Array)):
            return "method", (value.func.name, *names)
        if isinstance(function, (types.Dispatcher, types.RecursiveCall)):
            return ("call", names) if len(names) <= len(signature.args) else None
        if is_array and name == "arange":
            return name, names
        if isinstance(function, types.NumberClass):  # the target's kind converts it (as_kind())
            return ("copy", names) if len(names) == 1 else None
        if getattr(called, "__module__", "") == _HANDLING or type(called).__name__ == "_Intrinsic":
            return self._handling(name)
        is_one = name not in ("int", "float", "bool", "len", "abs") or len(names) == 1
        if name in _ROUNDING and called in (getattr(np, name), getattr(math, name)) and len(names) == 1:
            return (name, names) if _kind(signature.args[0]) == FLOAT and not self._is_fast else None
        return (name, names) if is_one and name in _BUILTINS and called is getattr(builtins, name) else None

    @staticmethod
    def _handling(name: str) -> tuple[str, tuple[Any, ...]] | None:
        if name == "exception_match":  # it is true for all that Numba compiles
            return "constant", (True,)
        return (_HANDLERS[name], ()) if name in _HANDLERS and _FOLLOWS_HANDLERS else None


def _may_hold(numba_type: Any) -> bool:
    """True if a value of the type may be a list, or have one."""
    if isinstance(numba_type, types.BaseTuple):
        return any(map(_may_hold, numba_type.types))
    if isinstance(numba_type, types.Optional):
        return _may_hold(numba_type.type)
    return isinstance(numba_type, (types.List, types.BoundFunction))
