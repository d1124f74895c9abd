"""The one file to import in LLDB, by `command script import …/lldbext/jitscope_lldb.py` at the prompt, in .lldbinit or
in an editor's initCommands; `jit help` says more."""

import glob
import os
import re
import sys

_HERE = os.path.dirname(os.path.realpath(os.path.expanduser(__file__)))


def _repair_lldb():
    """Find the Python module of Debian's LLDB 14, which looks for it in a folder that does not exist, and make the
    functions known by which LLDB runs Python."""
    import lldb

    if hasattr(lldb, "SBDebugger"):
        return
    python = "python%d.%d" % sys.version_info[:2]
    for folder in sorted(glob.glob("/usr/lib/llvm-" + _version() + "/lib/" + python + "/*-packages")):
        if os.path.isfile(os.path.join(folder, "lldb", "embedded_interpreter.py")):
            sys.modules.pop("lldb", None)
            sys.path.insert(0, folder)
            break
    else:
        raise ImportError("this LLDB has no Python module `lldb`: install Debian's python3-lldb, or set PYTHONPATH")
    import lldb
    from lldb import embedded_interpreter

    import __main__

    __main__.lldb = lldb
    __main__.run_one_line = embedded_interpreter.run_one_line
    __main__.run_python_interpreter = embedded_interpreter.run_python_interpreter


def _version():
    """Return the first number of the LLDB whose library this process runs, as its file's name has it; "" else."""
    with open("/proc/self/maps") as maps:
        found = re.search(r"/liblldb-(\d+)\.", maps.read())
    return found.group(1) if found else ""


def _start(debugger, names):
    if sys.version_info < (3, 8):
        return "this LLDB's Python is %d.%d; jitscope needs 3.8 or later" % sys.version_info[:2]
    shared = os.path.join(os.path.dirname(_HERE), "gdbext")
    if not os.path.isdir(os.path.join(_HERE, "jitscope_in_lldb")) or not os.path.isdir(shared):
        return "%s is not complete: run scripts/setup in %s" % (_HERE, os.path.dirname(_HERE))
    for folder in (_HERE, shared):
        if folder not in sys.path:
            sys.path.append(folder)
    try:
        from jitscope_in_lldb import startup
    except Exception as error:  # half an installation must not break someone's .lldbinit
        return "%s/jitscope_in_lldb cannot be loaded: %s: %s" % (_HERE, type(error).__name__, error)
    names.setdefault("lldb", sys.modules["lldb"])
    names["jitscope_in_lldb"] = sys.modules["jitscope_in_lldb"]  # LLDB finds functions by these names
    return startup.start(debugger, _HERE)


_repair_lldb()


def __lldb_init_module(debugger, names):
    problem = _start(debugger, names)
    if problem:
        print("jitscope: " + problem.replace("\n", " "))
