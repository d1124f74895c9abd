/* Computes one number from all elements of an array: its sum, maximum, mean … */
#ifndef JS_EXPRESSIONS_CORE_REDUCE_H
#define JS_EXPRESSIONS_CORE_REDUCE_H

#include "expressions/lazy/lazy.h"

typedef enum js_reduction {
    JS_REDUCE_SUM,
    JS_REDUCE_PROD,
    JS_REDUCE_MIN,
    JS_REDUCE_MAX,
    JS_REDUCE_ARGMIN,
    JS_REDUCE_ARGMAX,
    JS_REDUCE_ANY,
    JS_REDUCE_ALL,
    JS_REDUCE_MEAN,
    JS_REDUCE_VAR,
    JS_REDUCE_STD,
} js_reduction;
/* Compute the reduction of an array. */
int js_reduce(js_evaluation *e, js_reduction reduction, const js_lazy *lazy, js_number *out);

#endif
