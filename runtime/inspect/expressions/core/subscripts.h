/* Subscripts, and steps that values/select knows. */
#ifndef JS_EXPRESSIONS_CORE_SUBSCRIPTS_H
#define JS_EXPRESSIONS_CORE_SUBSCRIPTS_H

#include "expressions/operands/operand.h"

/* A step that the values layer takes; a['f'] and a.f of an array of records, which it knows too. */
struct js_path_step;
int js_step_of_value(js_evaluation *e, const js_value *value, const struct js_path_step *wanted,
                     js_operand *out);
int js_field_of_array(js_evaluation *e, const js_operand *of, const struct js_path_step *wanted,
                      js_operand *out);

int js_subscript(js_evaluation *e, const js_operand *of, const js_operand *key, js_operand *out);
/* js_subscript with the key of a tuple's items one by one. */
int js_item(js_evaluation *e, const js_operand *of, int64_t index, js_operand *out);

#endif
