"""The `jit` commands, and how LLDB learns of them."""

from __future__ import annotations

from typing import Any

from jitscope_shared import __version__, worker_text
from jitscope_shared.base import array_text, native, stack_text
from jitscope_shared.base.escaping import plain
from jitscope_shared.commands import options
from jitscope_shared.functions import function_text
from jitscope_shared.variable_choice import ALL, ARGUMENTS

from .. import (
    faults,
    joined_stack,
    native_frames,
    python_frames,
    threads,
    variables,
    workers,
)
from ..jit_objects import of as objects_of
from ..report import Problem
from .base import Command, json_text, place, selected_frame, selected_thread
from .breakpoints import Break, Catch, Tbreak
from .parallel import Region
from .running import Finish


class Locals(Command):
    """Use this to see the variables here, each with its value or a label.
    Usage: jit locals [-versions] [-json]

    The variables are those of the selected frame, arguments included. In a frame of the
    interpreter they are those of the Python frame that it runs. Values are written as
    repr() writes them, without running code of the program.
      -versions  show each of the compiler's versions of a variable, with the line
                 that assigned it
      -json      write JSON, as docs/schema/locals.json says
    A variable without a value has a label: <unassigned>, <optimized out> or <unknown: …>.
    `jit why NAME` says why."""

    name = "locals"
    options = ("-versions", "-json")
    which = ALL

    def run(self, debugger: Any, debuggee: Any, arguments: options.Arguments) -> str:
        frame, python = place(debuggee)
        if python is not None:
            found = python_frames.read(debuggee, [python["address"]], self.which)[0]
        else:
            found = variables.read(debuggee, frame, self.which, "-versions" in arguments)
        if "-json" in arguments:
            return json_text(found)
        shown = stack_text.variables(found) or ["No arguments." if self.which == ARGUMENTS else "No variables."]
        if python is not None:
            where = f" at {python['file']}:{python['line']}" if python["file"] else ""
            shown.insert(0, plain(f"Python frame {python['name']}{where}:"))
        return "\n".join(shown)


class Args(Locals):
    """Use this to see what the function was called with.
    Usage: jit args [-json]

    It shows the arguments of the selected frame as `jit locals` does.
      -json      write JSON, as docs/schema/locals.json says"""

    name = "args"
    options = ("-json",)
    which = ARGUMENTS


class Print(Command):
    """Use this to see an element, a slice or any Python expression.
    Usage: jit print [-json] [--] EXPR

    EXPR is Python over the variables of the selected frame and the names that its
    function takes from its module. Everything is read from memory: nothing runs in the
    program, so it works on cores. Arrays work as NumPy's.
      -json   write JSON, as docs/schema/print.json says

    Example, where a is array([0., 1., 2.]):
      (lldb) jit print a[1:] * 10
      array([10., 20.])"""

    name = "print"
    options = ("-json",)
    takes_argument = True
    is_expression = True
    abbreviates = False  # because `-j` is an expression

    def run(self, debugger: Any, debuggee: Any, arguments: options.Arguments) -> str:
        frame, python = place(debuggee)
        if python is not None:
            found = python_frames.evaluate(debuggee, python["address"], arguments.rest)
        else:
            found = variables.evaluate(debuggee, frame, arguments.rest)
        if "-json" in arguments:
            return json_text(found)
        if found.get("error"):
            raise variables.error_of(found)
        return plain(found["text"])


class Array(Command):
    """Use this when an array looks wrong: shape, NaNs, range, overlaps.
    Usage: jit array [OPTION]... [--] EXPR

    EXPR is an expression as for `jit print`. min, max, mean and std leave NaNs out.
      -slice 'I, J:K'   look at this part only: EXPR[I, J:K]
      -where 'x < 0'    count the elements that fulfil a condition, in which x is the
                        array, and show the first ones with their indices
      -diff OTHER       show where it differs from another array
      -save FILE        write the elements to FILE.npy or FILE.csv
      -json             write JSON, as docs/schema/array.json says"""

    name = "array"
    valued = ("-slice", "-where", "-diff", "-save")
    options = (*valued, "-json")
    takes_argument = True
    is_expression = True

    def run(self, debugger: Any, debuggee: Any, arguments: options.Arguments) -> str:
        path = arguments.values.get("-save", "")
        if path and not path.endswith((".npy", ".csv")):
            raise Problem(f"-save writes .npy and .csv files, and {path} is neither")
        frame = native_frames.expect_compiled(debuggee, selected_frame(debuggee))
        found = variables.examine(debuggee, frame, arguments.rest, arguments.values)
        if "-json" in arguments:
            return json_text(found)
        if found["error"]:
            raise variables.error_of(found)
        shown = array_text.lines(found)
        return "\n".join([*shown, f"Saved {path}"] if path else shown)


class Why(Command):
    """Use this when a value is missing.
    Usage: jit why [-json] NAME

    It says why the variable has no exact value here, and names the one setting that
    helps, where there is one.
      -json   write JSON, as docs/schema/why.json says"""

    name = "why"
    options = ("-json",)
    takes_argument = True
    is_expression = True

    def run(self, debugger: Any, debuggee: Any, arguments: options.Arguments) -> str:
        frame = native_frames.expect_compiled(debuggee, selected_frame(debuggee))
        name = arguments.rest
        found = variables.why(debuggee, frame, name)
        if found["state"] == "unassigned" and (not debuggee.is_live or faults.is_here(selected_thread(debuggee))):
            found["advice"] = ""  # nothing steps on in a core, or where the program ends
        if "-json" in arguments:
            return json_text(found)
        shown = [f"{name} is {found['state'].replace('-', ' ')}" + (f": {found['why']}" if found["why"] else "")]
        shown += [found[key] for key in ("elements", "advice") if found.get(key)]
        return "\n".join(shown)


class Bt(Command):
    """Use this to see how the program got here, Python frames included.
    Usage: jit bt [-full] [-all] [-json]

    Python frames are marked [py]. The number in [frame N] is LLDB's, for `frame select`.
      -full  show each frame's variables, too
      -all   show the frames of wrappers, dispatcher, interpreter and pool, too
      -json  write JSON, as docs/schema/bt.json says"""

    name = "bt"
    options = ("-full", "-all", "-json")

    def run(self, debugger: Any, debuggee: Any, arguments: options.Arguments) -> str:
        stack = joined_stack.Stack(debuggee, selected_thread(debuggee), "-all" in arguments, "-full" in arguments)
        found = joined_stack.numbered(stack)
        python_frames.fill(debuggee, found, "-full" in arguments)
        thread = selected_thread(debuggee)
        others = workers.others(debuggee, thread)
        if not found:
            stack.notes.append("the thread runs no Python and no code of the program's; `jit bt -all` shows its frames")
        if "-json" in arguments:
            number = int(thread.GetIndexID())
            return json_text(
                {"thread": number, "frames": found, "more": False, "notes": stack.notes, "workers": others}
            )
        shown, is_elsewhere = [], False  # frames of another thread have no number in this one
        for entry in stack_text.folded(found):
            is_elsewhere = is_elsewhere or entry["kind"] == "region"
            number, index = entry.get("frame"), entry.get("index")
            is_other = not is_elsewhere and number is not None and number != index
            shown += stack_text.lines(entry, mark=f" [frame {entry['frame']}]" if is_other else "")
        shown += [f"({note})" for note in stack.notes]
        shown += ["--- the other workers ---", *worker_text.table_of(others)] if others else []
        return "\n".join(shown)


class Functions(Command):
    """Use this to see which functions are compiled, for which types.
    Usage: jit functions [-types] [-all] [-json] [REGEX]

    Each line has a function's signature, file and line, kind, level and addresses. REGEX
    (POSIX extended) chooses the functions whose name it matches.
      -types  show the mode, the type of the result, and each variable's type, too
      -all    list the wrappers that the compiler makes, too
      -json   write JSON, as docs/schema/functions.json says"""

    name = "functions"
    options = ("-types", "-all", "-json")
    takes_argument = True

    def run(self, debugger: Any, debuggee: Any, arguments: options.Arguments) -> str:
        match = arguments.rest.encode() if arguments.rest else None
        types, everything = "-types" in arguments, "-all" in arguments
        try:
            found = native.json_of("js_program_functions", debuggee.program, match, int(types), int(everything))
        except native.NativeError as error:
            if error.status == native.EARG:
                raise Problem(f"{arguments.rest!r} is no regular expression") from None
            raise
        if "-json" in arguments:
            return json_text(found)
        if not found:
            return "No compiled functions" + (f" match {arguments.rest!r}." if match else ".")
        return "\n".join(function_text.lines(found, types))


class Threads(Command):
    """Use this when the program hangs, or to see what each thread does.
    Usage: jit threads [-json]

    A worker's line has its number in its threading layer (in order of creation; the
    thread that starts a loop is 0 if it works, too), the loop, its index, its chunk of
    iterations, its line, and how many iterations of the chunk are done. What is not known
    has a label. Other lines name idle threads of the pool, threads that wait for their
    workers, and Python's threads: each has its innermost function, whether it holds the
    interpreter's lock (the GIL), and which lock, notification or queue it waits for.
      -json  write JSON, as docs/schema/threads.json says"""

    name = "threads"
    options = ("-json",)

    def run(self, debugger: Any, debuggee: Any, arguments: options.Arguments) -> str:
        threads.learn_names(debuggee)  # which LLDB has no event for where it attaches
        if "-json" in arguments:
            return json_text(workers.all_threads(debuggee))
        return "\n".join(threads.lines(debuggee, debuggee.process.GetSelectedThread()))


class Status(Command):
    """Use this first when names, values or breakpoints do not work.
    Usage: jit status

    It shows the process, and what is known of its compiled code."""

    name = "status"
    needs_process = False

    def run(self, debugger: Any, debuggee: Any, arguments: options.Arguments) -> str:
        shown = [f"jitscope {__version__}, {debugger.GetVersionString().splitlines()[0]}"]
        if debuggee is None:
            return "\n".join([*shown, "missing: no process: run or attach to a program, or open a core"])
        python = debuggee.python()
        version = native.json_of("js_python_threads_json", python)["version"] if python is not None else None
        kind = "process" if debuggee.is_live else "core of process"
        shown.append(f"{kind} {debuggee.pid}" + (f", CPython {version}" if version else ""))
        functions = native.json_of("js_program_functions", debuggee.program, None, 0, 0)
        described = sum(1 for each in functions if each["debug_info"])
        shown.append(
            f"compiled objects: {objects_of(debuggee).count}, functions: {len(functions)}, "
            f"with debug information: {described}"
        )
        if objects_of(debuggee).untouched:
            shown.append(
                f"objects without code that is known here: {objects_of(debuggee).untouched}; LLDB reads them after "
                "`settings set plugin.jit-loader.gdb.enable on` and `run`"
            )
        shown += [f"missing: {debuggee.python_problem}"] if debuggee.python_problem else []
        return "\n".join(shown)


class Help(Command):
    """Use this to find a command.
    Usage: jit help [COMMAND]"""

    name = "help"
    takes_argument = True
    needs_process = False

    def run(self, debugger: Any, debuggee: Any, arguments: options.Arguments) -> str:
        known = {command.name: command(debugger, None) for command in COMMANDS}
        if arguments.rest in known:
            return known[arguments.rest].get_long_help()
        if arguments.rest:
            raise Problem(f"there is no `jit {arguments.rest}`; `jit help` lists the commands")
        width = max(map(len, known))
        rows = [f"  jit {name:<{width}}  {each.get_short_help()}" for name, each in known.items()]
        return "\n".join(["LLDB's own commands work on compiled Python. For the rest, type", *rows])


COMMANDS: tuple[type[Command], ...] = (
    Bt, Locals, Args, Print, Array, Functions, Break, Tbreak, Catch, Finish, Threads, Region, Status, Why, Help,
)  # fmt: skip


def create(debugger: Any) -> None:
    """Make `jit` and its commands known to LLDB."""
    debugger.HandleCommand("command container add jit -h 'Debug compiled Python as the source that you wrote.'")
    for command in COMMANDS:
        debugger.HandleCommand(f"command script add -c {command.__module__}.{command.__name__} jit {command.name}")
