/* The error of an argument that a function does not take. */
#include "expressions/operands/arguments.h"

#include "expressions/lazy/evaluation.h"

int js_wrong_argument(js_evaluation *e, const char *name, const js_operand *operand)
{
    return js_fail(e, JS_EUNSUP, "TypeError: %s() does not take '%s' here", name, js_operand_type(operand));
}
