/* Reductions over some axes. */
#ifndef JS_EXPRESSIONS_FUNCTIONS_AXES_H
#define JS_EXPRESSIONS_FUNCTIONS_AXES_H

#include "expressions/core/reduce.h"

/* Over some axes, of each that is left (axes.c). `ddof`: of JS_REDUCE_VAR and JS_REDUCE_STD. */
int js_reduce_axes(js_evaluation *e, js_reduction reduction, const js_lazy *lazy, const bool *axes,
                   bool keeps_axes, double ddof, const js_lazy **out);

#endif
