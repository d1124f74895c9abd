/* Finds types of arguments by the linkage name of their function. read/functions.c and the analyses of
 * validity/ use it. */
#ifndef JS_PROGRAM_READ_ARGUMENT_TYPES_H
#define JS_PROGRAM_READ_ARGUMENT_TYPES_H

#include "program/model/function.h"

/* True if the compiler's type of the variable does not show which type the variable has: a pointer to nothing
 * or to a record's bytes, an array of integers, a generator's frame, or nothing. */
bool js_is_nameless(const js_variable *variable);
/* True for the empty tuple and for a structure without members, which have no bytes. */
bool js_type_is_empty(const js_type *type);
/* Return the frame that a type "{i32, {…}, {…}}*" points to: where a generator goes on, its arguments, its
 * state. NULL: the type is another one. */
const js_type *js_pointed_generator(const js_type *type);
/* True if `pointer` is such a type, and its arguments have the offsets and sizes of the generator's. */
bool js_is_pointer_to_generator(const js_type *pointer, const js_type *generator);
/* True if the compiler may describe a variable of this type as it describes this variable. */
bool js_may_be_of_type(const js_variable *variable, const js_type *type);
/* Give arguments whose types the compiler does not show their types from the function's linkage name.
 * JS_ENOMEM. */
int js_nameless_arguments(js_types *types, js_function *function);

/* Return the length of the first argument in "int64, array(float64, 1d, C)"; *rest is the text after the
 * comma, or its end. */
size_t js_first_argument(const char *text, const char **rest);
/* True if the first argument of such a list has its default value, and nothing is passed for it. */
bool js_is_omitted(const char *text);

#endif
