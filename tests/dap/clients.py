"""The requests of three editors in the order in which they send them.

Sources: what the clients themselves sent to GDB 18 (nvim-dap 9e848e0 in Neovim 0.12.4, dape 0.27.1 in Emacs 30.1), and
for VS Code its src/vs/workbench/contrib/debug/browser/{debugSession,debugService,debugModel}.ts."""

from __future__ import annotations

from typing import Any

from .session import Session

Breakpoints = list[dict[str, Any]]


class Editor:
    """What a user does in an editor; `here` is the stop that the user looks at."""

    name = ""
    initialize: dict[str, Any] = {}

    def __init__(self, session: Session, program: str) -> None:
        self.session = session
        self.path = f"${{PROGRAMS}}/{program}"
        self.thread = ""
        self.capabilities: dict[str, Any] = {}
        self.reason = ""
        self.frames: list[dict[str, Any]] = []
        self.scopes: dict[str, str] = {}

    def start(self, how: str, arguments: dict[str, Any], breakpoints: Breakpoints) -> None:
        """Begin the session. how: launch or attach."""
        request = self.session.request
        self.capabilities = request("initialize", self.initialize)
        self.session.send(how, arguments)
        self.session.event("initialized")
        self.configure(breakpoints)
        request("configurationDone")
        self.session.answer(how)

    def configure(self, breakpoints: Breakpoints) -> None:
        raise NotImplementedError

    def set_breakpoints(self, breakpoints: Breakpoints) -> None:
        source = {"path": self.path, "name": self.path.rpartition("/")[2]}
        lines = [each["line"] for each in breakpoints]
        given = {"source": source, "lines": lines, "breakpoints": breakpoints}
        self.session.request("setBreakpoints", given)

    def stop(self) -> bool:
        """Look at the next stop as the editor does; False if the program ends first."""
        name, body = self.session.event("stopped", "terminated")
        if name == "terminated":
            self.end()
            return False
        self.thread = body["threadId"]
        self.reason = body["reason"]
        self.look()
        return True

    def stop_anywhere(self) -> None:
        """Wait for a stop that is somewhere else in each run; look at its stack alone."""
        self.thread = self.session.event("stopped")[1]["threadId"]
        for command, given in (("threads", None), ("stackTrace", {"threadId": self.thread, "startFrame": 0})):
            self.session.request(command, given)
            self.session.lines[-1]["body"] = None

    def look(self) -> None:
        raise NotImplementedError

    def end(self) -> None:
        self.session.request("disconnect", {"restart": False})

    def ask_scopes(self) -> None:
        answer = self.session.request("scopes", {"frameId": self.frames[0]["id"]})
        self.scopes = {each["name"]: each["variablesReference"] for each in answer["scopes"]}

    def variables(self, *scopes: str) -> None:
        for name in scopes:
            if name in self.scopes:
                self.session.request("variables", {"variablesReference": self.scopes[name]})

    def evaluate(self, *expressions: str, context: str = "watch") -> None:
        is_lldb = self.session.beginning.debugger == "lldb-dap"  # watch expressions are LLDB's own there
        for each in (f"`jit print {each}" if is_lldb else each for each in expressions):
            context = "repl" if is_lldb else context
            given = {"expression": each, "frameId": self.frames[0]["id"], "context": context}
            self.session.request("evaluate", given)

    def go(self, command: str = "continue") -> bool:
        """Continue or step, and look at the next stop."""
        self.session.request(command, {"threadId": self.thread})
        return self.stop()

    def stack(self, **given: int) -> list[dict[str, Any]]:
        answer = self.session.request("stackTrace", {"threadId": self.thread, **given})
        return list(answer["stackFrames"])


class Code(Editor):
    """VS Code. The list of variables has its first two scopes unfolded."""

    name = "vscode"
    initialize = {
        "clientID": "vscode",
        "clientName": "Visual Studio Code",
        "adapterID": "gdb",
        "pathFormat": "path",
        "linesStartAt1": True,
        "columnsStartAt1": True,
        "supportsVariableType": True,
        "supportsVariablePaging": True,
        "supportsRunInTerminalRequest": True,
        "locale": "en",
        "supportsProgressReporting": True,
        "supportsInvalidatedEvent": True,
        "supportsMemoryReferences": True,
        "supportsArgsCanBeInterpretedByShell": True,
        "supportsMemoryEvent": True,
        "supportsStartDebuggingRequest": True,
        "supportsANSIStyling": True,
    }

    def configure(self, breakpoints: Breakpoints) -> None:
        if breakpoints:
            self.set_breakpoints(breakpoints)
        self.session.request("setFunctionBreakpoints", {"breakpoints": []})
        for kind in ("Data", "Instruction"):
            if self.capabilities[f"supports{kind}Breakpoints"]:
                self.session.request(f"set{kind}Breakpoints", {"breakpoints": []})
        has_options = self.capabilities["supportsExceptionFilterOptions"]
        given = {"filters": [], "filterOptions": []} if has_options else {"filters": []}
        self.session.request("setExceptionBreakpoints", given)

    def look(self) -> None:
        self.session.request("threads")
        self.frames = self.stack(startFrame=0, levels=1)
        self.ask_scopes()
        self.variables("Arguments", "Locals", "Return")
        self.frames += self.stack(startFrame=1, levels=19)
        if self.reason == "exception" and self.capabilities["supportsExceptionInfoRequest"]:
            self.session.request("exceptionInfo", {"threadId": self.thread})


class Neovim(Editor):
    """nvim-dap, which asks for the variables of every scope."""

    name = "nvim"
    initialize = {
        "clientID": "neovim",
        "clientName": "neovim",
        "adapterID": "nvim-dap",
        "pathFormat": "path",
        "linesStartAt1": True,
        "columnsStartAt1": True,
        "supportsRunInTerminalRequest": True,
        "supportsVariableType": True,
        "supportsProgressReporting": True,
        "supportsStartDebuggingRequest": True,
        "locale": "C.UTF-8",
    }

    def configure(self, breakpoints: Breakpoints) -> None:
        if breakpoints:
            self.set_breakpoints(breakpoints)
        self.session.request("setExceptionBreakpoints", {"filters": []})

    def look(self) -> None:
        self.session.request("threads")
        self.frames = self.stack(startFrame=0)
        self.ask_scopes()
        self.variables(*self.scopes)

    def end(self) -> None:
        """nvim-dap closes the adapter's input."""


class Dape(Editor):
    """dape in Emacs, which knows no types of variables."""

    name = "dape"
    initialize = {
        "clientID": "dape",
        "adapterID": None,
        "pathFormat": "path",
        "linesStartAt1": True,
        "columnsStartAt1": True,
        "supportsRunInTerminalRequest": True,
        "supportsArgsCanBeInterpretedByShell": True,
        "supportsProgressReporting": True,
        "supportsStartDebuggingRequest": True,
    }

    def configure(self, breakpoints: Breakpoints) -> None:
        self.session.request("setExceptionBreakpoints", {"filters": []})
        if breakpoints:
            self.set_breakpoints(breakpoints)
        self.session.request("setFunctionBreakpoints", {"breakpoints": []})

    def look(self) -> None:
        self.session.request("threads")
        self.frames = self.stack(startFrame=0, levels=1)
        self.ask_scopes()
        self.frames += self.stack(startFrame=1, levels=19)
        self.variables(*self.scopes)

    def end(self) -> None:
        self.session.request("disconnect", {"restart": False, "terminateDebuggee": True})


EDITORS = {each.name: each for each in (Code, Neovim, Dape)}
