"""The hook on Numba's lowering: slots that follow the user's variables, and markers where the user's lines begin.

This module wraps methods of numba.core.lowering.Lower and numba.core.generators (0.57-0.68). The program's results do
not change; variables that hold references are released where Python would do it, at the function's end, and not after
their last use."""

from __future__ import annotations

import contextlib
import ctypes
import warnings
from collections.abc import Callable
from typing import Any

import llvmlite.binding as llvm
from llvmlite import ir
from numba.core import ccallback, codegen, compiler, debuginfo, dispatcher, generators, lowering, pylowering
from numba.core.cpu import CPUContext
from numba.np.ufunc import ufuncbuilder
from numba.parfors import parfor as parfors
from numba.parfors import parfor_lowering

from jitscope.compiler.base import abi, fast, levels, wrappers
from jitscope.compiler.base.wrapped import wrap
from jitscope.compiler.debuginfo import caching, callers, dibuilder, proof, strings, types
from jitscope.compiler.flow import stencils
from jitscope.compiler.followed import programs
from jitscope.compiler.linked import callees, embedding, inlining, plain, raising, rows, slotless, wrapping
from jitscope.compiler.lowered import totals, traps
from jitscope.compiler.lowered.function import Function
from jitscope.compiler.numba_ir import bodies, bytecode, closures, flags, inserted, made_up, origins, pruning, remnants
from jitscope.compiler.parallel import joining, kernels, parfor_loops
from jitscope.compiler.raised import kept, marks, places, sites
from jitscope.compiler.raised import raising as raised_frames
from jitscope.compiler.slots import waiting

_ATTRIBUTE = "_jitscope"
_LIKELY = 1000
_proven: bool | None = None
_choices: list[levels.Choice] = []  # for the functions that are being lowered, the innermost last


def check() -> str | None:
    """Return why this Numba's lowering cannot be wrapped, or None."""
    for owner in (lowering.Lower, pylowering.PyLower):
        for name in _WRAPPERS:
            if not callable(getattr(owner, name, None)):
                return f"{owner.__module__}.{owner.__name__} has no {name}"
    if "lower_inst" not in vars(parfor_lowering.ParforLower):
        return "numba.parfors.parfor_lowering.ParforLower has no lower_inst"
    if not hasattr(compiler.CompilerBase, "_compile_core"):
        return "numba.core.compiler.CompilerBase has no _compile_core"
    for name in ("create_resumption_block", "lower_next_func"):
        if not hasattr(generators.BaseGeneratorLower, name):
            return f"numba.core.generators.BaseGeneratorLower has no {name}"
    for name in (
        "_get_module_for_linking",
        "add_ir_module",
        "add_llvm_module",
        "finalize",
        "_optimize_final_module",
        "_ensure_finalized",
        "_finalize_specific",
    ):
        if not hasattr(codegen.JITCodeLibrary, name):
            return f"numba.core.codegen.JITCodeLibrary has no {name}"
    parts = (
        dibuilder,
        types,
        abi,
        caching,
        closures,
        flags,
        inserted,
        joining,
        made_up,
        origins,
        pruning,
        raising,
        remnants,
        stencils,
        waiting,
        wrappers,
    )
    return next(filter(None, (part.check() for part in parts)), None)


def _function(lower: Any) -> Function | None:
    return getattr(lower, _ATTRIBUTE, None)


def _is_by_hook(lower: Any) -> bool:
    return isinstance(lower.debuginfo, dibuilder.DIBuilder)


def _init(original: Any, self: Any, *args: Any, **kwargs: Any) -> None:
    original(self, *args, **kwargs)
    asked = self.flags
    if asked is not None and asked.fastmath and not asked.debuginfo:
        setattr(self.library, inlining.LEFT_ALONE, True)
    is_jit = isinstance(self.context, CPUContext) and not self.context.aot_mode
    if is_jit and type(self.debuginfo) is debuginfo.DummyDIBuilder:
        _add_lines(self)
    if type(self.debuginfo) is not debuginfo.DIBuilder or not isinstance(self.context, CPUContext):
        return
    if asked is not None and asked.dbg_directives_only or not _is_proven():
        return
    function = self.func_ir.func_id.func
    if asked is None or not asked.debuginfo or function.__name__.startswith(levels.ARRAY_EXPRESSION):
        # Numba compiles a part of its own library for the user's function, or a function for an array expression. It
        # has no variables of the user's, and its rows would be markers where it is inlined.
        self.debuginfo = debuginfo.DummyDIBuilder(self.module, self.func_ir.loc.filename, self.debuginfo.cgctx, False)
        return
    is_compiled = not isinstance(self, pylowering.PyLower)
    if is_compiled and getattr(self, "kernel", None) is None and levels.is_left_alone(function, asked):
        setattr(self.library, caching.CHOICE, levels.choice_of(function, flags=asked))
        setattr(self.library, inlining.LEFT_ALONE, True)
        dibuilder.leave_alone(self.debuginfo)
    else:
        self.debuginfo = dibuilder.DIBuilder(self.module, self.func_ir.loc.filename, self.debuginfo.cgctx, False)
        setattr(self.library, strings.OWN, True)
        if flags.is_unasked(function):
            setattr(self.library, inlining.UNASKED, True)


def _add_lines(lower: Any) -> None:
    """Give a function that Numba compiles without debug information its lines, if levels.has_lines() says so."""
    function, place = lower.func_ir.func_id.func, kernels.place_of(lower.func_ir)
    if place is None and not levels.has_lines(function):
        return
    file = place.header.filename if place is not None else lower.func_ir.loc.filename
    lower.debuginfo = dibuilder.LineBuilder(lower.module, file, lower.context, False)
    lower.debuginfo.is_fast = fast.is_fast(function, lower.flags)
    lower.debuginfo.set_level(levels.LINES, levels.FASTMATH if lower.debuginfo.is_fast else levels.DEFAULT)
    if place is not None:
        lower.debuginfo.name, lower.debuginfo.header = place.name, place.header.line
        lower.defn_loc = place.header
    else:
        lower.defn_loc = lower.func_ir.loc.with_lineno(bytecode.definition(function.__code__))
    setattr(lower.library, strings.OWN, True)
    callers.remember(lower.library, lower.fndesc.mangled_name, file)


def _is_proven() -> bool:
    """True if the hook works, which is tested when the first function is compiled with it. If it does not, report that
    once."""
    global _proven
    if _proven is None:
        _proven = True  # for the test itself
        if fault := proof.fault():
            _proven = False
            warnings.warn(f"jitscope leaves Numba's debug information as it is: {fault}", stacklevel=2)
    return _proven


def _lower(original: Any, self: Any) -> Any:
    with places.lowering(self):
        return _lower_at_level(original, self)


def _lower_at_level(original: Any, self: Any) -> Any:
    if not _is_by_hook(self):
        return original(self)
    kernel = getattr(self, "kernel", None)  # PyLower has no kernel
    within = _choices[-1] if _choices else None
    choice = kernel.choice if kernel is not None else levels.choice_of(self.func_ir.func_id.func, within, self.flags)
    setattr(self.library, caching.CHOICE, choice)
    setattr(self.library, caching.TRAPS, traps.asked(self))
    _choices.append(choice)
    try:
        return original(self)
    finally:
        _choices.pop()


def _pre_lower(original: Any, self: Any) -> None:
    setattr(self, _ATTRIBUTE, None)
    if not _is_by_hook(self):
        builder = self.debuginfo
        if isinstance(builder, dibuilder.LineBuilder) and not builder.header:  # a loop's body has no result
            builder.set_result(self)
        original(self)
        _drop_maker(self)
        return
    level, by = _choices[-1]
    is_object_mode = isinstance(self, pylowering.PyLower)
    self.debuginfo.is_fast = fast.is_fast(self.func_ir.func_id.func, self.flags)
    self.debuginfo.removed = remnants.removed_stores(self.func_ir)
    self.debuginfo.set_level(level, by)
    self.debuginfo.set_result(self)
    original(self)
    if _drop_maker(self):
        return
    if not is_object_mode and "optnone" not in self.builder.function.attributes:  # optnone needs noinline
        setattr(self.library, slotless.MODULES, [])
        if level == levels.STEPS:
            setattr(self.library, embedding.STEPS, True)
            self.builder.function.attributes.discard("noinline")
    if level == levels.STEPS:
        marks.note(self.builder.function.name, levels.tracebacks() != levels.OFF)
        self.builder.function.attributes.add(
            "noredzone"
        )  # a marker may be a call: runtime/inferior/rendezvous/arrivals.c
    setattr(self, _ATTRIBUTE, Function(self, level))


def _drop_maker(lower: Any) -> bool:
    """Drop the debug information of the function that makes a generator, which has none of the user's code. False for
    other functions."""
    if lower.blkmap or not isinstance(lower.debuginfo, dibuilder.LineBuilder):
        return False
    lower.builder.function.metadata.pop("dbg", None)
    lower.debuginfo.subprograms.pop()
    return True


def _post_lower(original: Any, self: Any) -> None:
    sites.note_owner(self)
    if function := _function(self):
        function.finish()
        sites.note_variables(self, function.kept_values() if marks.is_marked(self.builder.function.name) else ())
        wrapping.let_wrap(self, function.has_traps)
        callees.write(self, is_list=self.debuginfo.level == levels.EXACT and not function.starts_loops)
        setattr(self, _ATTRIBUTE, None)
    else:
        wrapping.let_wrap(self, False)
    original(self)
    if isinstance(self.debuginfo, dibuilder.LineBuilder):
        # code that Numba puts before the first line, or after the last, is on neither
        self.builder.debug_metadata = None


def _pre_block(original: Any, self: Any, block: Any) -> None:
    original(self, block)
    if function := _function(self):
        function.begin_block(block)


def _post_block(original: Any, self: Any, block: Any) -> None:
    original(self, block)
    if function := _function(self):
        function.end_block()


def _lower_inst(original: Any, self: Any, inst: Any) -> None:
    places.begin_statement(self, inst)
    function = _function(self)
    if function is None:
        if isinstance(self.debuginfo, dibuilder.LineBuilder):
            self.debuginfo.filename = inst.loc.filename
        original(self, inst)
        return
    function.begin_statement(inst)
    if (found := function.traps()) is not None:
        found.at_statement(inst)
        with found.of_copies(inst):
            original(self, inst)
    else:
        original(self, inst)
    function.end_statement(inst)


def _lower_parallel(original: Any, self: Any, inst: Any) -> None:
    if not isinstance(inst, parfors.Parfor):  # it goes through Lower.lower_inst
        original(self, inst)
        return
    programs.note_loop(self, inst)
    with places.loop(self, inst):
        _lower_loop(original, self, inst)


def _lower_loop(original: Any, self: Any, inst: Any) -> None:
    function = _function(self)
    if function is None:
        if isinstance(self.debuginfo, dibuilder.LineBuilder):
            self.debuginfo.filename = inst.loc.filename
            self.debuginfo.mark_location(self.builder, self.loc.line)
        original(self, inst)
        return
    assigned = function.assigned_by(inst)  # taken now, because the lowering takes the Parfor apart
    function.begin_statement(inst)
    if header := parfor_loops.fused_header(self, inst):
        function.begin_fused(header.line)
        self.loc = header
    # otherwise its code is on the line of the statement before it
    self.debuginfo.mark_location(self.builder, self.loc.line)
    original(self, inst)
    function.end_parallel(assigned)


def _emit_total(original: Any, function: Any, lower: Any, count: Any, parts: Any) -> Any:
    within, statement = _function(lower), parts.redvar_info.reduce_nodes[-1]
    if within is not None and (found := within.traps(statement)) is not None:
        before, lower.loc = lower.loc, statement.loc
        totals.check(lower, found, function, count, parts)
        lower.loc = before
    return original(function, lower, count, parts)


def _lower_assign(original: Any, self: Any, *arguments: Any) -> Any:
    function = _function(self)
    # Object mode, which has no types to check, passes the statement alone (numba/core/pylowering.py).
    found = function.traps() if function and len(arguments) == 2 else None
    if found is None:
        return original(self, *arguments)
    kind, inst = arguments
    found.before(kind, inst.value)
    with found.of_all(kind, inst.value):
        result = original(self, kind, inst)
    found.after(kind, inst.value, result)
    return result


def _storevar(original: Any, self: Any, value: Any, name: str, *arguments: Any, **named: Any) -> None:
    original(self, value, name, *arguments, **named)
    if function := _function(self):
        function.stored(value, name)


def _delvar(original: Any, self: Any, name: str) -> None:
    if function := _function(self):
        function.hold(name)
    original(self, name)


def _compile(original: Any, self: Any) -> Any:
    with levels.compiling(is_piece=self.state.func_ir is not None):
        return original(self)


def _resumed(original: Any, self: Any, lower: Any, index: int) -> None:
    original(self, lower, index)
    if function := _function(lower):
        function.resume()


def _lower_next(original: Any, self: Any, lower: Any) -> None:
    """Give a generator's first entry the greatest weight. A debugger takes the first statement in the order of
    addresses for the function's beginning, and LLVM lays out the branch with the greatest weight first."""
    original(self, lower)
    if not _is_by_hook(lower):
        return
    for block in lower.function.blocks:
        ways = block.terminator
        if isinstance(ways, ir.SwitchInstr) and block.name.startswith("generator_prologue"):
            first = _LIKELY * len(ways.cases)
            ways.set_weights([1, *(first if number.constant == 0 else 1 for number, _ in ways.cases)])


_WRAPPERS: dict[str, Callable[..., Any]] = {
    "lower": _lower,
    "pre_lower": _pre_lower,
    "post_lower": _post_lower,
    "pre_block": _pre_block,
    "post_block": _post_block,
    "lower_inst": _lower_inst,
    "lower_assign": _lower_assign,
    "storevar": _storevar,
    "delvar": _delvar,
}


def _name_divisions() -> None:
    """Make functions that divide in 128 bits known to LLVM, which Numba does not do: LLVM may need them for the values
    that a loop leaves."""
    with contextlib.suppress(OSError):
        library = ctypes.CDLL("libgcc_s.so.1")
        for name in ("__udivti3", "__umodti3", "__divti3", "__modti3"):
            if not llvm.address_of_symbol(name) and hasattr(library, name):
                llvm.add_symbol(name, ctypes.cast(getattr(library, name), ctypes.c_void_p).value)


def install() -> None:
    """Wrap Numba's lowering, once for each process, after check()."""
    _name_divisions()
    llvm.initialize_native_target()  # without it, the parser of llvmlite before 0.45 crashes
    llvm.initialize_native_asmparser()
    wrap(lowering.BaseLower, "__init__", _init)
    bodies.install()
    joining.install()
    closures.install()
    inserted.install()
    made_up.install()
    origins.install()
    wrappers.rename()
    raising.install()
    if raised_frames.check() is None:
        kept.install()  # a cache may have them though they are not used
        marks.register()  # cached code may call them
        if levels.tracebacks() != levels.OFF:
            raised_frames.install()
    pruning.install()
    remnants.install(kernels.of)
    stencils.install()
    waiting.install(_function)
    for name, around in _WRAPPERS.items():
        wrap(lowering.Lower, name, around)
        wrap(pylowering.PyLower, name, around)
    wrap(parfor_lowering.ParforLower, "lower_inst", _lower_parallel)
    if hasattr(parfor_lowering, totals.METHOD):  # else parts of sums are put together without checks
        wrap(parfor_lowering, totals.METHOD, _emit_total)
    wrap(codegen.CPUCodeLibrary, "add_ir_module", plain.remember)
    wrap(codegen.CPUCodeLibrary, "add_llvm_module", inlining.remember)
    wrap(codegen.CPUCodeLibrary, "finalize", inlining.finalize)
    wrap(codegen.JITCodeLibrary, "_finalize_specific", strings.finalize)
    wrap(codegen.CPUCodeLibrary, "_optimize_final_module", embedding.optimize)
    wrap(codegen.CPUCodeLibrary, "_optimize_final_module", rows.optimize)
    wrap(codegen.CPUCodeLibrary, "_optimize_final_module", wrapping.optimize)
    wrap(codegen.CPUCodeLibrary, "_get_module_for_linking", inlining.shared_module)
    wrap(compiler.CompilerBase, "_compile_core", _compile)
    caching.install()
    callers.install()
    wrap(dispatcher._FunctionCompiler, "_customize_flags", flags.customize)
    wrap(ccallback._CFuncCompiler, "_customize_flags", flags.customize)
    wrap(ufuncbuilder.UFuncDispatcher, "_compile_core", flags.compile_ufunc)
    wrap(compiler.CompilerBase, "compile_extra", flags.compile_first)
    wrap(generators.BaseGeneratorLower, "create_resumption_block", _resumed)
    wrap(generators.BaseGeneratorLower, "lower_next_func", _lower_next)
