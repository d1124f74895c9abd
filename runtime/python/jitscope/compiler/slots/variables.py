"""The user's variables in the area of a function: the slot and the word of each, and its declaration."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from llvmlite import ir
from numba.core import cgutils, debuginfo, errors, pylowering, types
from numba.core import ir as numba_ir

from jitscope.compiler.base import abi
from jitscope.compiler.base.emit import INT64
from jitscope.compiler.debuginfo.types import shown
from jitscope.compiler.flow.flow import Flow
from jitscope.compiler.numba_ir import closures
from jitscope.compiler.parallel import parfor_loops
from jitscope.compiler.slots.area import ASSIGNED, UNASSIGNED, UNKNOWN, Area, location

# a closure calls other values, or looks into them
_DATA = (bool, int, float, complex, str, tuple, np.generic, np.ndarray)


def _is_number(kind: Any) -> bool:
    """True for a type of numbers, or of tuples of them."""
    if isinstance(kind, types.BaseTuple):
        return all(map(_is_number, kind.types))
    return isinstance(kind, (types.Number, types.Boolean))


@dataclasses.dataclass(eq=False)
class Variable:
    """A name of the source.

    `kinds`: Numba's types with which it is assigned, in the order of the tags. `slots`: the offset in the area of a
    value of each kind: one after the other, so that value and tag can be written separately and nothing false is shown
    in between. `word`: the offset of its state, None if it is always assigned. `tag`: the offset of the number of its
    current type, if it has several. `is_given`: True if it always holds the value with which a generator was made.
    `shadow`, `shadow_word`: copies that LLVM keeps in registers, for values that leave an innermost loop. `kept_word`:
    a copy of the word, for lines that hide it."""

    name: str
    line: int
    arg: int | None = None
    kinds: list[Any] = dataclasses.field(default_factory=list)
    slots: list[int] = dataclasses.field(default_factory=list)
    word: int | None = None
    tag: int | None = None
    shadow: Any = None
    shadow_word: Any = None
    kept_word: Any = None
    is_never_known: bool = False
    is_sometimes_unknown: bool = False
    is_given: bool = False

    @property
    def is_changing(self) -> bool:
        return len(self.kinds) > 1


class Variables:
    """The variables of one function, including those that Numba has removed entirely: they have no value, and hide
    other variables of their name."""

    def __init__(self, lower: Any, flow: Flow, area: Area) -> None:
        self._lower = lower
        self._context = lower.context
        self._area = area
        self._found: dict[str, Variable] = {}
        self._initial: dict[str, int] = {}
        self._is_generator = bool(lower.generator_info)
        is_passed = not self._is_generator or not isinstance(lower, pylowering.PyLower)
        arguments = {flow.names.base(name): n for n, name in enumerate(lower.func_ir.arg_names, 1) if is_passed}
        for label in sorted(flow.blocks):
            for inst in flow.blocks[label].body:
                for name in () if flow.is_cleared(inst) else flow.assigned_by(inst):
                    base = flow.names.base(name)
                    is_typed = name in lower.fndesc.typemap or isinstance(lower, pylowering.PyLower)
                    if base is not None and is_typed:
                        self._plan(base, lower.typeof(name), inst.loc.line, arguments.get(base))
        self.overwritten = self._overwritten(flow) if is_passed and not isinstance(lower, pylowering.PyLower) else {}
        for variable in self._found.values():
            self._place(variable)
        kept = {} if self._is_generator or isinstance(lower, pylowering.PyLower) else self._arguments(flow)
        self.unread: list[Variable] = []  # arguments that Numba has removed entirely
        for name in dict.fromkeys((*flow.names.all, *kept)):
            if name in kept and name not in self._found:
                self._place(self._plan(name, kept[name], lower.defn_loc.line, arguments[name]))
                self.unread.append(self._found[name])
            elif name not in self._found:
                self._place(self._plan(name, self._removed_kind(flow, name), lower.defn_loc.line, None))
                self.lose(self._found[name])

        self.constants: dict[Variable, tuple[Any, Any]] = {}  # with the type and the value of each
        if not self._is_generator and not isinstance(lower, pylowering.PyLower) and flow.has_own_labels:
            self._plan_constants()

    def _removed_kind(self, flow: Flow, name: str) -> Any:
        """Return the type of a variable that Numba has typed and then removed, such as a parallel loop's index in the
        function around the loop."""
        typed = {} if isinstance(self._lower, pylowering.PyLower) else self._lower.fndesc.typemap
        if index := parfor_loops.index_variable(flow.blocks, self._lower.func_ir.func_id.code, name):
            return shown(typed[index]) if index in typed else types.pyobject
        kinds = {shown(kind) for each, kind in typed.items() if flow.names.base(each) == name}
        return kinds.pop() if len(kinds) == 1 else types.pyobject

    def _plan_constants(self) -> None:
        """Plan the variables that a closure has from the function around it. The value is kept only of a number or a
        tuple of numbers."""
        for name, value in closures.constants(self._lower.func_ir).items():
            if name in self._found or not isinstance(value, _DATA):
                continue
            kind = self._kind_of(value)
            variable = self._plan(name, kind or types.pyobject, self._lower.defn_loc.line, None)
            self._place(variable)
            if _is_number(kind):
                self.constants[variable] = kind, value
            else:
                self.lose(variable)

    def _kind_of(self, value: Any) -> Any:
        try:
            return self._lower.context.typing_context.resolve_value_type(value)
        except (ValueError, errors.NumbaError):  # the value is an integer that is too large
            return None

    def _arguments(self, flow: Flow) -> dict[str, Any]:
        """Return the names and types of the arguments that the source never assigns."""
        given, kinds = self._lower.func_ir.arg_names, self._lower.fndesc.argtypes
        unchanged = flow.names.unchanged
        return {unchanged[name]: kind for name, kind in zip(given, kinds) if name in unchanged}

    def _overwritten(self, flow: Flow) -> dict[int, Variable]:
        """Return, by number, the arguments that are assigned before anything reads them, so that Numba has left no
        `arg()`."""
        blocks = flow.blocks.values() if flow.has_own_labels and not self._is_generator else ()
        insts = [inst.value for block in blocks for inst in block.body if isinstance(inst, numba_ir.Assign)]
        left = {value.index for value in insts if isinstance(value, numba_ir.Arg)}
        found: dict[int, Variable] = {}
        for number, (name, kind) in enumerate(zip(self._lower.func_ir.arg_names, self._lower.fndesc.argtypes)):
            if blocks and number not in left and name in self._found:
                found[number] = self._plan(name, self._passed(kind), self._lower.defn_loc.line, number + 1)
        return found

    def _passed(self, kind: Any) -> Any:
        """Return the type of an argument; if it is omitted, the type of its default."""
        omitted = isinstance(kind, types.Omitted)
        return self._lower.context.typing_context.resolve_value_type(kind.value) if omitted else kind

    def __iter__(self) -> Iterator[Variable]:
        return iter(self._found.values())

    def get(self, base: str) -> Variable | None:
        return self._found.get(base)

    def of(self, base: str, name: str, line: int) -> Variable:
        if base not in self._found:
            self._place(self._plan(base, self._lower.typeof(name), line, None))
        return self._found[base]

    def _plan(self, base: str, kind: Any, line: int, arg: int | None) -> Variable:
        variable = self._found.setdefault(base, Variable(base, line, arg))
        kind = shown(kind)
        if kind not in variable.kinds:
            variable.kinds.append(kind)
        return variable

    def _place(self, variable: Variable) -> None:
        if variable.arg is None or self._is_generator:
            variable.word = self._area.word(UNASSIGNED)
        if variable.is_changing:
            variable.tag = self._area.word(0)
        variable.slots = [self._area.slot(self._value_type(kind)) for kind in variable.kinds]

    def _value_type(self, kind: Any) -> ir.Type:
        return self._context.get_value_type(kind)

    def give_constants(self, builder: ir.IRBuilder) -> None:
        """Give the constants their values; called at the function's entry."""
        for variable, (kind, value) in self.constants.items():
            self.give(builder, variable, self._context.get_constant_generic(builder, kind, value))
            if not variable.is_given:
                self.lose(variable)

    # -- unknown values

    def may_be_unknown(self, variable: Variable, never_known: bool, at_first: bool = False) -> None:
        if variable.word is None:
            variable.word = self._area.word(ASSIGNED)
        variable.is_sometimes_unknown = True
        if never_known and variable.arg is None:
            variable.is_never_known = True
        if variable.arg is None and (never_known or at_first):
            self._area.begin_with(variable.word, UNKNOWN)

    def lose(self, variable: Variable) -> None:
        """Make the variable one that is never known."""
        self.may_be_unknown(variable, never_known=True)
        variable.is_never_known = True
        assert variable.word is not None
        self._area.begin_with(variable.word, UNKNOWN)

    def show_state(self, builder: ir.IRBuilder, variable: Variable, state: int) -> None:
        """Show the state for the moment: the shadow's state stays."""
        if variable.word is not None:
            self._area.set_word(builder, variable.word, INT64(state))

    def set_state(self, builder: ir.IRBuilder, variable: Variable, state: int) -> None:
        self.show_state(builder, variable, state)
        for word in (variable.shadow_word, variable.kept_word):
            if word is not None:
                builder.store(INT64(state), word)

    def keep_word(self, variable: Variable) -> None:
        """Keep a copy of the word, like shadow(), so that a line can show again a variable that an earlier line has
        hidden."""
        assert variable.word is not None
        builder = self._lower.builder
        with debuginfo.suspend_emission(builder):
            variable.kept_word = cgutils.alloca_once(builder, INT64, name=f"jitscope.kept.{variable.name}")
            builder.store(INT64(self._area.begins_with(variable.word)), variable.kept_word)

    def show_kept(self, builder: ir.IRBuilder, variable: Variable) -> None:
        assert variable.word is not None
        self._area.set_word(builder, variable.word, builder.load(variable.kept_word))

    # -- values

    def shadow(self, variable: Variable) -> None:
        """Make the copies for loops; called in the function's entry, once the word's first state is settled."""
        assert variable.word is not None
        builder = self._lower.builder
        with debuginfo.suspend_emission(builder):
            kind = self._value_type(variable.kinds[0])
            variable.shadow = cgutils.alloca_once(builder, kind, name=f"jitscope.{variable.name}")
            variable.shadow_word = cgutils.alloca_once(builder, INT64, name=f"jitscope.state.{variable.name}")
            builder.store(INT64(self._area.begins_with(variable.word)), variable.shadow_word)

    def store_shadow(self, builder: ir.IRBuilder, variable: Variable, value: ir.Value) -> None:
        if variable.shadow is not None:
            is_known = value.type == variable.shadow.type.pointee
            if is_known:
                builder.store(value, variable.shadow)
            builder.store(INT64(ASSIGNED if is_known else UNKNOWN), variable.shadow_word)

    def restoring(self, builder: ir.IRBuilder, variable: Variable) -> Callable[[], None]:
        """Return a function that stores, after a loop, the value that the loop left to the slot."""
        value, state = builder.load(variable.shadow), builder.load(variable.shadow_word)

        def restore() -> None:
            if not variable.is_never_known and variable.word is not None:
                self._area.set_slot(builder, variable.slots[0], value)
                self._area.set_word(builder, variable.word, state)
                if variable.kept_word is not None:
                    builder.store(state, variable.kept_word)

        return restore

    def give(self, builder: ir.IRBuilder, variable: Variable, value: ir.Value) -> None:
        """Store an argument that is never assigned again; called at the function's entry."""
        if not variable.is_changing and value.type == self._value_type(variable.kinds[0]):
            variable.is_given = True
            self._area.set_slot(builder, variable.slots[0], value)
            self.set_state(builder, variable, ASSIGNED)

    def begin_with(self, builder: ir.IRBuilder, variable: Variable, kind: Any, value: ir.Value) -> bool:
        """Store an argument that is assigned again; called at the function's entry. Return False if it has no value
        that could be shown."""
        passed = self._passed(kind)
        if isinstance(kind, types.Omitted) and isinstance(passed, (types.Number, types.Boolean, types.NoneType)):
            value = self._context.get_constant_generic(builder, passed, kind.value)
        fits = value is not None and value.type == self._value_type(shown(passed))
        if fits:
            self._put(builder, variable, shown(passed), value)
        return fits

    def store(self, builder: ir.IRBuilder, variable: Variable, name: str, value: ir.Value, known: bool) -> None:
        """Store the value of a version. `known`: the state is ASSIGNED already, on every path to this place."""
        if variable.is_never_known:
            return
        kind = shown(self._lower.typeof(name))
        if kind not in variable.kinds:  # the type appeared after the area was laid out, and there is no slot for it
            self.set_state(builder, variable, UNKNOWN)
            variable.is_sometimes_unknown = True
            return
        self._put(builder, variable, kind, value)
        if not known or variable.is_sometimes_unknown:
            self.set_state(builder, variable, ASSIGNED)

    def show(self, builder: ir.IRBuilder, variable: Variable, name: str, value: ir.Value) -> None:
        """Show the value for the moment, in a place where the variable is otherwise hidden from debuggers."""
        kind = shown(self._lower.typeof(name))
        if kind in variable.kinds:
            self._put(builder, variable, kind, value)
            self.show_state(builder, variable, ASSIGNED)

    def _put(self, builder: ir.IRBuilder, variable: Variable, kind: Any, value: ir.Value) -> None:
        tag = variable.kinds.index(kind)
        self._area.set_slot(builder, variable.slots[tag], value)
        if variable.tag is not None:
            self._area.set_word(builder, variable.tag, INT64(tag))

    # -- declarations

    def declare(self, debug: Any, line: int, fills: dict[str, int]) -> None:
        """Declare the variables. `line`: the function's line, which its arguments have, except for arrays that a kernel
        fills itself: these have the line of the expression that fills them."""
        base = self._area.base
        builder = ir.IRBuilder(base.parent)
        builder.position_after(base)
        debug.finish_markers(builder, base)
        for variable in self._found.values():
            words = [] if variable.word is None else [variable.word]
            place = variable.slots[0] if variable.tag is None else variable.tag
            debug.declare(
                builder,
                base,
                variable.name,
                self._type(debug, variable),
                location(place, words),
                variable.arg,
                fills.get(variable.name, line) if variable.arg else variable.line,
            )

    def _type(self, debug: Any, variable: Variable) -> Any:
        nodes = [self._node(debug, kind) for kind in variable.kinds]
        if variable.tag is None:
            return nodes[0]
        module, offsets = debug.module, [slot - variable.tag for slot in variable.slots]
        word = module.add_debug_info(
            "DIBasicType", {"name": "uint64", "size": 64, "encoding": ir.DIToken("DW_ATE_unsigned")}
        )

        def member(name: str, node: Any, size: int, place: int, **more: Any) -> Any:
            fields = {"tag": ir.DIToken("DW_TAG_member"), "name": name, "baseType": node, "size": 8 * size}
            return module.add_debug_info("DIDerivedType", {**fields, "offset": 8 * place, **more})

        members = [
            member(str(kind), node, self._size(kind), offset, extraData=ir.DIToken(f"i64 {tag}"))
            for tag, (kind, node, offset) in enumerate(zip(variable.kinds, nodes, offsets))
        ]
        part = module.add_debug_info(
            "DICompositeType",
            {
                "tag": ir.DIToken("DW_TAG_variant_part"),
                "discriminator": member("", word, 8, 0, flags=ir.DIToken("DIFlagArtificial")),
                "elements": module.add_metadata(members),
            },
        )
        return module.add_debug_info(
            "DICompositeType",
            {
                "tag": ir.DIToken("DW_TAG_structure_type"),
                "name": " | ".join(str(kind) for kind in variable.kinds),
                "size": 8 * (offsets[-1] + self._size(variable.kinds[-1])),
                "elements": module.add_metadata([part]),
            },
        )

    def _size(self, kind: Any) -> int:
        return abi.layout(self._value_type(kind))[0]

    def _node(self, debug: Any, kind: Any) -> Any:
        return debug.types.of(kind, self._value_type(kind))
