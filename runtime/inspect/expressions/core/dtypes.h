/* Finds data types of NumPy by what names them. */
#ifndef JS_EXPRESSIONS_CORE_DTYPES_H
#define JS_EXPRESSIONS_CORE_DTYPES_H

#include "expressions/operands/operand.h"

/* Find the type that an operand means as a dtype: 'f4', 'float32', numpy.float32, float, a.dtype. */
int js_dtype_of(js_evaluation *e, const js_operand *operand, js_number_type *out);
/* Find the type of this name of NumPy's, such as "float32". False: there is none. */
bool js_dtype_find(const char *name, size_t size, js_number_type *out);
/* Compare two operands as data types. JS_ENOTFOUND: neither is one. */
int js_dtype_compare(js_evaluation *e, const js_operand *a, const js_operand *b, bool *is_same);

#endif
