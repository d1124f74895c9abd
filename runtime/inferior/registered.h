/* The code that JITs of this process have registered for debuggers. */
#ifndef JITSCOPE_REGISTERED_H
#define JITSCOPE_REGISTERED_H

#include <stdbool.h>
#include <stdint.h>

/* The byte that the compiler wrote at this address of registered code; not one that the loader fills. One
 * thread at a time; async-signal-safe. */
bool registered_byte(uint64_t address, uint8_t *byte);

#endif
