/* The bound of what one question may ask the target for: more is a finding, as a crash is. */
#ifndef JS_FUZZ_BOUND_H
#define JS_FUZZ_BOUND_H

#include <stdint.h>
#include <stdlib.h>

#include "bytes/reader.h"
#include "values/base/value.h"

/* CALLS: of the target for one rendering, of its path and its value. */
enum { CALLS = 2 * 4096 + 8 };

/* Counts anew, with a budget and an effort that differ from input to input: a reader that has to stop early
 * is a case of its own, and cheaper than one that goes on. */
static inline void bound_start(js_bytes *bytes, const uint8_t *data, size_t size)
{
    static const uint64_t budgets[] = {UINT64_MAX, 4 << 10, 16 << 10, 1 << 10};
    static const uint64_t efforts[] = {UINT64_MAX, 64 * JS_CALL, UINT64_MAX, 8 * JS_CALL};
    uint32_t hash = 2166136261;
    for (size_t i = 0; i < size; i += 1 + size / 64) {
        hash = (hash ^ data[i]) * 16777619;
    }
    bytes->wanted = bytes->reads = 0;
    bytes->budget = budgets[hash >> 30];
    bytes->effort = efforts[hash >> 28 & 3];
}

/* Most inputs are shown with few elements: what is written takes most of the time, and says little. */
static inline js_render_options bound_options(const uint8_t *data, size_t size)
{
    js_render_options options;
    js_render_options_init(&options);
    options.elements = size && data[size - 1] % 8 == 0 ? options.elements : 8;
    return options;
}

static inline void bound_check(const js_bytes *bytes, uint64_t most_bytes, uint64_t most_reads)
{
    if (bytes->wanted > most_bytes || bytes->reads > most_reads) {
        abort();
    }
}
#endif
