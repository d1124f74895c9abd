"""Why the hook stays away from a Numba that lacks what it wraps, and what its functions refuse, by the text."""

from __future__ import annotations

import json
import subprocess

import pytest

from tests.gdb.harness import environment
from tests.interpreters import newest_python

# Removes each attribute in turn, and asks the hook about Numba as it is then.
ASK = """
import importlib, json, sys
from jitscope.compiler.install import lowering
from jitscope.compiler.services import accesses, pools

found = {}
for path, name in json.load(sys.stdin):
    words, owner = path.split("."), None
    while owner is None:
        try:
            owner = importlib.import_module(".".join(words))
        except ImportError:
            words.pop()
    for word in path.split(".")[len(words):]:
        owner = getattr(owner, word)
    before = vars(owner)[name]
    delattr(owner, name)
    found[f"{path} {name}"] = lowering.check() or pools.check() or accesses.check()
    setattr(owner, name, before)
found["all"] = lowering.check() or pools.check() or accesses.check()
print(json.dumps(found))
"""
LACKING = [
    ("numba.core.funcdesc.FunctionDescriptor", "llvm_cpython_wrapper_name",
     "numba.core.funcdesc.FunctionDescriptor has no property llvm_cpython_wrapper_name"),
    ("numba.core.debuginfo.DIBuilder", "_di_location", "numba.core.debuginfo.DIBuilder has no _di_location"),
    ("numba.core.caching.Cache", "_load_overload", "numba.core.caching.Cache has no _load_overload"),
    ("numba.stencils.stencil.StencilFunc", "_stencil_wrapper",
     "numba.stencils.stencil.StencilFunc has no _stencil_wrapper"),
    ("numba.stencils.stencilparfor.StencilPass", "_mk_stencil_parfor",
     "numba.stencils.stencilparfor.StencilPass has another _mk_stencil_parfor"),
    ("numba.stencils.stencilparfor.StencilPass", "replace_return_with_setitem",
     "numba.stencils.stencilparfor.StencilPass has no replace_return_with_setitem"),
    ("numba.core.compiler", "DEFAULT_FLAGS", "numba.core.compiler has no DEFAULT_FLAGS"),
    ("numba.parfors.parfor_lowering.ParforLower", "lower_inst",
     "numba.parfors.parfor_lowering.ParforLower has no lower_inst"),
    ("numba.core.compiler.CompilerBase", "_compile_core", "numba.core.compiler.CompilerBase has no _compile_core"),
    ("numba.core.generators.BaseGeneratorLower", "lower_next_func",
     "numba.core.generators.BaseGeneratorLower has no lower_next_func"),
    ("numba.core.codegen.CPUCodeLibrary", "_optimize_final_module",
     "numba.core.codegen.JITCodeLibrary has no _optimize_final_module"),
    ("numba.core.callconv.CPUCallConv", "set_static_user_exc",
     "numba.core.callconv.CPUCallConv has no set_static_user_exc"),
    ("numba.core.inline_closurecall", "inline_closure_call",
     "numba.core.inline_closurecall has no inline_closure_call"),
    ("numba.core.inline_closurecall.InlineClosureCallPass", "run",
     "numba.core.inline_closurecall has no InlineClosureCallPass.run"),
    ("numba.core.dispatcher.LiftedCode", "_reduce_states", "numba.core.dispatcher has no LiftedCode._reduce_states"),
    ("numba.parfors.array_analysis.ArrayAnalysis", "_combine_to_new_block",
     "numba.parfors.array_analysis has no ArrayAnalysis._combine_to_new_block"),
    ("numba.core.untyped_passes", "dead_branch_prune", "numba.core.untyped_passes has no dead_branch_prune"),
    ("numba.np.ufunc.parallel", "_launch_threads", "numba.np.ufunc.parallel has no _launch_threads"),
    ("numba.core.caching", "CompileResultCacheImpl",
     "numba.core.caching.CompileResultCacheImpl has no rebuild"),
    ("numba.core.dispatcher._FunctionCompiler", "_customize_flags",
     "numba.core.dispatcher._FunctionCompiler has no _customize_flags"),
    ("numba.core.registry.CPUTarget", "_toplevel_typing_context", "CPUTarget has no _toplevel_typing_context"),
]  # fmt: skip


def run(code: str, given: str = "", **env: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [newest_python(), "-c", code], input=given, env=environment(env), capture_output=True, text=True, timeout=120
    )


@pytest.fixture(scope="module")
def reasons() -> dict[str, str | None]:
    done = run(ASK, json.dumps([each[:2] for each in LACKING]))
    assert done.returncode == 0, done.stderr
    found: dict[str, str | None] = json.loads(done.stdout)
    return found


@pytest.mark.parametrize(("owner", "name", "reason"), LACKING)
def test_a_numba_without_it(reasons: dict[str, str | None], owner: str, name: str, reason: str) -> None:
    assert reasons[f"{owner} {name}"] == reason


def test_this_numba_has_all(reasons: dict[str, str | None]) -> None:
    assert reasons["all"] is None


def test_the_hook_says_so_and_stays_away() -> None:
    code = """
import numba.core.untyped_passes as passes
del passes.dead_branch_prune
from jitscope.compiler.install import start
start.hook()
"""
    reason = "numba.core.untyped_passes has no dead_branch_prune"
    said = run(code, PYTHONWARNINGS="default", JITSCOPE_LEVEL="exact").stderr
    assert f"UserWarning: jitscope leaves this Numba's debug information as it is: {reason}" in said


def test_a_program_that_calls_functions_in_its_own_way() -> None:
    """Its functions are not compiled anew, and all else works."""
    code = """
from numba.core.registry import CPUDispatcher
from numba import njit
original = CPUDispatcher.__call__
CPUDispatcher.__call__ = lambda self, *arguments: original(self, *arguments)
print(njit(lambda x: x + 1)(1))
from jitscope.compiler.recompiled import requests
print(requests.check())
"""
    said = run(code, JITSCOPE_LEVEL="exact").stdout.splitlines()
    assert said == ["2", "Python does not call numba.core.registry.CPUDispatcher as expected"]


def test_parallel_loops_are_not_recorded() -> None:
    code = "from numba.np.ufunc import parallel\ndel parallel._is_initialized\n"
    code += "from jitscope.compiler.services import pools\npools.install()\n"
    said = run(code, PYTHONWARNINGS="default").stderr
    reason = "numba.np.ufunc.parallel has no _is_initialized"
    assert f"UserWarning: jitscope does not record what parallel loops run: {reason}\n" in said


# A program whose own implementation of the product of two integers is wrong, or is none.
PRODUCT = """
import operator
from numba import njit, types
from numba.core.imputils import lower_builtin

@lower_builtin(operator.mul, types.int64, types.int64)
def multiply(context, builder, sig, args):
    {}

@njit(debug=True)
def f(x):
    return x + 1

print(f(1))
"""
FAULTS = [
    ("return builder.add(*args)", "a function that is compiled for a test returned 13, and not 21"),
    ("raise NotImplementedError('no product')",
     "Numba compiles no function with it (NotImplementedError: no product)"),
]  # fmt: skip


@pytest.mark.parametrize(("product", "fault"), FAULTS)
def test_the_hook_does_not_work_in_a_program(product: str, fault: str) -> None:
    done = run(PRODUCT.format(product), PYTHONWARNINGS="default", JITSCOPE_LEVEL="exact")
    assert done.stdout == "2\n"
    assert f"UserWarning: jitscope leaves Numba's debug information as it is: {fault}\n" in done.stderr


# A program that removes the debug information of all that it compiles.
STRIPPED = """
import llvmlite.binding as llvm
from numba import njit
from numba.core.codegen import CPUCodeLibrary

optimize = CPUCodeLibrary._optimize_final_module

def strip(library):
    optimize(library)
    text = str(library._final_module).replace('"Debug Info Version", i32 3', '"Debug Info Version", i32 1')
    library._final_module = llvm.parse_assembly(text)

CPUCodeLibrary._optimize_final_module = strip

@njit(debug=True)
def f(x):
    return x + 1

print(f(1))
"""


def test_a_program_that_removes_debug_information() -> None:
    done = run(STRIPPED, PYTHONWARNINGS="default", JITSCOPE_LEVEL="exact")
    assert done.stdout == "2\n"
    fault = "LLVM leaves no unit in a function that is compiled for a test"
    assert f"UserWarning: jitscope leaves Numba's debug information as it is: {fault}\n" in done.stderr


def test_a_machine_with_another_layout() -> None:
    """On 32-bit x86 a double is aligned to four bytes, as LLVM's layout of that machine says."""
    code = """
import llvmlite.binding as llvm
from jitscope.compiler.base import abi

print(abi.check(llvm.create_target_data("e-m:e-p:32:32-f64:32:64-f80:32-n8:16:32-S128")))
"""
    text = "this machine lays out {i1, half, i8, double, i32} otherwise than jitscope expects\n"
    assert run(code).stdout == text


COMPILED = "import jitscope\nfrom numba import njit\n\n@njit\ndef f():\n    {}\n\nf()\n"
PARALLEL = "import jitscope\nfrom numba import njit\n@njit(parallel=True)\ndef f(n):\n    return n\n"


@pytest.mark.parametrize(
    ("code", "text"),
    [
        ("import numba\n\n@numba.njit\ndef f():\n    numba.gdb(3)\n\nf()",
         "TypingError: jitscope has replaced this function by its own, whose arguments are literal strings\n"),
        (COMPILED.format("jitscope.breakpoint_if('a')"), "jitscope.breakpoint_if() takes a number or a bool, not "),
        (COMPILED.format("jitscope.attach(forever=True)"), "jitscope.attach() has no argument forever"),
        ("import jitscope\njitscope.attach(3)", "attach() takes GDB's arguments as strings, not 3"),
        (f"{PARALLEL}with jitscope.schedule('serial'): pass",
         "jitscope.schedule() does nothing here: JITSCOPE=0 is in the environment"),
        (f"{PARALLEL}jitscope.race_check(f, 3)", "jitscope.race_check() can't look here: JITSCOPE=0 is in the"),
    ],
)  # fmt: skip
def test_what_is_refused(code: str, text: str) -> None:
    env = {"JITSCOPE": "0"} if "JITSCOPE=0" in text else {}
    done = run(code, **env)
    assert done.returncode == 1 and text in done.stderr, done.stderr
