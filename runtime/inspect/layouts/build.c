/* Builds the type of a name from its text, and from the structure that the compiler has for it. */
#include "layouts/table.h"

/* True if the compiler's structure agrees with the type that the name means. */
static bool agrees(const js_type *type, const js_type *storage)
{
    bool is_whole = type->shape == JS_SHAPE_STRUCT || type->shape == JS_SHAPE_ARRAY;
    bool storage_is_whole = storage->shape == JS_SHAPE_STRUCT || storage->shape == JS_SHAPE_ARRAY;
    if (type->size != storage->size || (is_whole && !storage_is_whole)) {
        return false;
    }
    if (type->shape != JS_SHAPE_STRUCT || storage->shape != JS_SHAPE_STRUCT) {
        return true;
    }
    if (type->nmembers != storage->nmembers) {
        return false;
    }
    for (size_t i = 0; i < type->nmembers; i++) {
        if (type->members[i].offset != storage->members[i].offset ||
            type->members[i].type->size != storage->members[i].type->size) {
            return false;
        }
    }
    return true;
}

/* Build a type from the compiler's structure alone: members, without their meaning. */
static int from_storage(const js_build *build, const js_type *storage, js_type **out)
{
    js_type *type = js_build_new(build->types, build->name);
    if (!type) {
        return JS_ENOMEM;
    }
    const char *name = type->name;
    *type = *storage;
    type->name = name;
    bool is_own_text =
        js_span_same(build->name, build->storage); /* the name is the storage: old debug information */
    if (type->shape != JS_SHAPE_STRUCT && type->shape != JS_SHAPE_ARRAY && !is_own_text) {
        type->kind = JS_KIND_OPAQUE;
    }
    size_t count;
    const char *const *names = build->types->texts->member_names(build->name, &count);
    if (names && type->nmembers && count >= type->nmembers) {
        js_member *members = js_arena_alloc(&build->types->arena, type->nmembers * sizeof *members);
        if (!members) {
            return JS_ENOMEM;
        }
        memcpy(members, type->members, type->nmembers * sizeof *members);
        for (size_t i = 0; i < type->nmembers; i++) {
            members[i].name = names[i];
        }
        type->members = members;
    }
    *out = type;
    return JS_OK;
}

/* Build the type of a name that is a structure itself: the only type that has this structure, or its members.
 */
static int from_own_text(const js_build *build, const js_type *storage, js_type **out)
{
    char name[128];
    js_build same_text = *build;
    same_text.storage = build->name;
    if (build->types->texts->unnamed(build->name, name, sizeof name)) {
        const js_type *known;
        js_build named = {build->types, js_span_of(name), build->name, build->in_data, build->depth + 1};
        int status = js_build_type(&named, &known);
        js_type *type = status ? NULL : js_build_new(build->types, build->name);
        if (type && known->size == storage->size) {
            const char *own = type->name;
            *type = *known;
            type->name = own;
            *out = type;
            return JS_OK;
        }
    }
    return from_storage(&same_text, storage, out);
}

static int build_fresh(const js_build *build, js_type **out)
{
    const js_type *storage = NULL;
    if (build->storage.at) {
        int status = js_build_storage(build->types, build->storage, build->depth, &storage);
        if (status == JS_EUNSUP) {
            storage = NULL;
        } else if (status) {
            return status;
        }
    }
    int status = build->types->texts->type(build, out);
    if (status == JS_OK && (!storage || agrees(*out, storage))) {
        return JS_OK;
    }
    if (status && status != JS_EUNSUP) {
        return status;
    }
    if (storage) {
        return from_storage(build, storage, out);
    }
    if (!build->storage.at) { /* old debug information names types by their structure alone */
        status = js_build_storage(build->types, build->name, build->depth, &storage);
        if (status == JS_OK) {
            return from_own_text(build, storage, out);
        }
        if (status != JS_EUNSUP) {
            return status;
        }
    }
    js_type *type = js_build_new(build->types, build->name);
    if (!type) {
        return JS_ENOMEM;
    }
    type->shape = JS_SHAPE_OPAQUE;
    type->kind = JS_KIND_OPAQUE;
    *out = type;
    return JS_OK;
}

int js_build_type(const js_build *build, const js_type **out)
{
    if (build->depth >= JS_TYPE_DEPTH) {
        return JS_ELIMIT;
    }
    const js_type *known = build->storage.at ? NULL : js_types_described_as(build->types, build->name);
    if (!known) {
        known = js_types_find(build);
    }
    if (known) {
        *out = known;
        return JS_OK;
    }
    js_type *type;
    int status = build_fresh(build, &type);
    if (status == JS_OK) {
        status = js_types_keep(build, type);
    }
    if (status == JS_OK) {
        *out = type;
    }
    return status;
}
