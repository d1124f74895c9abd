"""The copy of a function at `exact` that its callers get, without slots and markers, so that LLVM may inline it."""

from __future__ import annotations

import re
from typing import Any

import llvmlite.binding as llvm

from jitscope.compiler.base import levels
from jitscope.compiler.debuginfo import caching, dibuilder
from jitscope.compiler.linked import embedding, passed, plain
from jitscope.compiler.linked.slotless import MODULES, without_slots

_WITH_AREA = re.compile(r'^define [^\n@]*@"?([\w.$-]+)"?\((?:(?!^\}).*\n)*?  %jitscope\.area', re.M)
_LINES = f'"{dibuilder.PRODUCER} {levels.LINES} '
_UNITS = re.compile(rf"^(!\d+) = distinct !DICompileUnit\(.*producer: {re.escape(_LINES)}", re.M)
_SUBPROGRAMS = re.compile(r"^(!\d+) = distinct !DISubprogram\(.*unit: (!\d+)", re.M)
_DEFINED = re.compile(r"^define [^\n]* !dbg (!\d+) \{\n(?:(?!\}\n).*\n)*", re.M)
# what ties instructions and functions to debug information, and what describes variables
_PLACES = re.compile(r",? !dbg !\d+(?=[, {\n])|^ *(?:(?:tail )?call void @llvm\.dbg\.|#dbg_).*\n", re.M)
# attribute of a library whose function has the code that Numba makes without the hook
LEFT_ALONE = "_jitscope_left_alone"
UNASKED = "_jitscope_unasked"  # attribute of a library: Numba alone would give its function no debug information
_WITHOUT_LINES = "_jitscope_without_lines"  # attribute of a library: the module for callers with debug information
_COPIED = "_jitscope_copied"  # attribute of such a library: the module for callers that the hook leaves alone
_CALLED = "_jitscope_called"  # attribute of a library: the module for callers that the hook leaves alone
_SHARED = "_jitscope_shared"  # attribute of a library: the module for callers with debug information
_finalized: list[Any] = []  # libraries that are being finalized, the innermost last


def remember(original: Any, library: Any, module: Any) -> None:
    """Wrap CPUCodeLibrary.add_llvm_module, which optimises the module in place."""
    if (modules := getattr(library, MODULES, None)) is not None:
        modules.append(module.as_bitcode())
    original(library, module)


def finalize(original: Any, library: Any) -> None:
    """Wrap CPUCodeLibrary.finalize, which asks the libraries for the modules that it links."""
    plain.link(library)
    _finalized.append(library)
    try:
        original(library)
    finally:
        _finalized.pop()


def shared_module(original: Any, library: Any) -> Any:
    """Wrap CPUCodeLibrary._get_module_for_linking. A caller that has debug information gets the library as it would be
    without slots from the beginning, because LLVM generates other code for a function that has had slots, and a
    callee's code decides how LLVM vectorises the callers. If it were inlined into other callers, the function's debug
    information would be lost. A caller that the hook leaves alone gets the declaration and attributes of a function
    without slots, and calls it, as without the hook; where Numba alone would give the function no debug information,
    LLVM may inline it, as without the hook."""
    modules = getattr(library, MODULES, None)
    caller = _finalized[-1] if _finalized else None
    if modules and caller is not library and hasattr(caller, LEFT_ALONE):
        is_inlined = hasattr(library, UNASKED)
        return _remade(original, library, _COPIED if is_inlined else _CALLED, is_inlined)
    if hasattr(library, embedding.STEPS) and caller is not library and hasattr(caller, embedding.STEPS):
        return embedding.shared(original, library)
    if caller is not library and hasattr(caller, caching.CHOICE) and not hasattr(library, caching.CHOICE):
        return _without_lines(original, library)
    is_at_steps = hasattr(library, embedding.STEPS) or hasattr(caller, embedding.STEPS)
    if not modules or caller is library or is_at_steps or not hasattr(caller, MODULES):
        return original(library)
    return _remade(original, library, _SHARED, is_inlined=True)


def without_lines(text: str) -> str:
    """Return a module's text without the debug information of functions that have their lines only, and of what was
    inlined there."""
    units = set(_UNITS.findall(text))
    functions = {name for name, unit in _SUBPROGRAMS.findall(text) if unit in units}
    return _DEFINED.sub(lambda found: _PLACES.sub("", found[0]) if found[1] in functions else found[0], text)


def _without_lines(original: Any, library: Any) -> Any:
    """Return the library's module for linking without the lines of functions that have nothing else. A caller with
    debug information of its own has such a callee's code on the line of the call."""
    if (found := getattr(library, _WITHOUT_LINES, None)) is None:
        found = original(library)
        text = str(found)
        if _LINES in text:  # the library may be from a cache, so that no attribute says this
            found = llvm.parse_assembly(without_lines(text))
        setattr(library, _WITHOUT_LINES, found)
    return found


def _remade(original: Any, library: Any, kept_as: str, is_inlined: bool) -> Any:
    """Return the library's module for linking, made without slots. `is_inlined`: LLVM may inline its functions."""
    if (found := getattr(library, kept_as, None)) is not None:
        return found
    library._ensure_finalized()
    other = type(library)(library._codegen, library.name)
    modules = [str(llvm.parse_bitcode(bitcode)) for bitcode in getattr(library, MODULES)]
    texts = [without_slots(text) for text in modules]
    names = set(_WITH_AREA.findall("".join(modules))) if not is_inlined else set()
    for text in texts:
        module = llvm.parse_assembly(text)
        for function in module.functions:
            if function.name in names:
                function.add_function_attribute("noinline")
        other.add_llvm_module(module)
    for linked in dict.fromkeys(library._linking_libraries):
        other._final_module.link_in(linked._get_module_for_linking(), preserve=True)
    other._optimize_final_module()
    text = str(other._final_module)
    if (changed := passed.with_arguments(text, texts)) != text:
        other._final_module = llvm.parse_assembly(changed)
    own = library._final_module, library._shared_module
    library._final_module, library._shared_module = other._final_module, None
    try:
        setattr(library, kept_as, original(library))
    finally:
        library._final_module, library._shared_module = own
    return getattr(library, kept_as)


def may_have_inlined(library: Any) -> bool:
    """True if the library was given functions that LLVM may have inlined."""
    return any(hasattr(linked, _SHARED) for linked in library._linking_libraries)
