/* Searches an item of a list, set or dict. */
#ifndef JS_EXPRESSIONS_CORE_CONTAINER_FIND_H
#define JS_EXPRESSIONS_CORE_CONTAINER_FIND_H

#include "expressions/operands/operand.h"

/* Search `item` by comparing it with each item, or with each key of a dict, whose value `value` gets. */
int js_container_find(js_evaluation *e, const js_operand *operand, const js_operand *item, bool *is_found,
                      js_operand *value);

#endif
