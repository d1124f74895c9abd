/* Finds the elements that are not 0. */
#ifndef JS_EXPRESSIONS_CORE_TRUTHS_H
#define JS_EXPRESSIONS_CORE_TRUTHS_H

#include "expressions/lazy/lazy.h"

/* Give an array of booleans: which elements are not 0. */
int js_truths_of(js_evaluation *e, const js_lazy *array, const js_lazy **out);

#endif
