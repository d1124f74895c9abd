/* Finds the memory that a value refers to and that can be assigned. */

#include <stdlib.h>

#include "bytes/vector.h"

#include "values/base/array.h"
#include "values/base/array_place.h"
#include "values/base/items.h"
#include "values/base/numbers.h"
#include "values/base/places.h"
#include "values/base/rendering.h"
#include "values/base/value.h"

enum {
    DEPTH = 8,     /* most attributes and subscripts in succession in a statement */
    VISITS = 4096, /* most values that are looked at */
    BYTES = 1 << 24
};

typedef struct walk {
    js_places *places;
    js_render render;
    unsigned visits;
} walk;

static int visit(walk *self, const js_type *type, const uint8_t *contents, unsigned depth);

bool js_type_may_refer(const js_type *type)
{
    switch (type->kind) {
    case JS_KIND_ARRAY:
    case JS_KIND_BYTES:
    case JS_KIND_LIST:
    case JS_KIND_SET:
    case JS_KIND_DICT:
    case JS_KIND_OBJECT:
        return true;
    case JS_KIND_POINTER:
        return type->target && type->target->kind == JS_KIND_RECORD;
    case JS_KIND_OPTIONAL:
    case JS_KIND_TUPLE:
    case JS_KIND_STRUCT:
        for (size_t i = 0; i < type->nmembers; i++) {
            if (js_type_may_refer(type->members[i].type)) {
                return true;
            }
        }
        return false;
    default:
        return type->shape == JS_SHAPE_VARIANT;
    }
}

static int add(walk *self, uint64_t low, uint64_t size)
{
    js_places *places = self->places;
    if (!size) {
        return JS_OK;
    }
    if (!low || low + size < low) {
        places->is_known = false;
        return JS_OK;
    }
    js_array_place *all = js_vector_reserve(places->all, &places->capacity, places->count + 1, sizeof *all);
    if (!all) {
        return JS_ENOMEM;
    }
    places->all = all;
    places->all[places->count++] = (js_array_place){.is_known = true, .low = low, .high = low + size};
    return JS_OK;
}

static int visit_array(walk *self, const js_type *type, const uint8_t *contents)
{
    js_array_view view;
    js_array_place place;
    if (type->dims) {
        return JS_OK; /* it is a part of a value that was added already */
    }
    if (js_array_check(&view, type, contents, self->render.out)) {
        self->places->is_known = false;
        return JS_OK;
    }
    return js_array_place_of(&view, &place) ? add(self, place.low, place.high - place.low) : JS_OK;
}

static int visit_members(walk *self, const js_type *type, const uint8_t *contents, unsigned depth)
{
    int status = JS_OK;
    for (size_t i = 0; i < type->nmembers && status == JS_OK; i++) {
        const js_member *member = &type->members[i];
        if (member->role != JS_ROLE_REFERENCE) {
            status = visit(self, member->type, contents + member->offset, depth);
        }
    }
    return status;
}

static int visit_items(walk *self, const js_type *type, const uint8_t *contents, unsigned depth)
{
    js_items items;
    if (js_items_init(&items, &self->render, type, contents, self->render.out)) {
        self->places->is_known = false;
        return JS_OK;
    }
    int status = items.slots ? add(self, items.address, items.slots * items.stride) : JS_OK;
    const js_member *value = js_type_member(items.item, JS_ROLE_VALUE);
    const js_type *item = type->kind == JS_KIND_DICT && value ? value->type : items.item;
    const uint8_t *each;
    uint64_t address;
    while (js_type_may_refer(item) && status == JS_OK && self->visits < VISITS) {
        status = js_items_next(&items, &self->render, UINT64_MAX, &each, &address);
        if (status == JS_OK) {
            status = visit(self, item, each + (item == items.item ? 0 : value->offset), depth);
        }
    }
    js_items_deinit(&items);
    self->places->is_known &= status == JS_OK || status == JS_ENOTFOUND;
    return status == JS_ENOMEM ? status : JS_OK;
}

static int visit_object(walk *self, const js_type *type, const uint8_t *contents, unsigned depth)
{
    js_stores stores;
    if (js_stores_init(&stores, &self->render, type, contents, self->render.out)) {
        self->places->is_known = false;
        return JS_OK;
    }
    const struct js_store *last = &stores.at[stores.count - 1];
    int status = last->address ? add(self, last->address, last->type->size) : JS_OK;
    if (status == JS_OK) {
        status = visit_members(self, last->type, last->contents, depth);
    }
    js_stores_deinit(&stores);
    return status;
}

static int visit(walk *self, const js_type *type, const uint8_t *contents, unsigned depth)
{
    if (!js_type_may_refer(type) || !depth) {
        return JS_OK;
    }
    if (++self->visits > VISITS) {
        self->places->is_known = false;
        return JS_OK;
    }
    switch (type->kind) {
    case JS_KIND_ARRAY:
    case JS_KIND_BYTES:
        return visit_array(self, type, contents);
    case JS_KIND_LIST:
    case JS_KIND_SET:
    case JS_KIND_DICT:
        return visit_items(self, type, contents, depth - 1);
    case JS_KIND_OBJECT:
        return visit_object(self, type, contents, depth - 1);
    case JS_KIND_POINTER:
        return add(self, js_load_uint(contents, 8), type->target->size);
    case JS_KIND_OPTIONAL: {
        const js_member *valid = js_type_member(type, JS_ROLE_VALID);
        const js_member *value = js_type_member(type, JS_ROLE_VALUE);
        bool has_value = valid && value && contents[valid->offset] == 1;
        return has_value ? visit(self, value->type, contents + value->offset, depth) : JS_OK;
    }
    case JS_KIND_TUPLE:
    case JS_KIND_STRUCT:
        return visit_members(self, type, contents, depth - 1);
    default:
        self->places->is_known = false;
        return JS_OK;
    }
}

int js_places_init(js_places *places, const js_value *value, js_bytes *bytes)
{
    js_render_options options;
    js_text ignored;
    *places = (js_places){.is_known = true};
    js_render_options_init(&options);
    js_text_init(&ignored, 0);
    walk self = {.places = places,
                 .render = {.bytes = bytes, .options = &options, .out = &ignored, .left = BYTES}};
    int status = visit(&self, value->type, value->contents, DEPTH);
    js_text_deinit(&ignored);
    return status;
}

void js_places_deinit(js_places *places)
{
    free(places->all);
    *places = (js_places){0};
}
