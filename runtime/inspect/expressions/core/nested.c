/* Converts lists of numbers, nested or not, to arrays. */
#include "expressions/core/nested.h"

#include "expressions/core/array_list.h"
#include "expressions/lazy/evaluation.h"
#include "expressions/operands/sequences.h"

enum { NESTING = 8 };

typedef struct table {
    js_evaluation *e;
    js_number_type type;
    unsigned ndim;
    int64_t shape[NESTING];
    uint64_t count, room;
    uint8_t *contents;
    bool fits;
} table;

/* Give the items of an item that is no number: it is the next axis. */
static int inner(js_evaluation *e, const js_operand *item, js_operand *out, bool *is_sequence)
{
    if (item->kind == JS_OPERAND_ARRAY) {
        *is_sequence = true;
        return js_array_list(e, item->array, out);
    }
    return js_operand_items(e, item, out, is_sequence);
}

static int measure(table *t, const js_operand *items, unsigned axis)
{
    if (axis >= NESTING || (axis < t->ndim && t->shape[axis] != (int64_t)items->count)) {
        t->fits = false;
        return JS_OK;
    }
    t->shape[axis] = (int64_t)items->count;
    t->ndim = axis < t->ndim ? t->ndim : axis + 1;
    for (uint64_t i = 0; i < items->count && t->fits; i++) {
        const js_operand *item = &items->items[i];
        if (item->kind == JS_OPERAND_NUMBER) {
            js_number_type each = item->number.type;
            bool is_whole = js_number_is_whole(each);
            t->type = t->count++ ? js_number_promote(t->type, each) : each;
            t->fits = t->ndim == axis + 1 && (!is_whole || js_number_fits(item->number.integer, each));
            continue;
        }
        js_operand row;
        bool is_sequence;
        int status = inner(t->e, item, &row, &is_sequence);
        t->fits = status == JS_OK && is_sequence && (t->ndim > axis + 1 || !t->count) &&
                  row.kind == JS_OPERAND_SEQUENCE && row.count;
        status = status || !t->fits ? status : measure(t, &row, axis + 1);
        if (status) {
            return status;
        }
    }
    return JS_OK;
}

static int fill(table *t, const js_operand *items)
{
    for (uint64_t i = 0; i < items->count; i++) {
        const js_operand *item = &items->items[i];
        if (t->count == t->room) {
            return js_fail(t->e, JS_EFAULT, "<unknown: the list has changed while it was read>");
        }
        if (item->kind == JS_OPERAND_NUMBER) {
            js_number number = item->number;
            js_number_cast(&number, t->type);
            js_number_store(&number, t->contents + t->count++ * js_number_size(t->type));
            continue;
        }
        js_operand row;
        bool is_sequence;
        int status = inner(t->e, item, &row, &is_sequence);
        status = status ? status : fill(t, &row);
        if (status) {
            return status;
        }
    }
    return JS_OK;
}

int js_lazy_of(js_evaluation *e, const js_operand *operand, const js_lazy **out)
{
    js_operand items;
    bool is_sequence;
    if (operand->kind == JS_OPERAND_ARRAY) {
        *out = operand->array;
        return JS_OK;
    }
    if (operand->kind == JS_OPERAND_NUMBER) {
        js_number number = operand->number;
        if (js_number_is_whole(number.type) && !js_number_fits(number.integer, number.type)) {
            js_number_cast(&number, js_number_fits(number.integer, JS_UINT64) ? JS_UINT64 : JS_FLOAT64);
        }
        return js_lazy_number(e, &number, out);
    }
    table made = {.e = e, .type = JS_NOT_A_NUMBER};
    int status = js_operand_items(e, operand, &items, &is_sequence);
    made.fits = is_sequence && items.count;
    status = status || !made.fits ? status : measure(&made, &items, 0);
    if (status == JS_OK && !made.fits) {
        return js_fail(e, JS_EUNSUP, "TypeError: '%s' is no array of numbers", js_operand_type(operand));
    }
    made.contents = status ? NULL : js_arena_alloc(&e->arena, made.count * js_number_size(made.type) + 1);
    if (!made.contents) {
        return status ? status : js_no_memory(e);
    }
    made.room = made.count;
    made.count = 0;
    status = fill(&made, &items);
    status = status ? status : js_lazy_local(e, made.type, made.contents, made.count, out);
    return status ? status : js_lazy_picked(e, *out, NULL, made.ndim, made.shape, out);
}
