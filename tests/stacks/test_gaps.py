"""Code without call frame information: the frame after it is found on the stack, and others may be missing."""

from __future__ import annotations

import sys

from .taking import command, needs_library, running, state, until

# Machine code in anonymous memory, without a frame pointer: it calls pause() again and again.
PROGRAM = """\
import ctypes, mmap, struct
pause = ctypes.cast(ctypes.CDLL(None).pause, ctypes.c_void_p).value
code = b"\\x48\\x83\\xec\\x28"  # sub rsp, 40
code += b"\\x48\\xb8" + struct.pack("<Q", pause) + b"\\xff\\xd0"  # mov rax, pause; call rax
code += b"\\xeb\\xf2"  # jmp to the mov
memory = mmap.mmap(-1, 4096, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS, mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
memory.write(code)
run = ctypes.CFUNCTYPE(None)(ctypes.addressof(ctypes.c_char.from_buffer(memory)))
print("ready", flush=True)
run()
"""


def test_code_that_is_in_no_file() -> None:
    needs_library()
    with running(sys.executable, "-c", PROGRAM) as process:
        until(lambda: state(process.pid) == "S")
        shown = command(str(process.pid)).stdout
        every = command("--native", str(process.pid)).stdout
    assert "(frames may be missing around those of code that is in no file, which has no call frame" in shown
    assert "[found by scan]" in every and "[found by scan]" not in shown
