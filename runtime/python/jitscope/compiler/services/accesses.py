"""Code that reports each of its reads and writes to libjitscope.so, for `jitscope.race_check`.

Such code is compiled in contexts of its own, so that its callees (the user's functions, and Numba's for NumPy) are
compiled once more as well, and no code that runs without the check is changed. While it is compiled, the instructions
that Numba writes (llvmlite's IRBuilder) are each preceded by a call. Local variables on the stack and constants are no
memory that workers share, and are left out; the library leaves out those that are reached by a pointer."""

from __future__ import annotations

import contextlib
import ctypes
import os
import weakref
from collections.abc import Iterator
from typing import Any, NamedTuple

import llvmlite.binding as llvm
import llvmlite.ir as llvm_ir
import numba
from numba.core import cgutils, cpu, dispatcher, ir, lowering, registry, types, typing
from numba.core.compiler_lock import global_compiler_lock
from numba.experimental.jitclass.base import ClassBuilder

from jitscope import stops as runtime
from jitscope.compiler.base import abi, levels
from jitscope.compiler.services import container_accesses

_INT32, _INT64 = llvm_ir.IntType(32), llvm_ir.IntType(64)
_WRITES, _INNER = 1, 2  # from runtime/include/jitscope.h
_META_DATA = 8  # bytes of a container's MemInfo that have its accesses; compiled code never reads them itself
_ACCESS, _STATEMENT, _ARRAY = _FUNCTIONS = ("jitscope_access", "jitscope_access_statement", "jitscope_access_array")
SITES_MAX = 1 << 20
_NUMBA = os.path.dirname(os.path.abspath(numba.__file__)) + os.sep
_KERNEL = "__numba_parfor_gufunc"
# Types of callees whose code is not Numba's, and what messages call them.
_FOREIGN = {
    "ObjModeDispatcher": "a block `with objmode`",
    "ExternalFunctionPointer": "a C function",
    "ExternalFunction": "a C function",
    "FunctionType": "a function that is called by its address",
}
_LIBRARIES = ("numba_x", "numba_ez_", "numba_raw_")  # Numba's names of BLAS and LAPACK (numba/_lapack.c)
_CONTEXTS = ("_toplevel_typing_context", "_toplevel_target_context")


class Site(NamedTuple):
    """A place in the source that accesses memory, or an array or a container of a kernel (line 0)."""

    file: str
    line: int
    name: str | None  # the name of the variable in the IR
    member: str = ""  # the attribute of that variable, an instance of a jitclass, which has the array or the container
    container: str = ""  # the type of a container, as messages name it; "": an array


sites: list[Site] = []
_numbers: dict[Site, int] = {}
# for the statements that are being lowered: the number of the site, and flags
_stack: list[tuple[int, int] | None] = []
_unreported: dict[str, None] = {}  # parts of the function that is compiled, as messages name them, in order
_thread_calls: list[Any] = []  # the calls in the function that is compiled that ask for the thread or the threads
_kept: dict[str, Any] = {}  # the contexts, by their names in registry.cpu_target
_clones: dict[Any, Any] = {}
_made: weakref.WeakKeyDictionary[Any, dict[Any, Any]] = weakref.WeakKeyDictionary()  # the results of compiled()


def check() -> str | None:
    """Return why accesses cannot be reported in this Numba, or None."""
    for owner, names in (
        (type(registry.cpu_target), _CONTEXTS),
        (dispatcher.Dispatcher, ("get_call_template", "get_overload")),
        (lowering.Lower, ("lower_inst", "loadvar")),
        (llvm_ir.IRBuilder, ("load", "store", "call")),
    ):
        for name in names:
            if not hasattr(owner, name):
                return f"{owner.__name__} has no {name}"
    return abi.check()


class Compiled(NamedTuple):
    """A dispatcher whose code reports its accesses. `unreported`: the parts of it whose accesses are not reported.
    `asks_thread`: it asks which thread runs it, or how many do, so that without threads its results may differ."""

    function: Any
    unreported: tuple[str, ...]
    asks_thread: bool


def compiled(function: Any, arguments: tuple[Any, ...]) -> Compiled:
    """Compile a function for these arguments, as code that reports its accesses."""
    library = runtime.library()
    for name in _FUNCTIONS:
        llvm.add_symbol(name, ctypes.cast(getattr(library, name), ctypes.c_void_p).value)
    _, kinds = function._compiler.fold_argument_types(tuple(map(numba.typeof, arguments)), {})
    function.compile(tuple(kinds))
    # The results belong to one compilation of the function itself, because recompile() takes other globals.
    made = _made.setdefault(function, {})
    original = function.overloads[tuple(kinds)]
    before, found = made.get(tuple(kinds), (None, None))
    if before is not original:
        with _report_function():
            _unreported.clear()
            _thread_calls.clear()
            clone = _clone(function)
            clone.compile(tuple(kinds))
            found = Compiled(clone, tuple(_unreported), bool(_thread_calls))
        made[tuple(kinds)] = original, found
    return found  # type: ignore[no-any-return]


@contextlib.contextmanager
def _report_function() -> Iterator[None]:
    with contextlib.ExitStack() as stack:
        stack.enter_context(global_compiler_lock)
        _enter_contexts(stack)
        _clones.clear()
        for owner, name, method in (
            (llvm_ir.IRBuilder, "load", _load),
            (llvm_ir.IRBuilder, "store", _store),
            (llvm_ir.IRBuilder, "call", _call),
            (lowering.Lower, "lower_inst", _lower_inst),
            (dispatcher.Dispatcher, "get_call_template", _get_call_template),
            (dispatcher.Dispatcher, "get_overload", _get_overload),
        ):
            _replace(stack, owner, name, method)
        yield


def _enter_contexts(stack: contextlib.ExitStack) -> None:
    target = registry.cpu_target
    before = {name: getattr(target, name) for name in _CONTEXTS}
    stack.callback(target.__dict__.update, before)
    if not _kept:
        typing_context = typing.Context()
        target.__dict__[_CONTEXTS[0]] = typing_context
        target.__dict__[_CONTEXTS[1]] = cpu.CPUContext(typing_context, "cpu")
        _kept.update({name: target.__dict__[name] for name in _CONTEXTS})
    target.__dict__.update(_kept)
    _add_classes(before[_CONTEXTS[0]], *_kept.values())


def _add_classes(original: Any, typing_context: Any, target_context: Any) -> None:
    """Register the jitclasses, as Numba does in the contexts of the program alone (numba/experimental/jitclass/base.py,
    register_class_type)."""
    for reference, kind in list(original._globals.items()):
        owner = reference() if isinstance(reference, weakref.ref) else None
        if isinstance(kind, types.ClassType) and owner is not None and typing_context._lookup_global(owner) is None:
            typing_context.insert_global(owner, kind)
    target_context.install_registry(ClassBuilder.class_impl_registry)


def _replace(stack: contextlib.ExitStack, owner: Any, name: str, around: Any) -> None:
    original = getattr(owner, name)

    def method(self: Any, *arguments: Any, **named: Any) -> Any:
        return around(original, self, *arguments, **named)

    setattr(owner, name, method)
    stack.callback(setattr, owner, name, original)


# -- the functions that report


def _clone(function: Any) -> Any:
    if function.typingctx is _kept[_CONTEXTS[0]]:
        return function
    if function not in _clones:
        options = dict(function.targetoptions)
        if options.pop("debug", False) and options.get("boundscheck") is None:
            options["boundscheck"] = True
        pipeline = function._compiler.pipeline_class
        _clones[function] = type(function)(
            function.py_func, locals=function.locals, targetoptions=options, pipeline_class=pipeline
        )
    return _clones[function]


def _get_call_template(original: Any, self: Any, args: Any, kws: Any) -> Any:
    return original(_clone(self), args, kws)


def _get_overload(original: Any, self: Any, sig: Any) -> Any:
    return original(_clone(self), sig)


# -- the statements that report


def _number(site: Site) -> int:
    if site not in _numbers:
        if len(sites) >= SITES_MAX:
            return 0
        _numbers[site] = len(sites)
        sites.append(site)
    return _numbers[site]


def _is_kernel(lower: Any) -> bool:
    return bool(lower.func_ir.func_id.func_name.startswith(_KERNEL))


def _array_of(inst: Any) -> str | None:
    """Return the variable whose elements a statement reads or writes, or None."""
    if isinstance(inst, (ir.SetItem, ir.StaticSetItem)):
        return str(inst.target.name)
    value = getattr(inst, "value", None)
    if isinstance(value, ir.Expr) and value.op in ("getitem", "static_getitem", "typed_getitem"):
        return str(value.value.name)
    return None


def _lower_inst(original: Any, self: Any, inst: Any) -> None:
    is_kernel = _is_kernel(self)
    if is_kernel and inst.loc.filename == levels.TEMPLATE:
        _stack.append(None)  # the schedule, and each thread's own sums
    else:
        is_inner = inst.loc.filename == levels.TEMPLATE or inst.loc.filename.startswith(_NUMBA)
        number = _number(Site(inst.loc.filename, inst.loc.line, None if is_inner else _array_of(inst)))
        _stack.append((number, _INNER if is_inner else 0))
        if not is_inner:
            _call_report(self.builder, _STATEMENT, _INT32(number))
        _report_containers(self, inst)
        _note_statement(self, inst)
    try:
        original(self, inst)
    finally:
        _stack.pop()
    if is_kernel and isinstance(inst, ir.Assign) and isinstance(inst.value, ir.Arg):
        _report_argument(self, inst.target.name)


# -- the reports


def _call_report(builder: Any, name: str, *arguments: Any) -> None:
    kind = llvm_ir.FunctionType(llvm_ir.VoidType(), [argument.type for argument in arguments])
    function = cgutils.get_or_insert_function(builder.module, kind, name)
    builder.call(function, arguments)


def _report_argument(lower: Any, name: str) -> None:
    """Report the arrays and containers that an argument of a kernel is, or has as attributes."""
    kind, value = lower.typeof(name), lower.loadvar(name)
    if not isinstance(kind, types.ClassInstanceType):
        _report_memory(lower, name, "", kind, value)
        return
    for member, its_kind in kind.struct.items():
        if isinstance(its_kind, types.Array) or container_accesses.is_container(its_kind):
            read = lower.context.get_getattr(kind, member)
            its_value = read(lower.context, lower.builder, kind, value, member)
            _report_memory(lower, name, member, its_kind, its_value)
            lower.context.nrt.decref(lower.builder, its_kind, its_value)


def _report_memory(lower: Any, name: str, member: str, kind: Any, value: Any) -> None:
    function, builder = lower.func_ir.func_id.func_name, lower.builder
    if container_accesses.is_container(kind):
        number = _number(Site(function, 0, name, member, container_accesses.name_of(kind)))
        address = builder.ptrtoint(container_accesses.meminfo(lower, kind, value), _INT64)
        no_axes = address  # read for no axis
        _call_report(builder, _ARRAY, _INT32(number), address, _INT64(_META_DATA), _INT32(0), no_axes, no_axes)
    if not isinstance(kind, types.Array):
        return
    array = lower.context.make_array(kind)(lower.context, builder, value=value)
    number = _number(Site(function, 0, name, member))

    def integers(values: Any) -> Any:
        pack = cgutils.pack_array(builder, cgutils.unpack_tuple(builder, values, kind.ndim), ty=_INT64)
        return builder.ptrtoint(cgutils.alloca_once_value(builder, pack), _INT64)

    data, size = builder.ptrtoint(array.data, _INT64), array.itemsize
    shape, strides = integers(array.shape), integers(array.strides)
    _call_report(builder, _ARRAY, _INT32(number), data, size, _INT32(kind.ndim), shape, strides)


def _note_statement(lower: Any, inst: Any) -> None:
    """Note a statement that accesses memory where no report is made, in other code than Numba's or in C, and one that
    asks for the thread."""
    value = inst.value if isinstance(inst, ir.Assign) else None
    if isinstance(value, ir.Expr) and value.op == "call":
        kind = lower.typeof(value.func.name)
        _note_library(getattr(kind, "symbol", ""))
        if getattr(kind, "typing_key", None) in (numba.get_thread_id, numba.get_num_threads):
            _thread_calls.append(inst.loc)
        what = next((text for owner, text in _FOREIGN.items() if isinstance(kind, getattr(types, owner, ()))), None)
        _note(what, inst.loc)
    elif isinstance(inst, (ir.SetItem, ir.StaticSetItem)):
        kind = lower.typeof(inst.target.name)
        if container_accesses.is_container(kind) and not container_accesses.is_dict(kind):
            _note(f"the items of a {container_accesses.name_of(kind)}", inst.loc)


def _note_library(name: str) -> None:
    """Note a call of BLAS or LAPACK, which Numba's code for a function of NumPy has: its line is not the user's."""
    if name.startswith(_LIBRARIES):
        _unreported[f"{name}()"] = None


def _note(what: str | None, place: Any) -> None:
    if what is not None and place.filename != levels.TEMPLATE and not place.filename.startswith(_NUMBA):
        _unreported[f"{what} at {os.path.basename(place.filename)}:{place.line}"] = None


def _report_containers(lower: Any, inst: Any) -> None:
    for name, kind, changes in container_accesses.used(lower, inst):
        address = container_accesses.meminfo(lower, kind, lower.loadvar(name))
        _report_access(lower.builder, address, _META_DATA, _WRITES if changes else 0)


def _is_own(pointer: Any) -> bool:
    """True if the pointer is to the function's own stack, or to a constant."""
    while isinstance(pointer, (llvm_ir.GEPInstr, llvm_ir.CastInstr)):
        pointer = pointer.operands[0]
    return isinstance(pointer, (llvm_ir.AllocaInstr, llvm_ir.Constant, llvm_ir.GlobalVariable))


def _report_access(builder: Any, pointer: Any, size: Any, flags: int) -> None:
    if not _stack or _stack[-1] is None or _is_own(pointer):
        return
    number, inner = _stack[-1]
    if not hasattr(size, "type"):
        size = _INT64(size)
    with _quiet():
        address = builder.ptrtoint(pointer, _INT64)
        _call_report(builder, _ACCESS, address, size, _INT32(number), _INT32(flags | inner))


@contextlib.contextmanager
def _quiet() -> Iterator[None]:
    _stack.append(None)
    try:
        yield
    finally:
        _stack.pop()


def _size(kind: Any) -> int:
    try:
        return abi.layout(kind)[0]
    except abi.Unknown:
        return 0


def _load(original: Any, self: Any, ptr: Any, *arguments: Any, **named: Any) -> Any:
    value = original(self, ptr, *arguments, **named)
    _report_access(self, ptr, _size(value.type), 0)
    return value


def _store(original: Any, self: Any, value: Any, ptr: Any, *arguments: Any, **named: Any) -> Any:
    _report_access(self, ptr, _size(value.type), _WRITES)
    return original(self, value, ptr, *arguments, **named)


def _call(original: Any, self: Any, fn: Any, args: Any, *arguments: Any, **named: Any) -> Any:
    name = getattr(fn, "name", "")
    _note_library(name)
    if name.startswith(("llvm.memcpy", "llvm.memmove", "llvm.memset")) and args[2].type == _INT64:
        _report_access(self, args[0], args[2], _WRITES)
        if not name.startswith("llvm.memset"):
            _report_access(self, args[1], args[2], 0)
    return original(self, fn, args, *arguments, **named)
