/* What is said of a line, or a function, of which no code is left; and of which file a line is. */
#ifndef JS_PROGRAM_SESSION_LINE_STOPS_H
#define JS_PROGRAM_SESSION_LINE_STOPS_H

#include "bytes/text.h"
#include "program/model/model.h"

/* Is `path` the file's, or its end? */
bool js_path_ends_with(const char *own, const char *path);
/* Does the name of the object's file end with this path? */
bool js_line_is_of(const js_object *object, uint32_t file, const char *path);

/* As an item of js_program_line's: of a callee where nothing is left of it in the function. line: of the
 * callee; 0: all of it. */
void js_line_put_gone(js_text *out, const js_function *function, const js_callee *callee, uint32_t line);

#endif
