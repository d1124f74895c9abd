"""`set jitscope …` and `show jitscope …`."""

from __future__ import annotations

import gdb


class SetJitscope(gdb.Command):
    """Settings of jitscope; `help jit` lists its commands."""

    def __init__(self) -> None:
        super().__init__("set jitscope", gdb.COMMAND_DATA, gdb.COMPLETE_NONE, True)

    def invoke(self, argument: str, from_tty: bool) -> None:
        gdb.execute("help set jitscope")


class ShowJitscope(gdb.Command):
    """Show the settings of jitscope."""

    def __init__(self) -> None:
        super().__init__("show jitscope", gdb.COMMAND_DATA, gdb.COMPLETE_NONE, True)

    def invoke(self, argument: str, from_tty: bool) -> None:
        for name in ("enabled", "conditions", "expressions", "debug", "digits", "notes", "thread-names"):
            gdb.execute(f"show jitscope {name}")


class Switch(gdb.Parameter):
    set_doc = show_doc = ""

    def __init__(self, name: str, doc: str, more: str, value: bool):
        self.what = doc
        self.set_doc = f"Set {doc}."
        self.show_doc = f"Show {doc}."
        self.__doc__ = more
        super().__init__(f"jitscope {name}", gdb.COMMAND_DATA, gdb.PARAM_BOOLEAN)
        self.value = value

    def get_set_string(self) -> str:
        return ""

    def get_show_string(self, value: str) -> str:
        return f"{self.what[:1].upper()}{self.what[1:]} is {value}."


def create() -> None:
    SetJitscope()
    ShowJitscope()
    Switch(
        "enabled",
        "whether jitscope corrects compiled objects",
        "When off, objects that are registered from now on go to GDB as the compiler made them.",
        True,
    )
    Switch(
        "conditions",
        "whether conditions of breakpoints in compiled Python are Python",
        "When off, GDB reads the conditions that are set from now on as C.",
        True,
    )
    Switch(
        "expressions",
        "whether `print` in compiled Python reads Python",
        "When off, GDB reads what `print` is given as C; `jit print` reads Python in any case.",
        True,
    )
    Switch("debug", "whether jitscope's errors come with a traceback", "For reports of what went wrong.", False)
    Switch(
        "digits",
        "whether floats in arrays are shown with all their digits",
        "When off, arrays read as repr() writes them: NumPy rounds to eight digits. JSON always has all.",
        False,
    )
    Switch("notes", "whether a stop is explained", "When on, a fault in compiled code is explained in a line.", True)
    Switch(
        "thread-names",
        "whether threads are named by what they run in a parallel loop",
        "When on, `info threads` shows a worker's loop, index and chunk as its name while it is stopped.",
        True,
    )
