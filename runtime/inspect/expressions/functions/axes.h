/* Computes reductions over some axes of an array. */
#ifndef JS_EXPRESSIONS_FUNCTIONS_AXES_H
#define JS_EXPRESSIONS_FUNCTIONS_AXES_H

#include "expressions/core/reduce.h"

/* Reduce an array over the axes whose entry of `axes` is true. `keeps_axes`: they stay, with the length 1.
 * `ddof` is for JS_REDUCE_VAR and JS_REDUCE_STD. */
int js_reduce_axes(js_evaluation *e, js_reduction reduction, const js_lazy *lazy, const bool *axes,
                   bool keeps_axes, double ddof, const js_lazy **out);

#endif
