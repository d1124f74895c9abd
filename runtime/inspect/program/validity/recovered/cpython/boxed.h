/* The value of a Python object, as DWARF: of what a wrapper unpacked and its callee did not keep. */
#ifndef JS_PROGRAM_VALIDITY_RECOVERED_CPYTHON_BOXED_H
#define JS_PROGRAM_VALIDITY_RECOVERED_CPYTHON_BOXED_H

#include <stdbool.h>

#include "layouts/type.h"
#include "program/validity/locations/expression.h"

typedef enum js_boxed { JS_BOXED_INT, JS_BOXED_BOOL, JS_BOXED_FLOAT, JS_BOXED_TUPLE, JS_BOXED_STR } js_boxed;

/* False: such a type's values are not read here. */
bool js_boxed_kind(const js_type *type, js_boxed *out);
/* Push whether the object is of exactly this class: a subclass may convert itself in its own way. The
 * object's address is on the stack, and stays. */
void js_boxed_put_guard(js_expr *expr, js_boxed kind);
/* Address of an int, a bool or a float → its value. */
void js_boxed_put_value(js_expr *expr, js_boxed kind);
/* Address of a tuple → address of an item. */
void js_boxed_put_item(js_expr *expr, uint64_t index);

/* Address of a str, and whether it is ASCII → address of its characters. */
void js_boxed_put_characters(js_expr *expr);

#endif
