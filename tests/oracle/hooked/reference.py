"""The results of each call of some programs if Numba compiles it alone, as JSON on standard output.

Usage: reference.py FOLDER PROGRAM…, with JITSCOPE=0: {program: [[result, bits], …]}"""

from __future__ import annotations

import json
import pathlib
import sys

from debuggee import load
from returned import both


def main() -> None:
    folder = pathlib.Path(sys.argv[1])
    print(json.dumps({name: [both(call) for call in load(folder / f"{name}.py")] for name in sys.argv[2:]}))


if __name__ == "__main__":
    main()
