"""The terms of the commands and documents, for `jit help TERM`. `python -m tests.readme.commands` writes them into
docs/glossary.md, too."""

from __future__ import annotations

from typing import NamedTuple

from .labels import words


class Term(NamedTuple):
    """A term, what it means, and what to type next. `also`: other words for it, by which a user may ask."""

    name: str
    meaning: str
    advice: str
    also: tuple[str, ...] = ()


TERMS = (
    Term(
        "chunk",
        "A chunk is the range of iterations that one call of a parallel loop's body runs in one worker.",
        "`jit threads` shows each worker's chunk.",
    ),
    Term(
        "compiler hook",
        "The compiler hook is the part of jitscope that Numba loads in the program, and that makes exact debug "
        "information (docs/compiler-hook.md).",
        "`jit status` says whether the program has it.",
        ("hook",),
    ),
    Term(
        "condition",
        "A condition is an expression that decides whether a breakpoint stops; at compiled Python it is a Python "
        "expression.",
        "`break FILE:LINE if i > 3` sets one, `condition N i > 3` changes it, and `help break` has the details.",
    ),
    Term(
        "core",
        "A core is a file with the memory and the registers of a process, which GDB opens like a stopped process.",
        "`generate-core-file` writes one, and `jitscope core FILE` in a shell opens it.",
    ),
    Term(
        "corrected object",
        "A corrected object is the ELF file with true DWARF that jitscope writes for GDB in place of the compiler's "
        "object.",
        "`set jitscope enabled off` before `run` leaves the compiler's own objects.",
    ),
    Term(
        "described code",
        "Described code is code of any JIT that registers its functions by `jitscope.h` (docs/descriptor.md).",
        "`jit functions` lists it with Numba's functions.",
    ),
    Term(
        "flow",
        "The flow is what the source of one function says: assignments that reach each line, loops, formulas and "
        "subscripts (docs/schema/flow.json).",
        "`jit why NAME` says what follows from it.",
    ),
    Term(
        "formula",
        "A formula is the Python expression from which a variable that is not kept can be computed.",
        "`jit why NAME` shows it.",
    ),
    Term(
        "frame",
        "A frame is one call of a function on a thread's stack, with its arguments and variables.",
        "`jit bt` shows the frames, and `jit frame N` selects one.",
    ),
    Term(
        "front end",
        "A front end is a program that shows GDB's work, such as VS Code or Emacs, and talks to GDB by MI or DAP.",
        "docs/vscode.md says how to set up VS Code.",
    ),
    Term(
        "gather",
        "To gather workers is to run on until all workers of a parallel loop wait at one place.",
        "In a parallel loop type `jit gather LINE`, with a line of its body; `help jit gather` has the details.",
    ),
    Term(
        "home",
        "A home is the stack slot in which unoptimised code keeps a variable.",
        "`jit locals` reads it; set `NUMBA_OPT=0` in the program's environment to have unoptimised code.",
    ),
    Term(
        "inferior",
        "The inferior is the process that GDB debugs.",
        "`info inferiors` lists those that GDB has, and `inferior N` selects one.",
    ),
    Term(
        "inlined frame",
        "An inlined frame is a frame of a function whose code the compiler has copied into its caller.",
        "`up` and `down` select it like any other frame.",
    ),
    Term(
        "iteration",
        "An iteration is one run of a loop's body.",
        "`jit next-iteration` runs to the next one.",
    ),
    Term(
        "kernel",
        "A kernel is the function that Numba makes of a parallel loop's body; it is shown as `foo.prange`.",
        "`break foo.prange` stops at its start, and `jit functions` lists it.",
    ),
    Term(
        "label",
        "A label is a text in angle brackets that replaces a value, or that follows a value to qualify it.",
        "`jit help <unassigned>` explains a label, and `jit why NAME` says the reason for one.",
    ),
    Term(
        "layout",
        "A layout says how a type lies in memory and which member plays which role, such as data, shape or length.",
        "`print` and `jit print` read values by it; `jit array EXPR` shows that of an array.",
    ),
    Term(
        "level",
        "The level of a function says how it was compiled for debuggers: `stock`, `lines`, `exact` or `steps`.",
        "`jit functions` shows each function's level, and `jit help steps` explains one.",
    ),
    Term(
        "level `exact`",
        "At `exact` a function runs at full speed and keeps its variables, except in innermost loops of plain "
        "arithmetic.",
        "Start the program with `jitscope run --level exact`, or set `JITSCOPE_LEVEL=exact`.",
        ("exact",),
    ),
    Term(
        "level `lines`",
        "At `lines` a function without debug information is as Numba makes it, and has its lines, so that mostly its "
        "arguments alone have values.",
        "A breakpoint in it, or `jit level FUNCTION steps`, has a running program compile it for stepping; under GDB "
        "your own functions are compiled so at once.",
    ),
    Term(
        "level `steps`",
        "At `steps` every executed line is a stop and every assigned variable is kept (with a plain `@njit`, except "
        "some that nothing reads later); a debugger that is there at compilation selects this level.",
        "Start the program under GDB, or set `JITSCOPE_LEVEL=steps`, or write `@jitscope.steps` above one `@njit`.",
        ("steps",),
    ),
    Term(
        "level `stock`",
        "At `stock` a function is as Numba makes it without the hook, and jitscope corrects its debug information in "
        "GDB.",
        "Install jitscope in the program's environment to have the hook, or set `JITSCOPE_LEVEL=stock` to do without.",
        ("stock",),
    ),
    Term(
        "lifted loop",
        "A lifted loop is a loop of an object-mode function that Numba compiles as a function of its own.",
        "`jit functions` lists it.",
    ),
    Term(
        "location",
        "The location of a variable is the rule by which its value is found at an address: a register, a slot or a "
        "computation.",
        "`info address NAME` shows GDB's.",
    ),
    Term(
        "marker",
        "A marker is the instruction that the hook places at the start of a line so that the line can be stopped at.",
        "`break FILE:LINE` stops there, and `jit why FILE:LINE` says how often.",
    ),
    Term(
        "object mode",
        "Object mode is code that Numba compiles to calls of the interpreter, on Python objects.",
        "`jit functions` lists such functions, and `jit locals` shows their objects.",
    ),
    Term(
        "objfile",
        "An objfile is one file of code and symbols that GDB knows; each corrected object is an objfile.",
        "`jit functions` lists the functions of corrected objects, and `info shared` the libraries.",
    ),
    Term(
        "parallel loop",
        "A parallel loop is a `prange` loop or an array expression that Numba splits among workers (`parallel=True`).",
        "`jit threads` shows the workers in it, and `jit region` the whole loop.",
        ("prange", "parallel"),
    ),
    Term(
        "prologue",
        "The prologue is the first code of a function, which stores the arguments and sets up the stack frame.",
        "`next` runs on to the first line, where the arguments can be read.",
    ),
    Term(
        "region",
        "A region is one run of a parallel loop, from its start to the end of its last worker.",
        "`jit region` shows the one that the selected thread is in, and `jit finish -region` runs to its end.",
    ),
    Term(
        "row",
        "A row is one entry of the line table: an address, its source line, and whether a statement begins there.",
        "`maint info line-table FILE` shows GDB's rows.",
    ),
    Term(
        "slot",
        "A slot is a place in memory, usually in the stack frame, that holds one variable.",
        "`info address NAME` says whether GDB reads a variable from one.",
    ),
    Term(
        "specialisation",
        "A specialisation is the code that Numba has made of one function for one list of argument types.",
        "`jit functions` lists each, and `break NAME` stops in all of them.",
        ("specialization",),
    ),
    Term(
        "state",
        "The state of a variable at an address is `exact`, `older`, `optimized-out`, `unassigned` or `unknown`.",
        "`jit locals -json` shows the states, and `jit why NAME` says the reason for one.",
    ),
    Term(
        "thread",
        "A thread is one of the inferior's threads of execution, under the number that `info threads` shows.",
        "`jit threads` shows what each does, and `thread N` selects one.",
    ),
    Term(
        "version",
        "A version of a variable is one of the variables (`x`, `x$1`) into which Numba splits a name that is assigned "
        "several times.",
        "`jit locals -versions` shows them.",
    ),
    Term(
        "worker",
        "A worker is a thread that runs chunks of a parallel loop.",
        "`jit threads` lists the workers, `jit apply all CMD` runs a command in each, and `jit tbreak LOC -worker K` "
        "stops one.",
    ),
    Term(
        "wrapper",
        "A wrapper is the function that Numba makes to call a compiled function from Python or from C.",
        "`jit bt -all` shows the frames of wrappers.",
    ),
)


def find(text: str) -> list[Term]:
    """Return the term of this name, else those with these words in their names; `text` may be in the plural."""
    asked = words(text)
    for form in (asked, asked[:-1] if asked.endswith("s") else ""):
        exact = [term for term in TERMS if form and form in (words(term.name), *term.also)]
        found = exact or [term for term in TERMS if form and f" {form} " in f" {words(term.name)} "]
        if found:
            return found
    return []


def names() -> list[str]:
    """Return the words by which terms can be asked for."""
    return [name for term in TERMS for name in (term.name.replace("`", ""), *term.also)]
