#include "layouts/heap.h"

enum {
    HEADER = 16,
    SIZE = 8, /* offset of the size in a header, and from its end back */
    IS_MMAPPED = 2,
    FLAGS = 7,
    LEAST = 32, /* bytes of the smallest block with its header */
    FENCE = 16, /* the size in the last header of a part of the heap */
};

/* True if a block with this size and these flags can be at the header. */
static bool is_size(js_bytes *bytes, uint64_t header, uint64_t size)
{
    uint64_t length = size & ~(uint64_t)FLAGS, last;
    return length >= LEAST && length % HEADER == 0 &&
           js_bytes_read_word(bytes, header + length - SIZE, &last) == JS_OK;
}

int js_heap_damage_after(js_bytes *bytes, uint64_t block, js_heap_damage *out)
{
    uint64_t own = block - HEADER, size, following;
    if (block % HEADER || js_bytes_read_word(bytes, own + SIZE, &size) != JS_OK || size & IS_MMAPPED ||
        !is_size(bytes, own, size)) {
        return JS_ENOTFOUND;
    }
    uint64_t header = own + (size & ~(uint64_t)FLAGS);
    if (js_bytes_read_word(bytes, header + SIZE, &following) != JS_OK ||
        (following & ~(uint64_t)FLAGS) == FENCE || is_size(bytes, header, following)) {
        return JS_ENOTFOUND;
    }
    *out = (js_heap_damage){.size_at = header + SIZE, .following = header + HEADER};
    return JS_OK;
}
