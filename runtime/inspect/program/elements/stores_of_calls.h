/* May a call store to elements? */
#ifndef JS_PROGRAM_ELEMENTS_STORES_OF_CALLS_H
#define JS_PROGRAM_ELEMENTS_STORES_OF_CALLS_H

#include "program/model/objects.h"

/* May code that is inlined for the call store to elements? scope: of the statement, 1 + the index of inlined
 * code, 0: the function's own; depth: of calls within calls that are looked at. True where that is not known.
 */
bool js_pending_call_may_store(const js_program *program, const js_function *function, uint32_t scope,
                               const js_store *call, unsigned depth);

#endif
