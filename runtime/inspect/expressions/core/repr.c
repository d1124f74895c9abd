/* Computes str() and repr(). */
#include "expressions/core/repr.h"

#include <stdio.h>
#include <string.h>

#include "bytes/utf8.h"
#include "expressions/core/common_type.h"
#include "expressions/lazy/evaluation.h"
#include "expressions/operands/show.h"

int js_ascii_text(js_evaluation *e, const char *text, size_t size, js_operand *out)
{
    uint32_t *codes = js_arena_alloc(&e->arena, (size + 1) * sizeof *codes);
    if (!codes) {
        return js_no_memory(e);
    }
    uint64_t count = 0;
    for (size_t at = 0; at < size;) {
        size_t used = js_utf8_decode(text + at, size - at, &codes[count]);
        if (!used) {
            return js_fail(e, JS_EBAD, "<unknown: not UTF-8>");
        }
        at += used;
        count++;
    }
    *out = (js_operand){.kind = JS_OPERAND_TEXT, .codes = codes, .count = count};
    return JS_OK;
}

/* True if the renderer writes the operand in full. */
static bool is_written(const js_operand *operand)
{
    bool is_sequence = operand->kind == JS_OPERAND_SEQUENCE;
    for (uint64_t i = 0; is_sequence && i < operand->count; i++) {
        if (!is_written(&operand->items[i])) {
            return false;
        }
    }
    return is_sequence || operand->kind == JS_OPERAND_NUMBER || operand->kind == JS_OPERAND_NONE ||
           operand->kind == JS_OPERAND_TEXT;
}

int js_repr_of(js_evaluation *e, const js_operand *operand, bool is_str, js_operand *out)
{
    js_operand here;
    bool exact;
    int status = js_read_items(e, operand, &here);
    if (status) {
        return status;
    }
    if (is_str && here.kind == JS_OPERAND_TEXT && !here.is_bytes) {
        *out = here;
        return JS_OK;
    }
    if (!is_written(&here)) {
        return js_fail(e, JS_EUNSUP, "TypeError: %s() of '%s' is not known here", is_str ? "str" : "repr",
                       js_operand_type(operand));
    }
    js_render_options options;
    js_text text;
    js_render_options_init(&options);
    options.elements = JS_EXPRESSION_CHARACTERS;
    options.repeats = 0;
    js_text_init(&text, 4 * (size_t)JS_EXPRESSION_CHARACTERS);
    status = js_result_show(e, &here, &options, &text, &exact);
    status = status ? status : js_ascii_text(e, text.data ? text.data : "", text.length, out);
    js_text_deinit(&text);
    return status;
}
