/* Keeps what debug information says of single types by their whole text: the names of named tuples' fields
 * and of enums' members. Two classes of one text are distinguished while the unit that describes them is
 * read; after it neither has names. */
#include "layouts/table.h"

#include <string.h>

struct js_named_parts {
    js_named_parts *next;
    const char *text;
    const char *const *names; /* names from all units, NULL at the end; NULL: units differ */
    const char *const *own;   /* names from the unit that is being read */
    bool has_own;
};

static js_named_parts *find(const js_named_parts_table *table, js_span text)
{
    js_named_parts *parts = table->first;
    while (parts && !js_span_is(text, parts->text)) {
        parts = parts->next;
    }
    return parts;
}

static bool same(const char *const *known, const char *const *names, size_t count)
{
    size_t i = 0;
    for (; known[i] && i < count && strcmp(known[i], names[i]) == 0; i++) {
    }
    return !known[i] && i == count;
}

static const char *const *copy(js_arena *arena, const char *const *names, size_t count)
{
    const char **copies = js_arena_alloc(arena, (count + 1) * sizeof *copies);
    for (size_t i = 0; copies && i < count; i++) {
        copies[i] = js_arena_strdup(arena, names[i]);
        if (!copies[i]) {
            return NULL;
        }
    }
    if (copies) {
        copies[count] = NULL;
    }
    return copies;
}

int js_types_set_parts(js_types *types, const char *text, const char *const *names, size_t count)
{
    js_named_parts_table *table = &types->parts;
    js_arena *arena = &types->arena;
    js_named_parts *parts = find(table, js_span_of(text));
    if (parts && (parts->has_own ? parts->own : parts->names) &&
        same(parts->has_own ? parts->own : parts->names, names, count)) {
        parts->own = parts->has_own ? parts->own : parts->names;
        parts->has_own = true;
        return JS_OK;
    }
    bool is_first = !parts;
    const char *const *copies = copy(arena, names, count);
    if (is_first && copies && (parts = js_arena_alloc(arena, sizeof *parts))) {
        *parts =
            (js_named_parts){.next = table->first, .text = js_arena_strdup(arena, text), .names = copies};
    }
    if (!copies || !parts || !parts->text) {
        return JS_ENOMEM;
    }
    if (is_first) {
        table->first = parts;
    } else {
        parts->names = NULL;
        table->has_several = true;
    }
    parts->own = parts->has_own ? NULL : copies;
    parts->has_own = true;
    js_types_forget(types);
    return JS_OK;
}

void js_types_end_parts(js_types *types)
{
    js_named_parts_table *table = &types->parts;
    for (js_named_parts *parts = table->first; parts; parts = parts->next) {
        parts->own = NULL;
        parts->has_own = false;
    }
    if (table->has_several) {
        js_types_forget(types);
    }
}

bool js_types_parts(js_types *types, js_span text, const char *const **names)
{
    const js_named_parts *parts = find(&types->parts, text);
    *names = !parts ? NULL : parts->has_own ? parts->own : parts->names;
    return parts != NULL;
}
