/* Where a thread sleeps. */
#ifndef JS_STACKS_CPYTHON_THREADS_SLEEP_H
#define JS_STACKS_CPYTHON_THREADS_SLEEP_H

#include "stacks/python.h"

typedef struct js_python_sleep {
    uint64_t futex;  /* the address that it has passed to futex(2); 0: it does not sleep in that call */
    uint64_t stack;  /* its stack pointer */
    bool is_at_file; /* it waits for a file instead, in read(2), poll(2) or epoll_wait(2) */
} js_python_sleep;

/* Return where the thread sleeps, which it does until its system call returns; or has slept, if `is_over`:
 * the time was over. */
js_python_sleep js_python_sleep_of(const js_python_call *call, bool is_over);

#endif
