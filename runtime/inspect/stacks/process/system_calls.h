/* The system calls that a thread may wait in. */
#ifndef JS_STACKS_PROCESS_SYSTEM_CALLS_H
#define JS_STACKS_PROCESS_SYSTEM_CALLS_H

#include <stdint.h>

#include "stacks/unwind/native_stack.h"

/* Numbers on x86-64. */
enum {
    JS_CALL_READ = 0,
    JS_CALL_POLL = 7,
    JS_CALL_WAIT4 = 61,
    JS_CALL_FUTEX = 202,
    JS_CALL_RESTART = 219, /* restart_syscall(2): a wait with a time that goes on after an interruption */
    JS_CALL_EPOLL_WAIT = 232,
    JS_CALL_WAITID = 247,
    JS_CALL_PPOLL = 271,
    JS_CALL_EPOLL_PWAIT = 281,
};

/* The result of a system call that a stop has interrupted: linux/errno.h, ERESTARTSYS. */
enum { JS_CALL_INTERRUPTED = -512 };

/* Return the number of the call that restart_syscall(2) goes on with, by the code at the thread's innermost
 * frames, which the kernel enters again. JS_CALL_RESTART: it is not known. */
uint64_t js_system_call_restarted(js_native_stack *stack);

/* Return the name of a system call by its number on x86-64; NULL: it is none of them. */
const char *js_system_call_name(uint64_t number);

#endif
