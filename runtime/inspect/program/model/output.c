/* Appends numbers and strings to a section that is being written. */
#include "program/model/output.h"

#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

#include "bytes/plain.h"

void js_output_deinit(js_output *output)
{
    free(output->data);
    *output = (js_output){0};
}

void js_output_bytes(js_output *output, const void *bytes, size_t size)
{
    if (output->failed || size == 0) {
        return;
    }
    if (size > output->capacity - output->size) {
        size_t capacity = output->capacity ? output->capacity : 256;
        while (capacity - output->size < size) {
            capacity *= 2;
        }
        uint8_t *grown = realloc(output->data, capacity);
        if (!grown) {
            output->failed = true;
            return;
        }
        output->data = grown;
        output->capacity = capacity;
    }
    memcpy(output->data + output->size, bytes, size);
    output->size += size;
}

void js_output_uint(js_output *output, uint64_t value, unsigned width)
{
    uint8_t bytes[8];
    for (unsigned i = 0; i < width; i++) {
        bytes[i] = (uint8_t)(value >> (8 * i));
    }
    js_output_bytes(output, bytes, width);
}

void js_output_uleb(js_output *output, uint64_t value)
{
    do {
        uint8_t byte = value & 0x7f;
        value >>= 7;
        js_output_uint(output, value ? byte | 0x80u : byte, 1);
    } while (value);
}

void js_output_sleb(js_output *output, int64_t value)
{
    for (;;) {
        uint8_t byte = value & 0x7f;
        value >>= 7;
        bool last = (value == 0 && !(byte & 0x40)) || (value == -1 && (byte & 0x40));
        js_output_uint(output, last ? byte : byte | 0x80u, 1);
        if (last) {
            return;
        }
    }
}

void js_output_string(js_output *output, const char *string)
{
    size_t size = strlen(string), plain = js_plain(string, size, NULL);
    char *escaped = plain > size ? malloc(plain) : NULL;
    if (plain > size && !escaped) {
        output->failed = true;
    }
    if (escaped) {
        js_plain(string, size, escaped);
    }
    js_output_bytes(output, escaped ? escaped : string, plain);
    js_output_uint(output, 0, 1);
    free(escaped);
}

void js_output_patch(js_output *output, size_t offset, uint64_t value, unsigned width)
{
    for (unsigned i = 0; i < width && !output->failed && offset + i < output->size; i++) {
        output->data[offset + i] = (uint8_t)(value >> (8 * i));
    }
}

size_t js_output_begin_frame_entry(js_output *output)
{
    js_output_uint(output, 0, 4);
    return output->size;
}

void js_output_end_frame_entry(js_output *output, size_t start)
{
    while (output->size % 8 != 0 && !output->failed) {
        js_output_uint(output, DW_CFA_nop, 1);
    }
    js_output_patch(output, start - 4, output->size - start, 4);
}
