/* Functions that a function at level exact calls and may have inlined. The compiler leaves no code of some of
 * them, which session/gone.c and session/line_stops.c report. */
#ifndef JS_PROGRAM_MODEL_CALLEES_H
#define JS_PROGRAM_MODEL_CALLEES_H

#include "program/model/function.h"

/* Read the list of callees in a unit's producer (runtime/python/jitscope/compiler/linked/callees.py); text
 * NULL: there is none. Malformed entries are left out. *out is in the arena. JS_ENOMEM. */
int js_callees_read(js_arena *arena, const char *text, const js_callee **out, size_t *count);

/* True if the function's object has code of the callee: inlined in the function, or as a function. */
bool js_callee_has_code(const js_function *function, const js_callee *callee);

#endif
