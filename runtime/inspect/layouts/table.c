/* The table of the types that were met: each text is parsed once. */
#include <stdio.h>
#include <stdlib.h>

#include "layouts/table.h"

struct js_table_entry {
    js_table_entry *next;
    uint64_t hash;
    js_span name, storage;
    bool in_data;
    const js_type *type;
};

struct js_table_described {
    js_table_described *next;
    uint64_t descriptor, handle;
    const js_type *type;
};

int js_types_create_with(const js_type_texts *texts, js_types **out)
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
    types->texts = texts;
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

const js_type *js_types_find(const js_build *build)
{
    uint64_t hash = hash_build(build);
    const js_types *types = build->types;
    for (const js_table_entry *e = types->buckets[hash % types->nbuckets]; e; e = e->next) {
        if (e->hash == hash && e->in_data == build->in_data && js_span_same(e->name, build->name) &&
            js_span_same(e->storage, build->storage)) {
            return e->type;
        }
    }
    return NULL;
}

static void grow(js_types *types)
{
    size_t nbuckets = types->nbuckets * 4;
    js_table_entry **buckets = calloc(nbuckets, sizeof *buckets);
    if (!buckets) {
        return; /* searching is slower, but not wrong */
    }
    for (size_t i = 0; i < types->nbuckets; i++) {
        for (js_table_entry *e = types->buckets[i], *next; e; e = next) {
            next = e->next;
            e->next = buckets[e->hash % nbuckets];
            buckets[e->hash % nbuckets] = e;
        }
    }
    free(types->buckets);
    types->buckets = buckets;
    types->nbuckets = nbuckets;
}

int js_types_keep(const js_build *build, const js_type *type)
{
    uint64_t hash = hash_build(build);
    js_types *types = build->types;
    if (types->nentries > types->nbuckets) {
        grow(types);
    }
    js_table_entry *e = js_arena_alloc(&types->arena, sizeof *e);
    char *name = js_build_text(types, build->name);
    char *storage = build->storage.at ? js_build_text(types, build->storage) : NULL;
    if (!e || !name || (build->storage.at && !storage)) {
        return JS_ENOMEM;
    }
    js_table_entry **bucket = &types->buckets[hash % types->nbuckets];
    *e = (js_table_entry){*bucket,        hash, {name, build->name.size}, {storage, build->storage.size},
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

void js_types_set_coded(js_types *types, js_coded_fn coded, void *context)
{
    types->coded = coded;
    types->coded_context = context;
}

int js_types_coded(js_types *types, uint64_t code, char *text, size_t room)
{
    return !types->coded || types->coded(types->coded_context, code, text, room) ? JS_EUNSUP : JS_OK;
}

/* ---- layouts that the target describes ---- */

const js_type *js_types_described(const js_types *types, uint64_t descriptor, uint64_t handle)
{
    for (const js_table_described *d = types->described; d; d = d->next) {
        if (d->handle == handle && d->descriptor == descriptor) {
            return d->type;
        }
    }
    return NULL;
}

const js_type *js_types_described_as(const js_types *types, js_span name)
{
    for (const js_table_described *d = types->described; d; d = d->next) {
        if (js_span_is(name, d->type->name)) {
            return d->type;
        }
    }
    return NULL;
}

bool js_types_is_described(const js_types *types, const char *name)
{
    return js_types_described_as(types, js_span_of(name)) != NULL;
}

int js_types_keep_described(js_types *types, uint64_t descriptor, uint64_t handle, const js_type *type)
{
    js_table_described *d = js_arena_alloc(&types->arena, sizeof *d);
    if (!d) {
        return JS_ENOMEM;
    }
    *d = (js_table_described){types->described, descriptor, handle, type};
    types->described = d;
    return JS_OK;
}
