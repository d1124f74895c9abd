/* The target's memory for one walk, page by page: neighbouring frames cost one read. */
#ifndef JS_STACKS_CPYTHON_MEMORY_H
#define JS_STACKS_CPYTHON_MEMORY_H

#include "bytes/reader.h"

enum {
    JS_MEMORY_PAGE = 4096,
    JS_MEMORY_SLOTS = 32,
};

typedef struct js_memory {
    js_bytes *bytes;
    uint64_t page[JS_MEMORY_SLOTS]; /* address of the page held; 1: none */
    uint8_t data[JS_MEMORY_SLOTS][JS_MEMORY_PAGE];
} js_memory;

/* Forget all pages; first thing of every walk, for the target may have run since. */
void js_memory_reset(js_memory *memory);
/* As js_bytes_read. */
int js_memory_read(js_memory *memory, uint64_t address, void *buffer, size_t size);
int js_memory_read_word(js_memory *memory, uint64_t address, uint64_t *out);
int js_memory_read_int(js_memory *memory, uint64_t address, int32_t *out);

#endif
