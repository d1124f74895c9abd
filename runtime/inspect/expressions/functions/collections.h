/* Calls methods of lists, tuples, sets and dicts. */
#ifndef JS_EXPRESSIONS_FUNCTIONS_COLLECTIONS_H
#define JS_EXPRESSIONS_FUNCTIONS_COLLECTIONS_H

#include "expressions/operands/operand.h"

/* True if the operand is a collection that has this method; only methods that read are known. */
bool js_collection_has_method(const js_operand *of, const char *name);
/* True if any collection has a method of this name. */
bool js_is_collection_method(const char *name);
int js_collection_method(js_evaluation *e, const char *name, const js_operand *of,
                         const js_operand *arguments, size_t count, js_operand *out);

#endif
