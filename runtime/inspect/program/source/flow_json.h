/* The flow of a function, from the JSON that jitscope_source/flow_json.py writes (docs/schema/flow.json). */
#ifndef JS_PROGRAM_SOURCE_FLOW_JSON_H
#define JS_PROGRAM_SOURCE_FLOW_JSON_H

#include "program/source/flow.h"

/* The arena owns the result. JS_EBAD: the text is not of the schema, or says what cannot be;
 * JS_ELIMIT: it says too much. */
int js_flow_read(js_arena *arena, const char *json, size_t length, js_flow *out);

#endif
