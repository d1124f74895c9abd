/* A growing run of bytes: one section of a file that write/ or read/described/ writes. */
#ifndef JS_PROGRAM_MODEL_OUTPUT_H
#define JS_PROGRAM_MODEL_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct js_output {
    uint8_t *data;
    size_t size, capacity;
    bool failed; /* there was no memory, and all that was written later is dropped */
} js_output;

void js_output_deinit(js_output *output);
/* Append bytes, or a value in an encoding of DWARF. `width` is in bytes. Without memory they set `failed`. */
void js_output_bytes(js_output *output, const void *bytes, size_t size);
void js_output_uint(js_output *output, uint64_t value, unsigned width); /* little-endian */
void js_output_uleb(js_output *output, uint64_t value);
void js_output_sleb(js_output *output, int64_t value);
void js_output_string(js_output *output, const char *string); /* as bytes/plain.h has it, with a NUL */
/* Overwrite `width` bytes at the offset, which were written before. */
void js_output_patch(js_output *output, size_t offset, uint64_t value, unsigned width);

/* Begin and end an entry of call frame information: its length in 4 bytes, its content, and padding to 8
 * bytes. The first function returns `start` for the second. */
size_t js_output_begin_frame_entry(js_output *output);
void js_output_end_frame_entry(js_output *output, size_t start);

#endif
