"""The debug information of one function, by a subclass of Numba's own builder (numba/core/debuginfo.py, `DIBuilder`,
0.57-0.68) that makes it true. `Lower.__init__` makes one for each function; jitscope's lowering declares the variables
itself."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from typing import Any, Union

import llvmlite.binding as llvm
from llvmlite import ir
from numba.core import cgutils, config, debuginfo

from jitscope.compiler.base import levels
from jitscope.compiler.debuginfo.types import TypeWriter

_DWARF = 4  # in version 5 a small object has more sections
_WARNING, _OVERRIDE = 2, 4  # what LLVM does if modules with different flags are linked

PRODUCER = "clang (Numba) jitscope/2"  # with "clang ", GDB skips prologues as it does for LLVM's
# Columns of a row: a marker, an instruction of an innermost loop, a raising marker, a marker of a line that also runs
# in such a loop, an instruction of the form without markers of a loop that has two forms, anything else.
MARKER, LOOP, RAISE, ENTRY, PLAIN, OTHER = 1, 2, 3, 4, 5, 0

# The longest name of a result's type that is written at level `lines`. Longer ones are of classes, with all members.
_RESULT = 200

Operation = Union[str, int]  # "DW_OP_plus_uconst", 8

_WRAPPED = (
    "initialize",
    "mark_variable",
    "mark_location",
    "mark_subprogram",
    "finalize",
    "_set_module_flags",
    "_const_int",
    "_di_file",
    "_di_compile_unit",
    "_di_location",
    "_di_subprogram",
)


def check() -> str | None:
    """Return why this hook cannot extend the builder of this Numba, or None."""
    missing = [name for name in _WRAPPED if not hasattr(debuginfo.DIBuilder, name)]
    if missing:
        return f"numba.core.debuginfo.DIBuilder has no {missing[0]}"
    return None


def has_key_instructions() -> bool:
    """True if this LLVM takes the rows that are statements from `atomGroup` and `atomRank`."""
    return bool(llvm.llvm_version_info[0] >= 21)


def user_name(qualname: str) -> str:
    """Return the name by which a user sets a breakpoint: the part after the last `<locals>.`."""
    return qualname.rpartition("<locals>.")[2] or qualname


def leave_alone(builder: Any) -> None:
    """Write into the unit of Numba's own builder why the hook does not make it."""
    _set_producer(builder, _producer("stock", "fastmath", is_fast=True))


def _producer(level: str, by: str, is_fast: bool, removed: Iterable[int] = ()) -> str:
    # Debuggers look at the beginning of the producer.
    lines = ",".join(str(line) for line in sorted(removed))
    return f"{PRODUCER} {level} {by}{f' removed {lines}' if lines else ''}{' fast' * is_fast}"


def _set_producer(builder: Any, text: str) -> None:
    unit = builder.dicompileunit
    unit.operands = tuple((key, text if key == "producer" else value) for key, value in unit.operands)


def _result_of(lower: Any) -> Any:
    """Return the Numba type that the function returns, or that its generator yields."""
    return lower.gentype.yield_type if lower.generator_info is not None else lower.fndesc.restype


class _Expression(ir.values.DIValue):  # type: ignore[misc]
    """A DIExpression with operations; llvmlite writes only named operands."""

    def descr(self, buf: list[str]) -> None:
        buf.extend(("!DIExpression(", ", ".join(str(operation) for operation in self.operands), ")\n"))


class _Retained(ir.values.MDValue):  # type: ignore[misc]
    """A list of a function's arguments, which refer to the function. It is compared by identity, because llvmlite would
    not end."""

    def __eq__(self, other: object) -> bool:
        return self is other

    def __hash__(self) -> int:
        return id(self)


class LineBuilder(debuginfo.DIBuilder):  # type: ignore[misc]
    """The builder of a function that has its lines only (level `lines`): its code is what Numba makes without them.
    Lowering sets these attributes:

    column: the column of the rows that follow, 0 (no statement) by default.
    filename: the file of the rows that follow, as Numba has it; None: the function's.
    name: the function's name, if its qualname is not the user's (parallel kernels).
    has_lines: False for an array expression's kernel, whose beginning is no place to stop.
    header: the line of a parallel loop's header, to which the rows of Numba's template belong; 0: it is no such loop.
    block: the block of the function that the rows that follow are in; None: the function itself.
    is_fast: True if LLVM may reorder the function's arithmetic."""

    level = "lines"
    _by = "default"
    column = OTHER
    filename: str | None = None
    name: str | None = None
    has_lines = True
    header = 0
    block: Any = None
    is_fast = False
    _result = ""

    def __init__(self, module: Any, filepath: str, cgctx: Any, directives_only: bool) -> None:
        self._own = filepath
        self._locations: dict[tuple[int, str | None, int], Any] = {}
        super().__init__(module, filepath, cgctx, directives_only)

    # -- the unit and its function

    def set_level(self, level: str, by: str) -> None:
        """Set the level, and what has chosen it, in one word. This may be called until the module is written."""
        self.level, self._by = level, by
        _set_producer(self, self._producer())

    def set_result(self, lower: Any) -> None:
        """Set the type that the function returns, by its name alone; called before `Lower.pre_lower`."""
        name = str(_result_of(lower))
        self._result = f"\nreturns {name}" if len(name) <= _RESULT and name.isprintable() else ""
        self.set_level(self.level, self._by)

    def _producer(self) -> str:
        return f"{_producer(self.level, self._by, self.is_fast)}{self._result}"

    def _di_compile_unit(self) -> Any:
        return self.module.add_debug_info("DICompileUnit", self._unit_fields(), is_distinct=True)

    def _unit_fields(self) -> dict[str, Any]:
        # The unit's language is C, because in a C++ unit GDB composes the function's name from the types of its
        # parameters. Without a table of names the object is smaller; debuggers do not read it.
        return {
            "language": ir.DIToken("DW_LANG_C99"),
            "file": self.difile,
            "producer": self._producer(),
            "runtimeVersion": 0,
            "isOptimized": config.OPT != 0,
            "emissionKind": ir.DIToken(self.emission_kind),
            "nameTableKind": ir.DIToken("None"),
        }

    def _set_module_flags(self) -> None:
        """Set the version of DWARF, for modules that are linked to this one, too (see strings.py)."""
        flags = cgutils.get_or_insert_named_metadata(self.module, "llvm.module.flags")
        for behavior, name, value in (
            (_OVERRIDE, "Dwarf Version", _DWARF),
            (_WARNING, "Debug Info Version", self.DEBUG_INFO_VERSION),
        ):
            flag = self.module.add_metadata([self._const_int(behavior), name, self._const_int(value)])
            if flag not in flags.operands:
                flags.add(flag)

    def mark_subprogram(self, function: Any, qualname: str, argnames: Any, argtypes: Any, line: int) -> None:
        self._locations.clear()
        node = self._di_subprogram(self.name or user_name(qualname), None, line, function, {})
        self.subprograms.append(node)
        function.set_metadata("dbg", node)

    def _di_subprogram(self, name: str, linkagename: Any, line: int, function: Any, argmap: Any) -> Any:
        # add_debug_info would return the same node for the same fields, and two functions may have them.
        module = self.module
        operands = tuple(sorted(module._fix_di_operands(self._subprogram_fields(name, line).items())))
        return ir.values.DIValue(module, True, "DISubprogram", operands, name=str(len(module.metadata)))

    def _subprogram_fields(self, name: str, line: int) -> dict[str, Any]:
        # Without a linkage name, the name is the symbol that GDB shows. The result is in memory that an argument points
        # to, so there is no type (void).
        module = self.module
        return {
            "name": name,
            "scope": self.difile,
            "file": self.difile,
            "line": line,
            "type": module.add_debug_info("DISubroutineType", {"types": module.add_metadata([None])}),
            "isLocal": False,
            "isDefinition": True,
            "scopeLine": line if self.has_lines else 0,
            "isOptimized": config.OPT != 0,
            "unit": self.dicompileunit,
        }

    # -- places

    def location(self, line: int, column: int, scope: Any = None) -> Any:
        fields = {"line": line, "column": column, "scope": scope or self._scope()}
        return self.module.add_debug_info("DILocation", fields)

    def _scope(self) -> Any:
        """Return the scope: the function, or, for code that was inlined from another file, a block of that file in
        it."""
        function = self.block or self.subprograms[-1]
        if self.filename is None or self.filename == self._own or self._is_template():
            return function
        directory, name = os.path.split(os.path.abspath(self.filename))
        file = self.module.add_debug_info("DIFile", {"directory": directory, "filename": name})
        return self.module.add_debug_info("DILexicalBlockFile", {"scope": function, "file": file, "discriminator": 0})

    def _di_location(self, line: int) -> Any:
        key = line, self.filename, self.column
        if key not in self._locations:
            self._locations[key] = self.location(self.header if self._is_template() else line, self.column)
        return self._locations[key]

    def _is_template(self) -> bool:
        return self.header > 0 and self.filename == levels.TEMPLATE

    def mark_variable(self, builder: Any, allocavalue: Any, name: str, *described: Any, **named: Any) -> None:
        """Do nothing: Numba's own declarations are not shown."""


class DIBuilder(LineBuilder):
    """The builder of a function's debug information at `exact` and `steps`. Lowering sets these attributes, too:

    returns: the metadata node of the type that the function returns, for `finish` with the extension.
    removed: lines of the stores to elements that Numba has removed; set before `set_level`."""

    level = "exact"
    _callees = ""
    returns: Any = None
    removed: Iterable[int] = ()

    def __init__(self, module: Any, filepath: str, cgctx: Any, directives_only: bool) -> None:
        self._atoms = 0
        self._marked: set[int] = set()  # lines that have a marker
        self._blocks: list[tuple[Any, int]] = []
        self._expressions: dict[tuple[Operation, ...], Any] = {}
        super().__init__(module, filepath, cgctx, directives_only)
        self.types = TypeWriter(module, cgctx)

    def set_callees(self, lines: Iterable[str]) -> None:
        """Set the list of callees (callees.py); this may be called until the module is written."""
        self._callees = "".join(f"\n{line}" for line in lines)
        self.set_level(self.level, self._by)

    def _producer(self) -> str:
        return f"{_producer(self.level, self._by, self.is_fast, self.removed)}{self._callees}"

    def _unit_fields(self) -> dict[str, Any]:
        # With it, rows of unrolled and vectorised code say how many iterations of the loop they cover.
        return {**super()._unit_fields(), "nameTableKind": ir.DIToken("Default"), "debugInfoForProfiling": True}

    def set_result(self, lower: Any) -> None:
        """Set the type that the next lowered function returns; called before `Lower.pre_lower`."""
        self.returns = self.types.of(_result_of(lower))

    def _subprogram_fields(self, name: str, line: int) -> dict[str, Any]:
        fields = super()._subprogram_fields(name, line)
        if self.returns is not None:  # among the types thrown, which no debugger shows
            fields["thrownTypes"] = self.module.add_metadata([self.returns])
        if has_key_instructions():
            fields["keyInstructions"] = True
        return fields

    # -- markers

    def begin_marker(self, builder: Any, line: int, column: int = MARKER) -> None:
        """Begin a marker: the builder's instructions get a row that is a statement, an atom of its own. GDB sets one
        breakpoint for each line and block, so each marker of the line after the first has a block (see
        `finish_markers`).

        `column`: MARKER or ENTRY."""
        self._atoms += 1
        scope = self.subprograms[-1]
        if line in self._marked:
            scope = self._new_block(builder, line)
        self._marked.add(line)
        fields = {"line": line, "column": column, "scope": scope}
        if has_key_instructions():
            fields |= {"atomGroup": self._atoms, "atomRank": 1}
        builder.debug_metadata = self.module.add_debug_info("DILocation", fields)

    def begin_block(self, builder: Any, line: int) -> None:
        """Give the rows that follow a block, which separates them from the function's own: a call among them is a
        statement."""
        self._atoms += 1
        before = builder.debug_metadata
        self.block = self._new_block(builder, line)
        builder.debug_metadata = before

    def _new_block(self, builder: Any, line: int) -> Any:
        # LLVM drops all debug information if a location with a column has no line.
        fields = {"scope": self.subprograms[-1], "file": self.difile, "line": max(line, 1), "column": self._atoms}
        scope = self.module.add_debug_info("DILexicalBlock", fields, is_distinct=True)
        self._label(builder, scope, line)
        self._blocks.append((scope, line))
        return scope

    def _label(self, builder: Any, scope: Any, line: int) -> None:
        """Add a label to the scope: GDB makes a block only of a scope with a symbol, and never shows a label."""
        fields = {"scope": scope, "name": f".{self._atoms}", "file": self.difile, "line": line}
        label = self.module.add_debug_info("DILabel", fields)
        kind = ir.FunctionType(ir.VoidType(), [ir.MetaDataType()])
        builder.debug_metadata = self.location(line, OTHER, scope)
        builder.call(cgutils.get_or_insert_function(self.module, kind, "llvm.dbg.label"), [label])

    def finish_markers(self, builder: Any, address: Any) -> None:
        """Add a variable to each marker's block, because LLVM writes only blocks that have one. GDB ignores a variable
        without a name, LLDB an artificial one."""
        for scope, line in self._blocks:
            word = {"name": "uint64", "size": 64, "encoding": ir.DIToken("DW_ATE_unsigned")}
            fields = {"scope": scope, "file": self.difile, "line": line, "flags": ir.DIToken("DIFlagArtificial")}
            fields["type"] = self.module.add_debug_info("DIBasicType", word)
            variable = self.module.add_debug_info("DILocalVariable", fields)
            self._call_declare(builder, address, variable, (), self.location(line, OTHER, scope))
        self._blocks.clear()
        self._marked.clear()

    def _atom(self, line: int, column: int) -> Any:
        fields = {"line": line, "column": column, "scope": self._scope()}
        return self.module.add_debug_info("DILocation", {**fields, "atomGroup": self._atoms, "atomRank": 1})

    def begin_loop_statement(self) -> None:
        """Give the rows that follow to a new statement of an innermost loop at `exact`."""
        self.column = LOOP
        self._atoms += 1

    def begin_plain_statement(self) -> None:
        """Give the rows that follow the column of a loop without markers. The extension decides whether they are
        statements."""
        self.column = PLAIN

    def _di_location(self, line: int) -> Any:
        if self.column != LOOP or not has_key_instructions():
            return self.location(line, self.column)
        return self._atom(line, LOOP)

    # -- variables

    def expression(self, operations: Sequence[Operation]) -> Any:
        """Return a DIExpression with the operations, such as ("DW_OP_plus_uconst", 8)."""
        key = tuple(operations)
        if key not in self._expressions:
            self._expressions[key] = _Expression(
                self.module, False, "DIExpression", key, name=str(len(self.module.metadata))
            )
        return self._expressions[key]

    def declare(
        self,
        builder: Any,
        address: Any,
        name: str,
        type_node: Any,
        expression_ops: Sequence[Operation] = (),
        arg: int | None = None,
        line: int = 0,
    ) -> None:
        """Declare a variable `name` at `address`, changed by the operations. `arg`: 1 for the first argument; None: a
        local."""
        variable = self.module.add_debug_info(
            "DILocalVariable",
            {
                "name": name,
                "arg": arg or 0,
                "scope": self.subprograms[-1],
                "file": self.difile,
                "line": line,
                "type": type_node,
            },
        )
        self._call_declare(builder, address, variable, expression_ops, self.location(line, OTHER))
        if arg:
            self._retain(variable)

    def _retain(self, variable: Any) -> None:
        """List an argument among the function's retained nodes: LLVM drops an inlined variable that has no value left,
        and the argument must still be listed."""
        subprogram = self.subprograms[-1]
        retained = dict(subprogram.operands).get("retainedNodes")
        if retained is None:
            retained = _Retained(self.module, [variable], name=str(len(self.module.metadata)))
            subprogram.operands += (("retainedNodes", retained),)
        else:
            retained.operands += (variable,)

    def _call_declare(
        self, builder: Any, address: Any, variable: Any, operations: Sequence[Operation], location: Any
    ) -> None:
        kind = ir.FunctionType(ir.VoidType(), [ir.MetaDataType()] * 3)
        function = cgutils.get_or_insert_function(self.module, kind, "llvm.dbg.declare")
        before = builder.debug_metadata
        builder.debug_metadata = location  # LLVM drops a declaration without a location
        try:
            builder.call(function, [address, variable, self.expression(operations)])
        finally:
            builder.debug_metadata = before
