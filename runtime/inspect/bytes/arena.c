/* Allocates from blocks that are freed all at once. */
#include "bytes/arena.h"

#include <stdalign.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { ALIGNMENT = 16, BLOCK_MIN = 16 * 1024 };
static const size_t DEFAULT_LIMIT = (size_t)1 << 30;

struct js_arena_block {
    struct js_arena_block *next;
    size_t size; /* bytes in `bytes` */
    size_t used;
    alignas(ALIGNMENT) unsigned char bytes[];
};

void js_arena_init(js_arena *arena, size_t limit)
{
    *arena = (js_arena){.limit = limit ? limit : DEFAULT_LIMIT};
}

void js_arena_deinit(js_arena *arena)
{
    struct js_arena_block *block = arena->blocks;
    while (block) {
        struct js_arena_block *next = block->next;
        free(block);
        block = next;
    }
    arena->blocks = NULL;
    arena->used = 0;
}

void *js_arena_alloc(js_arena *arena, size_t size)
{
    if (size > SIZE_MAX / 2) {
        return NULL;
    }
    size_t rounded = size ? (size + ALIGNMENT - 1) & ~(size_t)(ALIGNMENT - 1) : ALIGNMENT;
    if (rounded > arena->limit - arena->used) {
        return NULL;
    }
    struct js_arena_block *block = arena->blocks;
    if (!block || rounded > block->size - block->used) {
        size_t capacity = rounded > BLOCK_MIN ? rounded : BLOCK_MIN;
        struct js_arena_block *fresh = aligned_alloc(ALIGNMENT, sizeof *fresh + capacity);
        if (!fresh) {
            return NULL;
        }
        fresh->size = capacity;
        fresh->used = 0;
        if (block && capacity > BLOCK_MIN) {
            /* A large block goes second, so that the space left in the current block stays in use. */
            fresh->next = block->next;
            block->next = fresh;
        } else {
            fresh->next = block;
            arena->blocks = fresh;
        }
        block = fresh;
    }
    void *result = block->bytes + block->used;
    block->used += rounded;
    arena->used += rounded;
    return memset(result, 0, rounded);
}

char *js_arena_strndup(js_arena *arena, const char *string, size_t length)
{
    if (length == SIZE_MAX) {
        return NULL;
    }
    char *copy = js_arena_alloc(arena, length + 1);
    if (copy && length) {
        memcpy(copy, string, length);
    }
    return copy;
}

char *js_arena_strdup(js_arena *arena, const char *string)
{
    return js_arena_strndup(arena, string, strlen(string));
}
