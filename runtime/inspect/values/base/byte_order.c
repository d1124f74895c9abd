/* Swaps elements of the other byte order ('>f8'), which only arrays of the interpreter have. */
#include "values/base/numbers.h"

static void reverse(uint8_t *bytes, uint64_t size)
{
    for (uint64_t i = 0; i < size / 2; i++) {
        uint8_t other = bytes[size - 1 - i];
        bytes[size - 1 - i] = bytes[i];
        bytes[i] = other;
    }
}

static bool has_swapped(const js_type *type)
{
    bool found = type->is_swapped || (type->kind == JS_KIND_ARRAY && type->dims && has_swapped(type->target));
    for (size_t i = 0; !found && type->kind == JS_KIND_RECORD && i < type->nmembers; i++) {
        found = has_swapped(type->members[i].type);
    }
    return found;
}

static void make_native(const js_type *type, uint8_t *contents)
{
    uint64_t unit = type->kind == JS_KIND_COMPLEX   ? type->size / 2
                    : type->kind == JS_KIND_CHARSEQ ? 4
                                                    : type->size;
    for (uint64_t at = 0; type->is_swapped && unit && at + unit <= type->size; at += unit) {
        reverse(contents + at, unit);
    }
    for (size_t i = 0; type->kind == JS_KIND_RECORD && i < type->nmembers; i++) {
        make_native(type->members[i].type, contents + type->members[i].offset);
    }
    for (uint64_t i = 0; type->kind == JS_KIND_ARRAY && type->dims && i < type->count; i++) {
        make_native(type->target, contents + i * type->target->size);
    }
}

void js_make_native(const js_type *type, uint8_t *contents, uint64_t count)
{
    count = has_swapped(type) ? count : 0;
    for (uint64_t i = 0; i < count; i++) {
        make_native(type, contents + i * type->size);
    }
}
