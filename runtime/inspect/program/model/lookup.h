/* Finds the function of an address, the row of a line and the variable of a name. Used by all of program/.
 * What the functions return belongs to the object. */
#ifndef JS_PROGRAM_MODEL_LOOKUP_H
#define JS_PROGRAM_MODEL_LOOKUP_H

#include "program/model/function.h"

/* Release the object and all that it owns; NULL is allowed. */
void js_object_destroy(js_object *object);

/* Return the function whose code holds pc, or NULL. */
js_function *js_object_function(js_object *object, uint64_t pc);
/* Return the first of the function's stores of a raised exception in [lo, hi), or NULL. */
const js_raise *js_function_raise(const js_function *function, uint64_t lo, uint64_t hi);
/* Return the row in force at pc, which is the last one at or before it, or NULL. */
const js_row *js_function_row(const js_row *rows, size_t nrows, uint64_t pc);
/* Return the row of function->lines.rows that gives pc its line, or NULL. Code of line 0 belongs to the
 * statement before it. */
const js_row *js_function_line_row(const js_function *function, uint64_t pc);
/* True if pc is the last byte of a call that several statements may make, so that a frame waiting there is at
 * no line. */
bool js_function_is_merged(const js_function *function, uint64_t pc);
/* True if the function's code may have this line of its file. The compiler gives code that it inlines from
 * its own library lines of that library, as if they were lines of the user's file. */
bool js_function_has_line(const js_function *function, uint32_t line);
/* Convert a line of the compiler to the user's line; 0: none. In stock code a line that cannot be the
 * function's (js_function_has_line()) becomes the function's first line. Stock code of a kernel has lines of
 * a template of the compiler; these become the line of the loop's header. */
uint32_t js_function_user_line(const js_function *function, uint32_t line);
/* Return the absolute path of a file of the object by its index; "": there is no such file. */
const char *js_object_path(const js_object *object, uint32_t file);

/* Return the function's local of this name (`length` bytes), or NULL. */
const js_local *js_function_local(const js_function *function, const char *name, size_t length);

/* True if pc is in one of the ranges of the inlined code. */
bool js_inline_holds(const js_inline *item, uint64_t pc);
/* Return 1 + the index of the innermost inlined code that holds pc; 0: the function itself. */
uint32_t js_function_inline_at(const js_function *function, uint64_t pc);
/* Return the line of the function itself that calls the inlined code at pc; 0: the code is not inlined. */
uint32_t js_function_calling_line(const js_function *function, uint64_t pc);
/* True if the inlined code `inner` is `scope` or is inlined in it; both as js_function_inline_at() returns
 * them. */
bool js_function_is_within(const js_function *function, uint32_t inner, uint32_t scope);
/* Return an upper bound of how many ranges js_function_inline_at() compares; at least 1. Callers limit loops
 * by it. */
size_t js_function_inline_lookup_cost(const js_function *function);

/* True if `own` is `path` or ends with it, after a slash. */
bool js_path_ends_with(const char *own, const char *path);
/* True if the path of the object's file ends with `path`, as in js_path_ends_with(). */
bool js_file_ends_with(const js_object *object, uint32_t file, const char *path);

#endif
