"""python -m tests.ablation.figures LIBRARY PID FOLDER OLDER: the figures of the library for a process, as one line of
JSON.

FOLDER/*.o are the objects of the process, and FOLDER/flows.json has the answers from the source. OLDER: 1 if older
elements are counted, too, which takes most of the time."""

from __future__ import annotations

import ctypes
import json
import os
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "gdbext"))
from jitscope_source import fields, flow_json  # noqa: E402

# in the order of probe.c
NAMES = ("functions", "statements", "lines", "places", "values", "bytes", "older", "digest")
FLOW = ctypes.CFUNCTYPE(
    ctypes.c_int, ctypes.c_void_p, ctypes.c_char_p, ctypes.c_uint32, ctypes.c_char_p, ctypes.c_void_p
)
NOT_FOUND = -5  # JS_ENOTFOUND


class Flows:
    """The facts from the source, made once for all variants of the library."""

    def __init__(self, file: Path):
        self.file = file
        self.known: dict[str, str | None] = json.loads(file.read_text("utf-8")) if file.exists() else {}
        self.count = len(self.known)

    def text(self, path: str, line: int, name: str) -> str | None:
        key = f"{path}:{line}:{name}"
        if key not in self.known:
            self.known[key] = self.make(path, line, name)
        return self.known[key]

    def make(self, path: str, line: int, name: str) -> str | None:
        if not os.path.isabs(path):
            return None
        if line == 0:  # the name is a class's, and its fields are wanted
            names = fields.fields_for_file(path, name.partition(" ")[0])
            return None if names is None else json.dumps(names)
        return flow_json.flow_for_file(path, line, name)

    def save(self) -> None:
        if len(self.known) > self.count:
            self.file.write_text(json.dumps(self.known), "utf-8")


def figures(library: str, pid: int, folder: Path, is_older: bool) -> dict[str, Any]:
    """Return the figures by the names of NAMES; under "programs" the digest of each program in the folder."""
    lib = ctypes.CDLL(library)
    flows = Flows(folder / "flows.json")

    def find(_context: Any, path: bytes, line: int, name: bytes, out: Any) -> int:
        text = flows.text(os.fsdecode(path), line, name.decode("utf-8", "replace"))
        if text is None:
            return NOT_FOUND
        data = text.encode()
        lib.js_text_putn(ctypes.c_void_p(out), data, ctypes.c_size_t(len(data)))
        return 0

    callback = FLOW(find)
    program, memory, number = ctypes.c_void_p(), ctypes.c_void_p(), ctypes.c_uint()
    if lib.js_program_create(ctypes.byref(program)) or lib.js_bytes_create_process(pid, ctypes.byref(memory)):
        raise RuntimeError(f"{library} cannot read process {pid}")
    lib.js_program_set_flow(program, callback, None)
    for file in sorted(folder.glob("*.o")):
        image = file.read_bytes()
        lib.js_program_add(program, image, ctypes.c_size_t(len(image)), memory, None, ctypes.byref(number))
    counts = (ctypes.c_uint64 * len(NAMES))()
    digests = {}
    for path in [*sorted(folder.glob("*.py")), None]:
        if status := lib.js_probe(program, os.fsencode(path) if path else None, is_older, counts):
            raise RuntimeError(f"js_probe: {status}")
        if path:
            digests[path.stem] = counts[NAMES.index("digest")]
    flows.save()
    return {**dict(zip(NAMES, counts)), "programs": digests}


if __name__ == "__main__":
    print(json.dumps(figures(sys.argv[1], int(sys.argv[2]), Path(sys.argv[3]), sys.argv[4] == "1")))
