"""The first thread has ended its code, and waits for another thread."""

import os
import threading

pipe = os.pipe()


def reads():
    print("ready", flush=True)
    os.read(pipe[0], 1)


threading.Thread(target=reads).start()
