"""Lines of a Python function that run only if another line decides so, and lines that have several copies: `regions`,
`finals` and `leaves` of docs/schema/flow.json.

Plain Python, usable outside of GDB."""

from __future__ import annotations

import ast
from typing import Any, Dict, Iterator, List, Tuple

from .. import syntax

LOOP, ARM, REST = "loop", "arm", "rest"
# The first and the last line of the test; (0, 0): no line's test decides.
Header = Tuple[int, int]
Region = Tuple[str, Header, int, int]
NO_TEST = (0, 0)


class Regions:
    """The regions of a function's body, in `found`."""

    def __init__(self, body: List[ast.stmt]) -> None:
        self.found: List[Region] = []
        self._block(body)

    def facts(self) -> List[Dict[str, Any]]:
        return [
            {"kind": kind, "first_test": test[0], "last_test": test[1], "first": first, "last": last}
            for kind, test, first, last in self.found
        ]

    def _add(self, kind: str, header: Header, body: List[ast.stmt]) -> None:
        if body:
            last = body[-1]
            self.found.append((kind, header, body[0].lineno, getattr(last, "end_lineno", None) or last.lineno))

    def _arm(self, kind: str, header: Header, body: List[ast.stmt]) -> List[Tuple[Header, bool]]:
        self._add(kind, header, body)
        return self._block(body, header)

    def _block(self, body: List[ast.stmt], header: Header = NO_TEST) -> List[Tuple[Header, bool]]:
        """Return, for each jump out of this block, the test that it depends on, and whether it leaves the function."""
        leaving: List[Tuple[Header, bool]] = []
        for index, statement in enumerate(body):
            if isinstance(statement, (ast.Return, ast.Raise, ast.Break, ast.Continue)):
                leaving.append((header, isinstance(statement, (ast.Return, ast.Raise))))
                continue
            inner = self._statement(statement)
            for test, _ in inner:
                self._add(REST, test, body[index + 1 :])
            leaving += inner
        return leaving

    def _statement(self, node: ast.stmt) -> List[Tuple[Header, bool]]:
        if isinstance(node, ast.If):
            test = _header(node, node.test)
            return self._arm(ARM, test, node.body) + self._arm(ARM, test, node.orelse)
        if isinstance(node, (ast.For, ast.AsyncFor, ast.While)):
            test = _header(node, node.test if isinstance(node, ast.While) else node.iter)
            inner = self._arm(LOOP, test, node.body) + self._arm(ARM, test, node.orelse)
            return [(header, is_out) for header, is_out in inner if is_out]
        if isinstance(node, (ast.With, ast.AsyncWith)):
            return self._block(node.body)
        leaving: List[Tuple[Header, bool]] = []
        if hasattr(node, "handlers"):  # try, with or without a star
            parts = [node.body, node.finalbody]  # type: ignore[attr-defined]
            arms = [*(handler.body for handler in node.handlers), node.orelse]  # type: ignore[attr-defined]
        else:
            parts, arms = [], [case.body for case in getattr(node, "cases", [])]
        for part in parts:
            leaving += self._block(part)
        for arm in arms:
            leaving += self._arm(ARM, NO_TEST, arm)
        return leaving


def finals(node: ast.AST, passed: Tuple[ast.stmt, ...] = ()) -> Iterator[Dict[str, Any]]:
    """Yield the bodies of `finally` in a function and, for each `continue` and `break`, the bodies that it passes
    through. `passed`: each `try` around the node, up to the loop that it is in."""
    for field, value in ast.iter_fields(node):
        children = [child for child in (value if isinstance(value, list) else [value]) if isinstance(child, ast.AST)]
        inner = passed
        if isinstance(node, (ast.For, ast.AsyncFor, ast.While)) and field == "body":
            inner = ()
        elif getattr(node, "finalbody", None) and field != "finalbody":
            inner = (*passed, node)  # type: ignore[arg-type]
        elif field == "finalbody" and children:
            yield _final(node, 0)
        for child in children:
            if isinstance(child, (ast.Continue, ast.Break)):
                yield from (_final(each, child.lineno) for each in inner)
            elif not isinstance(child, (*syntax.SCOPES, ast.expr)):
                yield from finals(child, inner)


def leaves(body: List[ast.stmt], last_of_try: int = 0) -> List[Dict[str, Any]]:
    """Return the statements that end a call. A `return` in a `try` may be followed by other statements of the `try`. A
    `raise` there, and a statement in a `with`, are left out, because others may follow. `last_of_try`: the last line of
    the outermost `try` around the body."""
    found: List[Dict[str, Any]] = []
    for node in body:
        end: int = getattr(node, "end_lineno", None) or node.lineno
        if isinstance(node, ast.Return) or (isinstance(node, ast.Raise) and not last_of_try):
            found.append({"first": node.lineno, "last": end, "last_of_try": last_of_try})
        elif isinstance(node, (ast.If, ast.For, ast.AsyncFor, ast.While)):
            found += leaves(node.body, last_of_try) + leaves(node.orelse, last_of_try)
        elif hasattr(node, "handlers") and not _jumps(node.finalbody):  # type: ignore[attr-defined]
            inner = [node.body, *(handler.body for handler in node.handlers), node.orelse]  # type: ignore[attr-defined]
            found += [each for part in inner for each in leaves(part, last_of_try or end)]
    return found


def _jumps(body: List[ast.stmt]) -> bool:
    """True if the body of a `finally` may jump to a place other than where its `try` would go on."""
    jumps = (ast.Continue, ast.Break, ast.Return)
    return any(isinstance(node, jumps) for statement in body for node in ast.walk(statement))


def _final(node: ast.AST, jump: int) -> Dict[str, Any]:
    body = node.finalbody  # type: ignore[attr-defined]
    return {"first": body[0].lineno, "last": getattr(body[-1], "end_lineno", None) or body[-1].lineno, "jump": jump}


def _header(node: ast.stmt, test: ast.expr) -> Header:
    return node.lineno, getattr(test, "end_lineno", None) or node.lineno
