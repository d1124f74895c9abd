/* Computes int(), float(), bool(), complex() and round(). */
#ifndef JS_EXPRESSIONS_CORE_CONVERSIONS_H
#define JS_EXPRESSIONS_CORE_CONVERSIONS_H

#include "expressions/operands/operand.h"

/* Compute the conversion of this name; compute round(). */
int js_call_convert(js_evaluation *e, const char *name, const js_operand *arguments, size_t count,
                    js_operand *out);
int js_call_round(js_evaluation *e, const char *name, const js_operand *arguments, size_t count,
                  js_operand *out);

#endif
