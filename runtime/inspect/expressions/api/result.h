/* The result of an evaluation. Internal to expressions/. */
#ifndef JS_EXPRESSIONS_API_RESULT_H
#define JS_EXPRESSIONS_API_RESULT_H

#include "expressions/lazy/evaluation.h"
#include "expressions/operands/operand.h"

struct js_expression {
    js_evaluation evaluation;
    js_operand result;
    js_text type; /* the text that js_expression_type() returns */
};

#endif
