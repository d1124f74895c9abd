/* Keeps what debug information says of single types by their whole text: the names of named tuples' fields
 * and of enums' members. Two classes of one text are distinguished while the unit that describes them is
 * read; after it neither has names. */
#include "layouts/table.h"

#include <string.h>

struct js_told {
    js_told *next;
    const char *text;
    const char *const *names; /* names from all units, NULL at the end; NULL: units differ */
    const char *const *own;   /* names from the unit that is being read */
    bool has_own;
};

static js_told *find(const js_told_table *table, js_span text)
{
    js_told *told = table->first;
    while (told && !js_span_is(text, told->text)) {
        told = told->next;
    }
    return told;
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

int js_types_tell(js_types *types, const char *text, const char *const *names, size_t count)
{
    js_told_table *table = &types->told;
    js_arena *arena = &types->arena;
    js_told *told = find(table, js_span_of(text));
    if (told && (told->has_own ? told->own : told->names) &&
        same(told->has_own ? told->own : told->names, names, count)) {
        told->own = told->has_own ? told->own : told->names;
        told->has_own = true;
        return JS_OK;
    }
    bool is_first = !told;
    const char *const *copies = copy(arena, names, count);
    if (is_first && copies && (told = js_arena_alloc(arena, sizeof *told))) {
        *told = (js_told){.next = table->first, .text = js_arena_strdup(arena, text), .names = copies};
    }
    if (!copies || !told || !told->text) {
        return JS_ENOMEM;
    }
    if (is_first) {
        table->first = told;
    } else {
        told->names = NULL;
        table->has_several = true;
    }
    told->own = told->has_own ? NULL : copies;
    told->has_own = true;
    js_types_forget(types);
    return JS_OK;
}

void js_types_told_end(js_types *types)
{
    js_told_table *table = &types->told;
    for (js_told *told = table->first; told; told = told->next) {
        told->own = NULL;
        told->has_own = false;
    }
    if (table->has_several) {
        js_types_forget(types);
    }
}

bool js_types_is_told(js_types *types, js_span text, const char *const **names)
{
    const js_told *told = find(&types->told, text);
    *names = !told ? NULL : told->has_own ? told->own : told->names;
    return told != NULL;
}
