/* Arrays of indices as subscripts. */
#ifndef JS_EXPRESSIONS_CORE_TAKE_H
#define JS_EXPRESSIONS_CORE_TAKE_H

#include "expressions/operands/operand.h"

/* The indices of what is not 0: a tuple with an array an axis. */
int js_nonzero(js_evaluation *e, const js_lazy *array, js_operand *out);
/* a[key] with arrays of indices in the key. */
int js_take(js_evaluation *e, const js_lazy *array, const js_operand *keys, uint64_t count, js_operand *out);

#endif
