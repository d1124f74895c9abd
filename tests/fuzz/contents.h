/* All of memory is the input's contents, over and over, up to MEMORY, so that pointers lead somewhere. */
#ifndef JS_FUZZ_CONTENTS_H
#define JS_FUZZ_CONTENTS_H

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
    if (address >= MEMORY || all->size == 0) {
        return JS_EFAULT;
    }
    for (size_t done = 0, some; done < size; done += some) {
        size_t from = (address + done) % all->size;
        some = all->size - from < size - done ? all->size - from : size - done;
        memcpy(out + done, all->at + from, some);
    }
    return JS_OK;
}
#endif
