"""Completion of the command line, in the shells themselves: what is offered after a text and a tab."""

from __future__ import annotations

import contextlib
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator

import pytest

from jitscope.cli.completion import SCRIPTS
from jitscope.cli.main import COMMANDS, make_parser
from jitscope.cli.run import LEVELS
from jitscope.cli.shells import model
from tests.packaging.conftest import Installed, clean_environment, run
from tests.pseudo_terminal import spawn

MODEL = model.commands_of(make_parser()[0])
# Returns the words that a shell offers after a line, each with its description, or "".
Offered = Callable[[str], "dict[str, str]"]


def script(shell: str, folder: pathlib.Path) -> pathlib.Path:
    file = folder / f"completion of {shell}"
    file.write_text(SCRIPTS[shell](MODEL), "utf-8")
    return file


def needed(shell: str) -> str:
    path = shutil.which(shell)
    if path is None:
        pytest.skip(f"{shell} is not installed (on Debian: apt-get install {shell})")
    return path


def bash(folder: pathlib.Path) -> Offered:
    """bash has the words in COMP_WORDS, where `=` is a word of its own, and the function's answer in COMPREPLY."""
    shell, file = needed("bash"), script("bash", folder)

    def offered(line: str) -> dict[str, str]:
        words = [part for word in re.split(" +", line) for part in re.split("(=)", word)]
        words = words[:-1] if line.endswith("=") else words
        array = " ".join(map(shlex.quote, words))
        code = f'COMP_WORDS=({array}); COMP_CWORD={len(words) - 1}; _jitscope; printf "%s\\n" "${{COMPREPLY[@]}}"'
        done = run(shell, "--norc", "-c", f"source {shlex.quote(str(file))}; {code}", cwd=folder)
        assert done.stderr == ""
        return {word: "" for word in done.stdout.splitlines() if word}

    return offered


def fish(folder: pathlib.Path) -> Offered:
    shell, file = needed("fish"), script("fish", folder)

    def offered(line: str) -> dict[str, str]:
        code = f"source {shlex.quote(str(file))}; complete -C{shlex.quote(line)}"
        done = run(shell, "--no-config", "-c", code, cwd=folder, env=clean_environment(HOME=str(folder)))
        assert done.stderr == ""
        return dict((*row.split("\t", 1), "")[:2] for row in done.stdout.splitlines())  # type: ignore[misc]

    return offered


# Writes what the functions of completion offer to a file: each word, and what the list on the screen would show, which
# has one description beside all words that it is for.
ZSH = """\
autoload -Uz compinit && compinit -u -D
source {script}
PROMPT=''
compadd() {{
    local -a found description
    zparseopts -E -a ignored d:=description
    builtin compadd -O found "$@"
    (( ! $#found )) || print -rl -- $found >>{answer}
    (( ! $#description )) || print -rl -- "\t"${{(P)^description[2]}} >>{answer}
    builtin compadd "$@"
}}
finish() {{ print -r -- done >>{answer} }}
zle -N finish
bindkey '^T' complete-word
bindkey '^F' finish
"""


def zsh(folder: pathlib.Path) -> Offered:
    shell, file = needed("zsh"), script("zsh", folder)

    def offered(line: str) -> dict[str, str]:
        answer = folder / "answer"
        answer.unlink(missing_ok=True)
        (folder / ".zshrc").write_text(ZSH.format(script=shlex.quote(str(file)), answer=shlex.quote(str(answer))))
        env = clean_environment(ZDOTDIR=str(folder), HOME=str(folder), TERM="dumb")
        options = {"cwd": str(folder), "env": env, "encoding": "utf-8", "dimensions": (50, 200)}
        terminal = spawn(shell, ["-i", "-d"], **options)
        with contextlib.closing(terminal):
            terminal.send(f"{line}\x14\x06")
            end = time.monotonic() + 60
            while not answer.exists() or "done" not in answer.read_text().splitlines():
                assert time.monotonic() < end and terminal.isalive(), terminal.before
                with contextlib.suppress(Exception):
                    terminal.read_nonblocking(4096, 0.1)
        rows = [row for row in answer.read_text("utf-8").splitlines() if row]
        shown = dict(re.split(" +-- ", row[1:], maxsplit=1) for row in rows if row.startswith("\t") and " -- " in row)
        return {row: shown.get(row, "") for row in rows[: rows.index("done")] if not row.startswith("\t")}

    return offered


SHELLS = {"bash": bash, "zsh": zsh, "fish": fish}


@pytest.fixture(params=SHELLS)
def offered(request: pytest.FixtureRequest, tmp_path: pathlib.Path) -> Offered:
    for name in ("prog.py", "prog two.py", "core.12"):
        (tmp_path / name).touch()
    (tmp_path / "folder").mkdir()
    return SHELLS[request.param](tmp_path)


def test_commands(offered: Offered) -> None:
    found = offered("jitscope ")
    assert set(found) == set(COMMANDS)
    assert set(found.values()) in ({""}, {command.summary for command in MODEL if command.name})
    assert set(offered("jitscope do")) == {"doctor"}
    assert set(offered("jitscope --v")) == {"--version"}


@pytest.mark.parametrize("command", [command for command in MODEL if command.name], ids=lambda command: command.name)
def test_the_options_of_each_command(offered: Offered, command: model.Command) -> None:
    found = offered(f"jitscope {command.name} --")
    helps = {name: option.help for option in command.options for name in option.names if name.startswith("--")}
    assert set(found) == set(helps)
    assert all(found[name] in ("", text) for name, text in helps.items())


def test_values(offered: Offered) -> None:
    assert set(offered("jitscope run --level ")) == set(LEVELS)
    assert {word.removeprefix("--level=") for word in offered("jitscope run --level=s")} == {"steps", "stock"}
    assert set(offered("jitscope completion z")) == {"zsh"}
    assert not offered("jitscope run --guard=")
    assert not offered("jitscope completion bash ")


def test_the_programs_own_words(offered: Offered) -> None:
    """After PROGRAM, options belong to the program; GDB's arguments before `--` are no program."""
    assert "--level" not in offered("jitscope run prog.py --")
    assert "--check" not in offered("jitscope attach 1 --")
    assert "--level" in offered("jitscope run --all-code --")
    assert "true" in offered("jitscope run -ex list -- tru")


@contextlib.contextmanager
def process(folder: pathlib.Path) -> Iterator[int]:
    """Run a Python program whose command line has what would change a terminal, and a colon."""
    arguments = ["python3", "-c", "input()", "a:b", "\x1b[2Jx", "train.py"]
    with subprocess.Popen(arguments, executable=sys.executable, stdin=subprocess.PIPE, cwd=folder) as started:
        yield started.pid
        assert started.stdin is not None
        started.stdin.write(b"\n")
        started.stdin.close()


def test_processes(offered: Offered, tmp_path: pathlib.Path) -> None:
    with process(tmp_path) as pid, subprocess.Popen(["sleep", "600"]) as other:
        try:
            found = offered("jitscope attach ")
            after = offered("jitscope attach --check ")
        finally:
            other.kill()
    assert str(pid) in found and str(pid) in after
    assert str(other.pid) not in found
    assert found[str(pid)] in ("", "python3 -c input() a:b ?[2Jx train.py")
    assert [word for word in found if not word.isdecimal()] == []


FILES = {"prog.py", "prog two.py"}


@pytest.mark.parametrize("line", ["filt prog.py ./pro", "gdbinit --file ./pro", "core ./pro", "run ./pro"])
def test_files(line: str, tmp_path: pathlib.Path) -> None:
    """bash's own completion of files comes after the function, so the line that it writes is compared."""
    for name in FILES:
        (tmp_path / name).touch()
    shell, file = needed("bash"), script("bash", tmp_path)
    env = clean_environment(TERM="dumb", HOME=str(tmp_path), INPUTRC="/dev/null", PS1="")
    terminal = spawn(shell, ["--norc", "--noprofile", "-i"], cwd=str(tmp_path), env=env, timeout=60, encoding="utf-8")
    with contextlib.closing(terminal):
        terminal.sendline("jitscope() { printf '<%s>' \"$@\"; echo; }; bind 'set bell-style none'")
        terminal.sendline(f"source {shlex.quote(str(file))}; echo rea''dy")
        terminal.expect("ready\r\n")
        # M-* inserts all that would be offered.
        terminal.sendline(f"jitscope {line}\x1b* END")
        terminal.expect(r"(<.*?><END>)\r\n")
        words = re.findall("<(.*?)>", terminal.match[1])
    assert {word.removeprefix("./") for word in words[-3:-1]} == FILES
    assert words[:-3] == line.split()[:-1]


@pytest.mark.parametrize("shell", ["zsh", "fish"])
@pytest.mark.parametrize(
    "line", ["filt prog.py pro", "gdbinit --file pro", "gdbinit --file=pro", "core pro", "run pro"]
)
def test_files_in_other_shells(shell: str, line: str, tmp_path: pathlib.Path) -> None:
    for name in FILES:
        (tmp_path / name).touch()
    found = {word.removeprefix("--file=").replace("\\", "") for word in SHELLS[shell](tmp_path)(f"jitscope {line}")}
    assert found >= FILES
    if "run" not in line:
        assert found == FILES


def test_a_commands_places_and_options_are_those_of_its_usage() -> None:
    """Commands that read their own words declare them; the usage, which people read, names the same ones."""
    for command in MODEL:
        usage = make_parser()[1][command.name].format_usage() if command.name else ""
        named = set(re.findall(r"(?<![\w-])--[a-z][\w-]*", usage))
        assert named <= {*command.option_names, "--help"}, command.name
        if command.is_passing:
            assert named == {name for name in command.option_names if name.startswith("--")} - {"--help"}
            assert all(re.search(rf"\b{place.name.removesuffix('...')}\b", usage) for place in command.places)


@pytest.mark.parametrize(
    ("shell", "place"),
    [
        ("bash", "share/bash-completion/completions/jitscope"),
        ("zsh", "share/zsh/site-functions/_jitscope"),
        ("fish", "share/fish/vendor_completions.d/jitscope.fish"),
    ],
)
def test_the_scripts_are_installed(shell: str, place: str, installed: Installed) -> None:
    done = run(installed.environment / "bin" / "jitscope", "completion", shell, env=clean_environment())
    assert (installed.environment / place).read_text("utf-8") == done.stdout == SCRIPTS[shell](MODEL)


def test_zsh_finds_the_installed_function(installed: Installed, tmp_path: pathlib.Path) -> None:
    folder = installed.environment / "share/zsh/site-functions"
    code = f"fpath=({shlex.quote(str(folder))} $fpath); autoload -Uz compinit; compinit -u -D; print $_comps[jitscope]"
    assert run(needed("zsh"), "-f", "-c", code, env=clean_environment(HOME=str(tmp_path))).stdout == "_jitscope\n"


def test_fish_finds_the_installed_script(installed: Installed, tmp_path: pathlib.Path) -> None:
    path = f"{installed.environment / 'bin'}:/usr/bin:/bin"  # fish looks for nothing of a command that is not there
    env = clean_environment(HOME=str(tmp_path), XDG_DATA_DIRS=str(installed.environment / "share"), PATH=path)
    done = run(needed("fish"), "-c", "complete -C'jitscope gdbi'", env=env, cwd=tmp_path)
    assert done.stdout.startswith("gdbinit\t")


def test_a_script_that_cannot_be_written() -> None:
    with open("/dev/full", "wb") as full:
        done = subprocess.run(
            [sys.executable, "-m", "jitscope", "completion", "bash"], stdout=full, stderr=subprocess.PIPE, text=True
        )
    assert (done.returncode, done.stderr) == (1, "jitscope: No space left on device\n")


def test_a_shell_without_a_script() -> None:
    done = subprocess.run([sys.executable, "-m", "jitscope", "completion", "tcsh"], capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (2, "")
    assert "tcsh" in done.stderr.splitlines()[-1]
