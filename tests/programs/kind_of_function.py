"""Runs the calls of programs of hook_kinds: kind_of_function.py KIND..."""

import contextlib
import importlib
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2]))

if __name__ == "__main__":
    for kind in sys.argv[1:]:
        for call in importlib.import_module(f"tests.programs.hook_kinds.{kind}").CALLS:
            with contextlib.suppress(ValueError):
                call()
