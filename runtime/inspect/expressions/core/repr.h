/* Computes str() and repr(). */
#ifndef JS_EXPRESSIONS_CORE_REPR_H
#define JS_EXPRESSIONS_CORE_REPR_H

#include "expressions/operands/operand.h"

/* Give str() or repr() of an operand, as a text. */
int js_repr_of(js_evaluation *e, const js_operand *operand, bool is_str, js_operand *out);

/* Give `size` bytes of UTF-8 as a text. */
int js_ascii_text(js_evaluation *e, const char *text, size_t size, js_operand *out);

#endif
