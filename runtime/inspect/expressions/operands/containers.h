/* Lists, sets and dicts of the target. */
#ifndef JS_EXPRESSIONS_OPERANDS_CONTAINERS_H
#define JS_EXPRESSIONS_OPERANDS_CONTAINERS_H

#include "expressions/operands/operand.h"

bool js_operand_is_container(const js_operand *operand);
int js_container_length(js_evaluation *e, const js_operand *operand, uint64_t *out);
/* Each item, or key with its value. */
typedef int (*js_walk_fn)(js_evaluation *e, const js_operand *item, const js_operand *value, void *context,
                          bool *goes_on);
int js_container_walk(js_evaluation *e, const js_operand *operand, js_walk_fn each, void *context);
int js_container_items(js_evaluation *e, const js_operand *operand, js_operand *out);

#endif
