"""Runs cells in a kernel of its own, as a notebook would: the last cell again once a debugger is there."""

import pathlib
import time

from jupyter_client.manager import start_new_kernel

CELLS = (
    "import numpy as np\nfrom numba import njit",
    """@njit(debug=True)
def scale(values, factor):
    top = values.max()
    scaled = values * factor / top
    return scaled""",
    "scale(np.arange(4.0), 2)",
)
if __name__ == "__main__":
    manager, client = start_new_kernel()
    pid = manager.provisioner.process.pid
    try:
        for cell in CELLS:
            client.execute_interactive(cell, timeout=60, output_hook=lambda message: None)
        print(pid, flush=True)
        while "TracerPid:\t0\n" in pathlib.Path(f"/proc/{pid}/status").read_text():
            time.sleep(0.1)
        client.execute_interactive(CELLS[-1], timeout=60, output_hook=lambda message: None)
    finally:
        manager.shutdown_kernel(now=True)
