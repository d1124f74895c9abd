/* Computes x[key]. */
#include "expressions/core/subscripts.h"

#include <stdio.h>
#include <string.h>

#include "bytes/utf8.h"
#include "expressions/core/array_index.h"
#include "expressions/core/container_find.h"
#include "expressions/core/take.h"
#include "expressions/lazy/evaluation.h"
#include "expressions/operands/objects.h"
#include "expressions/operands/sequences.h"
#include "values/base/path.h"
#include "values/base/value.h"
#include "values/select/select.h"

/* ---- steps that the values layer takes ---- */

int js_step_of_value(js_evaluation *e, const js_value *value, const js_path_step *wanted, js_operand *out)
{
    js_value found;
    int status = js_select_step(e->with.types, value, e->with.bytes, wanted, &found, e->why);
    if (status) {
        return e->why->length ? status : js_fail(e, status, "%s", js_strerror(status));
    }
    return js_operand_of_value(e, &found, out);
}

static bool encode(const js_operand *text, char *out, size_t room)
{
    size_t size = 0;
    for (uint64_t i = 0; i < text->count; i++) {
        char bytes[4];
        size_t used = js_utf8_encode(text->codes[i], bytes);
        if (!used || size + used >= room) {
            return false;
        }
        memcpy(out + size, bytes, used);
        size += used;
    }
    out[size] = '\0';
    return true;
}

/* ---- arrays ---- */

static int array_items(js_evaluation *e, const js_operand *of, const js_operand *keys, uint64_t count,
                       js_operand *out)
{
    bool has_arrays;
    int status = js_index_array(e, of->array, keys, count, &has_arrays, out);
    return status || !has_arrays ? status : js_take(e, of->array, keys, count, out);
}

/* Compute a['f'] of an array of records, by values/select/. */
int js_field_of_array(js_evaluation *e, const js_operand *of, const js_path_step *wanted, js_operand *out)
{
    const js_lazy *leaf = of->array;
    if (!leaf->origin) {
        return leaf->type == JS_NOT_A_NUMBER
                   ? js_fail(e, JS_EUNSUP, "a field of an array that is computed is not known here")
                   : js_not_an_index(e);
    }
    js_value view;
    js_path_step whole = {0};
    js_selection selection = {e->with.types, e->with.bytes, leaf->origin, &whole, e->why};
    int status = js_select_view(&selection, &leaf->view, leaf->dtype, &view);
    if (status == JS_OK) {
        status = js_step_of_value(e, &view, wanted, out);
        js_value_deinit(&view);
    }
    return status;
}

static int by_mask(js_evaluation *e, const js_operand *of, const js_operand *mask, js_operand *out)
{
    const js_lazy *made;
    int status = js_lazy_masked(e, of->array, mask->array, &made);
    if (status == JS_OK) {
        *out = js_operand_of_array(made);
    }
    return status;
}

static int array_subscript(js_evaluation *e, const js_operand *of, const js_operand *key, js_operand *out)
{
    if (key->kind == JS_OPERAND_TEXT) {
        js_path_step name = {.is_field = true};
        if (key->is_bytes || !encode(key, name.name, sizeof name.name)) {
            return js_not_an_index(e);
        }
        return js_field_of_array(e, of, &name, out);
    }
    if (key->kind == JS_OPERAND_ARRAY && key->array->type == JS_BOOL) {
        return by_mask(e, of, key, out);
    }
    if (key->kind == JS_OPERAND_SEQUENCE && !key->is_list) {
        return array_items(e, of, key->items, key->count, out);
    }
    return array_items(e, of, key, 1, out);
}

/* ---- sequences and texts that were read ---- */

static int pick(js_evaluation *e, const js_operand *of, const js_operand *key, js_operand *out)
{
    js_path_item item;
    bool is_text = of->kind == JS_OPERAND_TEXT;
    const char *name = is_text ? (of->is_bytes ? "byte" : "string") : of->is_list ? "list" : "tuple";
    int status = js_index_item(e, key, &item);
    if (status == JS_ENOTFOUND || (status == JS_OK && item.kind > JS_ITEM_SLICE)) {
        return js_fail(e, JS_EUNSUP, "TypeError: %s indices must be integers or slices, not %s", name,
                       js_operand_type(key));
    }
    if (status) {
        return status;
    }
    if (item.kind == JS_ITEM_INDEX) {
        int64_t index;
        if (js_select_wrap(item.index, (int64_t)of->count, &index)) {
            return js_fail(e, JS_ELIMIT,
                           is_text && of->is_bytes ? "IndexError: index out of range"
                                                   : "IndexError: %s index out of range",
                           name);
        }
        if (!is_text) {
            *out = of->items[index];
        } else if (of->is_bytes) {
            *out = js_operand_of_int(of->codes[index]);
        } else {
            *out = *of;
            out->codes += index;
            out->count = 1;
        }
        return JS_OK;
    }
    if (item.step == 0) {
        return js_fail(e, JS_EBAD, "ValueError: slice step cannot be zero");
    }
    int64_t start, count = js_path_slice(&item, (int64_t)of->count, &start);
    uint64_t size = is_text ? sizeof *of->codes : sizeof *of->items;
    uint8_t *some = js_arena_alloc(&e->arena, ((uint64_t)count + 1) * size);
    if (!some) {
        return js_no_memory(e);
    }
    for (int64_t i = 0; i < count; i++) {
        int64_t from = start + i * item.step;
        memcpy(some + (uint64_t)i * size, is_text ? (const void *)(of->codes + from) : of->items + from,
               size);
    }
    *out = *of;
    out->count = (uint64_t)count;
    out->codes = is_text ? (const uint32_t *)(const void *)some : NULL;
    out->items = is_text ? NULL : (js_operand *)(void *)some;
    return JS_OK;
}

/* ---- any other value: one step of the values layer ---- */

static int value_subscript(js_evaluation *e, const js_operand *of, const js_operand *key, js_operand *out)
{
    if (of->value.type->kind == JS_KIND_LITERAL && of->value.type->literal_kind == 's') {
        js_operand text;
        bool is_text;
        int status = js_operand_text(e, of, &text, &is_text);
        return status ? status : pick(e, &text, key, out);
    }
    js_path_step wanted = {0};
    __int128 number;
    bool is_step = (key->kind == JS_OPERAND_TEXT && !key->is_bytes && key->count < sizeof wanted.name / 4) ||
                   (js_operand_index(key, &number) && number >= INT64_MIN && number <= INT64_MAX);
    if (of->value.type->kind == JS_KIND_DICT && !is_step) {
        bool is_found;
        int status = js_container_find(e, of, key, &is_found, out);
        return status || is_found ? status : js_fail(e, JS_ENOTFOUND, "KeyError: no such key");
    }
    if (key->kind == JS_OPERAND_TEXT) {
        wanted.is_field = true;
        if (key->is_bytes) {
            return js_fail(e, JS_EUNSUP, "TypeError: '%s' cannot be subscripted by bytes here",
                           js_operand_type(of));
        }
        if (!encode(key, wanted.name, sizeof wanted.name)) {
            return js_fail(e, JS_ELIMIT, "KeyError: keys of more than %zu bytes are not looked up here",
                           sizeof wanted.name - 1);
        }
        return js_step_of_value(e, &of->value, &wanted, out);
    }
    const js_operand *keys = key;
    uint64_t count = 1;
    if (key->kind == JS_OPERAND_SEQUENCE && !key->is_list) {
        keys = key->items;
        count = key->count;
    }
    if (count == 0 || count > JS_PATH_ITEMS) {
        return js_fail(e, JS_EUNSUP, "TypeError: a subscript of %llu items is not known here",
                       (unsigned long long)count);
    }
    for (uint64_t i = 0; i < count; i++) {
        int status = js_index_item(e, &keys[i], &wanted.items[i]);
        if (status == JS_OK && wanted.items[i].kind == JS_ITEM_NEWAXIS) {
            status = JS_ENOTFOUND;
        }
        if (status) {
            return status == JS_ENOTFOUND
                       ? js_fail(e, JS_EUNSUP, "TypeError: '%s' indices must be integers or slices, not %s",
                                 js_operand_type(of), js_operand_type(key))
                       : status;
        }
    }
    wanted.count = (unsigned)count;
    return js_step_of_value(e, &of->value, &wanted, out);
}

int js_subscript(js_evaluation *e, const js_operand *of, const js_operand *key, js_operand *out)
{
    js_operand text;
    bool is_text;
    int status = js_operand_text(e, key, &text, &is_text);
    if (status) {
        return status;
    }
    js_operand items;
    bool is_sequence = false;
    if (!is_text) {
        status = js_operand_items(e, key, &items, &is_sequence);
    }
    js_operand key_text = text;
    key = is_text ? &key_text : is_sequence ? &items : key;
    switch (of->kind) {
    case JS_OPERAND_ARRAY:
        return status ? status : array_subscript(e, of, key, out);
    case JS_OPERAND_TEXT:
    case JS_OPERAND_SEQUENCE:
        return status ? status : pick(e, of, key, out);
    case JS_OPERAND_VALUE:
        status =
            status ? status : js_object_text(e, of, &text, &is_text); /* str and bytes of the interpreter */
        return status ? status : is_text ? pick(e, &text, key, out) : value_subscript(e, of, key, out);
    default:
        return js_fail(e, JS_EUNSUP, "TypeError: '%s' object is not subscriptable", js_operand_type(of));
    }
}

int js_item(js_evaluation *e, const js_operand *of, int64_t index, js_operand *out)
{
    js_operand key = js_operand_of_int(index);
    return js_subscript(e, of, &key, out);
}
