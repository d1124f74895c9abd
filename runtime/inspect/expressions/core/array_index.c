/* Computes a[key] with integers, slices, None and ... in the key, which gives another view of the array. */
#include "expressions/core/array_index.h"

#include "expressions/lazy/evaluation.h"
#include "values/base/path.h"
#include "values/base/value.h"
#include "values/select/select.h"

static int64_t clipped(__int128 value)
{
    return value > INT64_MAX ? INT64_MAX : value < INT64_MIN ? INT64_MIN : (int64_t)value;
}

static const char not_an_index[] =
    "TypeError: slice indices must be integers or None or have an __index__ method";

static int slice_item(js_evaluation *e, const js_operand *slice, js_path_item *item)
{
    __int128 parts[3] = {0, 0, 1};
    bool has[3];
    for (unsigned i = 0; i < 3; i++) {
        has[i] = slice->items[i].kind != JS_OPERAND_NONE;
        if (has[i] && !js_operand_index(&slice->items[i], &parts[i])) {
            return js_fail(e, JS_EUNSUP, not_an_index);
        }
    }
    *item = (js_path_item){.kind = JS_ITEM_SLICE,
                           .start = clipped(parts[0]),
                           .stop = clipped(parts[1]),
                           .step = clipped(parts[2]),
                           .has_start = has[0],
                           .has_stop = has[1]};
    return JS_OK;
}

int js_index_item(js_evaluation *e, const js_operand *key, js_path_item *item)
{
    __int128 index;
    *item = (js_path_item){0};
    switch (key->kind) {
    case JS_OPERAND_SLICE:
        return slice_item(e, key, item);
    case JS_OPERAND_ELLIPSIS:
        item->kind = JS_ITEM_ELLIPSIS;
        return JS_OK;
    case JS_OPERAND_NONE:
        item->kind = JS_ITEM_NEWAXIS;
        return JS_OK;
    default:
        break;
    }
    if (!js_operand_index(key, &index)) {
        return JS_ENOTFOUND;
    }
    if (index > INT64_MAX || index < INT64_MIN) {
        return js_fail(e, JS_ELIMIT, "IndexError: cannot fit 'int' into an index-sized integer");
    }
    item->index = (int64_t)index;
    return JS_OK;
}

typedef struct indices {
    const js_path_item *items;
    unsigned count;
    bool is_element;
} indices;

static int change(js_evaluation *e, js_array_view *view, void *context)
{
    indices *items = context;
    return js_view_items(view, items->items, items->count, e->why, &items->is_element);
}

static const char bad_index[] = "IndexError: only integers, slices (`:`), ellipsis (`...`), numpy.newaxis "
                                "(`None`) and integer or boolean "
                                "arrays are valid indices";

int js_not_an_index(js_evaluation *e)
{
    return js_fail(e, JS_EUNSUP, bad_index);
}

int js_index_array(js_evaluation *e, const js_lazy *array, const js_operand *keys, uint64_t count,
                   bool *has_arrays, js_operand *out)
{
    js_path_item items[JS_PATH_ITEMS];
    const js_lazy *made;
    *has_arrays = false;
    if (count > JS_PATH_ITEMS) {
        return js_fail(e, JS_ELIMIT, "IndexError: too many indices for array");
    }
    for (uint64_t i = 0; i < count; i++) {
        if (keys[i].kind == JS_OPERAND_NUMBER && keys[i].number.type == JS_BOOL) {
            return js_fail(e, JS_EUNSUP, "IndexError: a truth value as an index is not known here");
        }
        if (keys[i].kind == JS_OPERAND_ARRAY || keys[i].kind == JS_OPERAND_SEQUENCE) {
            *has_arrays = true;
            return JS_OK;
        }
        int status = js_index_item(e, &keys[i], &items[i]);
        if (status) {
            return status == JS_ENOTFOUND ? js_not_an_index(e) : status;
        }
    }
    indices these = {items, (unsigned)count, false};
    int status = js_lazy_view(e, array, change, &these, &made);
    if (status) {
        return status;
    }
    if (these.is_element) {
        return js_operand_of_element(e, made, out);
    }
    *out = js_operand_of_array(made);
    return JS_OK;
}
