/* Gives the parts of a value, for front ends that unfold values: js_api_children. */
#include <string.h>

#include "values/api/render_api.h"
#include "values/base/items.h"
#include "values/base/numbers.h"
#include "values/base/rendering.h"
#include "values/base/value.h"
#include "values/render/render.h"

typedef struct listing {
    js_types *types;
    js_render *render;
    js_text *out;
    uint64_t count;
} listing;

/* True if a variable of the type's name has the layout of this part, so that a debugger can read the part as
 * one. */
static bool lies_as_named(js_types *types, const js_type *type)
{
    const js_type *named;
    return js_types_get(types, type->name, NULL, &named) == JS_OK && named->shape == type->shape &&
           named->size == type->size && named->kind == type->kind;
}

static void put_child(listing *list, const char *name, size_t length, const js_type *type,
                      const uint8_t *contents, uint64_t address)
{
    js_text text, *out = list->out;
    js_text_init(&text, 0);
    js_text_put(out, list->count++ ? ", {\"name\": " : "{\"name\": ");
    js_text_json_string(out, name, length);
    js_text_put(out, ", \"type\": ");
    js_text_json_string(out, type->name, strlen(type->name));
    if (address && lies_as_named(list->types, type)) {
        js_text_printf(out, ", \"address\": %llu, \"size\": %llu", (unsigned long long)address,
                       (unsigned long long)type->size);
    }
    list->render->out = &text;
    list->render->as_str = false;
    js_render_value(list->render, type, contents);
    js_text_put(out, ", \"text\": ");
    js_text_json_string(out, text.data ? text.data : "", text.length);
    js_text_put(out, "}");
    js_text_deinit(&text);
}

static void put_items(listing *list, const js_type *type, const uint8_t *contents, uint64_t limit)
{
    js_items items;
    js_text why;
    js_text_init(&why, 0);
    int status = js_items_init(&items, list->render, type, contents, &why);
    js_text_deinit(&why);
    if (status) {
        return;
    }
    const js_member *key = js_type_member(items.item, JS_ROLE_KEY);
    const js_member *value = type->kind == JS_KIND_DICT ? js_type_member(items.item, JS_ROLE_VALUE) : key;
    const uint8_t *entry;
    uint64_t address;
    for (uint64_t i = 0; i < limit && list->out->status == JS_OK; i++) {
        if (js_items_next(&items, list->render, limit - i, &entry, &address)) {
            break;
        }
        js_text name;
        js_text_init(&name, 0);
        js_text_put(&name, "[");
        if (type->kind == JS_KIND_DICT && key && value) {
            list->render->out = &name;
            js_render_value(list->render, key->type, entry + key->offset);
        } else {
            js_text_printf(&name, "%llu", (unsigned long long)i);
        }
        js_text_put(&name, "]");
        if (type->kind == JS_KIND_LIST) {
            put_child(list, name.data, name.length, items.item, entry, address);
        } else if (value) {
            put_child(list, name.data, name.length, value->type, entry + value->offset,
                      address + value->offset);
        }
        js_text_deinit(&name);
    }
    js_items_deinit(&items);
}

static void put_parts(listing *list, const js_type *type, const uint8_t *contents, uint64_t address,
                      uint64_t limit)
{
    for (size_t i = 0; i < type->nmembers && list->count < limit && list->out->status == JS_OK; i++) {
        const js_member *member = &type->members[i];
        uint8_t buffer[512];
        const js_type *part;
        int status;
        if (member->role != JS_ROLE_ELEMENT && member->role != JS_ROLE_REFERENCE) {
            continue;
        }
        const uint8_t *bytes =
            js_part_of(list->render, member, contents, buffer, sizeof buffer, &part, &status);
        if (bytes) {
            uint64_t place = member->role == JS_ROLE_REFERENCE ? js_load_uint(contents + member->offset, 8)
                             : address                         ? address + member->offset
                                                               : 0;
            put_child(list, member->name, strlen(member->name), part, bytes, place);
        }
    }
}

static void put_object(listing *list, const js_type *type, const uint8_t *contents, uint64_t limit)
{
    js_stores stores;
    js_text why;
    js_text_init(&why, 0);
    if (js_stores_init(&stores, list->render, type, contents, &why) == JS_OK) {
        const struct js_store *last = &stores.at[stores.count - 1];
        put_parts(list, last->type, last->contents, last->address, limit);
        js_stores_deinit(&stores);
    }
    js_text_deinit(&why);
}

int js_api_children(js_types *types, js_bytes *bytes, const char *name, const char *storage,
                    const void *contents, size_t size, const js_render_options *options, char **out_text)
{
    const js_type *type;
    js_render_options standard;
    js_text out;
    js_render_options_init(&standard);
    options = options ? options : &standard;
    js_question question;
    js_text_init(&out, 0);
    js_render_begin(&question, bytes);
    js_render render = {.bytes = bytes,
                        .write = &js_value_writers,
                        .options = options,
                        .left = options->max_bytes,
                        .exact = true};
    listing list = {.types = types, .render = &render, .out = &out};
    int status = js_types_get(types, name, storage, &type);
    if (status == JS_OK && size < type->size) {
        status = JS_EARG;
    }
    if (status == JS_OK) {
        uint64_t limit = options->elements ? options->elements : standard.elements;
        js_text_put(&out, "[");
        switch (type->kind) {
        case JS_KIND_LIST:
        case JS_KIND_SET:
        case JS_KIND_DICT:
            put_items(&list, type, contents, limit);
            break;
        case JS_KIND_OBJECT:
            put_object(&list, type, contents, limit);
            break;
        case JS_KIND_ITERATOR:
            put_parts(&list, type, contents, 0, limit);
            break;
        default:
            break;
        }
        js_text_put(&out, "]");
    }
    js_question_end(&question, bytes);
    return js_text_give(&out, status, out_text);
}
