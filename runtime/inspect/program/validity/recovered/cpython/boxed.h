/* Reads the value of a Python object by DWARF: of an argument that a wrapper has unpacked and the function
 * does not keep. from_caller.c calls it. */
#ifndef JS_PROGRAM_VALIDITY_RECOVERED_CPYTHON_BOXED_H
#define JS_PROGRAM_VALIDITY_RECOVERED_CPYTHON_BOXED_H

#include <stdbool.h>

#include "layouts/type.h"
#include "program/validity/locations/expression.h"

typedef enum js_boxed { JS_BOXED_INT, JS_BOXED_BOOL, JS_BOXED_FLOAT, JS_BOXED_TUPLE, JS_BOXED_STR } js_boxed;

/* Find the class of objects whose values have this type. False: such values are not read here. */
bool js_boxed_kind(const js_type *type, js_boxed *out);
/* Push whether the object is of exactly this class, as a subclass may convert itself in its own way. The
 * object's address must be on the stack, and stays there. */
void js_boxed_put_guard(js_expr *expr, js_boxed kind);
/* Replace the address of an int, a bool or a float by its value. */
void js_boxed_put_value(js_expr *expr, js_boxed kind);
/* Replace the address of a tuple by that of item `index`, from 0. */
void js_boxed_put_item(js_expr *expr, uint64_t index);

/* Replace the address of a str, and whether it is ASCII, by the address of its characters. */
void js_boxed_put_characters(js_expr *expr);

#endif
