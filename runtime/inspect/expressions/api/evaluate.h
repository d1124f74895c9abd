/* The value of a node of the tree. */
#ifndef JS_EXPRESSIONS_API_EVALUATE_H
#define JS_EXPRESSIONS_API_EVALUATE_H

#include "expressions/front/tree.h"
#include "expressions/operands/operand.h"

int js_node_evaluate(js_evaluation *e, const js_node *node, js_operand *out);

#endif
