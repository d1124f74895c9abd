#include "bytes/maps/ranges.h"

#include <string.h>

size_t js_ranges_before(const void *ranges, size_t count, size_t size, uint64_t address)
{
    size_t low = 0, high = count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        uint64_t start;
        memcpy(&start, (const char *)ranges + middle * size, sizeof start);
        if (start <= address) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}
