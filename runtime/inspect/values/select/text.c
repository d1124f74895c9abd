/* Takes characters and slices of texts. */
#include <stdlib.h>
#include <string.h>

#include "values/base/characters.h"
#include "values/base/numbers.h"
#include "values/base/path.h"
#include "values/base/rendering.h"
#include "values/base/value.h"
#include "values/select/select.h"

/* Most characters of a slice of a str, which is copied. */
enum { CHARACTERS = 1 << 16 };

static int out_of_range(const js_selection *selection)
{
    return js_select_fail(selection, JS_ELIMIT, "IndexError: string index out of range");
}

/* Give the characters start + i * step, `count` of them, as a value of their own. */
static int gather(const js_selection *selection, const js_characters *characters, int64_t start,
                  int64_t count, int64_t step, js_value *out)
{
    const js_type *type;
    int status;
    if (selection->value->type->kind == JS_KIND_CHARSEQ && !selection->value->type->is_wide) {
        return js_select_fail(selection, JS_EUNSUP,
                              "TypeError: subscripts of fixed-length bytes are not known here");
    }
    status = js_types_characters(selection->types, (uint64_t)count, &type);
    if (status) {
        return status;
    }
    uint32_t *codes = malloc(((size_t)count + 1) * sizeof *codes);
    if (!codes) {
        return JS_ENOMEM;
    }
    for (int64_t i = 0; i < count; i++) {
        codes[i] = characters->codes[start + i * step];
    }
    status = js_value_init(out, type, codes, type->size);
    free(codes);
    return status;
}

/* Find the length of the text without reading it; a str of the target only has a pointer to it. */
static int measure(const js_selection *selection, uint64_t *length)
{
    js_render_options options;
    js_text nowhere;
    js_characters characters;
    js_render_options_init(&options);
    js_text_init(&nowhere, 0);
    js_render render = {.bytes = selection->bytes, .options = &options, .out = &nowhere, .left = 0};
    int status = js_characters_init(&characters, &render, selection->value->type, selection->value->contents,
                                    0, &nowhere);
    if (status == JS_OK) {
        *length = characters.total;
        js_characters_deinit(&characters);
    } else {
        js_select_fail(selection, status, "%s", nowhere.length ? nowhere.data : "<unknown>");
    }
    js_text_deinit(&nowhere);
    return status;
}

/* Read `count` characters of the target's str from this one on, and no others. */
static int part(const js_selection *selection, uint64_t first, uint64_t count, js_characters *out)
{
    const js_type *type = selection->value->type;
    js_value moved;
    js_render_options options;
    js_text nowhere;
    int status = js_value_init(&moved, type, selection->value->contents, type->size);
    if (status) {
        return status;
    }
    if (type->kind == JS_KIND_STR) {
        const js_member *data = js_type_member(type, JS_ROLE_DATA);
        const js_member *length = js_type_member(type, JS_ROLE_LENGTH);
        const js_member *kind = js_type_member(type, JS_ROLE_CHAR_KIND);
        uint64_t address = js_load_uint(moved.contents + data->offset, 8) +
                           first * js_load_uint(moved.contents + kind->offset, 4);
        memcpy(moved.contents + data->offset, &address, 8);
        memcpy(moved.contents + length->offset, &count, 8);
    }
    js_render_options_init(&options);
    js_text_init(&nowhere, 0);
    js_render render = {
        .bytes = selection->bytes, .options = &options, .out = &nowhere, .left = 4 * (uint64_t)CHARACTERS};
    status = js_characters_init(out, &render, type, moved.contents, UINT64_MAX, &nowhere);
    if (status) {
        js_select_fail(selection, status, "%s", nowhere.length ? nowhere.data : js_strerror(status));
    } else if (out->bad_size) {
        status = js_select_fail(selection, JS_EFAULT, "<unreadable: 0x%llx (%llu bytes)>",
                                (unsigned long long)out->bad_address, (unsigned long long)out->bad_size);
        js_characters_deinit(out);
    }
    js_text_deinit(&nowhere);
    js_value_deinit(&moved);
    return status;
}

int js_select_text(const js_selection *selection, js_value *out)
{
    const js_path_item *item = &selection->step->items[0];
    uint64_t length;
    int64_t start, count = 1, step = 1;
    if (selection->step->is_field || selection->step->count != 1 || item->kind == JS_ITEM_ELLIPSIS) {
        return js_select_fail(selection, JS_EUNSUP, "TypeError: string indices must be integers");
    }
    int status = measure(selection, &length);
    if (status) {
        return status;
    }
    if (item->kind == JS_ITEM_INDEX) {
        if (js_select_wrap(item->index, (int64_t)length, &start)) {
            return out_of_range(selection);
        }
    } else if (item->step == 0) {
        return js_select_fail(selection, JS_EBAD, "ValueError: slice step cannot be zero");
    } else {
        step = item->step;
        count = js_path_slice(item, (int64_t)length, &start);
    }
    /* From the lowest to the highest index taken. */
    int64_t low = start, high = start;
    if (count > 1) {
        int64_t last = start + (count - 1) * step;
        low = last < low ? last : low;
        high = last > high ? last : high;
    }
    uint64_t span = count ? (uint64_t)(high - low) + 1 : 0;
    if (span > CHARACTERS) {
        return js_select_fail(selection, JS_ELIMIT,
                              "MemoryError: a slice over more than %d characters is too long", CHARACTERS);
    }
    js_characters characters = {0};
    bool is_str = selection->value->type->kind == JS_KIND_STR;
    if (count) {
        status = part(selection, (uint64_t)low, span, &characters);
        if (status) {
            return status;
        }
    }
    status = gather(selection, &characters, is_str ? start - low : start, count, count > 1 ? step : 1, out);
    js_characters_deinit(&characters);
    return status;
}
