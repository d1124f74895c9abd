/* Gives the items of an argument that a function iterates over. */
#include "expressions/functions/items.h"

#include <string.h>

#include "expressions/core/subscripts.h"
#include "expressions/lazy/evaluation.h"
#include "expressions/operands/containers.h"
#include "expressions/operands/sequences.h"

int js_items_of(js_evaluation *e, const js_operand *arguments, js_operand *out)
{
    bool is_sequence, is_text;
    if (arguments->kind == JS_OPERAND_ARRAY && arguments->array->view.ndim) {
        const js_array_view *view = &arguments->array->view;
        if (view->shape[0] > JS_EXPRESSION_ITEMS) {
            return js_no_memory(e);
        }
        *out = (js_operand){.kind = JS_OPERAND_SEQUENCE, .is_list = true, .count = (uint64_t)view->shape[0]};
        out->items = js_arena_alloc(&e->arena, (out->count + 1) * sizeof *out->items);
        int made = out->items ? JS_OK : js_no_memory(e);
        for (uint64_t i = 0; i < out->count && made == JS_OK; i++) {
            made = js_item(e, arguments, (int64_t)i, &out->items[i]);
        }
        return made;
    }
    if (js_operand_is_container(arguments)) {
        return js_container_items(e, arguments, out);
    }
    int status = js_operand_items(e, arguments, out, &is_sequence);
    if (status || is_sequence) {
        return status;
    }
    js_operand text;
    status = js_operand_text(e, arguments, &text, &is_text);
    if (status || !is_text) {
        return status ? status
                      : js_fail(e, JS_EUNSUP,
                                arguments->kind == JS_OPERAND_NUMBER || arguments->kind == JS_OPERAND_NONE
                                    ? "TypeError: '%s' object is not iterable"
                                    : "TypeError: going through a '%s' is not known here",
                                js_operand_type(arguments));
    }
    js_operand *letters = text.count > JS_EXPRESSION_ITEMS
                              ? NULL
                              : js_arena_alloc(&e->arena, (text.count + 1) * sizeof *letters);
    if (!letters) {
        return js_no_memory(e);
    }
    for (uint64_t i = 0; i < text.count; i++) {
        int found = js_item(e, &text, (int64_t)i, &letters[i]);
        if (found) {
            return found;
        }
    }
    *out = (js_operand){.kind = JS_OPERAND_SEQUENCE, .items = letters, .count = text.count};
    return JS_OK;
}
