"""Search of the program's source for a function of a name, which may still be compiled later, and for its callers."""

from __future__ import annotations

import ast
import itertools
import os
import re
from typing import Dict, Iterator, List, NamedTuple, Optional

from . import files, function_lines, syntax

_IMPORT = re.compile(rb"^[ \t]*(?:import|from)[ \t]+(\w+)", re.M)
# packages that compile no function of the user's
_NOT_THEIRS = {"numba", "llvmlite", "numpy", "scipy", "jitscope", "__future__"}
_NOT_SEARCHED = {"site-packages", "dist-packages", "node_modules", "__pycache__"}
_FOLDERS, _FILES, _BYTES = 500, 1000, 1 << 20


def in_program(pid: int, name: str, packages: str, keyword: bytes = b"def") -> bool | None:
    """Return True if the process's script, a file beside or below it, or a package that these import defines a function
    `name`, or a class with the keyword `class`; None: the process has no script. `packages`: the folder of installed
    packages."""
    script, folder, module = start(pid)
    if not script and not module:
        return None
    definition = _definition(name, keyword)
    imported = {module.partition(".")[0]} if module else set()
    for text in _texts(_below(folder, script)):
        if definition.search(text):
            return True
        imported.update(word.decode() for word in _IMPORT.findall(text))
    roots = [os.path.join(packages, each) for each in sorted(imported - _NOT_THEIRS) if packages]
    return any(definition.search(text) for root in roots for text in _texts(_below(root, f"{root}.py")))


def files_with(pid: int, name: str) -> list[str]:
    """Return the process's script and the files beside or below it, of those that define a function `name`."""
    script, folder, _ = start(pid)
    definition = _definition(name, b"def")
    paths = dict.fromkeys(os.path.realpath(each) for each in _below(folder, script) if each) if folder else {}
    return [path for path in paths for text in _texts(iter([path])) if definition.search(text)]


def _definition(name: str, keyword: bytes) -> re.Pattern[bytes]:
    last = re.escape(name.rpartition(".")[2]).encode()
    return re.compile(rb"^[ \t]*(?:async[ \t]+)?" + keyword + rb"[ \t]+" + last + rb"\b", re.M)


class Caller(NamedTuple):
    """A function of the program that calls another one by its name."""

    name: str  # with the classes and functions around it
    path: str
    is_compiled: bool  # Numba may compile it: it is no caller in Python then


def callers(pid: int, path: str, name: str, newer_than: Optional[float] = None) -> Optional[List[Caller]]:
    """Return what calls the function `name` of a file beside or below the process's script; None: other code than these
    files may call it, as it is passed on, has another name too, or is called where the module itself runs."""
    script, folder, _ = start(pid)
    word = re.compile(rb"\b" + re.escape(name).encode() + rb"\b")
    paths = dict.fromkeys(os.path.realpath(each) for each in _below(folder, script) if each) if folder else {}
    if os.path.realpath(path) not in paths:
        return None
    found: List[Caller] = []
    for each in paths:
        if any(word.search(text) for text in _texts(iter([each]))):
            tree = files.tree_of(each, newer_than)
            its = _callers_in(tree, each, os.path.realpath(path), name) if tree is not None else None
            if its is None:
                return None
            found += its
    return found


def _callers_in(tree: ast.Module, path: str, defined_in: str, name: str) -> Optional[List[Caller]]:
    nodes = syntax.all_nodes(tree)
    is_own, module = path == defined_in, os.path.basename(defined_in)[: -len(".py")]
    names = [each for node in nodes if isinstance(node, ast.ImportFrom) for each in node.names if each.name == name]
    if not is_own and not _imports(nodes, module) and not names:
        return []  # it means something else by the name
    bound = [each for node in nodes for each in syntax.bound_names(node) if each == name]
    bound += [node.arg for node in nodes if isinstance(node, ast.arg) and node.arg == name]
    if any(each.asname for each in names) or len(bound) > 1 or is_own and len(bound) != 1:
        return None
    parents = {id(child): node for node in nodes for child in syntax.children(node)}
    found = []
    for node in nodes:
        is_name = isinstance(node, ast.Name) and node.id == name and isinstance(node.ctx, ast.Load)
        is_attribute = isinstance(node, ast.Attribute) and node.attr == name
        parent = parents.get(id(node))
        if is_name and not isinstance(parent, ast.Attribute):
            caller = _function_around(node, parents, path)
            if not isinstance(parent, ast.Call) or parent.func is not node or caller is None:
                return None
            found.append(caller)
        elif is_attribute:
            return None  # it may be the function, by its module, or another object's method
    return found


def _imports(nodes: List[ast.AST], module: str) -> bool:
    """True if one of the nodes imports a module with this name, or something from it."""
    for node in nodes:
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            imported = [each.name for each in node.names] + [getattr(node, "module", None) or ""]
            if any(each.rpartition(".")[2] == module for each in imported):
                return True
    return False


def _function_around(node: ast.AST, parents: Dict[int, ast.AST], path: str) -> Optional[Caller]:
    """Return the function whose code has the node; None for a lambda, a class and the module."""
    above = parents.get(id(node))
    while above is not None and not isinstance(above, syntax.SCOPES):
        above = parents.get(id(above))
    if not isinstance(above, (ast.FunctionDef, ast.AsyncFunctionDef)):
        return None
    begin = min([above.lineno, *(each.lineno for each in above.decorator_list)])
    function = function_lines.Function(above.name, begin, above.end_lineno or above.lineno)
    name = function_lines.qualname_of(path, function).replace(f"{function_lines.LOCALS}.", "")
    return Caller(name, path, function_lines.may_be_compiled(path, function))


def start(pid: int) -> tuple[str, str, str]:
    """Return the process's script, the folder of its modules, and the module of `python -m`."""
    try:
        with open(f"/proc/{pid}/cmdline", "rb") as file:
            words = os.fsdecode(file.read()).split("\0")
        folder = os.readlink(f"/proc/{pid}/cwd")
    except OSError:
        return "", "", ""
    scripts = [os.path.join(folder, word) for word in words[1:] if word.endswith(".py")]
    if scripts and os.path.isfile(scripts[0]):
        return scripts[0], os.path.dirname(os.path.realpath(scripts[0])), ""
    module = words[words.index("-m") + 1] if "-m" in words[:-1] else ""
    return "", folder, module


def file_called(pid: int, name: str) -> str:
    """Return the path of the process's script, or of a file below its folder, that has this name or ends in it; "":
    there is none, or there are several."""
    script, folder, _ = start(pid)
    ending = os.path.join(os.sep, name)
    found = {os.path.realpath(each) for each in _below(folder, script) if each.endswith(ending)} if folder else set()
    return found.pop() if len(found) == 1 else ""


def _below(folder: str, first: str) -> Iterator[str]:
    yield first
    count = 0
    for path, folders, names in itertools.islice(os.walk(folder), _FOLDERS):
        folders[:] = sorted(each for each in folders if each not in _NOT_SEARCHED and not each.startswith("."))
        for name in sorted(names):
            if name.endswith(".py"):
                count += 1
                if count > _FILES:
                    return
                yield os.path.join(path, name)


def _texts(paths: Iterator[str]) -> Iterator[bytes]:
    for path in paths:
        try:
            with open(path, "rb") as file:
                yield file.read(_BYTES)
        except OSError:
            pass
