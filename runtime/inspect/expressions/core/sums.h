/* Sums. */
#ifndef JS_EXPRESSIONS_CORE_SUMS_H
#define JS_EXPRESSIONS_CORE_SUMS_H

#include "expressions/lazy/lazy.h"

/* The type of the sum: what NumPy adds integers up in. */
js_number_type js_sum_type(js_number_type type);
/* Sums as NumPy makes them, pairwise (sums.c). */
int js_sum(js_evaluation *e, const js_lazy *lazy, js_number *out);

#endif
