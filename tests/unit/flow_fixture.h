/* Parses the flow of a function from JSON, which is written with ' in place of ". */
#ifndef JS_TESTS_UNIT_FLOW_FIXTURE_H
#define JS_TESTS_UNIT_FLOW_FIXTURE_H

#include <stdlib.h>
#include <string.h>

#include "program/source/flow_json.h"

static inline int read_flow(js_arena *arena, const char *json, js_flow *out)
{
    char *text = strdup(json);
    if (!text) {
        return JS_ENOMEM;
    }
    for (char *at = text; (at = strchr(at, '\'')); at++) {
        *at = '"';
    }
    int status = js_flow_read(arena, text, strlen(text), out);
    free(text);
    return status;
}

#endif
