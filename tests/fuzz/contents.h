/* All of memory is the input's contents, over and over, up to MEMORY, so that pointers lead somewhere. */
#ifndef JS_FUZZ_CONTENTS_H
#define JS_FUZZ_CONTENTS_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "bytes/status.h"

enum { MEMORY = 4 << 20 };

typedef struct contents {
    const char *at;
    size_t size;
} contents;

static inline int memory(void *context, uint64_t address, void *buffer, size_t size)
{
    const contents *all = context;
    uint8_t *out = buffer;
    if (address >= MEMORY || size > MEMORY - address || all->size == 0) {
        return JS_EFAULT;
    }
    size_t from = address % all->size;
    size_t done = all->size - from < size ? all->size - from : size;
    memcpy(out, all->at + from, done);
    size_t first = done; /* then from the start, and what is there already, twice as much each time */
    while (done < size) {
        bool is_start = done < first + all->size;
        size_t some = is_start ? all->size : done - first;
        some = some < size - done ? some : size - done;
        memcpy(out + done, is_start ? (const void *)all->at : out + first, some);
        done += some;
    }
    return JS_OK;
}
#endif
