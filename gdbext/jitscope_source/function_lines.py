"""The lines of a source file that are statements, and the function of each. Plain Python, usable outside of GDB."""

from __future__ import annotations

import ast
import dis
from functools import lru_cache
from types import CodeType
from typing import Dict, Iterator, List, NamedTuple, Optional, Union

from . import files, syntax


class Function(NamedTuple):
    name: str
    begin: int  # its first line; inner functions are included
    end: int


NONE = Function("", 0, 0)
LAMBDA = (lambda: None).__name__


def function_of(path: str, line: int, newer_than: Optional[float] = None) -> Optional[Function]:
    """Return the function that has a statement on the line; NONE if none has; None if it is not known."""
    tree = files.tree_of(path, newer_than)
    lines = None if tree is None else _lines(tree, path)
    return None if lines is None else lines.get(line, NONE)


def meant_by(path: str, line: int, newer_than: Optional[float] = None) -> Optional[Function]:
    """Like function_of(), but a function's lines include its `def`, its decorators, comments and empty lines, and the
    whole of a lambda."""
    tree = files.tree_of(path, newer_than)
    if tree is None:
        return None
    nodes = list(ast.walk(tree))
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef)
    around = [node for node in nodes if isinstance(node, kinds) and _begin(node) <= line <= (node.end_lineno or 0)]
    inner = max(around, key=_begin, default=None)
    own = NONE if inner is None else Function(inner.name, _begin(inner), inner.end_lineno or inner.lineno)
    if inner is not None and line < _first_line(inner.body[0]):
        return own  # to the interpreter the line is a statement of the function around it
    found = function_of(path, line, newer_than)
    if found != NONE:
        return found
    for node in nodes:
        if isinstance(node, ast.Lambda) and node.lineno <= line <= (node.end_lineno or node.lineno):
            return Function(LAMBDA, node.lineno, node.end_lineno or node.lineno)
    return own


def _first_line(node: ast.stmt) -> int:
    return _begin(node) if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)) else node.lineno


def is_in_no_function(path: str, line: int) -> bool:
    """True if the line is a statement of the module or of a class, and no function's `def` or decorator."""
    tree = files.tree_of(path)
    if tree is None or function_of(path, line) != NONE:
        return False
    nodes = list(ast.walk(tree))
    functions = [node for node in nodes if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))]
    if any(_begin(node) <= line <= (node.end_lineno or node.lineno) for node in functions):
        return False
    return any(isinstance(node, ast.stmt) and node.lineno <= line <= (node.end_lineno or node.lineno) for node in nodes)


def is_past_def(path: str, line: int, later: int) -> bool:
    """True if the later line is in a function that begins below `line`, and no function has both lines."""
    tree = files.tree_of(path)
    nodes = list(ast.walk(tree)) if tree is not None else []
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef)
    around = [_begin(node) for node in nodes if isinstance(node, kinds) and later <= (node.end_lineno or node.lineno)]
    return line < min((begin for begin in around if begin <= later), default=line)


def is_between_functions(path: str, line: int) -> bool:
    """True if a breakpoint at the line, which is no function's statement, has none to move to: no later line is one, or
    a `def` stands before it."""
    tree = files.tree_of(path)
    lines = None if tree is None else _lines(tree, path)
    if lines is None:
        return False
    later = min((known for known in lines if known >= line), default=None)
    return later is None or is_past_def(path, line, later)


# Parts of the names of Numba's decorators and functions that compile what they are given (numba 0.57-0.68).
_COMPILERS = ("jit", "vectorize", "stencil", "cfunc", "overload", "register", "intrinsic", "lower_")


def may_be_compiled(path: str, function: Function) -> bool:
    """Return False if nothing in the file has Numba compile the function: neither it nor a class or function around it
    is decorated, and it is passed to nothing that compiles."""
    tree = files.tree_of(path)
    if tree is None:
        return True
    for node in ast.walk(tree):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)) and node.decorator_list:
            if _begin(node) <= function.begin and function.end <= (node.end_lineno or 0):
                return True
        elif isinstance(node, ast.Call) and any(word in ast.dump(node.func) for word in _COMPILERS):
            passed = [*node.args, *(keyword.value for keyword in node.keywords)]
            if any(_names(each, function.name) for each in passed):
                return True
    return False


def is_interpreted(path: str, name: str) -> bool:
    """True if all functions of this name in the file are at the top level of the module, and none may be compiled."""
    tree = files.tree_of(path)
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef)
    found = [node for node in ast.walk(tree) if isinstance(node, kinds) and node.name == name] if tree else []
    own = [node for node in tree.body if isinstance(node, kinds) and node.name == name] if tree else []
    functions = [Function(name, _begin(node), node.end_lineno or node.lineno) for node in own]
    return bool(own) and len(own) == len(found) and not any(may_be_compiled(path, each) for each in functions)


# Numba's decorators that take `debug=`; those of ufuncs, stencils, overloads and classes do not (numba 0.57-0.68).
_TAKE_DEBUG = ("njit", "jit", "cfunc")


def takes_debug(path: str, name: str) -> Optional[str]:
    """Return where `debug=True` is written for the file's function of this name, which may include the names around it:
    "@njit" for its decorator, "njit" for the function that it is passed to; "": nowhere; None: the file has no such
    function."""
    tree = files.tree_of(path)
    last = name.rpartition(".")[2]
    found: Optional[str] = None
    for node in ast.walk(tree) if tree is not None else ():
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and node.name == last:
            found = found or next((f"@{each}" for each in _TAKE_DEBUG if each in syntax.decorators(node)), "")
    for node in ast.walk(tree) if tree is not None and found == "" else ():
        if isinstance(node, ast.Call) and any(_names(each, last) for each in node.args):
            called = getattr(node.func, "attr", None) or getattr(node.func, "id", "")
            found = found or (called if called in _TAKE_DEBUG else "")
    return found


def asks_debug(path: str, name: str) -> bool:
    """True if a decorator of the file's function of this name has the argument `debug`, or may have it."""
    tree = files.tree_of(path)
    last = name.rpartition(".")[2]
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef)
    named = [node for node in ast.walk(tree) if isinstance(node, kinds) and node.name == last] if tree else []
    calls = [each for node in named for each in node.decorator_list if isinstance(each, ast.Call)]
    return not named or any(keyword.arg in ("debug", None) for call in calls for keyword in call.keywords)


def inlined_always(path: str, name: str) -> Optional[Function]:
    """Return the file's function of this name that is decorated with inline="always", as the lines of its body; None if
    there is none."""
    tree = files.tree_of(path)
    for node in ast.walk(tree) if tree is not None else ():
        if isinstance(node, ast.FunctionDef) and node.name == name:
            calls = [each for each in node.decorator_list if isinstance(each, ast.Call)]
            asked = [each.value for call in calls for each in call.keywords if each.arg == "inline"]
            if any(isinstance(each, ast.Constant) and each.value == "always" for each in asked):
                return Function(name, node.body[0].lineno, node.end_lineno or node.lineno)
    return None


def is_stencil(path: str, function: Function) -> bool:
    """True if the function, or one around it, is decorated as a stencil or passed to `stencil`."""
    tree = files.tree_of(path)
    for node in ast.walk(tree) if tree is not None else ():
        if isinstance(node, ast.FunctionDef) and "stencil" in syntax.decorators(node):
            if _begin(node) <= function.begin <= (node.end_lineno or 0):
                return True
        elif isinstance(node, ast.Call) and "stencil" in ast.dump(node.func):
            if any(_names(each, function.name) for each in node.args):
                return True
    return False


def _names(node: ast.expr, name: str) -> bool:
    """True if the expression is a function of this name, contains one or names one."""
    if name == LAMBDA:
        return any(isinstance(each, ast.Lambda) for each in ast.walk(node))
    return name in ast.dump(node)


def _begin(node: Union[ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef]) -> int:
    return min([node.lineno, *(each.lineno for each in node.decorator_list)])


def around(path: str, inner: Function) -> List[Function]:
    """Return the functions around this one, the innermost first."""
    tree = files.tree_of(path)
    known = set((_lines(tree, path) or {}).values()) if tree is not None else set()
    found = [each for each in known if each.begin < inner.begin and inner.end <= each.end]
    return sorted(found, key=lambda each: -each.begin)


def _inner() -> str:
    return (lambda: None).__qualname__


LOCALS = _inner().split(".")[1]  # the word in `__qualname__` between a function and an inner one


def qualname_of(path: str, function: Function) -> str:
    """Return the name with the names of the classes and functions around it, as `__qualname__` has it."""
    tree = files.tree_of(path)
    if tree is None or function.name.startswith("<"):
        return function.name
    around = []
    for node in ast.walk(tree):
        if isinstance(node, (ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)):
            begin = _begin(node)
            if begin < function.begin and function.end <= (node.end_lineno or 0):
                around.append((begin, node.name if isinstance(node, ast.ClassDef) else f"{node.name}.{LOCALS}"))
    return ".".join([*(name for _, name in sorted(around)), function.name])


@lru_cache(maxsize=32)
def _lines(tree: ast.Module, path: str) -> Optional[Dict[int, Function]]:
    try:
        module = compile(tree, path, "exec", dont_inherit=True)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    found: Dict[int, Function] = {}
    for code in _functions(module):  # inner functions come later
        begin, lines = code.co_firstlineno, _lines_of(code)
        function = Function(
            code.co_name, begin, max([begin, *lines, *(n for c in _functions(code) for n in _lines_of(c))])
        )
        found.update({line: function for line in lines if line > begin})
    return found


def _lines_of(code: CodeType) -> List[int]:
    return [line for _, line in dis.findlinestarts(code) if line is not None]


def _functions(code: CodeType) -> Iterator[CodeType]:
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            if constant.co_flags & 2:  # CO_NEWLOCALS: it is not a class
                yield constant
            yield from _functions(constant)
