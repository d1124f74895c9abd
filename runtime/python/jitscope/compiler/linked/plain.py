"""Functions that a loop at `steps` calls while no debugger is there: a copy, without slots and markers, of each of its
callees. The copy is named `foo.plain`, so that `break foo` is not set in it."""

from __future__ import annotations

import re
from typing import Any

import llvmlite.binding as llvm
from llvmlite import ir

from jitscope.compiler.base import debugged
from jitscope.compiler.linked import slotless

_CALLED = "_jitscope_plain_calls"  # attribute of a library: the names of the functions that it calls in the plain form
_PLAIN = "_jitscope_plain"  # attribute of a library: the module with the plain forms
_SUFFIX = ".plain"
# attribute of a library that has a function with slots: its functions that have a plain form
_DEFINED = "_jitscope_defined"
_SHARED = ("linkonce_odr", "internal", "private")
_LABEL = re.compile(r"^ *(?:#dbg_label\(|call void @llvm\.dbg\.label\().*\n", re.M)
_NAME = re.compile(r'^!\d+ = distinct !DISubprogram\(name: "[^"]+', re.M)
_DECLARED = re.compile(r"^declare [^@\n]*@([\w.$-]+)\(.*\n", re.M)


def redirect(library: Any, blocks: list[ir.Block]) -> None:
    """Redirect the calls in a loop's blocks to plain forms. `blocks`: those of the loop, in a function of this
    library."""
    names = {name for linked in library._linking_libraries for name in _defined(linked)}
    for instruction in (each for block in blocks for each in block.instructions if names):
        callee = getattr(instruction, "callee", None)
        if isinstance(callee, ir.Function) and callee.name in names:
            instruction.callee = _declared(callee)
            vars(library).setdefault(_CALLED, set()).add(callee.name)


def _declared(function: ir.Function) -> ir.Function:
    name = function.name + _SUFFIX
    found = function.module.globals.get(name)
    if found is None:
        found = ir.Function(function.module, function.function_type, name)
        for own, its in zip(found.args, function.args):
            own.attributes = its.attributes
    return found


def remember(original: Any, library: Any, module: ir.Module) -> None:
    """Wrap CPUCodeLibrary.add_ir_module: note the functions of a module that a library, which has a function with
    slots, is given."""
    if hasattr(library, slotless.MODULES):
        own = {each.name for each in module.functions if not each.is_declaration and each.linkage not in _SHARED}
        vars(library).setdefault(_DEFINED, set()).update(own)
    original(library, module)


def _defined(library: Any) -> set[str]:
    """Return LLVM's names of the library's functions that have a plain form."""
    found: set[str] = getattr(library, _DEFINED, set())
    return found


def link(library: Any) -> None:
    """Link the plain forms of the functions' callees; called before the library is finalized."""
    called: set[str] = getattr(library, _CALLED, set())
    for linked in dict.fromkeys(library._linking_libraries):
        if called and called & _defined(linked):
            library._final_module.link_in(_module(linked), preserve=True)


def _module(library: Any) -> Any:
    """Return all functions of the library, and their callees of other libraries, in the plain form."""
    if (found := getattr(library, _PLAIN, None)) is not None:
        return found
    library._ensure_finalized()
    linked = dict.fromkeys(library._linking_libraries)
    names = _defined(library).union(*map(_defined, linked))
    other = type(library)(library._codegen, library.name + _SUFFIX)
    for module in getattr(library, slotless.MODULES):
        text = _LABEL.sub("", debugged.never(slotless.without_slots(str(llvm.parse_bitcode(module)))))
        text = _NAME.sub(lambda found: found[0] + _SUFFIX, text)
        other.add_llvm_module(llvm.parse_assembly(_renamed(text, names)))
    for each in linked:
        module = _module(each) if hasattr(each, slotless.MODULES) else each._get_module_for_linking()
        other._final_module.link_in(module, preserve=True)
    other._optimize_final_module()
    module = other._final_module
    for function in module.functions:
        if not function.is_declaration and function.linkage == llvm.Linkage.external:
            function.linkage = "linkonce_odr"
    setattr(library, _PLAIN, module)
    return module


def _renamed(text: str, names: set[str]) -> str:
    """Return the text with these functions in the plain form. If a loop in it calls one, that is declared already."""
    declared = set(_DECLARED.findall(text))
    twice = {name for name in declared & names if name + _SUFFIX in declared}
    text = _DECLARED.sub(lambda found: "" if found[1] in twice else found[0], text)
    return re.sub(r"(?<=@)[\w.$-]+", lambda found: found[0] + _SUFFIX * (found[0] in names), text)
