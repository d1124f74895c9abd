/* Walks lists, sets and dicts of the target. */
#ifndef JS_EXPRESSIONS_OPERANDS_CONTAINERS_H
#define JS_EXPRESSIONS_OPERANDS_CONTAINERS_H

#include "expressions/operands/operand.h"

/* True if the operand is a list, set or dict of the target. */
bool js_operand_is_container(const js_operand *operand);
int js_container_length(js_evaluation *e, const js_operand *operand, uint64_t *out);
/* Receives an item, or a key and its value. *goes_on false ends the walk. */
typedef int (*js_walk_fn)(js_evaluation *e, const js_operand *item, const js_operand *value, void *context,
                          bool *goes_on);
int js_container_walk(js_evaluation *e, const js_operand *operand, js_walk_fn each, void *context);
/* Give the items, or the keys of a dict, as a list. */
int js_container_items(js_evaluation *e, const js_operand *operand, js_operand *out);

#endif
