/* Methods of lists, tuples, sets and dicts. */
#ifndef JS_EXPRESSIONS_FUNCTIONS_COLLECTIONS_H
#define JS_EXPRESSIONS_FUNCTIONS_COLLECTIONS_H

#include "expressions/operands/operand.h"

/* Methods of lists, tuples, sets and dicts that read. */
bool js_collection_has_method(const js_operand *of, const char *name);
/* True if one of them has a method of this name. */
bool js_is_collection_method(const char *name);
int js_collection_method(js_evaluation *e, const char *name, const js_operand *of,
                         const js_operand *arguments, size_t count, js_operand *out);

#endif
