/* The code that JITs of this process have registered with GDB's JIT interface, as their
 * compilers wrote it. Called by rendezvous/leftover.c, which compares it with the code in memory.
 * Async-signal-safe, but only for one thread at a time. */
#ifndef JITSCOPE_REGISTERED_H
#define JITSCOPE_REGISTERED_H

#include <stdbool.h>
#include <stdint.h>

#include "jitscope.h"

/* Find the byte that the compiler wrote at this address of registered code. False: no registered object has
 * code there. A byte that the loader fills is not the one in memory. */
bool registered_byte(uint64_t address, uint8_t *byte);

/* A piece of registered code. */
typedef struct registered_code {
    uint64_t address, size;   /* in bytes */
    const uint8_t *bytes;     /* as the compiler wrote them, `size` of them */
    const uint8_t *now;       /* as they are in memory now */
    const uint8_t *is_filled; /* for each byte: 1 if the loader fills it (a relocation) */
} registered_code;
/* Call `tell` for each piece of registered code; the piece is valid during the call. */
void registered_each(void (*tell)(void *context, const registered_code *code), void *context);

/* Call `tell` with `context` for each variable and constant that has a symbol in registered objects: its
 * name, its address and its size in bytes. Returns 0 or an error, as jitscope_registered_functions does; not
 * async-signal-safe. */
int registered_data(jitscope_function_fn tell, void *context);
/* Find where the ELF image is, of `size` bytes, of registered code that has this address in its code or data.
 * Returns 1, 0 if there is none, or an error, as jitscope_registered_functions does; not async-signal-safe.
 */
int registered_image(uint64_t address, uint64_t *at, uint64_t *size);

#endif
