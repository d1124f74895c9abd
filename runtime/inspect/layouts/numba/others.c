/* Builds the type Optional, and types that are shown member by member. Source:
 * numba/core/datamodel/models.py, numba/core/types/. */
#include "layouts/numba/numba.h"

/* Types that are no scalars, tuples or arrays, with their members; storage: their structure, if the name
 * determines it. */
static const struct known {
    const char *prefix, *storage;
    const char *names[7];
    size_t count;
} others[] = {
    {"instance.jitclass.", "{i8*, i8*}", {"meminfo", "data"}, 2},
    {"ListType[", "{i8*, i8*}", {"meminfo", "data"}, 2},
    {"DictType[", "{i8*, i8*}", {"meminfo", "data"}, 2},
    {"SetType[", "{i8*, i8*}", {"meminfo", "data"}, 2},
    {"reflected list(", "{i8*, i8*}", {"meminfo", "parent"}, 2},
    {"list(", "{i8*, i8*}", {"meminfo", "parent"}, 2},
    {"reflected set(", "{i8*, i8*}", {"meminfo", "parent"}, 2},
    {"set(", "{i8*, i8*}", {"meminfo", "parent"}, 2},
    {"pair<", NULL, {"first", "second"}, 2},
    {"ArrayCTypes(", "{i8*, i8*}", {"data", "meminfo"}, 2},
    {"numba.", NULL, {"meminfo"}, 1},
};

/* Types whose value is a pointer that is never read: the type says everything. */
static const char *const opaque[] = {
    "type(",     "Module(",        "class(",    "dtype(",   "IntEnum class<",   "Enum class<",
    "Function(", "BoundFunction(", "jitclass.", "typeref[", "ExternalFunction",
};

const char *const *js_numba_member_names(js_span name, size_t *count)
{
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        if (js_span_starts(name, others[i].prefix)) {
            *count = others[i].count;
            return others[i].names;
        }
    }
    return NULL;
}

/* Parse "OptionalType(int64)" or "?int64": {value, i1}. */
static int optional_type(const js_build *build, js_type *type)
{
    js_span text = build->name;
    if (!js_span_eat(&text, "?") &&
        (!(js_span_eat(&text, "OptionalType(") || js_span_eat(&text, "Optional(")) ||
         !js_span_eat_end(&text, ")"))) {
        return JS_EUNSUP;
    }
    js_member *members = js_arena_alloc(js_types_arena(build->types), 2 * sizeof *members);
    if (!members) {
        return JS_ENOMEM;
    }
    members[0] = (js_member){.name = "data", .role = JS_ROLE_VALUE};
    members[1] = (js_member){.name = "valid", .role = JS_ROLE_VALID};
    static const js_span absent = {NULL, 0};
    int status =
        js_numba_inner(build, text, js_storage_member(build->storage, 0), build->in_data, &members[0].type);
    if (status == JS_OK) {
        status = js_numba_inner(build, js_span_of("bool"), absent, build->in_data, &members[1].type);
    }
    if (status) {
        return status;
    }
    if (members[0].type->kind == JS_KIND_OPAQUE && members[0].type->size == 0) {
        return JS_EUNSUP;
    }
    type->shape = JS_SHAPE_STRUCT;
    type->kind = JS_KIND_OPTIONAL;
    type->target = members[0].type;
    return js_build_lay_out(type, members, 2);
}

int js_numba_others(const js_build *build, js_type *type)
{
    for (size_t i = 0; i < sizeof opaque / sizeof opaque[0]; i++) {
        if (js_span_starts(build->name, opaque[i])) {
            js_numba_set(type, JS_SHAPE_POINTER, JS_KIND_OPAQUE, 8);
            return JS_OK;
        }
    }
    int status = optional_type(build, type);
    if (status != JS_EUNSUP || build->storage.at) {
        return status;
    }
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        if (others[i].storage && js_span_starts(build->name, others[i].prefix)) {
            js_build with = *build;
            with.storage = js_span_of(others[i].storage);
            with.depth++;
            const js_type *known;
            status = js_build_type(&with, &known);
            if (status == JS_OK) {
                *type = *known;
            }
            return status;
        }
    }
    return JS_EUNSUP;
}
