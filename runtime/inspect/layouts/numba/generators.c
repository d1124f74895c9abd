/* Builds the types of generators. Source: numba/core/datamodel/models.py (GeneratorModel),
 * numba/core/types/functions.py (Generator). */
#include "layouts/numba/iterators.h"

enum { ARGUMENTS = 64 };

static const js_span absent = {NULL, 0};

static size_t count_items(js_span list)
{
    size_t count = 0;
    for (js_span item; js_span_next_item(&list, &item); count++) {
    }
    return count;
}

/* Add members for the arguments that are held, by the names known from the generator's code. */
static int argument_rows(const js_build *build, js_span arguments, const char *const *names,
                         js_numba_row parts[ARGUMENTS], size_t *count)
{
    js_span item;
    *count = 0;
    for (size_t number = 0; js_span_next_item(&arguments, &item); number++) {
        if (js_span_starts(item, "omitted(")) {
            continue;
        }
        if (*count == ARGUMENTS) {
            return JS_EUNSUP;
        }
        js_numba_row *part = &parts[*count];
        *part = (js_numba_row){names ? names[number] : js_build_member_name(build->types, *count), NULL,
                               JS_ROLE_ELEMENT, NULL};
        int status = js_numba_inner(build, item, absent, true, &part->built);
        if (status || !js_numba_is_known(part->built)) {
            return status ? status : JS_EUNSUP;
        }
        ++*count;
    }
    return JS_OK;
}

/* Parse "int64 generator(func=<function g at 0x7f>, args=(int64,), has_finalizer=True)": a pointer to {i32,
 * {arguments}, {state}}. The name does not say what the state is, but the hook does. */
int js_numba_generator(const js_build *build, js_type *type)
{
    js_span text = build->name, arguments = absent;
    size_t at = js_span_find_outside(text, " generator(func=");
    if (at == text.size || !js_span_eat_end(&text, ")")) {
        return JS_EUNSUP;
    }
    text = js_span_skip(text, at + strlen(" generator(func="));
    js_span function = js_span_first(text, js_span_find_outside(text, ", args="));
    text = js_span_skip(text, function.size + strlen(", args="));
    js_span_eat(&function, "<function ");
    for (size_t i = 0; i < function.size; i++) {
        if (function.at[i] == ' ') {
            function.size = i;
        }
    }
    if (!js_span_eat(&text, "(") || !js_numba_inside(&text, ')', &arguments)) {
        return JS_EUNSUP;
    }
    js_numba_row parts[ARGUMENTS];
    size_t count;
    const js_generator_facts *facts = js_types_stops(build->types, build->name);
    const char *const *names = facts && facts->narguments == count_items(arguments) ? facts->arguments : NULL;
    int status = argument_rows(build, arguments, names, parts, &count);
    if (status) {
        return status;
    }
    const js_type *values, *pointer, *whole = js_types_frame(build->types, build->name);
    if (!whole) {
        status = js_numba_structure(build, "arguments", parts, count, &values);
        const js_numba_row rows[] = {{"resume_index", "int32", JS_ROLE_RESUME, NULL},
                                     {"args", NULL, JS_ROLE_ARGUMENTS, values}};
        status = status ? status : js_numba_structure(build, "generator", rows, 2, &whole);
        if (status == JS_OK && facts) {
            ((js_type *)whole)->stops = facts->stops; /* may be changed until this returns */
            ((js_type *)whole)->nstops = facts->nstops;
        }
    }
    if (status ||
        build->in_data) { /* for a variable only: in memory the size of the whole would have to be known */
        return status ? status : JS_EUNSUP;
    }
    status = js_numba_pointer(build, whole, &pointer);
    if (status) {
        return status;
    }
    const char *name = type->name;
    *type = *pointer;
    type->name = name;
    type->kind = JS_KIND_GENERATOR;
    type->class_name = js_build_text(build->types, function);
    return type->class_name ? JS_OK : JS_ENOMEM;
}
