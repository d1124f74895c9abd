/* Evaluates an expression, and shows its result: expression.h. */
#include "expressions/api/expression.h"

#include <stdlib.h>
#include <string.h>

#include "expressions/api/evaluate.h"
#include "expressions/api/result.h"
#include "expressions/operands/sequences.h"
#include "expressions/operands/show.h"

static void put_type(js_expression *x)
{
    const js_operand *result = &x->result;
    js_value view;
    const js_type *type;
    js_text nowhere;
    js_text_init(&nowhere, 0);
    x->evaluation.why = &nowhere;
    switch (result->kind) {
    case JS_OPERAND_NUMBER:
        js_text_put(&x->type, js_number_name(result->number.type));
        break;
    case JS_OPERAND_VALUE:
        js_text_put(&x->type, result->value.type->name);
        break;
    case JS_OPERAND_TEXT:
        js_text_put(&x->type, result->is_bytes ? "bytes" : "unicode_type");
        break;
    case JS_OPERAND_NONE:
        js_text_put(&x->type, "none");
        break;
    case JS_OPERAND_ARRAY:
        if (result->array->kind == JS_LAZY_LEAF && result->array->origin &&
            js_result_view(&x->evaluation, result->array, &view) == JS_OK) {
            js_text_put(&x->type, view.type->name);
            js_value_deinit(&view);
        } else if (js_result_array_type(&x->evaluation, result->array, 'C', &type) == JS_OK) {
            js_text_put(&x->type, type->name);
        }
        break;
    default:
        js_text_put(&x->type, js_operand_type(result));
    }
    js_text_deinit(&nowhere);
    x->evaluation.why = NULL;
}

int js_expression_create(const js_surroundings *surroundings, const char *text, js_expression **out,
                         js_text *why, size_t *at)
{
    *out = NULL;
    *at = SIZE_MAX;
    js_expression *x = calloc(1, sizeof *x);
    if (!x) {
        return JS_ENOMEM;
    }
    x->evaluation.with = *surroundings;
    x->evaluation.why = why;
    js_text_init(&x->type, 0);
    js_arena_init(&x->evaluation.arena, JS_EXPRESSION_MEMORY);
    const js_node *root;
    int status = js_tree_parse(&x->evaluation.arena, text, &root, why, at);
    status = status ? status : js_node_evaluate(&x->evaluation, root, &x->result);
    if (status == JS_OK && x->result.kind > JS_OPERAND_VALUE) {
        status = js_fail(&x->evaluation, JS_EUNSUP, "TypeError: '%s' is a function; call it: %s()",
                         x->result.name, x->result.name);
    }
    if (status) {
        if (!why->length) {
            js_text_put(why, js_strerror(status));
        }
        js_expression_destroy(x);
        return status;
    }
    put_type(x);
    *out = x;
    return JS_OK;
}

void js_expression_destroy(js_expression *expression)
{
    if (expression) {
        js_arena_deinit(&expression->evaluation.arena);
        js_text_deinit(&expression->type);
        free(expression);
    }
}

const char *js_expression_type(const js_expression *expression)
{
    return expression->type.length ? expression->type.data : "";
}

static int show(js_expression *expression, const js_render_options *options, js_text *out, bool *exact,
                js_text *why)
{
    expression->evaluation.why = why;
    int status = js_result_show(&expression->evaluation, &expression->result, options, out, exact);
    if (status && !why->length) {
        js_text_put(why, js_strerror(status));
    }
    return status;
}

int js_expression_text(js_expression *expression, const js_render_options *options, js_text *out, bool *exact,
                       js_text *why)
{
    js_render_options standard;
    js_render_options_init(&standard);
    return show(expression, options ? options : &standard, out, exact, why);
}

int js_expression_json(js_expression *expression, js_text *out, bool *exact, js_text *why)
{
    return show(expression, NULL, out, exact, why);
}

int js_expression_truth(js_expression *expression, bool *out, js_text *why)
{
    expression->evaluation.why = why;
    int status = js_operand_truth(&expression->evaluation, &expression->result, out);
    if (status && !why->length) {
        js_text_put(why, js_strerror(status));
    }
    return status;
}
