"""Programs that end in a fault: one access far outside of an array, somewhere in a function or in its callees.

`FAULT` is a call that reaches the access: the interpreter raises IndexError there, compiled code without bounds checks
has a segmentation fault."""

from __future__ import annotations

import ast
import random
from collections.abc import Iterator

FAR = "1 << 40"
FORMS = (
    "brink[far] = 2.0",
    "brink[far] += 1.0",
    "if brink[far] > 2.0:\n    brink[0] = 3.0",
    "brink[0] = brink[far] + 1.0",
)


def with_fault(text: str, source: random.Random) -> str:
    """Return the program with a FAULT, or unchanged if none of its functions can have one."""
    tree = ast.parse(text)
    functions = {node.name: node for node in tree.body if isinstance(node, ast.FunctionDef) and node.name != "spread"}
    works = [name for name in functions if name.startswith("work")]
    if not works:
        return text
    work = source.choice(works)
    able = [name for name in sorted(called(functions[work])) if name in functions]
    site = source.choice([work, work, *able])
    block, place = source.choice([*places(functions[site].body)])
    block[place:place] = ast.parse(source.choice(FORMS)).body
    given = callers(functions, site)
    for name in given:
        functions[name].args.args += [ast.arg("brink"), ast.arg("far")]
    for node in functions.values():
        pass_on(node, given, ("brink", "far"))
    calls = tree.body[-1]
    assert isinstance(calls, ast.Assign) and isinstance(calls.value, ast.List)
    (fault, *_) = [call for call in calls.value.elts if called(call) & {work}]
    again = ast.parse(f"FAULT = {ast.unparse(fault)}").body[0]
    pass_on(calls, given, ("np.ones(3)", "0"))
    pass_on(again, given, ("np.ones(3)", FAR))
    tree.body.append(again)
    return ast.unparse(ast.fix_missing_locations(tree)) + "\n"


def called(node: ast.AST) -> set[str]:
    calls = (each.func for each in ast.walk(node) if isinstance(each, ast.Call))
    return {function.id for function in calls if isinstance(function, ast.Name)}


def callers(functions: dict[str, ast.FunctionDef], site: str) -> set[str]:
    """Return the function and all functions that call it."""
    found = {site}
    while more := {name for name, node in functions.items() if called(node) & found} - found:
        found |= more
    return found


def pass_on(node: ast.AST, given: set[str], arguments: tuple[str, str]) -> None:
    for call in ast.walk(node):
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id in given:
            call.args += [ast.parse(text, mode="eval").body for text in arguments]


def places(block: list[ast.stmt], within_try: bool = False) -> Iterator[tuple[list[ast.stmt], int]]:
    """Yield the place before each statement, without those in a `try` unless `within_try` is set."""
    for number, statement in enumerate(block):
        yield block, number
        for name in ("body", "orelse"):
            inner = getattr(statement, name, None)
            if inner and (within_try or not isinstance(statement, ast.Try)):
                yield from places(inner, within_try)
