/* Keeps facts from the code of generators, by the texts of their types. */
#include "layouts/table.h"

struct js_stops {
    js_stops *next;
    const char *name;
    js_generator_facts facts;
};

static js_stops *find(js_types *types, js_span name)
{
    js_stops *known = types->stops;
    while (known && !js_span_is(name, known->name)) {
        known = known->next;
    }
    return known;
}

const js_generator_facts *js_types_stops(js_types *types, js_span name)
{
    const js_stops *known = find(types, name);
    return known ? &known->facts : NULL;
}

int js_types_set_stops(js_types *types, const char *name, const js_generator_facts *facts)
{
    js_arena *arena = &types->arena;
    js_stops *known = find(types, js_span_of(name));
    js_generator_stop *stops = js_arena_alloc(arena, (facts->nstops + 1) * sizeof *stops);
    const char **arguments = js_arena_alloc(arena, (facts->narguments + 1) * sizeof *arguments);
    if (!stops || !arguments) {
        return JS_ENOMEM;
    }
    for (size_t i = 0; i < facts->nstops; i++) {
        stops[i] = (js_generator_stop){facts->stops[i].index, facts->stops[i].line, ""};
    }
    for (size_t i = 0; facts->arguments && i < facts->narguments; i++) {
        arguments[i] = js_arena_strdup(arena, facts->arguments[i]);
        if (!arguments[i]) {
            return JS_ENOMEM;
        }
    }
    if (!known) {
        known = js_arena_alloc(arena, sizeof *known);
        if (!known || !(known->name = js_arena_strdup(arena, name))) {
            return JS_ENOMEM;
        }
        known->next = types->stops;
        types->stops = known;
    }
    known->facts =
        (js_generator_facts){stops, facts->nstops, facts->arguments ? arguments : NULL, facts->narguments};
    js_types_forget(types);
    return JS_OK;
}
