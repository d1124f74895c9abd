/* Reads the headers that glibc's allocator writes before its blocks (malloc/malloc.c, 2.3-2.41). A header has
 * 16 bytes, where the second 8 are the size of the block with its header, a multiple of 16, and three flags.
 */
#ifndef JS_LAYOUTS_HEAP_H
#define JS_LAYOUTS_HEAP_H

#include "bytes/reader.h"

typedef struct js_heap_damage {
    uint64_t size_at;   /* address of the size that is not valid */
    uint64_t following; /* the block to which that header belongs */
} js_heap_damage;

/* Find whether the header after a block from malloc() is damaged: the block's own header is valid, and that
 * one is not. While the block is in use, that header was overwritten, since only the allocator writes there;
 * the allocator may have given the memory after a block that was freed to other blocks. JS_ENOTFOUND: no
 * damage is known. */
JS_API int js_heap_damage_after(js_bytes *bytes, uint64_t block, js_heap_damage *out);
#endif
