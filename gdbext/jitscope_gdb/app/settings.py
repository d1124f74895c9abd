"""`set jitscope …` and `show jitscope …`."""

from __future__ import annotations

import textwrap

import gdb


class SetJitscope(gdb.Command):
    """Use this to change what jitscope does in GDB; `jit` lists its commands."""

    def __init__(self) -> None:
        super().__init__("set jitscope", gdb.COMMAND_DATA, gdb.COMPLETE_NONE, True)

    def invoke(self, argument: str, from_tty: bool) -> None:
        gdb.execute("help set jitscope")


class ShowJitscope(gdb.Command):
    """Use this to see the settings of jitscope."""

    def __init__(self) -> None:
        super().__init__("show jitscope", gdb.COMMAND_DATA, gdb.COMPLETE_NONE, True)

    def invoke(self, argument: str, from_tty: bool) -> None:
        for name in ("enabled", "conditions", "expressions", "debug", "digits", "notes", "recompile", "thread-names"):
            gdb.execute(f"show jitscope {name}")


class Switch(gdb.Parameter):
    """`when`: the sentence that says when one wants to change the setting; `more`: what the change does; `what`: what
    the setting decides."""

    set_doc = show_doc = ""

    def __init__(self, name: str, what: str, when: str, more: str, value: bool):
        self.what = what
        self.set_doc = f"{when}\nUsage: set jitscope {name} on|off\n"
        self.show_doc = f"Show {what}.\nUsage: show jitscope {name}\n"
        more = textwrap.fill(f"{more} It is {'on' if value else 'off'} at first.", 88)
        self.__doc__ = more  # `help set` and `help show` append it to the texts above
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
        "Turn this off to see compiled objects as the compiler made them.",
        "When off, GDB reads objects that are registered from now on as they are.",
        True,
    )
    Switch(
        "conditions",
        "whether conditions of breakpoints in compiled Python are Python",
        "Turn this off to write conditions of breakpoints in C.",
        "When off, GDB reads the conditions that are set from now on as C.",
        True,
    )
    Switch(
        "expressions",
        "whether `print` in compiled Python reads Python",
        "Turn this off when `print` in compiled Python must read C.",
        "When off, GDB reads what `print` is given as C; `jit print` reads Python in any case.",
        True,
    )
    Switch(
        "debug",
        "whether jitscope's errors come with a traceback",
        "Turn this on when jitscope itself fails, to report where.",
        "When on, an error of jitscope comes with a traceback.",
        False,
    )
    Switch(
        "digits",
        "whether floats in arrays are shown with all their digits",
        "Turn this on to see all digits of the floats in an array.",
        "When off, arrays read as repr() writes them: NumPy rounds to eight digits. JSON always has all.",
        False,
    )
    Switch(
        "notes",
        "whether a stop is explained",
        "Turn this off when the explanation below a stop is in the way.",
        "When on, a fault in compiled code is explained in a line.",
        True,
    )
    Switch(
        "recompile",
        "whether a breakpoint has its function compiled for stepping",
        "Turn this off when breakpoints must leave running functions as they are.",
        "When on, and the program has jitscope installed, it compiles the function anew where Python calls it next; "
        "the other code is called again once the debugger has gone.",
        True,
    )
    Switch(
        "thread-names",
        "whether threads are named by what they run in a parallel loop",
        "Turn this off to see the threads' own names in `info threads`.",
        "When on, `info threads` shows a worker's loop, index and chunk as its name while it is stopped.",
        True,
    )
