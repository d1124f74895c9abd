/* Reads the flow of a function from the JSON that gdbext/jitscope_source/flow_json.py writes
 * (docs/schema/flow.json). session/asked_flows.c calls it. */
#ifndef JS_PROGRAM_SOURCE_FLOW_JSON_H
#define JS_PROGRAM_SOURCE_FLOW_JSON_H

#include "program/source/flow.h"

/* Read `length` bytes of JSON. The arena owns what `out` refers to. JS_EBAD: the text does not match the
 * schema, or contradicts itself; JS_ELIMIT: it has too many items; JS_ENOMEM. */
int js_flow_read(js_arena *arena, const char *json, size_t length, js_flow *out);

#endif
