/* The error of an argument that a function does not take. */
#ifndef JS_EXPRESSIONS_OPERANDS_ARGUMENTS_H
#define JS_EXPRESSIONS_OPERANDS_ARGUMENTS_H

#include "expressions/operands/operand.h"

/* Fail with the TypeError that `name` does not take this operand. */
int js_wrong_argument(js_evaluation *e, const char *name, const js_operand *operand);

#endif
