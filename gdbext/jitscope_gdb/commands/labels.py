"""The labels that replace a value or follow it, for `jit help LABEL`; docs/glossary.md has the same texts."""

from __future__ import annotations

from typing import NamedTuple


class Label(NamedTuple):
    """A label as a user sees it, its meaning, and what to do."""

    text: str
    meaning: str
    advice: str


LABELS = (
    Label(
        "<unassigned>",
        "No path to this line has assigned the variable. `jit locals`, `jit args`, `jit print` and `jit bt "
        "-full` show it, for compiled frames and for Python frames.",
        "Run to a line after the assignment (`next`).",
    ),
    Label(
        "<optimized out>",
        "The variable has a value, and no register or memory holds it any more. In GDB's own commands it also"
        " means that the variable is not assigned yet, or that its value is unknown.",
        "Type `jit why NAME`. At level `exact`, start the program under the debugger, or set "
        "`JITSCOPE_LEVEL=steps`; in stock code set `NUMBA_OPT=0`. `jit why` advises nothing where no setting "
        "helps.",
    ),
    Label(
        "<unknown: REASON>",
        "The compiler's description cannot be trusted at this place, or the memory holds something that is no"
        " valid value.",
        "Type `jit why NAME`: it says the reason, and the setting that helps where there is one.",
    ),
    Label(
        "<unknown: the caller's code does not show where the TYPE is>",
        "`finish` and `jit finish` cannot locate the result, or cannot name its type (`<unknown: the debug "
        "information does not name its type>`).",
        "Type `next` in the caller: the line shows what it assigns.",
    ),
    Label(
        "chunk <unknown: REASON>",
        "`jit threads` cannot prove which chunk a worker runs. The index is `<unknown: its value is "
        "outside of this chunk>` or `<unknown: the compiler says nothing of NAME>` where it cannot be proved.",
        "Install jitscope in the program's environment, which records the chunks.",
    ),
    Label(
        "<unreadable: ADDRESS (N bytes)>",
        "The program's memory cannot be read at this address: it is not mapped, or a core does not contain it.",
        "Check the pointer (`jit array`, `info proc mappings`); write cores with all memory.",
    ),
    Label(
        "<elements may be older: the loop at FILE:LINE keeps them in registers>",
        "The value is what the memory has. The source has stored to these elements in the running loop, and "
        "the store may not have reached the memory. A condition that reads such elements is an error. `-json`"
        " gives the state `older`.",
        "Stop after the loop, or use level `steps` under a debugger, or `NUMBA_OPT=0`.",
    ),
    Label(
        "<elements may be older: the compiler has left out or moved the statement at FILE:LINE>",
        "The named statement is in no loop. It has no instruction that stores, or it stores later than its "
        "line, so that what it stores may be missing.",
        "Use level `steps`, or `NUMBA_OPT=0`; a store that Numba itself has removed never happens.",
    ),
    Label(
        "<elements may be older or newer: the compiler has moved the statement at FILE:LINE>",
        "The named statement is below the current line, and what it stores may be in memory already.",
        "Stop after the named statement, or use level `steps`, or `NUMBA_OPT=0`.",
    ),
    Label(
        "<elements may be older or newer: the statement at FILE:LINE may be moved where it is inlined>",
        "The function was compiled without debug information (level `lines`) and is inlined here, so that "
        "nothing says where its statements begin. What the named statement stores may be in memory or not.",
        "Set a breakpoint in the function: the running program compiles it for stepping at its next call from Python.",
    ),
    Label(
        "<elements that the current iterations store may be older or newer: the loop at FILE:LINE runs "
        "several at once>",
        "The loop runs several iterations at once. The elements that these iterations store may differ from "
        "the source; the other elements do not.",
        "Stop after the loop, or use level `steps`, or `NUMBA_OPT=0`.",
    ),
    Label(
        "<elements that the loop at FILE:LINE stores may be older or newer: its iterations run at once>",
        "The frame is in the body of a parallel loop. Other iterations run at once, and Numba may fill the "
        "array in the same loop.",
        "Look at the array after the loop (`jit finish -region`).",
    ),
    Label(
        "...",
        "The value goes on, and the rest was left out: by `set print elements`, by `set width`, or by the "
        "bound of what one value may read. In `jit bt` it also replaces a structure that a native function "
        "was called with. `{...}` replaces what is nested too deeply.",
        "Raise `set print elements`, or print a part (`jit print a[500:600]`); `jit args` shows arguments in full.",
    ),
    Label(
        "<repeats N times>",
        "Ten or more equal elements follow one another, and are shown once.",
        "Nothing has to be done; `jit print a[3]` shows one element.",
    ),
    Label(
        "<CLASS object at 0x…>",
        "The object's class has a `__repr__` that jitscope does not know, and no code of the program runs to "
        "find the text. `<pyobject at 0x…>` is an object of an interpreter whose structures are not known.",
        "Print an attribute (`jit print o.name`), or all attributes (`-json`).",
    ),
    Label(
        "no debug info",
        "`jit functions` shows this in place of the file and line of a function that was compiled without "
        "debug information: a function of Numba's own library, or any function of a program without jitscope.",
        "Install jitscope where the program runs: all functions then have their lines. Or compile with "
        "`@njit(debug=True)`, or set `NUMBA_DEBUGINFO=1` in the program's environment.",
    ),
    Label(
        "lines",
        "`jit functions` shows this as the level of a function that was compiled without debug information, and to "
        "which jitscope has added its lines. Its machine code is Numba's own, so that most variables have a label.",
        "Set a breakpoint in the function, or type `jit level FUNCTION steps`: the running program compiles it for "
        "stepping at its next call from Python. Under GDB your own functions are compiled for stepping at once.",
    ),
    Label(
        "stock (fastmath)",
        "`jit functions` shows this as the level of a function that the hook leaves as Numba makes it, "
        "because its results would change.",
        "Ask for `steps` explicitly (`@jitscope.steps`); the results may then differ.",
    ),
    Label(
        "a loop that Numba has made",
        "`jit threads` shows this for a parallel loop that is in no line of the function's source, such as "
        "`a.sum()` with `parallel=True`.",
        "Nothing has to be done.",
    ),
    Label(
        "leaves NAME, raised at PLACE",
        "`jit catch` has stopped where the exception leaves the function. The compiler has merged several "
        "`raise` statements, so the line of this stop is not the line that raised.",
        "PLACE is the line where it is known; use the compiler hook or `NUMBA_OPT=0` to stop at each `raise`.",
    ),
)


def words(text: str) -> str:
    """Return the text in the form in which labels are compared: without brackets and signs, in lower case."""
    return " ".join("".join(c if c.isalnum() else " " for c in text).lower().split())


def find(text: str) -> list[Label]:
    """Return the labels that begin with the text, or with which the text begins; a user has typed or copied it."""
    asked = words(text)
    if not asked:
        return [label for label in LABELS if label.text == text.strip()]
    found = [label for label in LABELS if words(label.text).startswith(asked)]
    return found or [label for label in LABELS if asked.startswith(words(label.text.partition(":")[0]) or "\0")]
