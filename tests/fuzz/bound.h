/* The bound of what one question may ask the target for: more is a finding, as a crash is. */
#ifndef JS_FUZZ_BOUND_H
#define JS_FUZZ_BOUND_H

#include <stdint.h>
#include <stdlib.h>

#include "bytes/reader.h"

/* Counts anew, with a budget that differs from input to input: a reader that has to stop early is a case of
 * its own, and cheaper than one that goes on. */
static inline void bound_start(js_bytes *bytes, const uint8_t *data, size_t size)
{
    static const uint64_t budgets[] = {UINT64_MAX, 4 << 10, 16 << 10, 1 << 10};
    uint32_t hash = 2166136261;
    for (size_t i = 0; i < size; i++) {
        hash = (hash ^ data[i]) * 16777619;
    }
    bytes->wanted = bytes->reads = 0;
    bytes->budget = budgets[hash >> 30];
}

static inline void bound_check(const js_bytes *bytes, uint64_t most_bytes, uint64_t most_reads)
{
    if (bytes->wanted > most_bytes || bytes->reads > most_reads) {
        abort();
    }
}
#endif
