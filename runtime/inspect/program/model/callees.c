/* Reads the hook's list of callees. */
#include "program/model/callees.h"

#include <stdlib.h>
#include <string.h>

#include "program/model/lookup.h"
#include "program/model/object.h"

enum { CALLEES_MAX = 4096 };

/* Read "NAME:LINE:PATH" up to `end`. JS_EBAD: it is malformed. */
static int read_one(js_arena *arena, const char *text, const char *end, js_callee *out)
{
    const char *colon = memchr(text, ':', (size_t)(end - text));
    char *after = NULL;
    unsigned long line = colon ? strtoul(colon + 1, &after, 10) : 0;
    if (!line || line > INT32_MAX || after >= end || *after != ':') {
        return JS_EBAD;
    }
    out->line = (uint32_t)line;
    out->name = js_arena_strndup(arena, text, (size_t)(colon - text));
    out->path = js_arena_strndup(arena, after + 1, (size_t)(end - after - 1));
    return out->name && out->path ? JS_OK : JS_ENOMEM;
}

int js_callees_read(js_arena *arena, const char *text, const js_callee **out, size_t *count)
{
    *out = NULL;
    *count = 0;
    size_t lines = 0;
    for (const char *at = text; at && *at && lines < CALLEES_MAX; lines++) {
        const char *end = strchr(at, '\n');
        at = end ? end + 1 : NULL;
    }
    js_callee *found = lines ? js_arena_alloc(arena, lines * sizeof(*found)) : NULL;
    if (lines && !found) {
        return JS_ENOMEM;
    }
    for (size_t i = 0; i < lines; i++) {
        const char *end = strchr(text, '\n');
        int status = read_one(arena, text, end ? end : text + strlen(text), &found[*count]);
        if (status == JS_ENOMEM) {
            return status;
        }
        *count += status == JS_OK;
        text = end ? end + 1 : NULL;
    }
    *out = found;
    return JS_OK;
}

bool js_callee_has_code(const js_function *function, const js_callee *callee)
{
    const js_object *object = function->object;
    bool found = false;
    for (size_t i = 0; i < function->ninlines && !found; i++) {
        const js_inline *item = &function->inlines[i];
        found = item->line == callee->line && js_file_ends_with(object, item->file, callee->path);
    }
    for (size_t i = 0; i < object->nfunctions && !found; i++) {
        const js_function *other = &object->functions[i];
        found = other->line == callee->line && js_file_ends_with(object, other->file, callee->path);
    }
    return found;
}
