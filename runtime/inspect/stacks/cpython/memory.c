/* Reads the target's memory by pages. */
#include "stacks/cpython/memory.h"

#include <string.h>

void js_memory_reset(js_memory *memory)
{
    for (unsigned i = 0; i < JS_MEMORY_SLOTS; i++) {
        memory->page[i] = 1;
    }
}

/* Return the bytes of a page; NULL: it cannot be read as a whole. */
static const uint8_t *page_at(js_memory *memory, uint64_t page)
{
    unsigned slot = (unsigned)(page / JS_MEMORY_PAGE % JS_MEMORY_SLOTS);
    if (memory->page[slot] != page) {
        memory->page[slot] = 1;
        if (js_bytes_read(memory->bytes, page, memory->data[slot], JS_MEMORY_PAGE) < 0) {
            return NULL;
        }
        memory->page[slot] = page;
    }
    return memory->data[slot];
}

int js_memory_read(js_memory *memory, uint64_t address, void *buffer, size_t size)
{
    uint64_t offset = address % JS_MEMORY_PAGE;
    if (size > JS_MEMORY_PAGE || address + size < address) {
        return js_bytes_read(memory->bytes, address, buffer, size);
    }
    size_t head = JS_MEMORY_PAGE - offset < size ? (size_t)(JS_MEMORY_PAGE - offset) : size;
    const uint8_t *page = page_at(memory, address - offset);
    if (!page) {
        return js_bytes_read(memory->bytes, address, buffer, size);
    }
    memcpy(buffer, page + offset, head);
    if (head < size) {
        page = page_at(memory, address - offset + JS_MEMORY_PAGE);
        if (!page) {
            return js_bytes_read(memory->bytes, address, buffer, size);
        }
        memcpy((char *)buffer + head, page, size - head);
    }
    return JS_OK;
}

int js_memory_read_word(js_memory *memory, uint64_t address, uint64_t *out)
{
    return js_memory_read(memory, address, out, sizeof *out);
}

int js_memory_read_int(js_memory *memory, uint64_t address, int32_t *out)
{
    return js_memory_read(memory, address, out, sizeof *out);
}
