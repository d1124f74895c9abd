"""Variables that a generator keeps while it waits. Numba keeps those that the program still reads; here the generator
gets room for more, as one more part of its state (numba/core/typed_passes.py, generators.py, 0.57-0.68), and the slots
of the other variables are copied there and back."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable
from typing import Any

from numba.core import cgutils, debuginfo, generators, registry, typed_passes, types

from jitscope.compiler.base import abi, levels
from jitscope.compiler.numba_ir import bytecode
from jitscope.compiler.slots.area import Area
from jitscope.compiler.slots.variables import Variable

_MOST = 96  # words of room, at most, because LLVM takes a generator's state apart into words


def check() -> str | None:
    """Return why a generator cannot be given more room in this Numba, or None."""
    for owner, name in (
        (typed_passes.PreLowerStripPhis, "run_pass"),
        (generators.LowerYield, "lower_yield_suspend"),
        (generators.LowerYield, "lower_yield_resume"),
    ):
        if not hasattr(owner, name):
            return f"{owner.__module__}.{owner.__name__} has no {name}"
    return None


def _words(context: Any, kind: Any) -> int | None:
    """Return the number of words of a variable of this type and its state; None: an object that it refers to would have
    to be kept, too."""
    try:
        if context.data_model_manager[kind].contains_nrt_meminfo():
            return None
        return 1 + -(-abi.layout(context.get_value_type(kind))[0] // 8)
    except (KeyError, NotImplementedError, abi.Unknown):
        return None


def _room(code: Any, typed: dict[str, Any]) -> int:
    """Return the room in words. `typed`: names in Numba's IR with their types."""
    context = registry.cpu_target.target_context
    own = frozenset(bytecode.variables(code))
    kinds = {(base, kind) for name, kind in typed.items() if (base := name.partition(".")[0]) in own}
    found = [words for _, kind in kinds if (words := _words(context, kind)) is not None]
    return min(_MOST, sum(found) + len(own))


def _with_room(kind: Any, words: int) -> Any:
    states = (*kind.state_types, types.UniTuple(types.int64, words))
    return types.Generator(kind.gen_func, kind.yield_type, kind.arg_types, states, kind.has_finalizer)


class Room:
    """The room for variables of the generator that is being lowered."""

    def __init__(self, lower: Any, area: Area) -> None:
        self._lower = lower
        self._area = area
        self._states = len(lower.generator_info.state_vars)
        found = lower.genlower.gentype.state_types[self._states :]
        self._left: int = found[0].count if found else 0
        self._places: dict[Variable, int] = {}
        self._kept: list[Variable] = []  # the variables kept at the last `yield`

    def _place(self, variable: Variable) -> int | None:
        """Return where the variable's words begin, or None if there is no room."""
        if variable not in self._places:
            context = self._lower.context
            if any(_words(context, kind) is None for kind in variable.kinds) or variable.word is None:
                return None
            count = len(self._offsets(variable))
            if count > self._left:
                return None
            self._left -= count
            self._places[variable] = sum(len(self._offsets(each)) for each in self._places)
        return self._places[variable]

    def _offsets(self, variable: Variable) -> list[int]:
        """Return the offsets of its words in the area, the one with its state last."""
        context = self._lower.context
        found = [] if variable.tag is None else [variable.tag]
        for slot, kind in zip(variable.slots, variable.kinds):
            found += range(slot, slot + abi.layout(context.get_value_type(kind))[0], 8)
        return [*found, *([] if variable.word is None else [variable.word])]

    def _copy(self, variables: Iterable[Variable], is_back: bool) -> list[Variable]:
        done: list[Variable] = []
        builder = self._lower.builder
        with debuginfo.suspend_emission(builder):
            for variable in variables:
                if (place := self._place(variable)) is None:
                    continue
                done.append(variable)
                for word, offset in enumerate(self._offsets(variable), place):
                    kept = cgutils.gep_inbounds(builder, self._lower.genlower.gen_state_ptr, 0, self._states, word)
                    if is_back:
                        self._area.set_word(builder, offset, builder.load(kept))
                    else:
                        builder.store(self._area.word_at(builder, offset), kept)
        return done

    def keep(self, variables: Iterable[Variable]) -> None:
        self._kept = list(variables)
        self._copy(self._kept, is_back=False)

    def restore(self) -> list[Variable]:
        """Return the variables that were restored: those of the last keep() for which there was room."""
        return self._copy(self._kept, is_back=True)


def install(of: Callable[[Any], Any]) -> None:
    """Wrap Numba's generators, once for each process, after check(). `of`: returns the function.Function that is being
    lowered, or None."""
    prepare, suspend = typed_passes.PreLowerStripPhis.run_pass, generators.LowerYield.lower_yield_suspend
    resume = generators.LowerYield.lower_yield_resume

    @functools.wraps(prepare)
    def run_pass(self: Any, state: Any) -> Any:
        changed = prepare(self, state)
        # the generator is not one that the function only returns
        is_own = isinstance(state.return_type, types.Generator) and state.func_ir.is_generator
        is_followed = is_own and state.flags.debuginfo and not levels.is_left_alone(state.func_id.func, state.flags)
        if is_followed and state.typemap is not None:
            words = _room(state.func_ir.func_id.code, state.typemap)
            state.return_type = _with_room(state.return_type, words)
        return changed

    @functools.wraps(suspend)
    def lower_yield_suspend(self: Any) -> None:
        if function := of(self.lower):
            function.suspend(self.live_vars)
        suspend(self)

    @functools.wraps(resume)
    def lower_yield_resume(self: Any) -> None:
        # with a line, LLDB would stop here, at the line of the `yield`
        with debuginfo.suspend_emission(self.lower.builder):
            resume(self)

    typed_passes.PreLowerStripPhis.run_pass = run_pass
    generators.LowerYield.lower_yield_suspend = lower_yield_suspend
    generators.LowerYield.lower_yield_resume = lower_yield_resume
