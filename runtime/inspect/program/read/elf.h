/* One in-memory object → the model: ELF symbols and sections, DWARF functions, variables, types and lines. */
#ifndef JS_PROGRAM_READ_ELF_H
#define JS_PROGRAM_READ_ELF_H

#include "bytes/reader.h"
#include "program/model/model.h"

/* `image` is copied. `memory` (may be NULL) reads the machine code where it runs. The object's functions have
 * no locals yet (js_truth_function). JS_EBAD: not a well-formed relocatable ELF; JS_EUNSUP: another machine,
 * or nothing in it was made by a JIT that is known here. */
int js_object_create(js_types *types, const void *image, size_t size, js_bytes *memory, js_object **out);
void js_object_destroy(js_object *object);

/* The function whose code holds pc, or NULL. */
js_function *js_object_function(js_object *object, uint64_t pc);
/* The row in force at pc (the last at or before it), or NULL. */
const js_row *js_function_row(const js_row *rows, size_t nrows, uint64_t pc);
/* The function's own row that gives pc its line: code of line 0 belongs to the statement before it. Or NULL.
 */
const js_row *js_function_line_row(const js_function *function, uint64_t pc);
/* May code of the function's file be of this line? The compiler gives lines of its own library's functions
 * that it puts in line as lines of the user's file. */
bool js_function_has_line(const js_function *function, uint32_t line);
/* The user's line; of code that is of none, the function's first. A kernel lives in a text of the compiler's
 * own, whose template lines stand for the loop's header; with the hook its lines are the user's, and those
 * above are of what was put in line. 0: none. */
uint32_t js_function_user_line(const js_function *function, uint32_t line);
/* Absolute path of a file of the object; "" when there is none. */
const char *js_object_path(const js_object *object, uint32_t file);

#endif
