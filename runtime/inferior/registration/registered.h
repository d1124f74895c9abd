/* The code that JITs of this process have registered for debuggers. */
#ifndef JITSCOPE_REGISTERED_H
#define JITSCOPE_REGISTERED_H

#include <stdbool.h>
#include <stdint.h>

/* The byte that the compiler wrote at this address of registered code; not one that the loader fills. One
 * thread at a time; async-signal-safe. */
bool registered_byte(uint64_t address, uint8_t *byte);

/* Code of that, as the compiler wrote it. One thread at a time; async-signal-safe. */
typedef struct registered_code {
    uint64_t address, size;
    const uint8_t *bytes;     /* from `address` on */
    const uint8_t *now;       /* that are there */
    const uint8_t *is_filled; /* for each: by the loader */
} registered_code;
void registered_each(void (*tell)(void *context, const registered_code *code), void *context);

#endif
