"""Makes threads, children and new programs as fast as it can: `churn.py threads|fork|exec`. It writes a line to
standard error after each hundred."""

import os
import sys
import threading

what = sys.argv[1]
done = int(sys.argv[2]) if len(sys.argv) > 2 else 0
if not done:
    print("ready", os.getpid(), flush=True)
while True:
    done += 1
    if done % 100 == 0 or what == "exec":
        os.write(2, b"%d\n" % done)
    if what == "threads":
        several = [threading.Thread(target=sorted, args=([3, 2, 1],)) for _ in range(4)]
        for thread in several:
            thread.start()
        for thread in several:
            thread.join()
    elif what == "fork":
        child = os.fork()
        if not child:
            os._exit(0)
        os.waitpid(child, 0)
    else:
        threading.Thread(target=threading.Event().wait, daemon=True).start()
        os.execv(sys.executable, [sys.executable, "-S", __file__, what, str(done)])
