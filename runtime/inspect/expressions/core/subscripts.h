/* Computes subscripts of any operand, and the steps that values/select/ knows. */
#ifndef JS_EXPRESSIONS_CORE_SUBSCRIPTS_H
#define JS_EXPRESSIONS_CORE_SUBSCRIPTS_H

#include "expressions/operands/operand.h"

/* Take a step of a path from a value, by values/select/; take a['f'] or a.f of an array of records. */
struct js_path_step;
int js_step_of_value(js_evaluation *e, const js_value *value, const struct js_path_step *wanted,
                     js_operand *out);
int js_field_of_array(js_evaluation *e, const js_operand *of, const struct js_path_step *wanted,
                      js_operand *out);

/* Compute of[key]. */
int js_subscript(js_evaluation *e, const js_operand *of, const js_operand *key, js_operand *out);
/* Compute of[index] for an index from 0, as iteration over a sequence does. */
int js_item(js_evaluation *e, const js_operand *of, int64_t index, js_operand *out);

#endif
