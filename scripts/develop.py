"""The packages of .venv, and jitscope in it; scripts/setup runs this by .venv's Python.

`requirements` prints pyproject.toml's test packages. `link` makes this checkout importable in .venv, with its command
and its Numba entry point, as an editable install would, but without building anything: a C file that does not compile
must not break `import jitscope` in every program of that environment."""

from __future__ import annotations

import sys
import sysconfig
from pathlib import Path
from typing import Any

try:
    import tomllib
except ModuleNotFoundError:  # in Python 3.9 and 3.10
    from pip._vendor import tomli as tomllib  # type: ignore[no-redef]

ROOT = Path(__file__).resolve().parents[1]


def project() -> dict[str, Any]:
    table: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    return table


def version() -> str:
    names: dict[str, str] = {}
    exec((ROOT / "runtime/python/jitscope/version.py").read_text("utf-8"), names)
    return names["__version__"]


def requirements() -> None:
    print(*project()["optional-dependencies"]["test"], sep="\n")


def link() -> None:
    # Only for the command's script, which must start from a folder with spaces in its name.
    from pip._vendor.distlib.scripts import ScriptMaker

    table = project()
    packages = Path(sysconfig.get_path("purelib"))
    for old in packages.glob("jitscope-*.dist-info"):
        for file in old.iterdir():
            file.unlink()
        old.rmdir()
    python = ROOT / "runtime" / "python"
    at_start = (python / "jitscope-startup.pth").read_text("utf-8")
    (packages / "jitscope.pth").write_text(f"{python}\n{at_start}", "utf-8")
    info = packages / f"jitscope-{version()}.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(
        f"Metadata-Version: 2.1\nName: jitscope\nVersion: {version()}\nSummary: {table['description']}\n"
    )
    (info / "INSTALLER").write_text("scripts/setup\n")
    lines = ["[console_scripts]", *(f"{name} = {target}" for name, target in table["scripts"].items())]
    for group, points in table["entry-points"].items():
        lines += [f"[{group}]", *(f"{name} = {target}" for name, target in points.items())]
    (info / "entry_points.txt").write_text("\n".join(lines) + "\n")
    maker = ScriptMaker(None, sysconfig.get_path("scripts"))
    maker.variants = {""}
    maker.clobber = True
    for name, target in table["scripts"].items():
        maker.make(f"{name} = {target}")
    record = sorted(p.relative_to(packages).as_posix() for p in [packages / "jitscope.pth", *info.iterdir()])
    (info / "RECORD").write_text("".join(f"{path},,\n" for path in [*record, f"{info.name}/RECORD"]))


if __name__ == "__main__":
    {"requirements": requirements, "link": link}[sys.argv[1]]()
