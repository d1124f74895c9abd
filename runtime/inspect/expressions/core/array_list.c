/* Computes a.tolist(). */
#include "expressions/core/array_list.h"

#include "expressions/core/array_index.h"
#include "expressions/lazy/evaluation.h"

int js_array_list(js_evaluation *e, const js_lazy *array, js_operand *out)
{
    const js_array_view *view = &array->view;
    if (view->ndim == 0) {
        return js_operand_of_element(e, array, out);
    }
    if (view->nitems > JS_EXPRESSION_ITEMS || view->shape[0] > JS_EXPRESSION_ITEMS) {
        return js_fail(e, JS_ENOMEM, "MemoryError: a list of %llu items is too long to hold here",
                       (unsigned long long)view->nitems);
    }
    uint64_t count = (uint64_t)view->shape[0];
    *out = (js_operand){.kind = JS_OPERAND_SEQUENCE, .is_list = true, .count = count};
    out->items = js_arena_alloc(&e->arena, (count + 1) * sizeof *out->items);
    int status = out->items ? JS_OK : js_no_memory(e);
    for (uint64_t i = 0; i < count && status == JS_OK; i++) {
        js_operand row, index = js_operand_of_int((int64_t)i);
        bool has_arrays;
        status = js_index_array(e, array, &index, 1, &has_arrays, &row);
        out->items[i] = row;
        if (status == JS_OK && row.kind == JS_OPERAND_ARRAY) {
            status = js_array_list(e, row.array, &out->items[i]);
        } else if (row.kind == JS_OPERAND_NUMBER && js_number_is_whole(row.number.type)) {
            out->items[i].number.is_weak = row.number.type != JS_BOOL;
        }
        status = status ? status : js_polled(e, 1, i, count);
    }
    return status;
}
