/* What operators over arrays and literals share: their common type, and the conversion of operands. */
#include "expressions/core/common_type.h"

#include "expressions/lazy/evaluation.h"
#include "expressions/operands/sequences.h"

bool js_is_array(const js_operand *operand)
{
    return operand->kind == JS_OPERAND_ARRAY;
}

js_number_type js_common_type(const js_operand *a, const js_lazy *x, const js_operand *b, const js_lazy *y)
{
    bool a_weak = a->kind == JS_OPERAND_NUMBER && a->number.is_weak;
    bool b_weak = b->kind == JS_OPERAND_NUMBER && b->number.is_weak;
    return a_weak && !b_weak   ? js_number_promote_weak(a->number.type, y->type)
           : b_weak && !a_weak ? js_number_promote_weak(b->number.type, x->type)
                               : js_number_promote(x->type, y->type);
}

int js_check_literal(js_evaluation *e, const js_operand *operand, js_number_type type)
{
    if (operand->kind == JS_OPERAND_NUMBER && js_number_is_int(operand->number.type) &&
        operand->number.is_weak && js_number_is_whole(type) &&
        !js_number_fits(operand->number.integer, type)) {
        js_text digits;
        js_text_init(&digits, 0);
        js_put_integer(&digits, operand->number.integer);
        int status = js_fail(e, JS_ELIMIT, "OverflowError: Python integer %s out of bounds for %s",
                             digits.data ? digits.data : "", js_number_name(type));
        js_text_deinit(&digits);
        return status;
    }
    return JS_OK;
}

int js_give_array(js_evaluation *e, int status, const js_lazy *made, js_operand *out)
{
    if (status == JS_OK && made->view.ndim == 0) {
        return js_operand_of_element(e, made, out);
    }
    if (status == JS_OK) {
        *out = js_operand_of_array(made);
    }
    return status;
}

int js_read_items(js_evaluation *e, const js_operand *operand, js_operand *out)
{
    bool is_one;
    int status = js_operand_text(e, operand, out, &is_one);
    if (status || is_one) {
        return status;
    }
    status = js_operand_items(e, operand, out, &is_one);
    if (status == JS_OK && !is_one) {
        *out = *operand;
    }
    return status;
}
