"""Reads its standard input: a line, then bytes as they come."""

import os
import sys

print("asks", flush=True)
print("line", repr(sys.stdin.readline()), flush=True)
print("bytes", repr(os.read(0, 3)), flush=True)
