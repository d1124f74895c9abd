/* Whether a call may store to elements, for stores_of_code.c. */
#ifndef JS_PROGRAM_ELEMENTS_STORES_OF_CALLS_H
#define JS_PROGRAM_ELEMENTS_STORES_OF_CALLS_H

#include "program/model/objects.h"

/* True if code that is inlined for the call may store to elements, or if that is not known. scope: 1 + the
 * index of the inlined code that has the statement; 0: the function itself. depth: how many levels of calls
 * within calls are looked at. */
bool js_pending_call_may_store(const js_program *program, const js_function *function, uint32_t scope,
                               const js_store *call, unsigned depth);

#endif
