"""What is recorded: scenarios A to E, each as what a user does in an editor."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any

from tests.gdb.harness import line_of

from .clients import EDITORS, Editor
from .session import Beginning, Session

GDB, LLDB = "gdb", "lldb-dap"
THREADS = "${script.thread:jitscope_in_lldb.threads.name}"  # the format in docs/howto-lldb.md


@dataclasses.dataclass(frozen=True)
class Scenario:
    """One scenario. marks: the lines with breakpoints (`# at: MARK`), with their conditions; steps: what the user does
    from the first stop on."""

    name: str
    program: str
    marks: dict[str, str]
    steps: Callable[[Editor], None]
    arguments: tuple[str, ...] = ()
    env: dict[str, str] = dataclasses.field(default_factory=dict)
    how: str = "launch"
    ready: str = ""
    clients: tuple[tuple[str, str], ...] = (("vscode", GDB),)

    def beginnings(self) -> list[Beginning]:
        arguments = list(self.arguments)
        return [
            Beginning(
                self.name,
                client,
                debugger,
                self.program,
                arguments,
                {**self.env, **({"JITSCOPE_LEVEL": "steps"} if debugger == LLDB and self.how == "launch" else {})},
                self.how,
                self.ready,
            )
            for client, debugger in self.clients
        ]

    def breakpoints(self) -> list[dict[str, Any]]:
        found = ((line_of(self.program, mark), condition) for mark, condition in self.marks.items())
        return [{"line": line, **({"condition": text} if text else {})} for line, text in found]

    def run(self, session: Session, beginning: Beginning) -> None:
        editor = EDITORS[beginning.client](session, self.program)
        given: dict[str, Any] = {"program": "${PYTHON}"}
        if self.how == "launch":
            given.update(args=[f"${{PROGRAMS}}/{self.program}", *self.arguments], env="${ENV}")
        else:
            given.update({"pid": "${PID}"} if self.how == "attach" else {"coreFile": "${CORE}"})
        if beginning.debugger == LLDB:
            given.update(initCommands="${IMPORT}", customThreadFormat=THREADS)
        editor.start("launch" if self.how == "launch" else "attach", given, self.breakpoints())
        self.steps(editor)


def _function_as_source(editor: Editor) -> None:
    editor.stop()
    editor.evaluate("a / 2", "b")
    editor.go("next")
    editor.go("next")
    editor.evaluate("d[2]", context="hover")
    editor.go()


def _to_the_end(editor: Editor) -> None:
    goes = editor.stop()
    assert goes, "the program has ended before the first stop"
    while goes:
        goes = editor.go()


def _attached(editor: Editor) -> None:
    editor.stop_anywhere()
    editor.go()
    editor.evaluate("b.sum()")
    if editor.session.beginning.debugger == GDB:  # LLDB's `next` comes to a line again whose end LLVM has put there
        editor.go("next")
    editor.session.request("disconnect", {"restart": False, "terminateDebuggee": True})


def _crash(editor: Editor) -> None:
    editor.stop()
    editor.session.output("`index` = 1000000000 is outside axis 0 of `c`")
    editor.evaluate("c.shape", "c[9]", "a[2:].sum()")
    editor.session.request("disconnect", {"restart": False, "terminateDebuggee": True})


def _core(editor: Editor) -> None:
    editor.stop()
    editor.evaluate("c.shape", "c[9]", "a[2:].sum()")
    editor.session.request("disconnect", {"restart": False, "terminateDebuggee": True})


def _each_worker(editor: Editor) -> None:
    def stop() -> None:
        editor.stop()
        editor.session.request("continue", {"threadId": editor.thread})

    editor.session.in_any_order([stop] * 2)
    editor.stop()


def _from_outside(editor: Editor) -> None:
    is_lldb = editor.session.beginning.debugger == LLDB  # the program runs on where lldb-dap attaches
    if not is_lldb:
        editor.stop_anywhere()
    editor.set_breakpoints([{"line": line_of("serve.py", "return"), "condition": "b == 124"}])
    assert editor.stop() if is_lldb else editor.go()
    editor.evaluate("a.shape", "a[2:].sum()", "k + b")
    editor.session.request("disconnect", {"restart": False, "terminateDebuggee": True})


BOTH = (("vscode", GDB), ("vscode", LLDB))
SCENARIOS = (
    Scenario("A1", "chk.py", {"stop": ""}, _function_as_source,
             clients=(("vscode", GDB), ("nvim", GDB), ("dape", GDB), ("vscode", LLDB))),
    Scenario("A2", "retype.py", {"int": "", "float": "", "sum": "", "tuple": ""}, _to_the_end,
             clients=(("nvim", GDB), ("vscode", LLDB))),
    Scenario("A3", "kinds.py", dict.fromkeys(
                 ("leaf", "stalk", "adder", "half", "smoothed", "measure", "callback", "add", "factorial"), ""),
             _to_the_end, env={"NUMBA_DEBUGINFO": "1"}, clients=(("dape", GDB), ("vscode", LLDB))),
    Scenario("B1", "asks.py", {}, _to_the_end, ("compiled", "5"), clients=BOTH),
    Scenario("B1-numba", "b1.py", {}, _to_the_end, clients=BOTH),
    Scenario("B2", "awaited.py", {"return": ""}, _attached, how="attach", ready="waits",
             clients=BOTH),
    Scenario("C", "crash.py", {}, _crash, env={"NUMBA_BOUNDSCHECK": "0"},
             clients=(("vscode", GDB), ("dape", GDB), ("vscode", LLDB))),
    Scenario("D", "shares.py", {"last": "i % 4 == 1"}, _each_worker, env={"NUMBA_NUM_THREADS": "2"},
             clients=(("vscode", GDB), ("nvim", GDB), ("vscode", LLDB))),
    Scenario("E1", "serve.py", {}, _from_outside, env={"JITSCOPE": "0", "JITSCOPE_LEVEL": "stock"}, how="attach",
             ready="ready", clients=BOTH),
    Scenario("E2", "crash.py", {}, _core, env={"NUMBA_BOUNDSCHECK": "0"}, how="core", clients=BOTH),
)  # fmt: skip
