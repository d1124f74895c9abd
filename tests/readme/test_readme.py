"""The statements of the README and other documents are true: transcripts are played, and the files that they name
exist."""

from __future__ import annotations

import os
import pathlib
import re
import subprocess
from collections.abc import Callable

import pytest

from tests.interpreters import ROOT, newest_python
from tests.readme import commands, picture, transcripts

DOCUMENTS = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]
NAMES = [path.relative_to(ROOT).as_posix() for path in DOCUMENTS]
EVERY = pytest.mark.parametrize("document", DOCUMENTS, ids=NAMES)

# The kinds of a fenced block, by its first word, and their checks.
CHECKED = {
    "console": "test_transcripts",
    "sh": "test_commands_of_the_repository",
    "python": "test_listings",
    "c": "test_listings",
    "json": "tests/gdb/test_front_ends.py",
    "{toctree}": "test_pages",
    "{include}": "test_pages",
    "{generated}": "test_pages, tests/readme/test_reference.py",
    "text": "not run: a picture, or held to its source by a test of its own",
}

CORE_PATTERN = pathlib.Path("/proc/sys/kernel/core_pattern")


def succeeds(*command: str) -> bool:
    return subprocess.run(command, capture_output=True, check=False).returncode == 0


# What a transcript may need, by the second word of its block; it is played where that is there.
NEEDS: dict[str, Callable[[], bool]] = {
    "root": lambda: os.geteuid() == 0,
    "container": lambda: succeeds("unshare", "--user", "--map-root-user", "--pid", "--fork", "--mount-proc", "true"),
    "cores": lambda: not CORE_PATTERN.read_text("utf-8").startswith(("|", "/")),
    "ipykernel": lambda: succeeds(newest_python(), "-c", "import ipykernel"),
}


def blocks(document: pathlib.Path, kind: str) -> list[transcripts.Fence]:
    return [fence for fence in transcripts.fences(document) if fence.info.split()[:1] == [kind]]


@EVERY
def test_every_block_is_of_a_known_kind(document: pathlib.Path) -> None:
    for fence in transcripts.fences(document):
        words = fence.info.split()
        assert words and words[0] in CHECKED, f"{fence}: {fence.info!r}"
        assert words[0] not in ("sh", "json", "text") or len(words) == 1, f"{fence}: {fence.info!r}"
        assert words[0] != "console" or len(words) == 1 or (len(words) == 2 and words[1] in NEEDS), f"{fence}"


@pytest.mark.parametrize("document", [d for d in DOCUMENTS if blocks(d, "console")], ids=lambda d: d.name)
def test_transcripts(document: pathlib.Path) -> None:
    """Play all transcripts of a document whose needs are there, one after the other, as a reader would type them."""
    different = []
    with transcripts.home() as home:
        for fence in blocks(document, "console"):
            if not all(NEEDS[need]() for need in fence.info.split()[1:]):
                continue
            for step, output in transcripts.play(fence.text, home):
                if not transcripts.matches(step.output, output):
                    different.append(
                        f"{fence}\n{step.prompt}{step.command}\n-- it says\n{step.output}\n-- it is\n{output}"
                    )
    assert not different, "\n\n".join(different)


@EVERY
def test_commands_of_the_repository(document: pathlib.Path) -> None:
    """Each line of an `sh` block starts a script of this repository, which explains itself."""
    for fence in blocks(document, "sh"):
        for line in fence.text.splitlines():
            script = ROOT / line.split()[0]
            assert script.parent == ROOT / "scripts", f"{fence}: {line}"
            done = subprocess.run([str(script), "--help"], capture_output=True, text=True, timeout=60)
            assert done.returncode == 0 and done.stdout.strip(), f"{fence}: {line}: {done.stderr}"
            for option in re.findall(r"(?<= )--[a-z]+", line.partition("#")[0]):
                assert option in done.stdout, f"{fence}: {script.name} --help does not know {option}"


@EVERY
def test_listings(document: pathlib.Path) -> None:
    """A listing is the file that it names."""
    for kind in ("python", "c"):
        for fence in blocks(document, kind):
            name = fence.info.split()[1]
            assert fence.text.strip() == (ROOT / name).read_text("utf-8").strip(), f"{fence}: {name}"


@EVERY
def test_links_and_paths(document: pathlib.Path) -> None:
    """Files that a document links to or names in backquotes are there."""
    prose = re.sub(r"^```.*?^```", "", document.read_text("utf-8"), flags=re.MULTILINE | re.DOTALL)
    for target in re.findall(r"\]\(([^)#]+)[^)]*\)", re.sub(r"`[^`]*`", "", prose)):
        if "://" not in target:
            assert (document.parent / target).exists(), f"{document.name} links to {target}"
    for name in re.findall(r"`((?:scripts|docs|tests|gdbext|runtime)/[\w./-]*)`", prose):
        assert (ROOT / name).exists(), f"{document.name} names {name}"


def test_reasons_for_a_refusal() -> None:
    """What howto-attach.md says that jitscope says is in the C library's messages."""
    source = (ROOT / "runtime" / "inspect" / "bytes" / "access.c").read_text("utf-8")
    messages = re.sub(r"%[a-z]+", "…", re.sub(r'"\s*"', "", source))
    text = (ROOT / "docs" / "howto-attach.md").read_text("utf-8")
    reasons = re.findall(r"^\| `([^`]*)` \|", text, re.M)
    assert len(reasons) > 5
    for reason in reasons:
        assert reason in messages, reason


def test_pages() -> None:
    """scripts/docs fails if a page is in no table of contents, or a link leads nowhere."""
    done = subprocess.run([str(ROOT / "scripts" / "docs")], capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    pages = ROOT / done.stdout.strip()
    assert pages.exists()
    for page in pages.parent.glob("*.html"):
        loaded = re.findall(r'(?:src|<link[^>]*href)="(https?:[^"]*)"', page.read_text("utf-8"))
        assert loaded == [], f"{page.name} loads something from elsewhere"


def test_the_picture_is_the_session() -> None:
    assert picture.is_up_to_date(), "run scripts/picture"
    svg = picture.PICTURE.read_text("utf-8")
    assert set(re.findall(r"https?://([\w.]+)", svg)) <= {"www.w3.org", "www.textualize.io"}, "loads something"
    assert not picture.words(svg.replace("287.82", "287.83")) == picture.words(svg)


def test_the_readme_is_short() -> None:
    assert len((ROOT / "README.md").read_text("utf-8").splitlines()) <= 200


def test_commands_md_is_what_gdb_says() -> None:
    assert commands.written() == commands.generate(), "run python -m tests.readme.commands"


def test_settings_md_is_what_gdb_says() -> None:
    _, mark, generated = commands.SETTINGS.read_text("utf-8").partition(commands.MARK)
    assert mark and generated == commands.generate_settings(), "run python -m tests.readme.commands"


def test_the_terms_of_the_glossary_are_those_of_jit_help() -> None:
    glossary = commands.GLOSSARY.read_text("utf-8")
    assert glossary == commands.with_terms(glossary), "run python -m tests.readme.commands"


def test_every_command_of_gdb_is_in_the_readme() -> None:
    text = (ROOT / "README.md").read_text("utf-8")
    for name in commands.subcommands("jit"):
        assert f"`jit {name}" in text, f"README.md does not name jit {name}"


def test_every_shell_command_is_in_the_readme() -> None:
    ask = "from jitscope.cli.main import COMMANDS; print(*COMMANDS)"
    done = subprocess.run(
        [newest_python(), "-c", ask],
        capture_output=True,
        text=True,
        check=True,
        env={"PYTHONPATH": str(ROOT / "runtime" / "python")},
    )
    text = (ROOT / "README.md").read_text("utf-8")
    for name in done.stdout.split():
        assert f"`jitscope {name}" in text, f"README.md does not name jitscope {name}"


def test_supported_numbas_are_those_that_are_tested() -> None:
    section = (ROOT / "README.md").read_text("utf-8").partition("## Supported")[2].partition("\n## ")[0]
    rows = {cells[1].strip(): cells for cells in (line.split("|") for line in section.splitlines()) if len(cells) > 4}
    listed = subprocess.run([str(ROOT / "scripts" / "matrix"), "numbas"], capture_output=True, text=True, check=True)
    numbas, pythons = set(), set()
    for label in listed.stdout.split():
        (pythons if label.startswith("newest@") else numbas).add(label.removeprefix("newest@"))

    def named(cell: str) -> set[str]:
        return {word.strip() for word in re.sub(r"\(.*?\)", "", cell).split(",")}

    assert named(rows["Numba"][4]) == numbas
    assert named(rows["Python, newest Numba"][4]) == pythons
    ci = re.findall(r"--numba (\S+)", (ROOT / ".ci" / "run").read_text("utf-8"))
    assert named(rows["Numba"][3]) == set(ci)


@pytest.mark.parametrize(
    ("expected", "actual", "same"),
    [
        ("a = 1", "a = 1", True),
        ("a = 1", "a = 0", False),
        ("a = 1", "a = 1\nb = 2", False),
        ("a = 1\n...", "a = 1\nb = 2", True),
        ("...\na = 1", "a = 1", True),
        ("at .../chk.py:7", "at /home/me/chk.py:7", True),
        ("at .../chk.py:7", "at /home/me/chk.py:8", False),
        ("0x7fff in foo ()", "0x1234 in foo ()", True),
        ("process 12, x = 3", "process 99, x = 3", True),
        ("process 12, x = 3", "process 99, x = 4", False),
        ("", "surprise", False),
    ],
)
def test_the_comparison_can_fail(expected: str, actual: str, same: bool) -> None:
    assert transcripts.matches(expected, actual) is same
