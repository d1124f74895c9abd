/* Computes sums as NumPy does. */
#ifndef JS_EXPRESSIONS_CORE_SUMS_H
#define JS_EXPRESSIONS_CORE_SUMS_H

#include "expressions/lazy/lazy.h"

/* Return the type in which NumPy sums elements of this type. */
js_number_type js_sum_type(js_number_type type);
/* Compute the sum of all elements, in NumPy's pairwise order. */
int js_sum(js_evaluation *e, const js_lazy *lazy, js_number *out);

#endif
