"""The runtime in a process without a debugger, and calls of it that collide."""

from __future__ import annotations

import re
import subprocess

from tests.attach.terminal import PROMPT, ask, clean, on_terminal, program
from tests.gdb.harness import environment, line_of
from tests.interpreters import first_gdb, newest_python


def python(code: str, **env: str) -> subprocess.CompletedProcess[str]:
    found = environment({"JITSCOPE_GDB": first_gdb(), **env})
    return subprocess.run([newest_python(), "-c", code], env=found, capture_output=True, text=True, timeout=100)


def test_numba_alone_is_left_alone() -> None:
    """With JITSCOPE=0 the functions are Numba's own, which would sleep."""
    code = (
        "import numba\nnumba.njit(lambda: 1)()\nfrom numba.misc import gdb_hook\n"
        "print(gdb_hook.gen_gdb_impl.__module__, gdb_hook.gen_bp_impl.__module__)"
    )
    assert python(code, JITSCOPE="0").stdout == "numba.misc.gdb_hook numba.misc.gdb_hook\n"
    assert python(code).stdout == "jitscope.compiler.services.numba_gdb jitscope.compiler.services.numba_gdb\n"


def test_what_compiled_code_may_not_say() -> None:
    code = (
        "import jitscope, numba\n"
        "for f in (lambda x: jitscope.attach(x), lambda x: jitscope.breakpoint_if('a'), lambda x: numba.gdb(x)):\n"
        "    try:\n        numba.njit(f)(3)\n    except numba.core.errors.NumbaError as error:\n"
        "        print('literal' in str(error).lower() or 'number or a bool' in str(error))\n"
    )
    assert python(code).stdout == "True\n" * 3


TWICE = (
    "import numba\nfrom numba import gdb, gdb_init\n"
    "@numba.njit(debug=True)\n"
    "def f(a):\n"
    "    gdb('-ex', 'continue', '-ex', 'info locals', '-ex', 'continue')\n"
    "    b = a + 1\n"
    "    gdb()\n"
    "    gdb_init()\n"
    "    return b\n"
    "try:\n    print('result', f(1))\nexcept numba.core.errors.UnsupportedError as error:\n    print(error)\n"
)


def test_a_second_call_in_one_function_only_stops() -> None:
    done = python(TWICE, JITSCOPE_LEVEL="exact")
    assert done.stdout.count("hit jitscope.breakpoint()") == 2 and "result 2" in done.stdout, done
    assert "b = 2" in done.stdout and "jitscope: " not in done.stderr, done


def test_numbas_own_rule_stays_without_the_hook() -> None:
    assert "more than once in a function is unsupported" in python(TWICE, JITSCOPE_LEVEL="stock").stdout


def test_keywords_in_compiled_code() -> None:
    code = (
        "import jitscope, numba\n"
        "@numba.njit\ndef f(n):\n    a = jitscope.attach(wait=n * 0.1)\n"
        "    return a, jitscope.attach(stop=False, wait=None), jitscope.attach(wait=False)\n"
        "print(f(3))"
    )
    done = python(code)
    assert done.stdout == "(False, False, False)\n", done
    assert "nobody has attached" in done.stderr and done.stderr.count("no terminal for GDB here") == 3, done


def test_a_cached_function_stops_too(tmp_path) -> None:  # type: ignore[no-untyped-def]
    """The code of the second run comes from Numba's cache, and its symbols are found again."""
    path = tmp_path / "kept.py"
    path.write_text(
        "import numba, jitscope\n@numba.njit(debug=True, cache=True)\ndef foo(a):\n    jitscope.breakpoint()\n"
        "    return a\njitscope.attach('-batch', '-ex', 'continue', stop=False)\nprint('result', foo(1))\n"
    )
    for _ in range(2):
        done = subprocess.run(
            [newest_python(), str(path)],
            env=environment({"JITSCOPE_GDB": first_gdb()}),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=100,
        )
        assert re.search(r"hit jitscope\.breakpoint\(\), foo \(a=.*\) at .*kept\.py:4$", done.stdout, re.M), done


def test_a_forked_child_starts_its_own_debugger() -> None:
    code = (
        "import jitscope, os, sys\n"
        "jitscope.attach('-batch', '-ex', 'echo parent\\n')\n"
        "if os.fork() == 0:\n    jitscope.attach('-batch', '-ex', 'echo child\\n')\n    os._exit(0)\n"
        "print(f'status {os.wait()[1]}')"  # one write, since GDB writes there, too
    )
    done = python(code)
    assert "status 0" in done.stdout and re.search("parent[\\s\\S]*child", done.stdout), done


def test_many_threads_at_once_share_one_debugger() -> None:
    code = (
        "import jitscope, threading\n"
        'ask = lambda: print(f\'{jitscope.attach("-ex", "continue", "-ex", "continue", "-ex", "continue",'
        ' "-ex", "continue", "-ex", "continue")}\\n\', end=\'\', flush=True)\n'
        "threads = [threading.Thread(target=ask) for _ in range(4)]\n"
        "[t.start() for t in threads]; [t.join() for t in threads]\nprint('end')"
    )
    done = python(code)
    assert done.stdout.count("hit jitscope.breakpoint()") == 4 and done.stdout.count("True") == 4, done
    assert "end" in done.stdout and not re.search("jitscope: ", done.stderr), done


def test_where_stops_are_when_gdb_starts_the_program() -> None:
    """Nothing is started, because GDB with jitscope is there already."""
    with on_terminal(
        [first_gdb(), "-q", "-nx", "-iex", "set style enabled off", "-ex", f"source {_source()}", "--args"]
        + program("asks.py", "compiled", "123")
    ) as child:
        child.expect_exact(PROMPT)
        first = ask(child, "run")
        line = line_of("asks.py", "attach")
        assert re.search(rf"hit jitscope\.breakpoint\(\), compiled \(a=123\) at .*asks\.py:{line}$", first, re.M), first
        child.sendline("kill")


def _source() -> str:
    from tests.interpreters import JITSCOPE

    return str(JITSCOPE)


def test_a_wait_ends_when_somebody_attaches() -> None:
    code = "import jitscope\nprint(jitscope.attach(wait=50), flush=True)"
    process = subprocess.Popen(
        [newest_python(), "-c", code],
        env=environment({}),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stderr is not None
        found = re.search(r"gdb -p (\d+)$", process.stderr.readline().strip())
        assert found and int(found[1]) == process.pid
        with on_terminal([first_gdb(), "-q", "-ex", f"source {_source()}", "-p", found[1]]) as child:
            child.expect_exact(PROMPT)
            shown = ask(child, "continue")
            assert re.search(r"hit jitscope\.breakpoint\(\), <module> \(\) at <string>:2", shown), clean(shown)
            ask(child, "detach")
        assert process.communicate(timeout=30)[0] == "True\n"
    finally:
        process.kill()
        process.wait()
