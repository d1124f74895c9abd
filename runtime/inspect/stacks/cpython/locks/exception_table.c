#include "stacks/cpython/locks/exception_table.h"

enum {
    UNIT = 2, /* bytes of a code unit */
    BEGINS = 0x80,
    CONTINUES = 0x40,
    BITS = 6,
    MAX_VALUE = 1 << 30,
};

/* Read a number, whose most significant bits come first. The first byte of an entry has the bit BEGINS. */
static bool read_number(const uint8_t *table, size_t size, size_t *at, uint64_t *out)
{
    bool continues = true;
    *out = 0;
    while (continues) {
        if (*at >= size || *out >= MAX_VALUE) {
            return false;
        }
        uint8_t byte = table[(*at)++];
        *out = *out << BITS | (byte & (CONTINUES - 1));
        continues = byte & CONTINUES;
    }
    return true;
}

bool js_exception_entry_find(const uint8_t *table, size_t size, uint64_t offset, js_exception_entry *out)
{
    size_t at = 0;
    while (at < size) {
        uint64_t start, length, target, depth;
        if (!(table[at] & BEGINS) || !read_number(table, size, &at, &start) ||
            !read_number(table, size, &at, &length) || !read_number(table, size, &at, &target) ||
            !read_number(table, size, &at, &depth)) {
            return false;
        }
        *out = (js_exception_entry){start * UNIT, (start + length) * UNIT, target * UNIT, depth >> 1};
        if (offset >= out->start && offset < out->end) {
            return true;
        }
    }
    return false;
}
