/* Walks lists, sets and dicts of the target. */
#include "expressions/operands/containers.h"

#include <string.h>

#include "expressions/lazy/evaluation.h"
#include "layouts/cpython/object.h"
#include "values/base/items.h"
#include "values/base/rendering.h"
#include "values/base/value.h"
#include "values/select/select.h"

enum { BYTES = 256 << 20 /* most bytes that are read of one container */ };

bool js_operand_is_container(const js_operand *operand)
{
    js_kind kind = operand->kind == JS_OPERAND_VALUE ? operand->value.type->kind : JS_KIND_NONE;
    return kind == JS_KIND_LIST || kind == JS_KIND_SET || kind == JS_KIND_DICT;
}

int js_container_length(js_evaluation *e, const js_operand *operand, uint64_t *out)
{
    js_selection selection = {e->with.types, e->with.bytes, &operand->value, NULL, e->why};
    return js_select_length(&selection, out);
}

static int operand_of(js_evaluation *e, const js_type *type, const uint8_t *contents, js_operand *out)
{
    js_value value;
    int status = js_value_init(&value, type, contents, type->size);
    return status ? status : js_operand_of_value(e, &value, out);
}

int js_container_walk(js_evaluation *e, const js_operand *operand, js_walk_fn each, void *context)
{
    js_render_options options;
    js_text nowhere, why;
    js_items items;
    js_render_options_init(&options);
    js_text_init(&nowhere, 0);
    js_text_init(&why, 0);
    js_render render = {
        .bytes = e->with.bytes, .options = &options, .out = &nowhere, .left = BYTES, .exact = true};
    int status = js_items_init(&items, &render, operand->value.type, operand->value.contents, &why);
    if (status) {
        js_fail(e, status, "%s", why.length ? why.data : js_strerror(status));
        js_text_deinit(&why);
        js_text_deinit(&nowhere);
        return status;
    }
    const js_member *key = js_type_member(items.item, JS_ROLE_KEY);
    const js_member *value = js_type_member(items.item, JS_ROLE_VALUE);
    bool is_list = operand->value.type->kind == JS_KIND_LIST, goes_on = true;
    const uint8_t *entry;
    uint64_t address;
    status = is_list || key
                 ? JS_OK
                 : js_fail(e, JS_EUNSUP, "TypeError: '%s' is not known here", js_operand_type(operand));
    while (status == JS_OK && goes_on) {
        js_operand item, held = {0};
        status = js_items_next(&items, &render, UINT64_MAX, &entry, &address);
        if (status == JS_OK) {
            status = is_list ? operand_of(e, items.item, entry, &item)
                             : operand_of(e, key->type, entry + key->offset, &item);
        } else if (status == JS_EFAULT) {
            js_fail(e, status, "<unreadable: 0x%llx (%llu bytes)>", (unsigned long long)items.bad_address,
                    (unsigned long long)items.bad_size);
        } else if (status == JS_ELIMIT) {
            js_fail(e, status, "MemoryError: it is too large: only %llu of its %llu entries were read",
                    (unsigned long long)items.at, (unsigned long long)items.slots);
        }
        if (status == JS_OK && value && !is_list) {
            status = operand_of(e, value->type, entry + value->offset, &held);
        }
        status = status ? status : each(e, &item, &held, context, &goes_on);
        status = status ? status : js_polled(e, 16, items.at, items.length);
    }
    js_items_deinit(&items);
    js_text_deinit(&why);
    js_text_deinit(&nowhere);
    return status == JS_ENOTFOUND ? JS_OK : status;
}

/* ---- all items ---- */

typedef struct collected {
    js_operand *all;
    uint64_t room;
} collected;

static int collect(js_evaluation *e, const js_operand *item, const js_operand *held, void *context,
                   bool *goes_on)
{
    collected *into = context;
    (void)held;
    (void)goes_on;
    if (into->all->count == into->room) {
        return js_no_memory(e);
    }
    into->all->items[into->all->count++] = *item;
    return JS_OK;
}

int js_container_items(js_evaluation *e, const js_operand *operand, js_operand *out)
{
    collected into = {.all = out};
    int status = js_container_length(e, operand, &into.room);
    if (status) {
        return status;
    }
    into.room = into.room < JS_EXPRESSION_ITEMS ? into.room : JS_EXPRESSION_ITEMS;
    *out = (js_operand){.kind = JS_OPERAND_SEQUENCE, .is_list = true};
    out->items = js_arena_alloc(&e->arena, (into.room + 1) * sizeof *out->items);
    return out->items ? js_container_walk(e, operand, collect, &into) : js_no_memory(e);
}
