/* A growing run of bytes: one section of the file that is being written. */
#ifndef JS_PROGRAM_MODEL_OUTPUT_H
#define JS_PROGRAM_MODEL_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct js_output {
    uint8_t *data;
    size_t size, capacity;
    bool failed; /* out of memory: everything after it is dropped */
} js_output;

void js_output_deinit(js_output *output);
void js_output_bytes(js_output *output, const void *bytes, size_t size);
void js_output_uint(js_output *output, uint64_t value, unsigned width); /* little-endian */
void js_output_uleb(js_output *output, uint64_t value);
void js_output_sleb(js_output *output, int64_t value);
void js_output_string(js_output *output, const char *string); /* plain (bytes/plain.h), with its NUL */
/* Overwrite `width` bytes that were written before. */
void js_output_patch(js_output *output, size_t offset, uint64_t value, unsigned width);

/* Write an entry of call frame information: its length comes before it, and it is padded to 8 bytes. _begin
 * returns what _end takes. */
size_t js_output_begin_frame_entry(js_output *output);
void js_output_end_frame_entry(js_output *output, size_t start);

#endif
