/* Finds things of the model: the function of an address, the row of a line, the variable of a name. */
#ifndef JS_PROGRAM_MODEL_LOOKUP_H
#define JS_PROGRAM_MODEL_LOOKUP_H

#include "program/model/function.h"

void js_object_destroy(js_object *object);

/* The function whose code holds pc, or NULL. */
js_function *js_object_function(js_object *object, uint64_t pc);
/* The first of the function's stores of a raised exception in [lo, hi), or NULL. */
const js_raise *js_function_raise(const js_function *function, uint64_t lo, uint64_t hi);
/* The row in force at pc (the last at or before it), or NULL. */
const js_row *js_function_row(const js_row *rows, size_t nrows, uint64_t pc);
/* The function's own row that gives pc its line: code of line 0 belongs to the statement before it. Or NULL.
 */
const js_row *js_function_line_row(const js_function *function, uint64_t pc);
/* True if pc is in a call that several statements may make, so that a caller is at no line. */
bool js_function_is_merged(const js_function *function, uint64_t pc);
/* True if code of the function's file may be of this line. The compiler gives lines of its own library's
 * functions that it inlines as lines of the user's file. */
bool js_function_has_line(const js_function *function, uint32_t line);
/* The user's line; of code that is of none, the function's first. A kernel lives in a text of the compiler's
 * own, whose template lines mean the loop's header; with the hook its lines are the user's, and those
 * above are of what was inlined. 0: none. */
uint32_t js_function_user_line(const js_function *function, uint32_t line);
/* Absolute path of a file of the object; "" when there is none. */
const char *js_object_path(const js_object *object, uint32_t file);

const js_local *js_function_local(const js_function *function, const char *name, size_t length);

/* True if the instruction at pc belongs to the inlined code. */
bool js_inline_holds(const js_inline *at, uint64_t pc);
/* The innermost inlined code that holds pc, 1 + its index; 0: the function itself. */
uint32_t js_function_inline_at(const js_function *function, uint64_t pc);
/* True if the inlined code `inner` (0: the function itself) is `scope`, or inlined in it. */
bool js_function_is_within(const js_function *function, uint32_t inner, uint32_t scope);
/* What asking that for each inlined body costs at an address; at least 1. */
size_t js_function_inline_looks(const js_function *function);

/* True if `path` is the file's path, or its end. */
bool js_path_ends_with(const char *own, const char *path);
/* True if the name of the object's file ends with this path. */
bool js_line_is_of(const js_object *object, uint32_t file, const char *path);

#endif
