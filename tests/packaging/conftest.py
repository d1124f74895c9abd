"""One wheel and one environment with it for all tests of this folder, made by the first worker that needs it."""

from __future__ import annotations

import dataclasses
import fcntl
import os
import pathlib
import subprocess
import sys
import sysconfig

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]


def run(*command: str | os.PathLike[str], **options: object) -> subprocess.CompletedProcess[str]:
    """Run a command that must succeed; its output is in the error if it does not."""
    done: subprocess.CompletedProcess[str] = subprocess.run(
        [os.fspath(word) for word in command],
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
        **options,  # type: ignore[call-overload]
    )
    assert done.returncode == 0, f"{command} ended with {done.returncode}\n{done.stdout}\n{done.stderr}"
    return done


def files(*patterns: str) -> list[str]:
    """Return the repository's files, without those that git ignores."""
    listed = run("git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", *patterns, cwd=ROOT)
    return [name for name in listed.stdout.split("\0") if name and (ROOT / name).exists()]


def clean_environment(**extra: str) -> dict[str, str]:
    """Return this process's environment, without the variables that would lead an installed jitscope back to the
    checkout."""
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("PYTHON", "JITSCOPE_", "NUMBA_"))}
    return {**kept, **extra}


@dataclasses.dataclass
class Installed:
    wheel: pathlib.Path
    environment: pathlib.Path

    @property
    def python(self) -> pathlib.Path:
        return self.environment / "bin" / "python"

    @property
    def package(self) -> pathlib.Path:
        found = run(
            self.python,
            "-c",
            "import os, jitscope; print(os.path.dirname(jitscope.__file__))",
            cwd="/",
            env=clean_environment(),
        )
        return pathlib.Path(found.stdout.strip())


@pytest.fixture(scope="session")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Installed:
    """Return a wheel of this checkout in a new environment, whose other packages are those of .venv."""
    shared = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        shared = shared.parent
    place = shared / "an installed jitscope"
    with open(shared / "installed.lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (place / "done").exists():
            install(place)
            (place / "done").touch()
    return Installed(next((place / "wheel").glob("*.whl")), place / "venv")


def install(place: pathlib.Path) -> None:
    # meson-python writes the interpreter's path unquoted into a file of Meson's, where an apostrophe would end it.
    alias = place / "environment"
    place.mkdir(exist_ok=True)
    alias.unlink(missing_ok=True)
    alias.symlink_to(sys.prefix)
    pip = (str(alias / "bin" / "python"), "-m", "pip", "--disable-pip-version-check")
    env = {**os.environ, "PATH": f"{alias / 'bin'}:{os.environ['PATH']}"}
    env["CFLAGS"] = "-O0"  # two fifths of the time; other tests run build/, which is optimised
    run(*pip, "wheel", "--no-build-isolation", "--no-deps", f"--config-settings=build-dir={place / 'build'}",
        "-w", place / "wheel", ROOT, env=env)  # fmt: skip
    base = pathlib.Path(sys.base_prefix) / "bin" / f"python{sysconfig.get_python_version()}"
    run(base, "-m", "venv", "--without-pip", place / "venv")
    python = place / "venv" / "bin" / "python"
    (wheel,) = (place / "wheel").glob("*.whl")
    run(*pip, "--python", python, "install", "--no-index", "--no-deps", wheel)
    found = run(python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))").stdout.strip()
    pathlib.Path(found, "other-packages.pth").write_text(sysconfig.get_path("purelib") + "\n")
