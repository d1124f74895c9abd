/* Reports about a line, or a function, without code; and the file that a line belongs to. */
#ifndef JS_PROGRAM_SESSION_LINE_STOPS_H
#define JS_PROGRAM_SESSION_LINE_STOPS_H

#include "program/model/function.h"
#include "program/model/objects.h"

/* As an item of js_program_line's: of a callee where nothing is left of it in the function. line: of the
 * callee; 0: all of it. */
void js_line_put_gone(js_text *out, js_program *program, const js_function *function, const js_callee *callee,
                      uint32_t line);

#endif
