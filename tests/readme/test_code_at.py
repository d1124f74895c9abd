"""docs/c-library.md's example of a tool that asks for addresses gives what `jitscope names --json` has there."""

from __future__ import annotations

import json
import pathlib
import subprocess

from jitscope.paths import library
from tests.gdb.harness import environment, target
from tests.interpreters import ROOT, newest_python


def test_frames_of_addresses(tmp_path: pathlib.Path) -> None:
    tool, built = tmp_path / "code_at", library()
    source = ROOT / "tests" / "readme" / "code_at.c"
    compile_it = ["cc", "-Wall", "-Werror", f"-I{ROOT}/runtime/inspect", source, built, "-o", tool]
    subprocess.run([*compile_it, f"-Wl,-rpath,{built.parent}"], check=True)
    with target("named_code.py", env={"JITSCOPE_LEVEL": "exact"}) as pid:
        command = [newest_python(), "-m", "jitscope", "names", str(pid), "--json"]
        done = subprocess.run(command, env=environment(), capture_output=True, text=True, timeout=100)
        assert done.returncode == 0, done.stderr
        functions = json.loads(done.stdout)["functions"]
        parts = [part for function in functions for part in function["ranges"]]
        inlined = [part for part in parts if len(part["frames"]) > 1 and part["frames"][0]["line"]]
        assert inlined
        for part in [*inlined[:20], *parts[:20]]:
            found = subprocess.run([tool, str(pid), f"{part['low']:x}"], capture_output=True, text=True, check=True)
            frames = [f"{frame['name']} {frame['file']}:{frame['line']}" for frame in part["frames"]]
            expected = [*(f"{frame} (inlined)" for frame in frames[:-1]), frames[-1]]
            assert found.stdout.splitlines() == expected
        assert subprocess.run([tool, str(pid), "1000"], capture_output=True, text=True).stdout == ""
    done = subprocess.run([tool, "2147483646"], capture_output=True, text=True)
    assert done.returncode == 1 and done.stderr
