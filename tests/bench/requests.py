"""Requests of a debug adapter's client at a stop, in the order of an editor, against GDB alone; and the rows of an
array, which GDB alone does not give."""

from __future__ import annotations

import contextlib
import functools
import pathlib
import time
from collections.abc import Callable
from typing import Any

from tests.gdb.dap import DapClient, speaks
from tests.gdb.harness import MachineInterface, machine_interface, newest_python
from tests.interpreters import gdbs

from .measure import Figure, NotMeasured, Spread, compare, in_turn

PROGRAM = pathlib.Path(__file__).parent / "programs" / "arrays.py"
# Without optimisation and jitscope's own code, so that both have the variables.
ENVIRONMENT = {"NUMBA_OPT": "0", "JITSCOPE": "0"}
ELEMENT = 1_234_567
MOST = 10.0  # milliseconds for one element of ten millions
TITLES = {
    "stackTrace": "a stop's 20 innermost frames",
    "scopes": "the scopes of a compiled frame",
    "variables": "the arguments of a compiled frame",
    "evaluate": "the value of one variable",
}


class Editor:
    """A client that stops in the function at each call."""

    def __init__(self, client: DapClient, line: int):
        self.client = client
        client.request("initialize", {"adapterID": "jitscope-bench", "supportsVariablePaging": True})
        client.event("initialized")
        client.request("setBreakpoints", {"source": {"path": str(PROGRAM)}, "breakpoints": [{"line": line}]})
        launched = client.send("launch", {"program": newest_python(), "args": [str(PROGRAM)], "env": ENVIRONMENT})
        client.request("configurationDone")
        client.response(launched)
        self.thread = client.event("stopped")["threadId"]
        self.seconds: dict[str, float] = {}
        self.frame: dict[str, Any] = {}

    def ask(self, name: str, arguments: dict[str, Any]) -> dict[str, Any]:
        start = time.perf_counter()
        answer = self.client.request(name, arguments)
        self.seconds[name] = time.perf_counter() - start
        return answer

    def at_next_stop(self) -> dict[str, float]:
        """Go on to the next stop, where nothing of the last one is remembered, and return the time of each request."""
        self.client.request("continue", {"threadId": self.thread})
        self.thread = self.client.event("stopped")["threadId"]
        self.frame = self.ask("stackTrace", {"threadId": self.thread, "levels": 20})["stackFrames"][0]
        scopes = self.ask("scopes", {"frameId": self.frame["id"]})["scopes"]
        reference = next(each["variablesReference"] for each in scopes if each["name"] == "Arguments")
        self.ask("variables", {"variablesReference": reference})
        self.ask("evaluate", {"expression": "first", "frameId": self.frame["id"], "context": "watch"})
        return self.seconds

    def element(self, number: int) -> tuple[float, str]:
        """Unfold the array `a` down to one element; return the time and the element's text."""
        start = time.perf_counter()
        shown = self.client.request("evaluate", {"expression": "a", "frameId": self.frame["id"], "context": "watch"})
        reference, step = shown["variablesReference"], 1_000_000
        for step in (1_000_000, 1000, 1):
            asked = {"variablesReference": reference, "start": number // step % 1000, "count": 1}
            row = self.client.request("variables", asked)["variables"][0]
            reference = row["variablesReference"]
        return time.perf_counter() - start, row["value"]


def measure(rounds: int) -> list[Figure]:
    gdb = next((path for path in gdbs().values() if speaks(path)), None)
    if gdb is None:
        raise NotMeasured("no GDB among JITSCOPE_GDBS is a debug adapter (14 and later)")
    line = next(n for n, text in enumerate(PROGRAM.read_text().splitlines(), 1) if text.endswith("# at: stop"))
    with contextlib.ExitStack() as stack:
        editors = {
            who: Editor(stack.enter_context(DapClient(gdb, jitscope, {})), line)
            for who, jitscope in (("ours", True), ("theirs", False))
        }
        asked: dict[str, list[dict[str, float]]] = {who: [] for who in editors}
        elements: list[float] = []

        def once(who: str) -> float:
            asked[who].append(dict(editors[who].at_next_stop()))
            if who == "ours":
                seconds, text = editors[who].element(ELEMENT)
                if float(text) != ELEMENT:
                    raise RuntimeError(f"element {ELEMENT} is {text}")
                elements.append(seconds)
            return 0.0

        ways: dict[str, Callable[[], float]] = {who: lambda who=who: once(who) for who in editors}  # type: ignore[misc]
        in_turn(ways, rounds)
    figures = [
        compare(
            f"requests.{name}",
            title,
            "ms",
            *([each[name] for each in asked[who][1:]] for who in ("ours", "theirs")),
            "GDB alone",
            scale=1e3,
        )
        for name, title in TITLES.items()
    ]
    element = Spread.of(elements[1:]).times(1e3)
    title = f"element {ELEMENT:,} of 10^7, unfolded from the array"
    is_met = element.median <= MOST
    figures.append(Figure("requests.element", title, "ms", element, goal=f"≤ {MOST:g} ms", met=is_met, rounds=rounds))
    return [*figures, rows(line, rounds)]


def rows(line: int, rounds: int) -> Figure:
    """Return the figure of 1000 elements in GDB's machine interface. GDB alone is given a C array of them."""
    with contextlib.ExitStack() as stack:
        ways: dict[str, Callable[[], float]] = {}
        for who, jitscope in (("ours", True), ("theirs", False)):
            mi = stack.enter_context(machine_interface(PROGRAM, jitscope=jitscope, env=ENVIRONMENT))
            mi.send("-enable-pretty-printing")
            mi.send(f"-break-insert -f {PROGRAM.name}:{line}")
            mi.until_stop("-exec-run")
            find = _range if jitscope else _c_array
            ways[who] = functools.partial(_listed, mi, find)
        samples = in_turn(ways, rounds)
    title = "1000 elements of an array, GDB/MI"
    return compare(
        "requests.rows", title, "ms", samples["ours"], samples["theirs"], "GDB alone, of a C array", scale=1e3
    )


def _range(mi: MachineInterface) -> str:
    """Return the variable object of elements 1000 to 1999."""
    whole = mi.send("-var-create - * a")["payload"]["name"]
    ranges = mi.send(f"-var-list-children {whole} 0 1")["payload"]["children"]
    return str(mi.send(f"-var-list-children {ranges[0]['name']} 1 2")["payload"]["children"][0]["name"])


def _c_array(mi: MachineInterface) -> str:
    return str(mi.send('-var-create - * "*(double(*)[1000]) (a.data + 1000)"')["payload"]["name"])


def _listed(mi: MachineInterface, find: Callable[[MachineInterface], str]) -> float:
    mi.until_stop("-exec-continue")
    name = find(mi)
    start = time.perf_counter()
    found = mi.send(f"-var-list-children --all-values {name}")["payload"]["children"]
    seconds = time.perf_counter() - start
    if [float(each["value"]) for each in found] != [float(n) for n in range(1000, 2000)]:
        raise RuntimeError(f"a range of the array is {found[:3]}")
    return seconds
