/* Computes the operator % of texts. */
#ifndef JS_EXPRESSIONS_CORE_FORMAT_H
#define JS_EXPRESSIONS_CORE_FORMAT_H

#include "expressions/operands/operand.h"

/* Compute 'text' % arguments. */
int js_format_text(js_evaluation *e, const js_operand *format, const js_operand *arguments, js_operand *out);

#endif
