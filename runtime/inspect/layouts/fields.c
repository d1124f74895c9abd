/* Keeps the names of named tuples' fields and of enums' members, by the names of their classes. */
#include "layouts/table.h"

struct js_table_fields {
    js_table_fields *next;
    const char *class_name;
    const char *const *names;
    size_t count;
};

int js_types_set_fields(js_types *types, const char *class_name, const char *const *names, size_t count)
{
    if (count > JS_TYPE_MEMBERS) {
        return JS_ELIMIT;
    }
    js_table_fields *f = js_arena_alloc(&types->arena, sizeof *f);
    const char **copies = names ? js_arena_alloc(&types->arena, (count + 1) * sizeof *copies) : NULL;
    if (!f || (names && !copies) || !(f->class_name = js_arena_strdup(&types->arena, class_name))) {
        return JS_ENOMEM;
    }
    for (size_t i = 0; names && i < count; i++) {
        copies[i] = js_arena_strdup(&types->arena, names[i]);
        if (!copies[i]) {
            return JS_ENOMEM;
        }
    }
    f->names = copies;
    f->count = count;
    f->next = types->fields;
    types->fields = f;
    js_types_forget(types);
    return JS_OK;
}

const char *const *js_types_fields(js_types *types, js_span class_name, size_t count)
{
    for (const js_table_fields *f = types->fields; f; f = f->next) {
        if (f->count == count && js_span_is(class_name, f->class_name)) {
            return f->names;
        }
    }
    return NULL;
}

const char *const *js_types_enumerators(js_types *types, js_span class_name)
{
    const js_table_fields *found = NULL;
    for (const js_table_fields *f = types->fields; f; f = f->next) {
        if (!js_span_is(class_name, f->class_name) || (found && found->count == f->count)) {
            continue; /* the newest entry of each count was set last */
        }
        if (found || !f->names || !f->count || !strchr(f->names[0], '=')) {
            return NULL;
        }
        found = f;
    }
    return found ? found->names : NULL;
}
