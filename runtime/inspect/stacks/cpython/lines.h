/* A code object's line table, decoded: which line each instruction belongs to. */
#ifndef JS_STACKS_CPYTHON_LINES_H
#define JS_STACKS_CPYTHON_LINES_H

#include <stddef.h>
#include <stdint.h>

#include "bytes/status.h"

typedef struct js_line_entry {
    uint32_t end; /* byte offset in the bytecode where the next entry begins */
    int32_t line; /* JS_NO_LINE: instructions that belong to no line */
} js_line_entry;

typedef struct js_lines {
    js_line_entry *entries; /* by ascending end */
    size_t count;
} js_lines;

enum { JS_NO_LINE = INT32_MIN };

/* `minor`: 0x0309 … 0x030e; a malformed table gives the entries before the fault. JS_ENOMEM, JS_EUNSUP. */
int js_lines_init(js_lines *lines, uint32_t minor, const uint8_t *table, size_t size, int32_t first_line);
void js_lines_deinit(js_lines *lines);
/* `offset` in bytes from the start of the bytecode; JS_NO_LINE when the table does not say. */
int32_t js_lines_find(const js_lines *lines, uint64_t offset);

#endif
