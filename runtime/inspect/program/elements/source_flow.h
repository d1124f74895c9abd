/* The source of code that is inlined. */
#ifndef JS_PROGRAM_ELEMENTS_SOURCE_FLOW_H
#define JS_PROGRAM_ELEMENTS_SOURCE_FLOW_H

#include "program/model/objects.h"

/* The source of the code that is inlined here, by what it has been compiled to by itself; NULL: not known. */
const js_flow *js_pending_flow(const js_program *program, const js_function *function, const js_inline *item);

#endif
