/* Writes the result of an evaluation as text or JSON, or gives it as an array. */
#ifndef JS_EXPRESSIONS_OPERANDS_SHOW_H
#define JS_EXPRESSIONS_OPERANDS_SHOW_H

#include "expressions/operands/operand.h"

/* Write an operand as text, or as JSON if `options` is NULL. */
int js_result_show(js_evaluation *e, const js_operand *operand, const js_render_options *options,
                   js_text *out, bool *exact);
/* Give the value of an array of the target that is seen by this view. */
int js_result_view(js_evaluation *e, const js_lazy *lazy, js_value *out);
int js_result_array_type(js_evaluation *e, const js_lazy *lazy, char order, const js_type **out);

#endif
