"""The functions that Numba compiles while calls are made, the source of their debug information, and their code."""

from __future__ import annotations

import hashlib
import importlib.metadata
import re
import time
from typing import Any

from tests.packages.runs import distributions, modules
from tests.programs.elf_sections import CONSTANTS, functions, sections

ADDRESS = re.compile(r"0x[0-9a-f]+")
# attribute of a library: its function's signature and symbol, and whether the function has fastmath flags
_FUNCTION = "_packages_function"


class Compiled:
    """The record of compiled functions, made before the package is imported, since some packages compile functions
    then."""

    def __init__(self, package: str) -> None:
        from numba.core import codegen, entrypoints, event, lowering, pylowering

        self.package = package
        self._modules = modules(package)
        self._compiling = 0.0  # CPU seconds of the process while the compiler's lock was held
        self._begun: list[float] = []  # when it was taken, once for each time that it is held
        self.lowered = self.hooked = 0
        self.bytes = 0  # size of all objects
        self.functions: set[str] = set()  # functions of the package
        self.fast: set[str] = set()  # functions of the package that have fastmath flags
        self.codes: dict[str, list[str]] = {}  # digests of the code of all functions
        self.fast_codes: set[str] = set()  # the names in it of functions with fastmath flags
        entrypoints.init_all()  # the hook wraps Lower.lower, and this wrapper has to be around the hook's
        for owner in (lowering.Lower, pylowering.PyLower):
            self._watch_lowering(owner)
        finalize = codegen.CPUCodeLibrary.finalize

        def watched(library: Any) -> None:
            if hasattr(library, _FUNCTION):
                library.enable_object_caching()  # otherwise the object is not kept
            finalize(library)
            if hasattr(library, _FUNCTION):
                self._keep_code(library)

        codegen.CPUCodeLibrary.finalize = watched
        outer = self

        class Watch(event.Listener):  # type: ignore[misc]
            def on_start(self, _event: Any) -> None:
                outer._begun.append(time.process_time())

            def on_end(self, _event: Any) -> None:
                begun = outer._begun.pop()
                if not outer._begun:
                    outer._compiling += time.process_time() - begun

        event.register("numba:compiler_lock", Watch())

    def compiling(self) -> float:
        """Return the CPU seconds in which the compiler's lock was held: all that Numba and the hook do to compile."""
        return self._compiling

    def _watch_lowering(self, owner: Any) -> None:
        lower = owner.lower

        def watched(lowerer: Any) -> Any:
            found = lower(lowerer)
            self._count(lowerer)
            return found

        owner.lower = watched

    def _count(self, lowerer: Any) -> None:
        self.lowered += 1
        self.hooked += type(lowerer.debuginfo).__module__.startswith("jitscope.")
        function = lowerer.func_ir.func_id
        name = f"{function.modname}.{function.func_qualname}"
        is_fast = bool(lowerer.flags and lowerer.flags.fastmath)
        is_own = function.modname.partition(".")[0] in self._modules and "__numba_" not in name
        if is_own:
            self.functions.add(name)
        if is_own and is_fast:
            self.fast.add(name)
        signature = ADDRESS.sub("", f"{name}{lowerer.fndesc.argtypes}")
        setattr(lowerer.library, _FUNCTION, (signature, lowerer.fndesc.mangled_name, is_fast))

    def _keep_code(self, library: Any) -> None:
        """Keep the function and the constants: LLVM has linked helpers into the library that may have other flags."""
        signature, symbol, is_fast = getattr(library, _FUNCTION)
        library._ensure_finalized()
        code = library._get_compiled_object()
        self.bytes += len(code)
        parts = [("function", content) for name, content in functions(code) if name == symbol]
        parts += [(name, content) for name, content in sections(code) if name.startswith(CONSTANTS)]
        for part, content in parts:
            digest = f"{hashlib.sha256(content).hexdigest()[:32]} {len(content)}"
            self.codes.setdefault(f"{signature} {part}", []).append(digest)
            if is_fast:
                self.fast_codes.add(f"{signature} {part}")

    def told(self) -> dict[str, Any]:
        return {
            "lowered": self.lowered,
            "hooked": self.hooked,
            "functions": sorted(self.functions),
            "fast": sorted(self.fast),
            "codes": self.codes,
            "fast_codes": sorted(self.fast_codes),
            "bytes": self.bytes,
            "compiling": self._compiling,
            "versions": {name: importlib.metadata.version(name) for name in distributions(self.package)},
            "numba": importlib.metadata.version("numba"),
        }
