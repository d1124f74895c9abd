/* Builds records in blocks of memory, and reads what programs pass. */
#include <stdlib.h>

#include "registration/descriptor.h"

static bool block_grow(block *b, size_t size)
{
    if (b->status) {
        return false;
    }
    if (size > JITSCOPE_BLOCK_MAX - b->size) {
        b->status = JITSCOPE_ELIMIT;
        return false;
    }
    if (b->size + size > b->capacity) {
        size_t capacity = 2 * (b->size + size) + 64;
        unsigned char *grown = realloc(b->data, capacity);
        if (!grown) {
            b->status = JITSCOPE_ENOMEM;
            return false;
        }
        b->data = grown;
        b->capacity = capacity;
    }
    return true;
}

void block_init(block *b, size_t record_size)
{
    *b = (block){0};
    block_list(b, 1, record_size);
}

void block_deinit(block *b)
{
    free(b->data);
    *b = (block){0};
}

uint32_t block_bytes(block *b, const void *bytes, size_t size)
{
    if (size == 0 || !block_grow(b, size)) {
        return 0;
    }
    size_t at = b->size;
    memcpy(b->data + at, bytes, size);
    b->size += size;
    return (uint32_t)at;
}

uint32_t block_text(block *b, const char *text)
{
    if (!text || !*text) {
        return 0;
    }
    size_t length = strnlen(text, JITSCOPE_TEXT_MAX);
    if (length == JITSCOPE_TEXT_MAX) {
        b->status = b->status ? b->status : JITSCOPE_ELIMIT;
        return 0;
    }
    return block_bytes(b, text, length + 1);
}

jitscope_list block_list(block *b, size_t count, size_t size)
{
    jitscope_list none = {0, 0, (uint32_t)size};
    size_t padding = -b->size % 8;
    if (count > JITSCOPE_LIST_MAX) {
        b->status = b->status ? b->status : JITSCOPE_ELIMIT;
    }
    if (count == 0 || b->status || !block_grow(b, padding + count * size)) {
        return none;
    }
    memset(b->data + b->size, 0, padding + count * size);
    none.offset = (uint32_t)(b->size + padding);
    none.count = (uint32_t)count;
    b->size += padding + count * size;
    return none;
}

int block_finish(block *b, const void *record, size_t size)
{
    if (!b->status) {
        memcpy(b->data, record, size);
    }
    return b->status;
}

void passed_entry(const void *entries, size_t index, size_t entry_size, void *out, size_t size)
{
    memset(out, 0, size);
    memcpy(out, (const char *)entries + index * entry_size, entry_size < size ? entry_size : size);
}

bool passed_structure(const void *passed, size_t least, void *out, size_t size)
{
    uint32_t known;
    if (!passed) {
        return false;
    }
    memcpy(&known, passed, sizeof known);
    if (known < least) {
        return false;
    }
    passed_entry(passed, 0, known, out, size);
    return true;
}
