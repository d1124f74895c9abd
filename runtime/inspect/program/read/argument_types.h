/* Types of arguments by the linkage name of their function. */
#ifndef JS_PROGRAM_READ_ARGUMENT_TYPES_H
#define JS_PROGRAM_READ_ARGUMENT_TYPES_H

#include "program/model/function.h"

/* True if the variable is a pointer whose target the compiler does not describe. */
bool js_is_nameless(const js_variable *variable);
/* () or what the compiler calls nothing: it has no bytes. */
bool js_is_nothing(const js_type *type);
/* "{i32, {…}, {…}}*": where a generator goes on, its arguments, its state. NULL: the type is none. */
const js_type *js_pointed_generator(const js_type *type);
/* True if the arguments lie as in what the compiler calls this pointer. */
bool js_is_pointer_to_generator(const js_type *pointer, const js_type *generator);
/* True if a variable that the compiler describes only as a pointer may be of this type. */
bool js_may_be_of_type(const js_variable *variable, const js_type *type);
/* Types of such arguments, from the function's linkage name. */
int js_nameless_arguments(js_types *types, js_function *function);

/* The first of "int64, array(float64, 1d, C)": its length, and `rest` behind the comma. */
size_t js_first_argument(const char *text, const char **rest);
/* The first of such a list has its default's value: nothing is passed of it. */
bool js_is_omitted(const char *text);

#endif
