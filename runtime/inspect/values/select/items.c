/* Takes items of lists, values of dicts and attributes of instances. */

#include <string.h>

#include "values/base/characters.h"
#include "values/base/items.h"
#include "values/base/numbers.h"
#include "values/base/path.h"
#include "values/base/rendering.h"
#include "values/base/value.h"
#include "values/select/select.h"
#include "values/text/strings.h"

enum { SEARCH = 256 << 20 /* most bytes of entries and texts in which a key is searched */ };

static int init(const js_selection *selection, js_render *render, js_render_options *options,
                js_text *nowhere, uint64_t left, js_items *items)
{
    js_text why;
    js_render_options_init(options);
    js_text_init(nowhere, 0);
    js_text_init(&why, 0);
    *render = (js_render){
        .bytes = selection->bytes, .options = options, .out = nowhere, .left = left, .exact = true};
    int status = js_items_init(items, render, selection->value->type, selection->value->contents, &why);
    if (status) {
        js_select_fail(selection, status, "%s", why.length ? why.data : js_strerror(status));
    }
    js_text_deinit(&why);
    return status;
}

int js_select_length(const js_selection *selection, uint64_t *out)
{
    js_items items;
    js_render render;
    js_render_options options;
    js_text nowhere;
    int status = init(selection, &render, &options, &nowhere, 1 << 20, &items);
    if (status == JS_OK) {
        *out = items.length;
        js_items_deinit(&items);
    }
    js_text_deinit(&nowhere);
    return status;
}

/* Give items[start:stop:step]: another list over the same items. */
static int slice(const js_selection *selection, const js_items *items, js_value *out)
{
    const js_path_item *item = &selection->step->items[0];
    const js_type *type;
    int64_t start, count;
    if (item->step == 0) {
        return js_select_fail(selection, JS_EBAD, "ValueError: slice step cannot be zero");
    }
    count = js_path_slice(item, (int64_t)items->length, &start);
    int status = js_types_slice(selection->types, selection->value->type, &type);
    if (status) {
        return status;
    }
    uint64_t words[3] = {items->address + (count ? (uint64_t)start * items->stride : 0), (uint64_t)count,
                         items->stride * (uint64_t)item->step};
    return js_value_init(out, type, words, sizeof words);
}

int js_select_list_item(const js_selection *selection, js_value *out)
{
    js_items items;
    js_render render;
    js_render_options options;
    js_text nowhere;
    int64_t index;
    if (selection->step->is_field || selection->step->count != 1 ||
        selection->step->items[0].kind == JS_ITEM_ELLIPSIS) {
        return js_select_fail(selection, JS_EUNSUP,
                              "TypeError: list indices must be integers or slices, not %s",
                              selection->step->is_field ? "str" : "tuple");
    }
    int status = init(selection, &render, &options, &nowhere, 1 << 20, &items);
    js_text_deinit(&nowhere);
    if (status) {
        return status;
    }
    if (selection->step->items[0].kind == JS_ITEM_SLICE) {
        status = slice(selection, &items, out);
    } else if (js_select_wrap(selection->step->items[0].index, (int64_t)items.length, &index)) {
        status = js_select_fail(selection, JS_ELIMIT, "IndexError: list index out of range");
    } else {
        status = js_select_memory(selection, items.item, items.address + (uint64_t)index * items.stride, out);
    }
    js_items_deinit(&items);
    return status;
}

/* ---- dict[key] ---- */

/* True if this str is the wanted one. Its length, which the entry has, is compared first. */
static bool is_text(js_render *render, const js_type *type, const uint8_t *contents, const js_text *wanted)
{
    js_characters characters;
    js_text why;
    bool same = false;
    const js_member *length = type->kind == JS_KIND_STR ? js_type_member(type, JS_ROLE_LENGTH) : NULL;
    uint64_t points = 0;
    for (size_t i = 0; i < wanted->length; i++) {
        points += ((unsigned char)wanted->data[i] & 0xc0) != 0x80;
    }
    if (length && js_load_uint(contents + length->offset, length->type->size) != points) {
        return false;
    }
    js_text_init(&why, 0);
    if (js_characters_init(&characters, render, type, contents, points + 1, &why) == JS_OK) {
        js_text text;
        js_text_init(&text, 0);
        js_put_utf8(&text, characters.codes, characters.count);
        same = characters.total == points && text.length == wanted->length &&
               (!text.length || memcmp(text.data, wanted->data, text.length) == 0);
        js_text_deinit(&text);
        js_characters_deinit(&characters);
    }
    js_text_deinit(&why);
    return same;
}

static bool is_key(js_render *render, const js_type *type, const uint8_t *contents, const js_path_step *step,
                   const js_text *text)
{
    if (step->is_field) {
        return (type->kind == JS_KIND_STR || type->kind == JS_KIND_CHARSEQ) &&
               is_text(render, type, contents, text);
    }
    int64_t index = step->items[0].index;
    switch (type->kind) {
    case JS_KIND_INT:
        return type->is_signed ? js_load_int(contents, type->size) == index
                               : index >= 0 && js_load_uint(contents, type->size) == (uint64_t)index;
    case JS_KIND_FLOAT:
        return js_load_float(contents, type->size) == (double)index;
    case JS_KIND_BOOL:
        return (*contents != 0) == index && (index == 0 || index == 1);
    default:
        return false;
    }
}

int js_select_dict_value(const js_selection *selection, js_value *out)
{
    const js_path_step *step = selection->step;
    js_items items;
    js_render render;
    js_render_options options;
    js_text nowhere, text;
    if (!step->is_field && (step->count != 1 || step->items[0].kind != JS_ITEM_INDEX)) {
        return js_select_fail(selection, JS_EUNSUP,
                              "TypeError: a key of a dict is an integer or a text here");
    }
    int status = init(selection, &render, &options, &nowhere, SEARCH, &items);
    if (status) {
        js_text_deinit(&nowhere);
        return status;
    }
    js_text_init(&text, 0);
    js_text_put(&text, step->name);
    const js_member *key = js_type_member(items.item, JS_ROLE_KEY);
    const js_member *value = js_type_member(items.item, JS_ROLE_VALUE);
    const uint8_t *entry;
    uint64_t address;
    status = key && value ? JS_OK : JS_EUNSUP;
    while (status == JS_OK &&
           (status = js_items_next(&items, &render, UINT64_MAX, &entry, &address)) == JS_OK) {
        if (is_key(&render, key->type, entry + key->offset, step, &text)) {
            status = js_value_init(out, value->type, entry + value->offset, value->type->size);
            out->has_address = status == JS_OK;
            out->address = address + value->offset;
            break;
        }
    }
    if (status == JS_ENOTFOUND) {
        step->is_field ? js_select_fail(selection, status, "KeyError: '%s'", step->name)
                       : js_select_fail(selection, status, "KeyError: %lld", (long long)step->items[0].index);
    } else if (status == JS_EFAULT) {
        js_select_fail(selection, status, "<unreadable: 0x%llx (%llu bytes)>",
                       (unsigned long long)items.bad_address, (unsigned long long)items.bad_size);
    } else if (status == JS_ELIMIT) {
        js_select_fail(selection, status,
                       "the key is not among the first %llu entries, and the others were not searched",
                       (unsigned long long)items.at);
    }
    js_text_deinit(&text);
    js_text_deinit(&nowhere);
    js_items_deinit(&items);
    return status;
}

/* ---- attributes ---- */

int js_select_attribute(const js_selection *selection, js_value *out)
{
    js_render_options options;
    js_text nowhere, why;
    js_stores stores;
    js_render_options_init(&options);
    js_text_init(&nowhere, 0);
    js_text_init(&why, 0);
    js_render render = {
        .bytes = selection->bytes, .options = &options, .out = &nowhere, .left = JS_STORE_SIZE};
    int status = js_stores_init(&stores, &render, selection->value->type, selection->value->contents, &why);
    if (status) {
        js_select_fail(selection, status, "%s", why.length ? why.data : js_strerror(status));
    } else {
        const struct js_store *last = &stores.at[stores.count - 1];
        status = JS_ENOTFOUND;
        for (size_t i = 0; i < last->type->nmembers; i++) {
            const js_member *member = &last->type->members[i];
            if (member->role == JS_ROLE_ELEMENT && strcmp(member->name, selection->step->name) == 0) {
                status =
                    js_value_init(out, member->type, last->contents + member->offset, member->type->size);
                out->has_address = status == JS_OK && last->address;
                out->address = last->address + member->offset;
                break;
            }
        }
        js_stores_deinit(&stores);
    }
    js_text_deinit(&why);
    js_text_deinit(&nowhere);
    return status;
}
