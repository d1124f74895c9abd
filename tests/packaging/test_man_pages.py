"""The manual pages are those of the parsers, `man` shows them without a warning, and finds them where pip puts them."""

from __future__ import annotations

import pathlib
import re
import shutil
import subprocess
import sys
import sysconfig

import pytest

from docs.generate import command_line, man_pages, share
from tests.packaging.conftest import Installed, clean_environment, run

PAGES = man_pages.pages()
EACH = pytest.mark.parametrize("name", PAGES)


def needed(program: str) -> str:
    path = shutil.which(program)
    if path is None:
        pytest.skip(f"{program} is not installed (on Debian: apt-get install man-db mandoc)")
    return path


def spaced(text: str) -> str:
    return " ".join(text.split())


def help_of(name: str) -> str:
    parsers = command_line.parsers()
    return command_line.help_of(parsers[name.removesuffix(".1").replace("-", " ", 1)])


@EACH
def test_a_page_has_all_of_the_help(name: str, tmp_path: pathlib.Path) -> None:
    """Each paragraph and each entry of a list is there, word by word."""
    (tmp_path / name).write_text(PAGES[name], "utf-8")
    shown = run(needed("mandoc"), "-T", "ascii", tmp_path / name).stdout
    shown = spaced(re.sub(".\b", "", shown)).replace("`", "")
    usage, _, rest = help_of(name).partition("\n\n")
    assert spaced(usage.removeprefix("usage: ")) in shown
    rest = re.sub(r"^(commands|positional arguments):\n(?: .*\n)+", "", rest, flags=re.MULTILINE)
    rest = re.sub(r"(?<=\n\n)(\w[\w ]*):\n(?= )", lambda found: f"{found[1].upper()}\n\n", rest)
    paragraphs = re.split(r"\n\n+|\n(?=  ?-)", rest.replace("`", "").replace("…", "..."))
    if name == "jitscope.1":
        assert spaced(paragraphs.pop(0)).lower().rstrip(".") in shown.lower()
    for paragraph in paragraphs:
        assert spaced(paragraph) in shown


def test_the_page_of_jitscope_lists_the_others() -> None:
    listed = re.findall(r"^\\fB(jitscope\\-\w+)\\fR\(1\)$", PAGES["jitscope.1"], re.MULTILINE)
    assert [f"{name}.1".replace("\\", "") for name in listed] == [*PAGES][1:]


@EACH
def test_mandoc_finds_nothing(name: str, tmp_path: pathlib.Path) -> None:
    """A page has no date, because a build that is made again has to make the same one."""
    (tmp_path / name).write_text(PAGES[name], "utf-8")
    done = subprocess.run(
        [needed("mandoc"), "-T", "lint", "-W", "warning", tmp_path / name], capture_output=True, text=True
    )
    found = [line for line in (done.stdout + done.stderr).splitlines() if "missing date" not in line]
    assert not found


@EACH
def test_man_warns_of_nothing(name: str, tmp_path: pathlib.Path) -> None:
    (tmp_path / name).write_text(PAGES[name], "utf-8")
    done = run(needed("man"), "--warnings", "-E", "UTF-8", "-l", "-Tutf8", tmp_path / name, env=clean_environment())
    assert done.stderr == "" and "NAME" in re.sub(".\b", "", done.stdout)


@pytest.mark.parametrize("text", [".so /etc/passwd", "'br", "\\(aq", "a-b 'c' `d` ^~ \\n"])
def test_roff_takes_no_text_for_a_request(text: str, tmp_path: pathlib.Path) -> None:
    page = "\n".join(['.TH X 1 "" "" ""', ".SH NAME", "x \\- y", ".SH D", man_pages.prose(text.replace("`", ""))])
    page += "\n" + "\n".join(man_pages.example([text])) + "\n"
    (tmp_path / "x.1").write_text(page)
    shown = re.sub(".\b", "", run(needed("mandoc"), "-T", "ascii", tmp_path / "x.1").stdout)
    assert shown.count(text.replace("`", "")) + shown.count(text) >= 2


def test_the_installed_files_are_those_of_the_parsers(installed: Installed) -> None:
    found = {
        path.name: (path.parent.relative_to(installed.environment / "share").as_posix(), path.read_text("utf-8"))
        for path in (installed.environment / "share").rglob("*")
        if path.is_file()
    }
    assert found == share.files()


def where(folder: pathlib.Path, page: str) -> str:
    """Return the file that `man PAGE` shows if PATH begins with this folder."""
    env = clean_environment(PATH=f"{folder}:/usr/bin:/bin")
    env.pop("MANPATH", None)
    return run(needed("man"), "-w", page, env=env).stdout.strip()


def test_man_finds_the_pages_of_an_environment(installed: Installed) -> None:
    file = where(installed.environment / "bin", "jitscope-run")
    assert pathlib.Path(file).samefile(installed.environment / "share/man/man1/jitscope-run.1")


def test_man_finds_the_pages_of_a_user(installed: Installed, tmp_path: pathlib.Path) -> None:
    base = f"{sys.base_prefix}/bin/python{sysconfig.get_python_version()}"
    env = clean_environment(PYTHONUSERBASE=str(tmp_path), HOME=str(tmp_path))
    pip = (sys.executable, "-m", "pip", "--disable-pip-version-check", "--python", base)
    run(*pip, "install", "-q", "--user", "--break-system-packages", "--no-index", "--no-deps", installed.wheel, env=env)
    assert where(tmp_path / "bin", "jitscope") == f"{tmp_path}/share/man/man1/jitscope.1"
    assert (tmp_path / "share/bash-completion/completions/jitscope").is_file()
