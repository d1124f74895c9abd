"""Measures of the code's structure; scripts/structure --help describes them, and docs/decisions.md says why symbols are
used."""

from __future__ import annotations

import argparse
import ast
import json
import os
import re
import subprocess
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import TypedDict

import tracked

DESCRIPTION = """\
Measures the structure of runtime/, gdbext/, lldbext/ and tests/: one line for each measure, with what it is today, its
goal, and whether it is met. Without a measure's option, all are taken. scripts/structure.json has the numbers of today
and the names of what misses the goals: a measure that is above its number fails, and what is new is named. C is judged
by the symbols of the objects in build/ (scripts/setup makes it), Python by its syntax tree."""

ROOT = Path(__file__).resolve().parents[1]
LIMITS = Path(__file__).with_suffix(".json")
# From below to above: a folder uses only itself and the folders before it.
LAYERS = (
    "bytes",
    "bytes/core",
    "layouts",
    "layouts/cpython",
    "layouts/numba",
    "values/base",
    "values/text",
    "values/select",
    "values/objects",
    "values/render",
    "values/api",
    "expressions/numbers",
    "expressions/front",
    "expressions/lazy",
    "expressions/operands",
    "expressions/core",
    "expressions/functions",
    "expressions/api",
    "array_reports",
    "program/names",
    "program/source",
    "program/model",
    "program/machine",
    "program/read",
    "program/validity/locations",
    "program/validity/moved",
    "program/validity/statements",
    "program/validity/order",
    "program/validity/variables",
    "program/validity/recovered",
    "program/validity/states",
    "program/hook",
    "program/write",
    "program/queries",
    "program/elements",
    "program/parallel",
    "program/session",
    "program/live",
    "stacks",
    "reader",
)
# Like LAYERS, but for the library that the program loads.
INFERIOR = ("system", "registration", "guarding", "workers", "rendezvous", "debugger", "report")
PACKAGES = (
    "gdbext/jitscope_source",
    "gdbext/jitscope_shared",
    "gdbext/jitscope_gdb",
    "lldbext/jitscope_in_lldb",
    "runtime/python/jitscope",
)
PACKAGE_NAMES = tuple(path.rpartition("/")[2] for path in PACKAGES)
Graph = Mapping[str, set[str]]


class Limit(TypedDict):
    """The entry of a measure in structure.json: its number, and Measure.keys()."""

    number: int
    found: list[str]


@dataclass(frozen=True)
class Measure:
    """A number, which is better when it is lower, and the names of the counted items."""

    name: str
    goal: int
    number: int
    found: list[str]
    option: str = ""

    def keys(self) -> list[str]:
        """Return the counted items without their sizes, so that new items can be distinguished from known ones."""
        if self.option == "circles":
            return sorted(file for circle in self.found for file in circle.split())
        return sorted(re.sub(r": \d+$", "", one) for one in self.found)


# --- graphs -------------------------------------------------------------------------------------------


def circles(graph: Graph) -> list[list[str]]:
    """Return the strongly connected components of more than one node, the largest first (Tarjan's algorithm)."""
    order: dict[str, int] = {}
    low: dict[str, int] = {}
    stack: list[str] = []
    found: list[list[str]] = []

    def visit(root: str) -> None:
        work: list[tuple[str, Iterator[str]]] = [(root, iter(sorted(graph.get(root, ()))))]
        order[root] = low[root] = len(order)
        stack.append(root)
        while work:
            node, others = work[-1]
            for other in others:
                if other not in order:
                    order[other] = low[other] = len(order)
                    stack.append(other)
                    work.append((other, iter(sorted(graph.get(other, ())))))
                    break
                if other in stack:
                    low[node] = min(low[node], order[other])
            else:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[node])
                if low[node] == order[node]:
                    at = stack.index(node)
                    found.append(sorted(stack[at:]))
                    del stack[at:]

    for node in sorted(graph):
        if node not in order:
            visit(node)
    return sorted((circle for circle in found if len(circle) > 1), key=lambda circle: (-len(circle), circle))


# --- C ------------------------------------------------------------------------------------------------


@dataclass
class Object:
    """The symbols of one object file."""

    source: str
    defined: set[str]
    used: set[str]


def objects(build: Path) -> list[Object]:
    """Return the sources in runtime/ that are compiled in this folder, which is in their checkout."""
    root = build.resolve().parent
    entries = json.loads((build / "compile_commands.json").read_text("utf-8"))
    found: dict[str, Object] = {}  # by the path of the object
    for entry in entries:
        folder = Path(entry["directory"])
        source = (folder / entry["file"]).resolve()
        compiled = folder / entry["output"]
        name = os.path.relpath(source, root)
        if name.startswith("runtime/") and compiled.exists():
            found[str(compiled)] = Object(name, set(), set())
    if not found:
        return []
    said = subprocess.run(["nm", "-A", "-P", "-g", *found], stdout=subprocess.PIPE, text=True, check=True).stdout
    for line in said.splitlines():
        compiled_, _, symbol = line.partition(": ")
        name, kind, *_ = symbol.split()
        one = found[compiled_]
        (one.used if kind in "Uwv" else one.defined).add(name)
    return sorted(found.values(), key=lambda one: one.source)


def references(compiled: Iterable[Object]) -> dict[str, dict[str, set[str]]]:
    """Return for each source the sources that define its used symbols, with their names."""
    compiled = list(compiled)
    # The library in the program and the one in GDB have sources of their own for the same name.
    home = {(one.source.split("/")[1], name): one.source for one in compiled for name in one.defined}
    result: dict[str, dict[str, set[str]]] = {}
    for one in compiled:
        edges: dict[str, set[str]] = defaultdict(set)
        for name in one.used:
            if other := home.get((one.source.split("/")[1], name)):
                edges[other].add(name)
        result[one.source] = dict(edges)
    return result


def c_circles(compiled: list[Object]) -> Measure:
    found = circles({source: set(edges) for source, edges in references(compiled).items()})
    return Measure("circles of C files", 0, sum(map(len, found)), [" ".join(map(short, one)) for one in found])


def upward(compiled: list[Object]) -> Measure:
    """Measure the symbols that a layer uses of one above it. No library uses the other one's symbols."""
    found = []
    for source, edges in references(compiled).items():
        for other, names in edges.items():
            if layer(source) is not None and (above := layer(other)) is not None and above > (layer(source) or 0):
                found += [f"{short(source)} uses {name} of {short(other)}" for name in sorted(names)]
    return Measure("upward symbols", 0, len(found), sorted(found))


def layer(source: str) -> int | None:
    """Return the place in LAYERS or INFERIOR of the folder that the file is in or below; None: it is in none of
    them."""
    top = "runtime/inferior/" if source.startswith("runtime/inferior/") else "runtime/inspect/"
    folders = INFERIOR if top == "runtime/inferior/" else LAYERS
    path = source.removeprefix(top)
    found = [i for i, folder in enumerate(folders) if path.startswith(folder + "/")]
    return max(found, key=lambda i: len(folders[i]), default=None)


def short(source: str) -> str:
    return source.removeprefix("runtime/").removeprefix("gdbext/").removeprefix("python/")


ATTRIBUTE = re.compile(r"__attribute__\(\((?:[^()]|\([^()]*\))*\)\) ")
FUNCTION = re.compile(r"^(?!typedef)\w[^;={}]*?\b(\w+)\(([^;{}]*)\)\s*\n?\{$", re.M)
TYPE = re.compile(r"^(?:typedef\s+)?(?:struct|enum|union)\s+(js_\w+)\s*\{|^\}\s*(js_\w+);", re.M)


def c_functions(text: str) -> Iterator[tuple[str, int, int]]:
    """Yield for each function its name, its lines from the head to the closing brace, and its parameters."""
    text = ATTRIBUTE.sub("", text)
    for found in FUNCTION.finditer(text):
        end = text.find("\n}", found.end())
        arguments = re.sub(r"\([^()]*\)", "", found[2])
        count = 0 if arguments.strip() in ("", "void") else arguments.count(",") + 1
        yield found[1], text.count("\n", found.start(), end + 1) + 1, count


def types(sources: Mapping[str, str]) -> Measure:
    """Measure the type names that more than one file defines."""
    homes: dict[str, set[str]] = defaultdict(set)
    for name, text in sources.items():
        for found in TYPE.finditer(text):
            homes[found[1] or found[2]].add(short(name))
    several = {name: files for name, files in homes.items() if len(files) > 1}
    found_ = [f"{name}: {' '.join(sorted(files))}" for name, files in sorted(several.items())]
    return Measure("type names with two definitions", 0, len(found_), found_)


def include_depth(sources: Mapping[str, str], goal: int) -> Measure:
    """Measure the longest chain of the project's own headers that one source includes."""
    by_name = {re.sub(r"^runtime/(inspect|inferior|include)/", "", name): name for name in sources}
    includes = {
        name: [by_name[one] for one in re.findall(r'^#include "([^"]+)"', text, re.M) if one in by_name]
        for name, text in sources.items()
    }
    depth: dict[str, int] = {}

    def of(name: str, above: frozenset[str]) -> int:
        if name not in depth:
            below = [of(one, above | {name}) for one in includes[name] if one not in above]
            depth[name] = 1 + max(below, default=-1)
        return depth[name]

    found = {name: of(name, frozenset()) for name in sources if name.endswith(".c")}
    deepest = max(found.values(), default=0)
    return Measure("depth of includes", goal, deepest, [short(n) for n, d in sorted(found.items()) if d == deepest])


# --- Python -------------------------------------------------------------------------------------------


def imports(tree: ast.AST, module: str, is_package: bool) -> Iterator[tuple[str, bool]]:
    """Yield the full names that a module imports, and whether it imports them within a function."""
    base = module.split(".") if is_package else module.split(".")[:-1]

    def walk(node: ast.AST, within: bool) -> Iterator[tuple[str, bool]]:
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.If) and "TYPE_CHECKING" in ast.unparse(child.test):
                continue
            if isinstance(child, ast.Import):
                yield from ((one.name, within) for one in child.names)
            elif isinstance(child, ast.ImportFrom):
                start = base[: len(base) - child.level + 1] if child.level else []
                place = ".".join([*start, *([child.module] if child.module else [])])
                yield from ((f"{place}.{one.name}", within) for one in child.names)
            else:
                yield from walk(child, within or isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef)))

    return walk(tree, False)


def module_of(path: str) -> tuple[str, bool]:
    """Return a file's name as imports have it, and whether it is a package."""
    words = path.removesuffix(".py").split("/")
    own = next(name for name in PACKAGE_NAMES if name in words)
    words = words[words.index(own) :]
    return ".".join(words[:-1] if words[-1] == "__init__" else words), words[-1] == "__init__"


def python_graph(trees: Mapping[str, ast.Module]) -> tuple[dict[str, set[str]], list[str]]:
    """Return the imported modules by module, and the imports within functions."""
    known = {module_of(path)[0]: path for path in trees}
    graph: dict[str, set[str]] = {path: set() for path in trees}
    lazy = []
    for path, tree in trees.items():
        for name, within in imports(tree, *module_of(path)):
            # `from .package import name` imports a module of the package, or a name of the package itself.
            target = known.get(name) or known.get(name.rpartition(".")[0])
            if target is not None and target != path:
                graph[path].add(target)
                if within:
                    lazy.append(f"{short(path)}: {name}")
    return graph, sorted(lazy)


def python_circles(graph: Graph) -> Measure:
    found = circles(graph)
    return Measure("circles of Python modules", 0, sum(map(len, found)), [" ".join(map(short, one)) for one in found])


def python_functions(tree: ast.Module) -> Iterator[tuple[str, int, int]]:
    for node in ast.walk(tree):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            given = node.args
            count = len(given.posonlyargs) + len(given.args) + len(given.kwonlyargs)
            first = given.args[0].arg if given.args else ""
            yield node.name, (node.end_lineno or node.lineno) - node.lineno + 1, count - (first in ("self", "cls"))


# --- tests --------------------------------------------------------------------------------------------


def imported_tests(trees: Mapping[str, ast.Module]) -> Measure:
    """Measure imports of a test module by another module of tests/ or scripts/, which would also import its tests and
    fixtures."""
    found = []
    for path, tree in trees.items():
        words = path.removesuffix(".py").split("/")
        is_package = words[-1] == "__init__"
        module = ".".join(words[:-1] if is_package else words)
        for name in sorted({name for name, _ in imports(tree, module, is_package)}):
            part = next((word for word in name.split(".")[1:] if word.startswith("test_")), None)
            if name.startswith("tests.") and part is not None:
                found.append(f"{path}: {name[: name.index(part) + len(part)]}")
    found = sorted(set(found))
    return Measure("test modules imported by another", 0, len(found), found)


def nameless_units(units: Iterable[str], sources: Iterable[str]) -> Measure:
    """Measure the units tests/unit/FOLDER/test_FILE.c for which runtime/ has no FOLDER/FILE.c."""
    sources = list(sources)
    found = []
    for unit in units:
        path = Path(unit.removeprefix("tests/unit/"))
        file = f"/{(path.parent / path.name.removeprefix('test_')).as_posix()}"
        if path.parent == Path() or not any(source.endswith(file) for source in sources):
            found.append(unit)
    return Measure("units not named after a file and its folder", 0, len(found), sorted(found))


# --- all ----------------------------------------------------------------------------------------------


def sources(root: Path, *tops: str) -> list[str]:
    """Return the C and Python files of these folders."""
    below = tuple(f"{top}/" for top in tops)
    return [name for name in tracked.files(root, "*.c", "*.h", "*.py") if name.startswith(below)]


def above(name: str, goal: int, limit: int, sizes: Mapping[str, int]) -> Measure:
    """Measure how many of these are larger than the limit; the goal is how many may be."""
    large = {one: size for one, size in sizes.items() if size > limit}
    found = [f"{one}: {size}" for one, size in sorted(large.items(), key=lambda item: (-item[1], item[0]))]
    return Measure(f"{name} above {limit}", goal, len(large), found)


@dataclass
class Numbers:
    """The numbers with which the measures compare, by the options of these names."""

    folders: int = 18
    lines: int = 450
    functions: int = 60
    parameters: int = 8  # already too many; each of the other numbers may be reached
    include_depth: int = 7
    lazy_imports: int = 5


def measures(root: Path, build: Path, given: Numbers) -> list[Measure]:
    texts = {name: (root / name).read_text("utf-8") for name in sources(root, "runtime", "gdbext", "lldbext")}
    in_c = {name: text for name, text in texts.items() if not name.endswith(".py")}
    trees = {
        name: ast.parse(text) for name, text in texts.items() if name.startswith(PACKAGES) and name.endswith(".py")
    }
    tests = sources(root, "tests", "scripts")
    of_tests = {name: ast.parse((root / name).read_text("utf-8")) for name in tests if name.endswith(".py")}
    units = [name for name in tests if name.startswith("tests/unit/") and name.endswith(".c")]
    compiled = objects(build)
    graph, lazy = python_graph(trees)
    functions = [(short(name), *one) for name, text in in_c.items() for one in c_functions(text)]
    functions += [(short(name), *one) for name, tree in trees.items() for one in python_functions(tree)]
    lengths = {f"{file}: {name}": size for file, name, size, _ in functions}
    # An interface's functions have the parameters that their callers pass: Numba's code calls jitscope_pool_run, and
    # libdwfl calls what stands in its Dwfl_Callbacks.
    headers = [text for name, text in texts.items() if name.startswith("runtime/include/") and name.endswith(".h")]
    public = {found[1] for text in headers for found in re.finditer(r"^JITSCOPE_API [^;(]*?(\w+)\(", text, re.M)}
    tables = [found for text in in_c.values() for found in re.findall(r"\bDwfl_Callbacks \w+ = \{([^}]*)\}", text)]
    public |= {name for table in tables for name in re.findall(r"= (\w+)", table)}
    parameters = {
        f"{file}: {name}": count for file, name, _, count in functions if "/api/" not in file and name not in public
    }
    folders = Counter(str(Path(name).parent) for name in texts if not name.endswith(".h"))
    internal = [short(name) for name in in_c if name.endswith("_internal.h")]
    comments = [
        f"{short(name)}: {found[1]}"
        for name, text in texts.items()
        for found in re.finditer(r'(?:/\*|""")\s*((?:The same|Of )[^\n]{,60})', text)
    ]
    taken = {
        "circles": [c_circles(compiled), python_circles(graph)],
        "layers": [upward(compiled)],
        "folders": [above("files of a folder", 0, given.folders, folders)],
        "lines": [above("lines of a file", 0, given.lines, {short(n): t.count("\n") for n, t in texts.items()})],
        "functions": [above("lines of a function", 5, given.functions, lengths)],
        "parameters": [above("parameters", 0, given.parameters - 1, parameters)],
        "include-depth": [include_depth(in_c, given.include_depth)],
        "names": [types(in_c), Measure("headers named *_internal.h", 0, len(internal), internal)],
        "lazy-imports": [Measure("imports within functions", given.lazy_imports, len(lazy), lazy)],
        "tests": [imported_tests(of_tests), nameless_units(units, in_c)],
        "comments": [Measure('comments that begin with "The same" or "Of"', 0, len(comments), comments)],
    }
    return [replace(one, option=option) for option, some in taken.items() for one in some]


def show(measure: Measure, known: Limit | None, is_listed: bool) -> bool:
    """Print one line, and the items that miss the goal. Return True if the measure is no worse than the known limit or,
    without one, meets the goal."""
    limit = measure.goal if known is None else known["number"]
    verdict = "ok" if measure.number <= measure.goal else "missed"
    if known is None:
        pass
    elif measure.number > limit:
        verdict = f"WORSE: it was {limit}"
    elif measure.number < limit:
        verdict += f"; it was {limit}: scripts/structure --write lowers the limit"
    print(f"{measure.name:<46} {measure.number:>5}  goal {measure.goal:>2}  {verdict}")
    if is_listed and measure.number > measure.goal:
        for line in measure.found:
            print(f"    {line}")
    elif known is not None and measure.number > limit:
        for name in (Counter(measure.keys()) - Counter(known["found"])).elements():
            print(f"    new: {name}")
    return measure.number <= limit


def parser() -> argparse.ArgumentParser:
    made = argparse.ArgumentParser(
        prog="scripts/structure", description=DESCRIPTION, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    only = made.add_argument_group("measures")
    for name, what in (
        ("circles", "files that use each other's symbols, modules that import each other"),
        ("layers", "symbols that a layer of runtime/inspect uses of one above it"),
        ("names", "js_ types with two definitions, and headers named *_internal.h"),
        ("tests", "test modules that another module imports, and units that are named after no file"),
        ("comments", 'those that begin with "The same" or "Of"'),
    ):
        only.add_argument(f"--{name}", action="store_true", help=what)
    for name, number, what in (
        ("folders", Numbers.folders, "folders with more .c and .py files than N"),
        ("lines", Numbers.lines, "files with more lines than N"),
        ("functions", Numbers.functions, "functions with more lines than N; five may have"),
        (
            "parameters",
            Numbers.parameters,
            "functions with N parameters or more, but those in api/ and in the published headers",
        ),
        ("include-depth", Numbers.include_depth, "the longest chain of headers behind a source; N is the goal"),
        ("lazy-imports", Numbers.lazy_imports, "imports of own modules within functions; N is the goal"),
    ):
        only.add_argument(f"--{name}", type=int, nargs="?", const=number, metavar="N", help=f"{what} ({number})")
    made.add_argument("-v", "--list", action="store_true", help="name all that misses the goals")
    made.add_argument("--json", action="store_true", help="the measures as JSON")
    made.add_argument("--write", action="store_true", help=f"make today's numbers the limits of {LIMITS.name}")
    made.add_argument("--build", type=Path, default=ROOT / "build", help="where the objects are")
    return made


def main() -> int:
    options = parser()
    given = options.parse_args()
    if not (given.build / "compile_commands.json").exists():
        print(f"scripts/structure: {given.build} has no objects; scripts/setup builds them", file=sys.stderr)
        return 2
    numbers = {one.name: getattr(given, one.name) for one in fields(Numbers)}
    found = measures(ROOT, given.build, Numbers(**{name: n for name, n in numbers.items() if n is not None}))
    wanted = [one for one in found if getattr(given, one.option.replace("-", "_")) not in (False, None)]
    if given.write and wanted:
        options.error("--write takes all measures")
    if given.write:
        today: dict[str, Limit] = {one.name: {"number": one.number, "found": one.keys()} for one in found}
        LIMITS.write_text(json.dumps(today, indent=1, ensure_ascii=False) + "\n", "utf-8")
    found = wanted or found
    if given.json:
        rows = [{"name": one.name, "number": one.number, "goal": one.goal, "found": one.found} for one in found]
        print(json.dumps(rows, indent=2, ensure_ascii=False))
        return 0
    known: dict[str, Limit] = json.loads(LIMITS.read_text("utf-8"))
    within = [show(one, known.get(one.name), given.list) for one in found]
    return 0 if all(within) else 1


if __name__ == "__main__":
    sys.exit(main())
