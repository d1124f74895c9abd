/* The flow of the source of inlined code, for the files of elements/. */
#ifndef JS_PROGRAM_ELEMENTS_SOURCE_FLOW_H
#define JS_PROGRAM_ELEMENTS_SOURCE_FLOW_H

#include "program/model/objects.h"

/* Return the flow of the source of this inlined code, taken from a function of the program that has been
 * compiled from the same source; it belongs to that function's object. NULL: not known. */
const js_flow *js_pending_flow(const js_program *program, const js_function *function, const js_inline *item);

#endif
