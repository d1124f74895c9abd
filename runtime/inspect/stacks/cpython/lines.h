/* Decodes the line table of a code object: which line each instruction belongs to. */
#ifndef JS_STACKS_CPYTHON_LINES_H
#define JS_STACKS_CPYTHON_LINES_H

#include <stddef.h>
#include <stdint.h>

#include "bytes/status.h"

/* A run of instructions of one line. */
typedef struct js_line_entry {
    uint32_t end; /* byte offset in the bytecode where the next entry begins */
    int32_t line; /* JS_NO_LINE: instructions that belong to no line */
} js_line_entry;

typedef struct js_lines {
    js_line_entry *entries; /* by ascending end */
    size_t count;
} js_lines;

enum { JS_NO_LINE = INT32_MIN };

/* Decode a table of `size` bytes. `minor`: 0x0309 to 0x030f, for 3.9 to 3.15. A malformed table gives the
 * entries before the error. JS_ENOMEM, JS_EUNSUP. The caller calls js_lines_deinit. */
int js_lines_init(js_lines *lines, uint32_t minor, const uint8_t *table, size_t size, int32_t first_line);
void js_lines_deinit(js_lines *lines);
/* Return the line at an offset in bytes from the start of the bytecode; JS_NO_LINE: the table does not say.
 */
int32_t js_lines_find(const js_lines *lines, uint64_t offset);

#endif
