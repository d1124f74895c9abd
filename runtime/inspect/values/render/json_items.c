/* Writes containers and instances as JSON: {"list" | "set": [first 64], "length": n}, {"dict": [[key, value],
 * …], "length": n}, {"class": "Foo", "attributes": {"x": 1}}. */

#include <string.h>

#include "values/base/items.h"
#include "values/base/rendering.h"
#include "values/render/render.h"

static void put_label(js_render *render, const js_text *why, int status)
{
    const char *text = why->length ? why->data : js_strerror(status);
    render->exact = false;
    js_text_json_string(render->out, text, strlen(text));
}

static void put_entry(js_render *render, const js_items *items, const uint8_t *entry)
{
    const js_member *key = js_type_member(items->item, JS_ROLE_KEY), *value = NULL;
    if (items->type->kind == JS_KIND_LIST || !key) {
        js_json_value(render, items->item, entry);
        return;
    }
    if (items->type->kind == JS_KIND_DICT) {
        value = js_type_member(items->item, JS_ROLE_VALUE);
    }
    js_text_put(render->out, value ? "[" : "");
    js_json_value(render, key->type, entry + key->offset);
    if (value) {
        js_text_put(render->out, ", ");
        js_json_value(render, value->type, entry + value->offset);
        js_text_put(render->out, "]");
    }
}

void js_json_items(js_render *render, const js_type *type, const uint8_t *contents)
{
    js_items items;
    js_text why, *out = render->out;
    js_text_init(&why, 0);
    int status = js_items_init(&items, render, type, contents, &why);
    if (status) {
        put_label(render, &why, status);
        js_text_deinit(&why);
        return;
    }
    js_text_deinit(&why);
    const char *key = type->kind == JS_KIND_LIST ? "list" : type->kind == JS_KIND_SET ? "set" : "dict";
    js_text_printf(out, "{\"%s\": [", key);
    for (uint64_t i = 0, address; i < JS_JSON_ELEMENTS && out->status == JS_OK; i++) {
        const uint8_t *entry;
        status = js_items_next(&items, render, JS_JSON_ELEMENTS - i, &entry, &address);
        if (status) {
            render->exact &= status == JS_ENOTFOUND && i == items.length;
            break;
        }
        js_text_put(out, i ? ", " : "");
        put_entry(render, &items, entry);
    }
    js_text_printf(out, "], \"length\": %llu}", (unsigned long long)items.length);
    js_items_deinit(&items);
}

void js_json_object(js_render *render, const js_type *type, const uint8_t *contents)
{
    js_stores stores;
    js_text why, *out = render->out;
    js_text_init(&why, 0);
    int status = js_stores_init(&stores, render, type, contents, &why);
    if (status) {
        put_label(render, &why, status);
        js_text_deinit(&why);
        return;
    }
    js_text_deinit(&why);
    const struct js_store *last = &stores.at[stores.count - 1];
    const char *name = type->class_name ? type->class_name : "";
    if (last->address && js_render_is_open(render, last->address)) { /* a container within itself */
        js_text label;
        js_text_init(&label, 0);
        js_text_printf(&label, "%s(...)", name);
        js_text_json_string(out, label.data ? label.data : "", label.length);
        js_text_deinit(&label);
        js_stores_deinit(&stores);
        return;
    }
    js_text_put(out, "{\"class\": ");
    js_text_json_string(out, name, strlen(name));
    js_open self = {last->address, render->open};
    render->open = &self;
    js_text_put(out, ", \"attributes\": {");
    bool is_first = true;
    for (size_t i = 0; i < last->type->nmembers && out->status == JS_OK; i++) {
        const js_member *member = &last->type->members[i];
        if (member->role == JS_ROLE_ELEMENT) {
            js_text_put(out, is_first ? "" : ", ");
            is_first = false;
            js_text_json_string(out, member->name, strlen(member->name));
            js_text_put(out, ": ");
            js_json_value(render, member->type, last->contents + member->offset);
        }
    }
    js_text_put(out, "}}");
    render->open = self.outer;
    js_stores_deinit(&stores);
}
