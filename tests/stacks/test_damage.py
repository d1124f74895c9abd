"""Processes whose memory is damaged: stacks of random bytes, and the list of compiled code overwritten. They are read
without a crash and without a hang, and what is still right is shown."""

from __future__ import annotations

import pathlib
import shutil
import subprocess
import time

import pytest

from tests.interpreters import newest_python
from tests.minutes import MATRIX
from tests.stacks.taking import needs_library, running, take, thread_of

# Why native frames end, as notes of a stack say.
ENDS = {"native frames end early: the stack cannot be read further"}
LONGEST = 20.0  # seconds for a take, on a machine that does something else, too


@pytest.fixture(autouse=True)
def _library() -> None:
    needs_library()


RANDOM = """\
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Overwrite the stack above this frame with random words: code, addresses in the stack, and anything. */
static void damage(unsigned seed)
{
    uint64_t *at = __builtin_frame_address(0); /* the variables are below */
    for (int i = 0; i < 2000; i++) {
        unsigned kind = rand_r(&seed) % 4;
        at[i] = kind == 0   ? (uint64_t)(uintptr_t)printf + rand_r(&seed) % 100000
                : kind == 1 ? (uint64_t)(uintptr_t)at + rand_r(&seed) % 16000
                : kind == 2 ? (uint64_t)(uintptr_t)damage + rand_r(&seed) % 200
                            : (uint64_t)rand_r(&seed) << 32 | rand_r(&seed);
    }
    for (;;) {
        syscall(SYS_pause);
    }
}

static void *leave_room(void *context)
{
    volatile char room[20000]; /* the thread's own structures are above */
    room[0] = 0;
    damage((unsigned)(uintptr_t)context);
    return (void *)(uintptr_t)room[0];
}

int main(int count, char **words)
{
    for (int i = 0; i < 20; i++) {
        pthread_t thread;
        pthread_create(&thread, NULL, leave_room, (void *)(uintptr_t)(atoi(words[1]) * 20 + i));
    }
    usleep(200000);
    puts("ready");
    fflush(stdout);
    for (;;) {
        pause();
    }
}
"""


@pytest.mark.parametrize("seed", range(25 if MATRIX else 3))
def test_random_stacks(seed: int, tmp_path: pathlib.Path) -> None:
    (tmp_path / "random.c").write_text(RANDOM)
    program = tmp_path / "random"
    subprocess.run(["cc", "-O0", "-w", "-pthread", tmp_path / "random.c", "-o", program], check=True)
    with running(program, str(seed)) as process:
        for values in (False, True):
            begin = time.monotonic()
            taken = take(process.pid, values=values)
            assert time.monotonic() - begin < LONGEST
            assert len(taken["threads"]) == 21
            for thread in taken["threads"]:
                assert len(thread["frames"]) < 3000 and set(thread["notes"]) <= ENDS
            main = thread_of(taken, process.pid)
            assert main["frames"][-1]["name"] == "main" and not main["notes"]


LIST = """\
import ctypes, subprocess, sys, threading, time
from numba import njit
from llvmlite.binding import ffi

@njit(nogil=True)
def compiled(x):
    usleep(999999999)
    return x

usleep = ctypes.CDLL(None).usleep
usleep.argtypes = [ctypes.c_uint]

class Entry(ctypes.Structure):
    pass
Entry._fields_ = [("next", ctypes.POINTER(Entry)), ("previous", ctypes.POINTER(Entry)), ("address", ctypes.c_uint64),
                  ("size", ctypes.c_uint64)]
class Descriptor(ctypes.Structure):
    _fields_ = [("version", ctypes.c_uint32), ("action", ctypes.c_uint32), ("relevant", ctypes.POINTER(Entry)),
                ("first", ctypes.POINTER(Entry))]

compiled.compile("int64(int64)")
path = getattr(ffi.lib, "_lib", ffi.lib)._name
symbols = subprocess.run(["nm", path], capture_output=True, text=True).stdout.splitlines()
(place,) = (int(line.split()[0], 16) for line in symbols if line.endswith(" __jit_debug_descriptor"))
maps = [line.split() for line in open("/proc/self/maps")]
base = next(int(fields[0].split("-")[0], 16) for fields in maps if fields[-1].endswith("libllvmlite.so"))
descriptor = Descriptor.from_address(base + place)
first, entries = descriptor.first, []
while first:
    entries.append(first.contents)
    first = first.contents.next
assert len(entries) > 1

def garbage(address):
    return ctypes.cast(address, ctypes.POINTER(Entry))

how = sys.argv[1]
if how == "cycle":
    entries[-1].next = descriptor.first
elif how == "itself":
    entries[0].next = descriptor.first
elif how == "first":
    descriptor.first = garbage(0x10)
elif how == "next":
    entries[0].next = garbage(0xfffffffffffffff8)
elif how == "size":
    for entry in entries:
        entry.size = 1 << 62
elif how == "address":
    for entry in entries:
        entry.address = 0x123
elif how == "image":
    for entry in entries:
        ctypes.memset(entry.address + 16, 0xff, min(entry.size - 16, 500))
elif how == "none":
    descriptor.first = None
threading.Thread(target=compiled, args=(1,), daemon=True).start()
def asleep():
    print("ready", flush=True)
    time.sleep(3600)
asleep()
"""


@pytest.mark.parametrize("how", ["cycle", "itself", "first", "next", "size", "address", "image", "none"])
def test_list_of_compiled_code(how: str, tmp_path: pathlib.Path) -> None:
    if not shutil.which("nm"):
        pytest.skip("no nm")
    program = tmp_path / "damaged.py"
    program.write_text(LIST)
    command = ("env", "-u", "JITSCOPE_LEVEL", "PYTHONWARNINGS=ignore", newest_python(), program, how)
    with running(*command) as process:
        begin = time.monotonic()
        taken = take(process.pid)
        assert time.monotonic() - begin < LONGEST
        frames = [(f["kind"], f["name"]) for f in thread_of(taken, process.pid)["frames"] if f["kind"] != "native"]
        assert frames == [("python", "asleep"), ("python", "<module>")]
        compiled = {f["name"] for thread in taken["threads"] for f in thread["frames"] if f["kind"] == "jit"}
        assert compiled <= {"compiled"}
        if how == "cycle":
            assert compiled == {"compiled"}
        assert process.poll() is None
