"""Small functions at `steps` in callers at `steps`: inlined with their slots and markers.

LLVM inlines them only if it must (`alwaysinline`), since markers may not be copied. This is done before anything else,
so that each copy's markers can be made different from all others."""

from __future__ import annotations

import re
from typing import Any

import llvmlite.binding as llvm

from jitscope.compiler.base import levels
from jitscope.compiler.base.emit import MARKER, next_marker
from jitscope.compiler.base.recording import ACCESS

STEPS = "_jitscope_steps"  # attribute of a library whose function is at `steps`
_SHARED = "_jitscope_embedded"  # attribute of a library: the module that callers at `steps` get
_LINES = 120  # lines of LLVM's text that a function may have
_TELLING_LINES = 9  # lines that each reported access adds
_MARKER = re.compile(rf'(?<=asm sideeffect "{re.escape(MARKER)})\d+')
# A function's first line, up to its attributes. (llvmlite before 0.45 gives them to the result.)
_HEAD = re.compile(r"^define .*\)(?: local_unnamed_addr| unnamed_addr)?(?=[^()\n]*\{$)", re.M)
_DEFINED = re.compile(r"^define .* !dbg (!\d+)", re.M)
_UNITS = re.compile(r"^!llvm\.dbg\.cu = !\{(.*)\}$", re.M)
_UNIT = re.compile(r"(^!\d+ = distinct !DISubprogram\(.*\bunit: )(!\d+)", re.M)


def shared(original: Any, library: Any) -> Any:
    """Replace CPUCodeLibrary._get_module_for_linking."""
    if (found := getattr(library, _SHARED, None)) is None:
        module = original(library)
        text = str(module)
        for function in filter(_is_small, module.functions):
            if head := _HEAD.search(str(function)):
                text = text.replace(head[0], f"{head[0]} alwaysinline", 1)
        found = llvm.parse_assembly(text)
        setattr(library, _SHARED, found)
    return found


def _is_small(function: Any) -> bool:
    if function.is_declaration or any(b"noinline" in each for each in function.attributes):
        return False
    text = str(function)
    lines = text.count("\n") - _TELLING_LINES * text.count(f"@{ACCESS}(")
    return "%jitscope.area" in text and lines <= _LINES


def optimize(original: Any, library: Any) -> None:
    """Wrap CPUCodeLibrary._optimize_final_module."""
    if hasattr(library, STEPS) and any(hasattr(linked, _SHARED) for linked in library._linking_libraries):
        module = library._final_module
        _inline(library, module)
        text = _MARKER.sub(lambda found: str(next_marker()), str(module))
        library._final_module = llvm.parse_assembly(in_one_unit(text, levels.STEPS))
        library._final_module.name = module.name
    original(library)


def in_one_unit(text: str, level: str) -> str:
    """Return the text with one unit, the library's, since GDB finds an inlined function by its name only in the unit
    with its code."""
    listed = _UNITS.search(text)
    units = [unit for unit in re.findall(r"!\d+", listed[1]) if _is_at(level, text, unit)] if listed else []
    if listed is None or len(units) < 2:
        return text
    first, *others = units
    if level == levels.EXACT:  # a function with a copy of its own has a unit that lists its callees (callees.py)
        defined = set(_DEFINED.findall(text))
        own = {found[2] for found in _UNIT.finditer(text) if found[1].partition(" ")[0] in defined}
        others = [unit for unit in others if unit not in own]
    left = [unit for unit in re.findall(r"!\d+", listed[1]) if unit not in others]
    text = text.replace(listed[0], f"!llvm.dbg.cu = !{{{', '.join(left)}}}")
    return _UNIT.sub(lambda found: found[1] + (first if found[2] in others else found[2]), text)


def _is_at(level: str, text: str, unit: str) -> bool:
    return re.search(rf"^{unit} = distinct !DICompileUnit\(.*jitscope/\d+ {level}", text, re.M) is not None


def _inline(library: Any, module: Any) -> None:
    if hasattr(llvm, "create_module_pass_manager"):  # for llvmlite before 0.45
        passes: Any = llvm.create_module_pass_manager()
        passes.add_always_inliner_pass()
        passes.run(module)
        return
    passes = llvm.create_new_module_pass_manager()
    passes.add_always_inliner_pass()
    options = llvm.create_pipeline_tuning_options(speed_level=0)
    passes.run(module, llvm.create_pass_builder(library._codegen._tm, options))
