/* Finds calls that may store to elements. */
#ifndef JS_PROGRAM_ELEMENTS_STORES_OF_CALLS_H
#define JS_PROGRAM_ELEMENTS_STORES_OF_CALLS_H

#include "program/model/objects.h"

/* True if code that is inlined for the call may store to elements, or where that is not known. scope: the
 * statement's, 1 + the index of inlined code, 0: the function's own; depth: the most calls within calls that
 * are looked at. */
bool js_pending_call_may_store(const js_program *program, const js_function *function, uint32_t scope,
                               const js_store *call, unsigned depth);

#endif
