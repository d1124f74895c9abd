"""`jitscope run`, `attach` and `core` become GDB with jitscope in it, and pass all other words on."""

from __future__ import annotations

import json
import os
import pathlib
import re
import struct
import subprocess
import sys

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from jitscope.cli.main import COMMANDS
from jitscope.cli.run import command_of
from jitscope.cores.corefile import NoCore, find_executable, open_core
from tests.gdb import harness
from tests.gdb.harness import PROGRAMS, environment, line_of
from tests.interpreters import gdbs
from tests.packaging.conftest import ROOT, Installed, clean_environment

JITSCOPE = (sys.executable, "-m", "jitscope")
QUIET = ("-nx", "-q", "-iex", "set auto-load python-scripts off", "-iex", "set debuginfod enabled off")
SCHEMA = json.loads((ROOT / "docs" / "schema" / "status.json").read_text("utf-8"))
CHK = str(PROGRAMS / "chk.py")
GDBS = pytest.mark.parametrize("gdb", gdbs().values(), ids=gdbs().keys())


def jitscope(*arguments: str | os.PathLike[str], **env: str) -> subprocess.CompletedProcess[str]:
    command = [*JITSCOPE, *map(os.fspath, arguments)]
    if "JITSCOPE_GDB" not in env:
        env["JITSCOPE_GDB"] = next(iter(gdbs().values()))
    return subprocess.run(
        command,
        env=environment(env),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def refused(done: subprocess.CompletedProcess[str], status: int = 1) -> str:
    """Return the one line of a command that did not start GDB."""
    assert done.returncode == status and done.stdout == "", done
    lines = done.stderr.splitlines()
    assert lines and (status == 2 or len(lines) == 1) and "Traceback" not in done.stderr, done.stderr
    return lines[-1]


# --- what does not exist -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["rnu", "x.py"], "jitscope: error: there is no command rnu; did you mean run?"),
        (["xyzzy"], "jitscope: error: there is no command xyzzy; `jitscope --help` lists the commands"),
        ([CHK], f"jitscope: error: there is no command {CHK}; did you mean jitscope run {CHK}?"),
        (["4242"], "jitscope: error: there is no command 4242; did you mean jitscope attach 4242?"),
        (["--verison"], "jitscope: error: there is no option --verison; did you mean --version?"),
        (["doctor", "--jsn"], "jitscope doctor: error: there is no option --jsn; did you mean --json?"),
        (["doctor", "--pyhton=x"], "jitscope doctor: error: there is no option --pyhton=x; did you mean --python?"),
        (["gdbinit", "--wirte"], "jitscope gdbinit: error: there is no option --wirte; did you mean --write?"),
        (["gdbinit", "x"], "jitscope gdbinit: error: there is no place for x"),
        (["filt", "--xyzzy"], "jitscope filt: error: there is no option --xyzzy"),
        (["run", "--levle", "exact", CHK], "jitscope run: error: there is no option --levle; did you mean --level?"),
        (["attach", "--chekc", "1"], "jitscope attach: error: there is no option --chekc; did you mean --check?"),
    ],
    ids=lambda value: value[0] if isinstance(value, list) else "",
)
def test_a_misspelled_command_or_option(words: list[str], said: str) -> None:
    done = jitscope(*words)
    assert refused(done, 2) == said and done.stderr.startswith("usage: jitscope"), done.stderr


# --- run -----------------------------------------------------------------------------------------


@GDBS
def test_run_stops_in_a_function_that_is_yet_to_be_compiled(gdb: str) -> None:
    line = line_of("chk.py", "stop")
    commands = ["-ex", f"break chk.py:{line}", "-ex", "run", "-ex", "jit locals", "-ex", "jit functions ^foo$"]
    options = ("--level", "exact", *QUIET, "-batch", *commands)
    done = jitscope("run", *options, "--", CHK, "--one", "a b", JITSCOPE_GDB=gdb)
    assert re.search(rf"hit Breakpoint 1, foo \(a=123\) at .*chk\.py:{line}", done.stdout), done.stdout + done.stderr
    assert "b = 124" in done.stdout and "c = <unassigned>" in done.stdout
    assert "  exact (command line)  " in done.stdout


INSTALLED = """from numba import njit

@njit
def packaged(n):
    more = n + 1
    return more * 2

packaged(3)
"""


BARE = "breakpoint 1 (installed_kernels.py:6) was never set: the functions of __main__ have no debug information: "
ALL_CODE = {
    (): "packaged(int64)  installed_kernels.py:4  lines",
    ("-iex", "set environment JITSCOPE_DEBUG=off"): f"{BARE}start it with `jitscope run --all-code`, or with "
    "JITSCOPE_DEBUG=all in its environment",
    ("-iex", "set environment JITSCOPE_LEVEL=stock"): f"{BARE}start it with NUMBA_DEBUGINFO=1 in its environment, or "
    "write debug=True in each @njit",
    ("--all-code",): "packaged(int64)  installed_kernels.py:4  steps (debugger)",
    ("--all-code", "--level", "exact"): "packaged(int64)  installed_kernels.py:4  exact (command line)",
    ("--level=exact", "--all-code"): "packaged(int64)  installed_kernels.py:4  exact (command line)",
}


@pytest.mark.parametrize("option", ["--guard", "--guard=own", "--guard own"])
def test_run_guard(option: str) -> None:
    words = ["run", *option.split(), *QUIET, "-batch", "-ex", "run", "--", str(PROGRAMS / "guarded.py"), "own"]
    done = jitscope(*words, JITSCOPE_LEVEL="", NUMBA_BOUNDSCHECK="0")
    assert "7 is outside axis 0 of `b` (7 elements)" in done.stdout, done.stdout + done.stderr


def test_run_guard_takes_the_next_word_if_it_is_no_program(tmp_path: pathlib.Path) -> None:
    from jitscope.cli.run import guarded_next

    script = tmp_path / "fill"
    script.write_text("", encoding="utf-8")
    for words, place in (
        (["fill", "program.py"], "fill"),
        (["program.py:12", "-m", "package"], "program.py:12"),
        (["program.py", "fill"], "1"),
        (["fill"], "1"),
        ([str(script), "12"], "1"),
        (["env", "program.py"], "1"),
        (["-m", "package"], "1"),
        (["--", "program.py"], "1"),
    ):
        assert guarded_next(words) == (place, words[1:] if place != "1" else words)


@pytest.mark.parametrize("place", ["", "12", "a b", "program.py:", ":12", "program.py:x"])
def test_run_guard_refuses_what_is_no_place(place: str) -> None:
    said = refused(jitscope("run", f"--guard={place}", CHK), status=2)
    assert said.endswith(f"error: --guard=FUNCTION and --guard=FILE:LINE say what is guarded, not {place!r}"), said


@pytest.mark.parametrize("options", ALL_CODE, ids=" ".join)
def test_run_all_code(options: tuple[str, ...], tmp_path: pathlib.Path) -> None:
    """Functions of an installed package can be debugged if that is asked for."""
    folder = tmp_path / "site-packages"
    folder.mkdir()
    (folder / "installed_kernels.py").write_text(INSTALLED)
    commands = (
        "-ex",
        "set jitscope recompile off",
        "-ex",
        "break installed_kernels.py:6",
        "-ex",
        "run",
        "-ex",
        "info locals",
        "-ex",
        "jit functions ^pack",
    )
    words = ["run", *options, *QUIET, "-batch", *commands, "--", "-m", "installed_kernels"]
    done = jitscope(*words, PYTHONPATH=str(folder), JITSCOPE_LEVEL="")
    assert ("more = 4" in done.stdout) == (len(options) > 0 and "packaged" in ALL_CODE[options]), done.stdout
    assert ALL_CODE[options] in done.stdout, done.stdout + done.stderr


@pytest.mark.parametrize("options", [("--children",), ()], ids=["children", "none"])
def test_run_children(options: tuple[str, ...]) -> None:
    """Breakpoints stop in child processes if GDB is to keep these."""
    commands = ("-ex", "break share if count == 0", "-ex", "run", "-ex", "jit bt 2", "-ex", "kill inferiors 1 2")
    words = ["run", *options, *QUIET, "-batch", *commands, "--", str(PROGRAMS / "farm.py"), "fork"]
    done = jitscope(*words, JITSCOPE_LEVEL="")
    assert ("#1  work (task=(10, 0)) at" in done.stdout) == bool(options), done.stdout + done.stderr
    assert ("was never set" in done.stderr + done.stdout) != bool(options), done.stdout + done.stderr


def test_a_debugger_that_sees_no_compiled_code() -> None:
    """If GDB reads no libraries, the program knows of GDB by the variables that `jitscope run` has set."""
    blind = (*QUIET, "-batch", "-iex", "set auto-solib-add off", "-ex", "run")
    program = ("-c", "from jitscope import stops; print('debugged:', stops.tracer() != 0, stops.is_debugged())")
    assert "debugged: True True" in jitscope("run", *blind, "--", *program).stdout
    alone = [next(iter(gdbs().values())), *blind, "--args", sys.executable, *program]
    done = subprocess.run(alone, env=environment(), capture_output=True, text=True, timeout=120)
    assert "debugged: True False" in done.stdout, done.stdout


def test_run_passes_arguments_on() -> None:
    shown = ("-batch", "-ex", "show args", "-ex", "info files")
    done = jitscope("run", *QUIET, *shown, "--", CHK, "--one", "a b", "--", "-x")
    quoted = re.sub(r"([ '])", r"\\\1", CHK)
    assert f'"{quoted} --one a\\ b -- -x"' in done.stdout, done.stdout
    assert "python" in done.stdout
    done = jitscope("run", *QUIET, *shown, "--", "-m", "json.tool", "--help")
    assert '"-m json.tool --help"' in done.stdout


def test_run_takes_the_options_of_python() -> None:
    code = "import sys; print(sys.warnoptions, sys.argv)"
    done = jitscope("run", *QUIET, "-batch", "-ex", "run", "--", "-W", "error", "-c", code, "-x")
    assert "'error'] ['-c', '-x']" in done.stdout, done.stdout + done.stderr
    done = jitscope("run", "-W", "error", "-X", "dev", CHK)  # GDB ends with its input, which is empty
    assert done.returncode == 0 and not done.stderr, done.stderr


def test_what_a_program_is(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert command_of([CHK, "x"]) == [sys.executable, CHK, "x"]
    assert command_of(["-c", "1"]) == [sys.executable, "-c", "1"]
    assert command_of(["/bin/ls", "-l"]) == ["/bin/ls", "-l"]
    for options in (["-W", "ignore"], ["-bWignore", "-OO", "-X", "dev"], ["--check-hash-based-pycs", "always", "--"]):
        assert command_of([*options, CHK, "x"]) == [sys.executable, *options, CHK, "x"]
        assert command_of([*options, str(tmp_path)]) == [sys.executable, *options, str(tmp_path)]
        with pytest.raises(FileNotFoundError, match=r"there is no file nosuch(\.py)?"):
            command_of([*options, "nosuch.py" if "-W" in options else "nosuch"])
    for no_file in (["-X", "dev", "-c", "1", "x"], ["-W", "ignore", "-mWork", "x"], ["-i"], ["-u", "-", "x"]):
        assert command_of(no_file) == [sys.executable, *no_file]
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    base = os.path.realpath(sys.executable)  # a path with spaces cannot be used there
    for name, first, expected in (
        ("direct", f"#!{base} -I", [base, "-I"]),
        ("by-env", "#!/usr/bin/env sh", ["/usr/bin/sh", "/bin/sh"]),
        ("split", "#! /usr/bin/env -S sh -e", ["/usr/bin/sh", "/bin/sh"]),
    ):
        script = tmp_path / name
        script.write_text(first + "\n")
        script.chmod(0o755)
        found = command_of([name, "x"])
        if name == "direct":
            assert found == [*expected, str(script), "x"]
        else:
            assert found[0] in expected and found[-2:] == [str(script), "x"]
            assert found[1:-2] == (["-e"] if name == "split" else [])
    (tmp_path / "no-program").write_text("text\n")
    for bad in ("nosuch.py", "nosuch", str(tmp_path / "no-program")):
        with pytest.raises(FileNotFoundError):
            command_of([bad])


def test_what_cannot_be_run() -> None:
    assert refused(jitscope("run", "nosuch.py")) == "jitscope: there is no file nosuch.py"
    assert "a program is missing" in refused(jitscope("run"), 2)
    assert "--level is one of exact, steps, stock, not 'fast'" in refused(jitscope("run", "--level", "fast", CHK), 2)
    assert "has to come before the program" in refused(jitscope("run", "-ex", "run", CHK), 2)
    assert refused(jitscope("run", CHK, JITSCOPE_GDB="/nonexistent")).endswith(": unset JITSCOPE_GDB")


# --- attach --------------------------------------------------------------------------------------


@GDBS
def test_attach(gdb: str) -> None:
    with harness.target("serve.py") as pid:
        done = jitscope("attach", str(pid), *QUIET, "-batch", "-ex", "jit status", "-ex", "detach", JITSCOPE_GDB=gdb)
        assert re.search(rf"^process {pid}, CPython 3", done.stdout, re.M), done.stdout + done.stderr
        done = jitscope("attach", *QUIET, "-batch", "-ex", "jit functions", str(pid), JITSCOPE_GDB=gdb)
        assert "tally(" in done.stdout, done.stdout + done.stderr
        done = jitscope("attach", *QUIET, "-batch", "--", str(pid), "-ex", "print $_inferior", JITSCOPE_GDB=gdb)
        said = re.sub(r"^\d+\t.*: No such file or directory\.\n", "", done.stderr)  # where the program is just now
        assert "$1 = 1" in done.stdout and said == "", done.stdout + done.stderr
        done = jitscope("attach", "--check", str(pid))
        assert done.returncode == 0 and re.fullmatch(rf"process {pid} \(.*\) may be debugged\n", done.stdout)
        done = jitscope("attach", "--check", "--json", str(pid))
        found = json.loads(done.stdout)
        jsonschema.validate(found, SCHEMA["properties"]["access"])
        assert done.returncode == 0 and found["pid"] == pid and found["allowed"]
    done = jitscope("attach", "--check", "--json", "99999999")
    assert done.returncode == 1 and json.loads(done.stdout)["reason"] == "no-process" and done.stderr == ""


def test_what_cannot_be_attached_to() -> None:
    line = refused(jitscope("attach", "99999999"))
    assert line.startswith("jitscope attach: there is no process 99999999 here") and "; type " in line
    for words in ([], ["x"], ["0"], ["-ex", "1 2"], ["99999999999"]):
        refused(jitscope("attach", *words), 2)
    with subprocess.Popen(["sleep", "60"]) as process:
        try:
            tracer = [next(iter(gdbs().values())), *QUIET, "-batch", "-p", str(process.pid)]
            script = f"from subprocess import run; print(run({[*JITSCOPE, 'attach', str(process.pid)]}).returncode)"
            done = subprocess.run([*tracer, "-ex", f"python {script}"], capture_output=True, text=True, check=False)
            assert "is debugging it already; type kill " in done.stderr, done
        finally:
            process.kill()


# --- core ----------------------------------------------------------------------------------------


CORES = pytest.mark.xdist_group("cores")  # made once


@pytest.fixture(scope="module")
def cores(tmp_path_factory: pytest.TempPathFactory) -> list[pathlib.Path]:
    """Return a core that GDB wrote, and one of the kernel's if it writes any."""
    env = {"NUMBA_OPT": "0", "NUMBA_BOUNDSCHECK": "0"}
    folder = tmp_path_factory.mktemp("cores")
    found = [harness.gdb_core("crash.py", folder, env)]
    kernels = harness.kernel_core("crash.py", folder, env, None)
    return found if kernels is None else [*found, kernels]


def executable_of(file: pathlib.Path) -> str | None:
    with open_core(str(file)) as core:
        return find_executable(core)


@CORES
@GDBS
def test_core_finds_its_program(cores: list[pathlib.Path], gdb: str) -> None:
    for core in cores:
        done = jitscope("core", *QUIET, "-batch", "-ex", "jit bt", "--", core, JITSCOPE_GDB=gdb)
        text = done.stdout + done.stderr
        assert re.search(r"^#0  foo \(a=array\(float64, shape=\(10,\)\), index=1000000000\) at ", text, re.M), text
        assert re.search(r"^#1  <module> \(\) at .*crash\.py", text, re.M), text
        found = executable_of(core)
        assert found is not None and os.path.samefile(found, os.path.realpath(harness.newest_python()))


@CORES
def test_core_with_a_program(cores: list[pathlib.Path]) -> None:
    done = jitscope("core", *QUIET, "-batch", "-ex", "jit bt", "--", cores[0], harness.newest_python())
    assert "#0  foo (" in done.stdout, done.stdout + done.stderr
    for words in ([cores[0]], [cores[0], harness.newest_python()]):
        done = jitscope("core", *words, *QUIET, "-batch", "-ex", "jit bt 1")
        assert "#0  foo (" in done.stdout, done.stdout + done.stderr
    assert refused(jitscope("core", cores[0], "nosuch")) == "jitscope: there is no program nosuch"


def test_what_is_no_core(tmp_path: pathlib.Path) -> None:
    assert refused(jitscope("core", tmp_path / "nosuch")) == f"jitscope: {tmp_path}/nosuch: No such file or directory"
    assert refused(jitscope("core", "/bin/ls")).endswith("is a program or a library, not a core file")
    assert refused(jitscope("core", CHK)) == f"jitscope: {CHK} is no core file"
    packed = tmp_path / "core.zst"
    packed.write_bytes(b"\x28\xb5\x2f\xfd----")
    assert "core.zst is damaged or incomplete: " in refused(jitscope("core", packed))
    assert "FILE is missing" in refused(jitscope("core"), 2)
    assert "unexpected argument: c" in refused(jitscope("core", "a", "b", "c"), 2)


@CORES
def test_a_core_whose_program_has_gone(cores: list[pathlib.Path], tmp_path: pathlib.Path) -> None:
    program = executable_of(cores[0])
    assert program is not None
    with open(cores[0], "rb") as stream:
        content = stream.read()
    gone = program[:-1] + "_"
    assert not os.path.exists(gone)
    moved = tmp_path / "core"
    moved.write_bytes(content.replace(os.fsencode(program) + b"\0", os.fsencode(gone) + b"\0"))
    assert refused(jitscope("core", moved)) == (
        f"jitscope: {moved} came from {gone}, which is not here: jitscope core {moved} PROGRAM"
    )


def made_up_core(notes: bytes) -> bytes:
    head = struct.pack("<16sHHIQQQIHHHHHH", b"\x7fELF\2\1\1", 4, 62, 1, 0, 64, 0, 0, 64, 56, 1, 0, 0, 0)
    return head + struct.pack("<IIQQQQQQ", 4, 0, 120, 0, 0, len(notes), 0, 4) + notes


@given(st.binary(max_size=200), st.integers(0, 200))
def test_hostile_notes(tmp_path_factory: pytest.TempPathFactory, noise: bytes, cut: int) -> None:
    file = tmp_path_factory.getbasetemp() / f"hostile-{os.getpid()}"
    mapping = struct.pack("<QQQQQ", 1, 4096, 0x1000, 0x2000, 0) + b"/bin/ls\0"
    for kind, content in ((6, struct.pack("<QQ", 3, 0x1040)), (0x46494C45, mapping)):
        noise += struct.pack("<III4s", 4, len(content), kind, b"CORE") + content
    for content in (made_up_core(noise), made_up_core(noise)[:cut]):
        file.write_bytes(content)
        try:
            assert executable_of(file) in (None, "/bin/ls")
        except NoCore:
            assert len(content) < 64


def test_the_installed_command_starts_gdb(installed: Installed) -> None:
    command = [installed.environment / "bin" / "jitscope", "run", *QUIET, "-batch", "-ex", "run", "--", CHK]
    done = subprocess.run(command, env=clean_environment(), capture_output=True, text=True, timeout=120, check=False)
    assert "123 124 287.82 (123, 124, 287.82)" in done.stdout, done.stdout + done.stderr


def test_twice_loaded_is_once_loaded(installed: Installed, tmp_path: pathlib.Path) -> None:
    """.gdbinit loads it, and so does the command."""
    env = clean_environment(HOME=str(tmp_path))
    env.pop("XDG_CONFIG_HOME", None)
    command = str(installed.environment / "bin" / "jitscope")
    subprocess.run([command, "gdbinit", "--write"], env=env, check=True, capture_output=True)
    commands = ["-batch", "-ex", "break chk.py:8", "-ex", "run", "-ex", "info locals"]
    done = subprocess.run(
        [command, "run", "-q", *QUIET[2:], *commands, "--", CHK],
        env={**env, "NUMBA_OPT": "0"},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert "jitscope:" not in done.stdout + done.stderr
    assert "hit Breakpoint 1, foo (a=123)" in done.stdout and "c = 287.82" in done.stdout, done.stdout + done.stderr


@pytest.mark.parametrize("command", ["", *COMMANDS])
def test_help(command: str) -> None:
    for option in ("-h", "--help"):
        done = jitscope(*([command] if command else []), option)
        assert done.returncode == 0 and done.stderr == ""
        assert done.stdout.startswith("usage: jitscope")
        assert "exit status:" in done.stdout and "examples:" in done.stdout
        assert max(map(len, done.stdout.splitlines())) <= 80
