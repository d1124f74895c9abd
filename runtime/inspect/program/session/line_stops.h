/* Reports of a line, or a function, that has no code; session/gone.c calls it. */
#ifndef JS_PROGRAM_SESSION_LINE_STOPS_H
#define JS_PROGRAM_SESSION_LINE_STOPS_H

#include "program/model/function.h"
#include "program/model/objects.h"

/* Append an item of js_program_line() for a callee that has no code left in the function. line: a line of
 * the callee; 0: all of it. */
void js_line_put_gone(js_text *out, js_program *program, const js_function *function, const js_callee *callee,
                      uint32_t line);

#endif
