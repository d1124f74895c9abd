/* Breakpoint instructions that a debugger which was killed has left in another process's code. */
#ifndef JITSCOPE_GUARD_CODE_H
#define JITSCOPE_GUARD_CODE_H

#include <stddef.h>
#include <stdint.h>

/* One that the debugger has told of: it may be there now, and `byte` was. */
typedef struct guard_place {
    uint64_t address;
    uint8_t byte;
} guard_place;

/* Puts back what was there: at `places`, and in pages of files' code, by the file. Nothing where the process
 * may not be written. */
void guard_code_restore(int pid, const guard_place *places, size_t count);

#endif
