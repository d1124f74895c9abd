/* Evaluates the nodes of an expression's tree. Internal to expressions/. */
#ifndef JS_EXPRESSIONS_API_EVALUATE_H
#define JS_EXPRESSIONS_API_EVALUATE_H

#include "expressions/front/tree.h"
#include "expressions/operands/operand.h"

/* Give the value of a node. */
int js_node_evaluate(js_evaluation *e, const js_node *node, js_operand *out);

#endif
