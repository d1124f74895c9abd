/* Functions that others call and may have inlined, at level exact: of some the compiler leaves nothing.
 */
#ifndef JS_PROGRAM_MODEL_CALLEES_H
#define JS_PROGRAM_MODEL_CALLEES_H

#include "program/model/function.h"

/* What the unit's producer lists (runtime/python/jitscope/compiler/linked/callees.py), NULL: nothing. What is
 * malformed is left out. Allocated in the arena. */
int js_callees_read(js_arena *arena, const char *text, const js_callee **out, size_t *count);

/* True if code of it, called or inlined, is in what has been compiled with this function. */
bool js_callee_is_there(const js_function *function, const js_callee *callee);

#endif
