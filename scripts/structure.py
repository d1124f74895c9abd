"""Measures the code's structure; scripts/structure --help, and docs/decisions.md for why symbols are asked."""

from __future__ import annotations

import argparse
import ast
import json
import re
import subprocess
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

DESCRIPTION = """\
Measures the structure of runtime/ and gdbext/: one line for each measure, with what it is today, its limit and
its goal. A measure above its limit fails, and what misses the goal is named; the limits of
scripts/structure.json are the numbers of today, so that none gets worse. C is judged by the symbols of the
objects in build/ (scripts/setup makes it), Python by its syntax tree."""

ROOT = Path(__file__).resolve().parents[1]
LIMITS = Path(__file__).with_suffix(".json")
# From below to above: a folder uses only itself and what stands before it.
LAYERS = ("bytes", "layouts", "values", "program", "stacks", "reader")
PACKAGES = ("gdbext/jitscope_gdb", "runtime/python/jitscope")
Graph = Mapping[str, set[str]]


@dataclass(frozen=True)
class Measure:
    """One number, which is better when it is lower, and the names of what it counts."""

    name: str
    goal: int
    number: int
    found: list[str]


# --- graphs -------------------------------------------------------------------------------------------


def circles(graph: Graph) -> list[list[str]]:
    """The strongly connected components of more than one node, the largest first (Tarjan's algorithm)."""
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
    """The sources in runtime/ that are compiled in this folder, which lies in their checkout."""
    root = build.resolve().parent
    entries = json.loads((build / "compile_commands.json").read_text("utf-8"))
    found: dict[str, Object] = {}
    for entry in entries:
        folder = Path(entry["directory"])
        source = (folder / entry["file"]).resolve()
        compiled = folder / entry["output"]
        name = str(source.relative_to(root)) if source.is_relative_to(root) else ""
        if name.startswith("runtime/") and compiled.exists():
            found[name] = symbols(name, compiled)
    return [found[name] for name in sorted(found)]


def symbols(source: str, compiled: Path) -> Object:
    said = subprocess.run(["nm", "-P", "-g", str(compiled)], stdout=subprocess.PIPE, text=True, check=True).stdout
    result = Object(source, set(), set())
    for line in said.splitlines():
        name, kind, *_ = line.split()
        (result.used if kind in "Uwv" else result.defined).add(name)
    return result


def references(compiled: Iterable[Object]) -> dict[str, dict[str, set[str]]]:
    """By source, the sources that define what it uses, with the names of that."""
    compiled = list(compiled)
    home = {name: one.source for one in compiled for name in one.defined}
    result: dict[str, dict[str, set[str]]] = {}
    for one in compiled:
        edges: dict[str, set[str]] = defaultdict(set)
        for name in one.used:
            # Both libraries have sources of their own for the same name; none uses the other's.
            if name in home and home[name].split("/")[1] == one.source.split("/")[1]:
                edges[home[name]].add(name)
        result[one.source] = dict(edges)
    return result


def c_circles(compiled: list[Object]) -> Measure:
    found = circles({source: set(edges) for source, edges in references(compiled).items()})
    return Measure("circles of C files", 0, sum(map(len, found)), [" ".join(map(short, one)) for one in found])


def upward(compiled: list[Object]) -> Measure:
    """Symbols that a layer uses of one above it."""
    found = []
    for source, edges in references(compiled).items():
        for other, names in edges.items():
            if layer(source) is not None and (above := layer(other)) is not None and above > (layer(source) or 0):
                found += [f"{short(source)} uses {name} of {short(other)}" for name in sorted(names)]
    return Measure("upward symbols", 0, len(found), sorted(found))


def layer(source: str) -> int | None:
    words = source.split("/")
    return LAYERS.index(words[2]) if words[1] == "inspect" and words[2] in LAYERS else None


def short(source: str) -> str:
    return source.removeprefix("runtime/").removeprefix("gdbext/").removeprefix("python/")


FUNCTION = re.compile(r"^(?!typedef|struct|enum|union)\w[^;={}]*?\b(\w+)\(([^;{}]*)\)\s*\n?\{$", re.M)
TYPE = re.compile(r"^(?:typedef\s+)?(?:struct|enum|union)\s+(js_\w+)\s*\{|^\}\s*(js_\w+);", re.M)


def c_functions(text: str) -> Iterator[tuple[str, int, int]]:
    """Of each function: its name, its lines from the head to the closing brace, and its parameters."""
    for found in FUNCTION.finditer(text):
        end = text.find("\n}", found.end())
        arguments = re.sub(r"\([^()]*\)", "", found[2])
        count = 0 if arguments.strip() in ("", "void") else arguments.count(",") + 1
        yield found[1], text.count("\n", found.start(), end + 1) + 1, count


def types(sources: Mapping[str, str]) -> Measure:
    """Type names that more than one file defines."""
    homes: dict[str, set[str]] = defaultdict(set)
    for name, text in sources.items():
        for found in TYPE.finditer(text):
            homes[found[1] or found[2]].add(short(name))
    several = {name: files for name, files in homes.items() if len(files) > 1}
    found_ = [f"{name}: {' '.join(sorted(files))}" for name, files in sorted(several.items())]
    return Measure("type names with two definitions", 0, len(found_), found_)


def include_depth(sources: Mapping[str, str], goal: int) -> Measure:
    """The longest chain of the project's own headers behind one source."""
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
    """Names that a module imports, in full, and whether it does so within a function."""
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
    """A file's name as imports have it, and whether it is a package."""
    words = path.removesuffix(".py").split("/")
    words = words[words.index("jitscope_gdb" if "jitscope_gdb" in words else "jitscope") :]
    return ".".join(words[:-1] if words[-1] == "__init__" else words), words[-1] == "__init__"


def python_graph(trees: Mapping[str, ast.Module]) -> tuple[dict[str, set[str]], list[str]]:
    """By module the modules that it imports, and the imports within functions."""
    known = {module_of(path)[0]: path for path in trees}
    graph: dict[str, set[str]] = {path: set() for path in trees}
    lazy = []
    for path, tree in trees.items():
        for name, within in imports(tree, *module_of(path)):
            # `from .package import name`: a module of the package, or a name that the package itself has.
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


# --- all ----------------------------------------------------------------------------------------------


def tracked(root: Path) -> list[str]:
    """The files of runtime/ and gdbext/, as git has them or, in a copy without it, as the folders do."""
    command = ["git", "-C", str(root), "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(
        [*command, "runtime", "gdbext"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    )
    names = listed.stdout.split("\0") if listed.returncode == 0 else []
    names = names or [str(p.relative_to(root)) for top in ("runtime", "gdbext") for p in (root / top).rglob("*")]
    return sorted(name for name in names if name.endswith((".c", ".h", ".py")) and (root / name).is_file())


def above(name: str, goal: int, limit: int, sizes: Mapping[str, int]) -> Measure:
    """How many of these are larger than the limit; the goal is how many may be."""
    large = {one: size for one, size in sizes.items() if size > limit}
    found = [f"{one}: {size}" for one, size in sorted(large.items(), key=lambda item: (-item[1], item[0]))]
    return Measure(f"{name} above {limit}", goal, len(large), found)


def measures(root: Path, build: Path, given: argparse.Namespace) -> list[Measure]:
    texts = {name: (root / name).read_text("utf-8") for name in tracked(root)}
    in_c = {name: text for name, text in texts.items() if not name.endswith(".py")}
    trees = {
        name: ast.parse(text) for name, text in texts.items() if name.startswith(PACKAGES) and name.endswith(".py")
    }
    compiled = objects(build)
    graph, lazy = python_graph(trees)
    functions = [(short(name), *one) for name, text in in_c.items() for one in c_functions(text)]
    functions += [(short(name), *one) for name, tree in trees.items() for one in python_functions(tree)]
    lengths = {f"{file}: {name}": size for file, name, size, _ in functions}
    folders = Counter(str(Path(name).parent) for name in texts if not name.endswith(".h"))
    internal = [short(name) for name in in_c if name.endswith("_internal.h")]
    comments = [
        f"{short(name)}:{text.count(chr(10), 0, found.start()) + 1}"
        for name, text in texts.items()
        for found in re.finditer(r'(?:/\*|""")\s*(?:The same|Of )', text)
    ]
    return [
        c_circles(compiled),
        python_circles(graph),
        upward(compiled),
        above("files of a folder", 0, given.folders, folders),
        above("lines of a file", 0, given.lines, {short(name): text.count("\n") for name, text in texts.items()}),
        above("lines of a function", 5, given.functions, lengths),
        above("parameters", 0, given.parameters, {f"{file}: {name}": count for file, name, _, count in functions}),
        include_depth(in_c, given.include_depth),
        types(in_c),
        Measure("headers named *_internal.h", 0, len(internal), internal),
        Measure("imports within functions", given.lazy_imports, len(lazy), lazy),
        Measure('comments that begin with "The same" or "Of"', 0, len(comments), comments),
    ]


def show(measure: Measure, limit: int, is_listed: bool) -> bool:
    """One line, and what misses; is the measure within its limit?"""
    verdict = "ok" if measure.number <= measure.goal else "missed"
    if measure.number > limit:
        verdict = f"WORSE than {limit}, which it was"
    elif measure.number < limit:
        verdict += f"; lower its limit ({limit}) in {LIMITS.name}"
    print(f"{measure.name:<46} {measure.number:>5}  goal {measure.goal:>2}  {verdict}")
    if is_listed or measure.number > limit:
        for line in measure.found if measure.number > measure.goal else ():
            print(f"    {line}")
    return measure.number <= limit


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="scripts/structure", description=DESCRIPTION, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("names", nargs="*", metavar="MEASURE", help="only those whose names have one of these words")
    parser.add_argument("--list", action="store_true", help="name what misses the goals")
    parser.add_argument("--json", action="store_true", help="the measures as JSON")
    parser.add_argument("--write", action="store_true", help=f"make today's numbers the limits of {LIMITS.name}")
    parser.add_argument("--build", type=Path, default=ROOT / "build", help="where the objects are")
    for name, limit in (("folders", 18), ("lines", 450), ("functions", 60), ("parameters", 7)):
        parser.add_argument(f"--{name}", type=int, default=limit, metavar="N", help=f"more than these miss ({limit})")
    for name, goal in (("include-depth", 7), ("lazy-imports", 5)):
        parser.add_argument(f"--{name}", type=int, default=goal, metavar="N", help=f"the goal ({goal})")
    given = parser.parse_args()
    if not (given.build / "compile_commands.json").exists():
        print(f"scripts/structure: {given.build} has no objects; scripts/setup builds them", file=sys.stderr)
        return 2
    found = measures(ROOT, given.build, given)
    if given.write:
        LIMITS.write_text(json.dumps({one.name: one.number for one in found}, indent=2) + "\n")
    found = [one for one in found if not given.names or any(word in one.name for word in given.names)]
    if given.json:
        rows = [{"name": one.name, "number": one.number, "goal": one.goal, "found": one.found} for one in found]
        print(json.dumps(rows, indent=2))
        return 0
    limits = json.loads(LIMITS.read_text("utf-8"))
    within = [show(one, limits.get(one.name, one.goal), given.list) for one in found]
    return 0 if all(within) else 1


if __name__ == "__main__":
    sys.exit(main())
