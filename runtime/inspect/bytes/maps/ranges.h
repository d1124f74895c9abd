/* Finds an address in a sorted list of ranges. */
#ifndef JS_BYTES_MAPS_RANGES_H
#define JS_BYTES_MAPS_RANGES_H

#include <stddef.h>
#include <stdint.h>

/* Return how many of the ranges begin at or before the address. `ranges`: structures of `size` bytes whose
 * first member is their start, a uint64_t, in order of it. If ranges do not overlap, only the last of those
 * can hold the address. */
size_t js_ranges_before(const void *ranges, size_t count, size_t size, uint64_t address);

#endif
