/* Takes out breakpoint instructions that a debugger which was killed has left in another process's code.
 * Called by guard.c. */
#ifndef JITSCOPE_GUARD_CODE_H
#define JITSCOPE_GUARD_CODE_H

#include <stddef.h>
#include <stdint.h>

/* A breakpoint that the debugger has reported: it may be in the code now, in place of `byte`. */
typedef struct guard_place {
    uint64_t address;
    uint8_t byte;
} guard_place;

/* Restore the original bytes: at `places`, and in pages of files' code, from the file. Does nothing if the
 * process's memory may not be written. */
void guard_code_restore(int pid, const guard_place *places, size_t count);

#endif
