/* Converts arrays to lists. */
#ifndef JS_EXPRESSIONS_CORE_ARRAY_LIST_H
#define JS_EXPRESSIONS_CORE_ARRAY_LIST_H

#include "expressions/operands/operand.h"

/* Compute a.tolist(). */
int js_array_list(js_evaluation *e, const js_lazy *array, js_operand *out);

#endif
