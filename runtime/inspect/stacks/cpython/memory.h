/* Reads the target's memory for one walk, page by page, so that neighbouring frames cost one read. */
#ifndef JS_STACKS_CPYTHON_MEMORY_H
#define JS_STACKS_CPYTHON_MEMORY_H

#include "bytes/reader.h"

enum {
    JS_MEMORY_PAGE = 4096,
    JS_MEMORY_SLOTS = 32,
};

/* The pages that were read. */
typedef struct js_memory {
    js_bytes *bytes;
    uint64_t page[JS_MEMORY_SLOTS]; /* address of the page in each slot; 1: none */
    uint8_t data[JS_MEMORY_SLOTS][JS_MEMORY_PAGE];
} js_memory;

/* Forget all pages. Each walk begins with this, because the target may have run since the last one. */
void js_memory_reset(js_memory *memory);
/* Like js_bytes_read() and its relatives. */
int js_memory_read(js_memory *memory, uint64_t address, void *buffer, size_t size);
int js_memory_read_word(js_memory *memory, uint64_t address, uint64_t *out);
int js_memory_read_int(js_memory *memory, uint64_t address, int32_t *out);

#endif
