/* The names of the system calls that a thread may wait in. */
#ifndef JS_STACKS_PROCESS_SYSTEM_CALLS_H
#define JS_STACKS_PROCESS_SYSTEM_CALLS_H

#include <stdint.h>

/* Return the name of a system call by its number on x86-64; NULL: it is none of them. */
const char *js_system_call_name(uint64_t number);

#endif
