"""A crash, and how a program is run that crashes."""

from __future__ import annotations

import os
import signal
import subprocess

CRASH = "import ctypes\ndef crash():\n    value = 17\n    ctypes.CDLL(None).memset(None, 0, 8)\ncrash()\n"
SEGV = -signal.SIGSEGV


def run(*words: str | os.PathLike[str], **variables: str) -> subprocess.CompletedProcess[str]:
    env = {**os.environ, "JITSCOPE": "", **variables}
    return subprocess.run([*words], capture_output=True, text=True, env=env, timeout=120)
