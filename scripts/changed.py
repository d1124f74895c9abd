"""The stages and tests of scripts/test for the files that have changed: `scripts/test --changed`.

`changed.py [REF]` prints the stages, then the files and folders for pytest."""

from __future__ import annotations

import fnmatch
import functools
import re
import subprocess
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
INFERIOR = (
    "attach",
    "races",
    "tests/gdb/test_comings.py",
    "tests/gdb/test_gather*.py",
    "tests/gdb/test_region.py",
    "tests/gdb/test_hook_types.py",
)
# The tests for a change in a file. A rule has patterns for the file's path, in which `*` also matches folders, then
# names of stages and patterns of tests. Every rule that matches adds its tests.
RULES: tuple[tuple[tuple[str, ...], tuple[str, ...]], ...] = (
    (("*.c", "*.h", ".clang-format"), ("format", "structure", "words")),
    (("*.py",), ("ruff", "structure", "words")),
    (("*.md",), ("words",)),
    (("runtime/*.c", "runtime/*.h", "*meson*", "tests/unit/*"), ("units",)),
    (("runtime/python/*", "gdbext/jitscope_s*", "pyproject.toml"), ("mypy",)),
    (("lldbext/*", "gdbext/jitscope_shared/*", "runtime/inspect/program/write/*", "tests/lldb/*"), ("lldb",)),
    (
        ("runtime/*.h", "scripts/contract.py", "*/contract.py", "*/published.*", "gdbext/*native.py"),
        ("tests/packaging/test_contract.py",),
    ),
    (("gdbext/*.py", "runtime/*.c", "runtime/python/*.py"), ("tests/packaging/test_messages.py",)),
    (("tests/fuzz/*",), ("fuzz",)),
    (("runtime/include/*", "runtime/inferior/*"), INFERIOR),
    (
        ("runtime/inspect/bytes/*", "runtime/inspect/layouts/*", "runtime/inspect/values/*"),
        ("tests/oracle/test_*_against_*.py", "tests/oracle/test_python_objects.py", "tests/gdb/test_zoo.py"),
    ),
    (
        ("runtime/inspect/*expression*", "runtime/inspect/*array*", "gdbext/*condition*"),
        ("tests/oracle/test_*expression*.py", "tests/oracle/test_arrays_*.py", "tests/oracle/test_conditions.py"),
    ),
    (
        ("runtime/inspect/program/*", "runtime/inspect/reader/*", "gdbext/*source*"),
        (
            "tests/oracle/test_program.py",
            "tests/oracle/test_source_*.py",
            "tests/oracle/test_names_*.py",
            "tests/oracle/test_raises.py",
            "tests/oracle/test_generated_traps.py",
            "tests/oracle/test_hooked.py",
            "tests/oracle/test_ablation.py",
            "tests/oracle/truth",
        ),
    ),
    (
        ("runtime/inspect/stacks/*", "gdbext/*stacks*", "gdbext/*python_*"),
        ("tests/oracle/test_python_*.py", "tests/gdb/test_python_frames.py", "stacks"),
    ),
    (
        ("runtime/inspect/stacks/nested/*", "gdbext/*nested*", "gdbext/*full_stack*"),
        ("tests/gdb/test_nested_calls.py",),
    ),
    (("runtime/python/*stack*.py", "docs/schema/stack.json"), ("stacks",)),
    (("gdbext/*dap_*.py", "gdbext/*present/*", "lldbext/*", "tests/dap/*", "tests/gdb/dap.py"), ("dap",)),
    (("*/report/*", "runtime/include/jitscope_report.h"), ("report",)),
    (("gdbext/*called_code*", "gdbext/*inlined_bodies*", "gdbext/*divisors*"), ("tests/gdb/test_called_code.py",)),
    (("gdbext/*keys.py",), ("tests/gdb/test_missing_keys.py",)),
    (
        ("runtime/inspect/*/core/*", "runtime/inspect/*/cores/*", "tests/oracle/core_reader.py"),
        ("tests/oracle/test_cores.py",),
    ),
    (
        ("*jitscope/corefile.py", "*jitscope/cores/*"),
        ("tests/packaging/test_compressed_cores.py", "tests/packaging/test_starting_gdb.py"),
    ),
    (("runtime/inspect/*guard*",), ("tests/attach/test_failures.py",)),
    (
        ("runtime/inferior/guarding/*", "runtime/python/*guarding.py", "gdbext/*guard*", "tests/*guarded*.py"),
        ("tests/gdb/test_guard*.py",),
    ),
    (("gdbext/*outdated*", "runtime/python/*caching.py"), ("tests/gdb/test_outdated_cache.py",)),
    (("gdbext/*functions.py", "runtime/inspect/*program_json*"), ("tests/gdb/test_functions_listed.py",)),
    (
        ("gdbext/*frame_variables*", "runtime/inspect/*passed*"),
        ("tests/gdb/test_passed_numbers.py", "tests/gdb/test_raised_arguments.py"),
    ),
    (("gdbext/*jitclass*",), ("tests/gdb/test_jitclass_faults.py",)),
    (
        ("runtime/inspect/*fault*", "gdbext/*stop_notes*", "gdbext/*index_operands*", "gdbext/*subscript*"),
        ("tests/gdb/test_faults*.py", "tests/oracle/test_index_operands.py"),
    ),
    (("runtime/inspect/*", "gdbext/*"), ("tests/oracle/test_layers.py", "tests/gdb/test_surfaces.py")),
    (("*meson*", "pyproject.toml"), ("tests/packaging/test_wheel.py",)),
    (("docs/generate/*",), ("tests/packaging/test_man_pages.py", "tests/packaging/test_completion.py")),
    (
        ("runtime/python/jitscope/compiler/*",),
        (
            "tests/oracle/test_hook*.py",
            "tests/oracle/test_disassembly.py",
            "tests/oracle/test_bodies.py",
            "tests/gdb/test_hook*.py",
            "tests/gdb/test_levels.py",
        ),
    ),
    (("runtime/python/jitscope/*.py",), ("tests/packaging/test_gdbinit.py", "tests/oracle/test_layers.py")),
    (("runtime/python/*/cli/*", "runtime/python/*examination.py"), ("tests/packaging/test_*.py",)),
    (
        (
            "runtime/python/*races.py",
            "runtime/python/*schedules.py",
            "runtime/python/*records.py",
            "runtime/python/*copies.py",
            "runtime/python/*instances.py",
        ),
        ("races",),
    ),
    (("runtime/python/*stops.py", "runtime/python/*access.py", "runtime/python/*debugger.py"), ("attach",)),
    (("gdbext/*",), ("tests/gdb/test_commands.py", "tests/gdb/test_hooked.py", "tests/scenarios/test_scenarios.py")),
    (("gdbext/*attempts*", "gdbext/*handshake*", "gdbext/*stops*", "gdbext/*librar*"), ("attach",)),
    (("gdbext/*break*", "gdbext/*stepping*"), ("tests/gdb/test_break.py", "tests/gdb/test_stepping.py")),
    (("gdbext/*thread*", "gdbext/*worker*", "gdbext/*region*", "gdbext/*gather*"), ("tests/gdb/test_threads.py",)),
    (("README.md", "CONTRIBUTING.md", "docs/*", "runtime/include/*"), ("readme",)),
    (("gdbext/*commands/*", "gdbext/*settings*"), ("readme",)),
    (("runtime/*", "gdbext/*", "docs/schema/*"), ("tests/readme/test_reference.py",)),
    (("runtime/python/*/cli/*",), ("tests/readme/test_command_line.py",)),
    (
        (
            "*jitscope/races.py",
            "*jitscope/records.py",
            "*jitscope/schedules.py",
            "*jitscope/steps.py",
            "*jitscope/stops.py",
        ),
        ("tests/readme/test_python_api.py",),
    ),
    (("docs/schema/*", "scripts/*", ".ci/*", "tests/packaging/*"), ("tests/packaging/test_*.py",)),
    (("tests/conftest.py", "tests/interpreters.py", "tests/minutes.py"), ("tests/gdb/test_surfaces.py",)),
    (("tests/conftest.py", "tests/turns.py"), ("tests/packaging/test_turns.py", "tests/packaging/test_changed.py")),
    (("tests/stories/*", "scripts/stories", "docs/stories.md"), ("stories",)),
    (
        (
            "runtime/inspect/program/live/*",
            "runtime/inspect/*registered*",
            "runtime/inspect/*jit_list*",
            "runtime/inspect/*find_descriptors*",
            "runtime/inspect/*mapped_files*",
            "runtime/python/*profile/*",
            "runtime/python/*cli/names.py",
            "docs/schema/names.json",
        ),
        ("tests/attach/test_names.py", "tests/gdb/test_live_names.py", "tests/readme/test_code_at.py"),
    ),
    (("tests/pseudo_terminal.py",), ("attach",)),
    (("tests/without_scipy/*",), ("tests/gdb/test_surfaces.py",)),
    (("tests/gdb/harness.py", "tests/gdb/dap.py"), ("tests/gdb/test_surfaces.py", "tests/gdb/test_front_ends.py")),
    (("tests/programs/truth_*",), ("tests/oracle/truth",)),
    (("tests/packages/*",), ("packages",)),
    (("tests/ablation/*", "scripts/ablation"), ("tests/oracle/test_ablation.py",)),
    (("tests/programs/elf_sections.py",), ("tests/oracle/test_hook_fastmath.py", "packages")),
)
# Files whose change shows in no test: notes for people, files of other tools, and measurements.
UNTESTED = ("CHANGELOG.md", "LICENSE", ".gitignore", ".clang-tidy", "tests/bench/*", "scripts/bench")
# folders of tests/ that are stages of pytest
FOLDERS = (
    "attach", "dap", "gdb", "lldb", "oracle", "packaging", "races", "readme", "report", "scenarios", "stacks",
    "stories",
)  # fmt: skip


@dataclass
class Plan:
    stages: set[str] = field(default_factory=set)
    tests: set[str] = field(default_factory=set)  # files and folders for pytest
    unknown: list[str] = field(default_factory=list)  # files that have no rule

    def add(self, words: Iterable[str]) -> bool:
        """Add stages or tests by their names. Return False if there is nothing with one of the names."""
        known = False
        for word in words:
            if word.startswith("tests/"):
                found = {path.relative_to(ROOT).as_posix() for path in ROOT.glob(word)}
                self.tests |= found
            else:
                found = {word}
                folder = {f"tests/{word}"} if word in FOLDERS else set()
                self.tests |= folder
                self.stages |= found - set(FOLDERS)
            known = known or bool(found)
        return known


def plan(paths: Iterable[str]) -> Plan:
    """Return the plan for the changed files. `paths`: their paths from the repository's root."""
    found = Plan()
    for path in paths:
        words = [word for patterns, words in RULES if matches(path, patterns) for word in words]
        if path.startswith("tests/"):
            words += own(path)
        elif path.startswith("gdbext/"):
            words += namesakes(path)
        # The stages for style do not test what a file does.
        is_tested = any(word not in ("ruff", "structure", "words") for word in words)
        if not (found.add(words) and is_tested) and not matches(path, UNTESTED):
            found.unknown.append(path)
    covered = {test for test in found.tests if any(test.startswith(f"{other}/") for other in found.tests)}
    found.tests -= covered
    return found


def matches(path: str, patterns: Iterable[str]) -> bool:
    return any(fnmatch.fnmatchcase(path, pattern) for pattern in patterns)


@functools.cache
def pages() -> str:
    """Return the text of the README and of docs/, whose transcripts tests/readme plays."""
    return "".join(page.read_text("utf-8") for page in (ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))))


def own(path: str) -> Iterator[str]:
    """Yield the tests for a file of tests/: a test for itself, and for another file the tests that name it."""
    parts = Path(path).parts
    if Path(path).name.startswith("test_") and path.endswith(".py"):
        yield path
    elif parts[1] in FOLDERS or parts[1] == "programs":
        using = sorted(users(path))
        if parts[1] == "programs" and Path(path).name in pages():
            using.append("readme")
        yield from using or ([parts[1]] if parts[1] in FOLDERS else ["gdb"])


def users(path: str) -> Iterator[str]:
    """Yield the tests that name a program of tests/programs or a module or folder of tests. If a helper names it, the
    tests that name the helper are found, too."""
    seen, queue = set(), [path]
    while queue:
        for file in set(naming(queue.pop())) - seen:
            seen.add(file)
            if Path(file).name.startswith("test_"):
                yield file
            elif not file.endswith(("/__init__.py", "/__main__.py")):
                queue.append(file)


@functools.cache
def naming(path: str) -> tuple[str, ...]:
    """Return the tests' own modules that name the file."""
    name, words = names(path), (Path(path).stem, *Path(path).parts[2:-1])
    return tuple(file for file, text in texts().items() if any(word in text for word in words) and name.search(text))


@functools.cache
def texts() -> dict[str, str]:
    """Return the text of the tests' own modules, without the programs that they run."""
    found = (path for path in sorted((ROOT / "tests").rglob("*.py")) if "programs" not in path.parts)
    return {path.relative_to(ROOT).as_posix(): path.read_text("utf-8", "replace") for path in found}


def names(path: str) -> re.Pattern[str]:
    """Return the pattern of the names for a file in Python text: its path's end, or its module; for a program of
    tests/programs also its folder."""
    file = Path(path)
    told = [rf"\b{re.escape(file.name)}\b", rf"[\"'/]{re.escape(file.stem)}[\"']"]
    if path.startswith("tests/programs/") and len(file.parts) > 3:
        told.append(rf"[\"'/]{re.escape(file.parts[2])}[\"'/]")
    elif not path.startswith("tests/programs/"):
        around = re.escape(".".join(file.parts[:-1]))
        told = [rf"\b{around}\.{file.stem}\b", rf"from (?:{around}|\.) import .*\b{file.stem}\b"]
        told += [rf"from \.{file.stem} import", rf"[\"'/]{re.escape(file.name)}[\"']"]
        if len(file.parts) > 4:
            told.append(rf"[\"'/]{re.escape(file.parts[3])}[\"']")
    return re.compile("|".join(told))


def namesakes(path: str) -> Iterator[str]:
    """Yield patterns of tests in GDB that have a word of the module's name in their own."""
    for word in re.findall(r"[a-z]{4,}", Path(path).stem):
        stem = word[:-3] if word.endswith("ing") else word.rstrip("s")
        yield f"tests/gdb/test_*{stem}*.py"


def differing(ref: str) -> list[str]:
    """Return the files that differ from the merge base of REF and HEAD, committed or not, and new files."""

    def git(*arguments: str) -> list[str]:
        done = subprocess.run(["git", *arguments], capture_output=True, text=True, cwd=ROOT)
        if done.returncode:
            raise SystemExit(f"scripts/test --changed {ref}: {(done.stderr.strip().splitlines() or ['git fails'])[0]}")
        return [line for line in done.stdout.split("\0") if line]

    base = git("merge-base", ref, "HEAD")[0].strip()
    new = git("ls-files", "-z", "--others", "--exclude-standard")
    return sorted({*git("diff", "-z", "--name-only", "--no-renames", base), *new})


def main() -> None:
    found = plan(differing(sys.argv[1] if len(sys.argv) > 1 else "HEAD"))
    for word in [*sorted(found.stages), *sorted(found.tests)]:
        print(word)
    for path in found.unknown:
        print(f"# no rule: {path}")


if __name__ == "__main__":
    main()
