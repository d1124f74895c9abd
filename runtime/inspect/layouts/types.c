/* The table of types met: each text is parsed once. */
#include <stdio.h>
#include <stdlib.h>

#include "layouts/build.h"
#include "layouts/told.h"

typedef struct entry {
    struct entry *next;
    uint64_t hash;
    js_span name, storage;
    bool in_data;
    const js_type *type;
} entry;

typedef struct fields {
    struct fields *next;
    const char *class_name;
    const char *const *names;
    size_t count;
} fields;

typedef struct frame {
    struct frame *next;
    const char *name;
    const js_type *type; /* NULL: of several */
} frame;

typedef struct described {
    struct described *next;
    uint64_t descriptor, handle;
    const js_type *type;
} described;

struct js_types {
    js_arena arena;
    described *described;
    entry **buckets;
    size_t nbuckets, nentries;
    fields *fields;
    frame *frames;
    js_told_table told;
    js_stops *stops;
    js_coded_fn coded;
    void *coded_context;
};

int js_types_create(js_types **out)
{
    *out = NULL;
    js_types *types = calloc(1, sizeof *types);
    if (!types) {
        return JS_ENOMEM;
    }
    types->nbuckets = 256;
    types->buckets = calloc(types->nbuckets, sizeof *types->buckets);
    if (!types->buckets) {
        free(types);
        return JS_ENOMEM;
    }
    js_arena_init(&types->arena, JS_TYPE_ARENA);
    *out = types;
    return JS_OK;
}

void js_types_destroy(js_types *types)
{
    if (types) {
        js_arena_deinit(&types->arena);
        free(types->buckets);
        free(types);
    }
}

js_arena *js_types_arena(js_types *types)
{
    return &types->arena;
}

char *js_build_text(js_types *types, js_span text)
{
    return js_arena_strndup(&types->arena, text.at, text.size);
}

js_type *js_build_new(js_types *types, js_span name)
{
    js_type *type = js_arena_alloc(&types->arena, sizeof *type);
    if (type) {
        type->align = 1;
        type->name = js_build_text(types, name);
    }
    return type && type->name ? type : NULL;
}

const char *js_build_member_name(js_types *types, uint64_t index)
{
    static const char *const first[] = {"f0", "f1", "f2", "f3", "f4", "f5", "f6", "f7"};
    if (index < sizeof first / sizeof first[0]) {
        return first[index];
    }
    char name[24];
    snprintf(name, sizeof name, "f%llu", (unsigned long long)index);
    return js_arena_strdup(&types->arena, name);
}

/* ---- the cache ---- */

static uint64_t hash_span(uint64_t hash, js_span text)
{
    for (size_t i = 0; i < text.size; i++) {
        hash = (hash ^ (unsigned char)text.at[i]) * 1099511628211U; /* FNV-1a */
    }
    return hash * 31 + text.size;
}

static uint64_t hash_build(const js_build *build)
{
    return hash_span(hash_span(build->in_data ? 7 : 14695981039346656037U, build->name), build->storage);
}

static bool same(js_span a, js_span b)
{
    return a.size == b.size && !a.at == !b.at && (a.size == 0 || !a.at || memcmp(a.at, b.at, a.size) == 0);
}

static const js_type *look_up(const js_build *build, uint64_t hash)
{
    const js_types *types = build->types;
    for (const entry *e = types->buckets[hash % types->nbuckets]; e; e = e->next) {
        if (e->hash == hash && e->in_data == build->in_data && same(e->name, build->name) &&
            same(e->storage, build->storage)) {
            return e->type;
        }
    }
    return NULL;
}

static void grow(js_types *types)
{
    size_t nbuckets = types->nbuckets * 4;
    entry **buckets = calloc(nbuckets, sizeof *buckets);
    if (!buckets) {
        return; /* slower, not wrong */
    }
    for (size_t i = 0; i < types->nbuckets; i++) {
        for (entry *e = types->buckets[i], *next; e; e = next) {
            next = e->next;
            e->next = buckets[e->hash % nbuckets];
            buckets[e->hash % nbuckets] = e;
        }
    }
    free(types->buckets);
    types->buckets = buckets;
    types->nbuckets = nbuckets;
}

static int keep(const js_build *build, uint64_t hash, const js_type *type)
{
    js_types *types = build->types;
    if (types->nentries > types->nbuckets) {
        grow(types);
    }
    entry *e = js_arena_alloc(&types->arena, sizeof *e);
    char *name = js_build_text(types, build->name);
    char *storage = build->storage.at ? js_build_text(types, build->storage) : NULL;
    if (!e || !name || (build->storage.at && !storage)) {
        return JS_ENOMEM;
    }
    entry **bucket = &types->buckets[hash % types->nbuckets];
    *e = (entry){*bucket,        hash, {name, build->name.size}, {storage, build->storage.size},
                 build->in_data, type};
    *bucket = e;
    types->nentries++;
    return JS_OK;
}

void js_types_forget(js_types *types)
{
    memset(types->buckets, 0, types->nbuckets * sizeof *types->buckets);
    types->nentries = 0;
}

js_stops **js_types_known_stops(js_types *types)
{
    return &types->stops;
}

js_told_table *js_types_told(js_types *types)
{
    return &types->told;
}

void js_types_set_coded(js_types *types, js_coded_fn coded, void *context)
{
    types->coded = coded;
    types->coded_context = context;
}

int js_types_coded(js_types *types, uint64_t code, char *text, size_t room)
{
    return !types->coded || types->coded(types->coded_context, code, text, room) ? JS_EUNSUP : JS_OK;
}

/* ---- generators' frames ---- */

static frame *frame_of(const js_types *types, js_span name)
{
    frame *f = types->frames;
    while (f && !js_span_is(name, f->name)) {
        f = f->next;
    }
    return f;
}

const js_type *js_types_frame(js_types *types, js_span name)
{
    const frame *f = frame_of(types, name);
    return f ? f->type : NULL;
}

int js_types_set_frame(js_types *types, const char *name, const js_generator_frame *told)
{
    frame *f = frame_of(types, js_span_of(name));
    if (f) {
        if (f->type && !js_build_is_frame(f->type, told)) {
            f->type = NULL;
            js_types_forget(types);
        }
        return JS_OK;
    }
    js_type *type;
    int status = js_build_frame(types, told, &type);
    f = status ? NULL : js_arena_alloc(&types->arena, sizeof *f);
    if (!f || !(f->name = js_arena_strdup(&types->arena, name))) {
        return status ? status : JS_ENOMEM;
    }
    f->type = type;
    f->next = types->frames;
    types->frames = f;
    js_types_forget(types);
    return JS_OK;
}

/* ---- named tuples' fields ---- */

int js_types_set_fields(js_types *types, const char *class_name, const char *const *names, size_t count)
{
    if (count > JS_TYPE_MEMBERS) {
        return JS_ELIMIT;
    }
    fields *f = js_arena_alloc(&types->arena, sizeof *f);
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
    for (const fields *f = types->fields; f; f = f->next) {
        if (f->count == count && js_span_is(class_name, f->class_name)) {
            return f->names;
        }
    }
    return NULL;
}

const char *const *js_types_enumerators(js_types *types, js_span class_name)
{
    const fields *found = NULL;
    for (const fields *f = types->fields; f; f = f->next) {
        if (!js_span_is(class_name, f->class_name) || (found && found->count == f->count)) {
            continue; /* the newest of each count is what was said last */
        }
        if (found || !f->names || !f->count || !strchr(f->names[0], '=')) {
            return NULL;
        }
        found = f;
    }
    return found ? found->names : NULL;
}

/* ---- layouts that the target described ---- */

const js_type *js_types_described(const js_types *types, uint64_t descriptor, uint64_t handle)
{
    for (const described *d = types->described; d; d = d->next) {
        if (d->handle == handle && d->descriptor == descriptor) {
            return d->type;
        }
    }
    return NULL;
}

static const js_type *described_as(const js_types *types, js_span name)
{
    for (const described *d = types->described; d; d = d->next) {
        if (js_span_is(name, d->type->name)) {
            return d->type;
        }
    }
    return NULL;
}

bool js_types_is_described(const js_types *types, const char *name)
{
    return described_as(types, js_span_of(name)) != NULL;
}

int js_types_keep_described(js_types *types, uint64_t descriptor, uint64_t handle, const js_type *type)
{
    described *d = js_arena_alloc(&types->arena, sizeof *d);
    if (!d) {
        return JS_ENOMEM;
    }
    *d = (described){types->described, descriptor, handle, type};
    types->described = d;
    return JS_OK;
}

/* ---- building ---- */

/* Does the compiler's own structure say the same as the name? */
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

/* What the compiler's structure alone tells: members, without their meaning. */
static int from_storage(const js_build *build, const js_type *storage, js_type **out)
{
    js_type *type = js_build_new(build->types, build->name);
    if (!type) {
        return JS_ENOMEM;
    }
    const char *name = type->name;
    *type = *storage;
    type->name = name;
    bool is_own_text = same(build->name, build->storage); /* the name is the storage: old debug information */
    if (type->shape != JS_SHAPE_STRUCT && type->shape != JS_SHAPE_ARRAY && !is_own_text) {
        type->kind = JS_KIND_OPAQUE;
    }
    size_t count;
    const char *const *names = js_numba_member_names(build->name, &count);
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

/* A name that is a structure: the type of which it can only be, or its members. */
static int from_own_text(const js_build *build, const js_type *storage, js_type **out)
{
    char name[128];
    js_build same_text = *build;
    same_text.storage = build->name;
    if (js_numba_unnamed(build->name, name, sizeof name)) {
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
    int status = js_numba_type(build, out);
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
    uint64_t hash = hash_build(build);
    const js_type *known = build->storage.at ? NULL : described_as(build->types, build->name);
    if (!known) {
        known = look_up(build, hash);
    }
    if (known) {
        *out = known;
        return JS_OK;
    }
    js_type *type;
    int status = build_fresh(build, &type);
    if (status == JS_OK) {
        status = keep(build, hash, type);
    }
    if (status == JS_OK) {
        *out = type;
    }
    return status;
}
