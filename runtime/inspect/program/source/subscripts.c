/* Reads subscripts from JSON. */
#include "program/source/subscripts.h"

#include <string.h>

#include "bytes/status.h"
#include "program/source/json_reader.h"

static void read_subscript(js_source_json *in, const json_t *from, js_subscript *out)
{
    static const char *const kinds[] = {[JS_INDEX_NAME] = "name",
                                        [JS_INDEX_CONSTANT] = "constant",
                                        [JS_INDEX_EXPRESSION] = "expression",
                                        [JS_INDEX_SLICE] = "slice",
                                        [JS_INDEX_OTHER] = "other"};
    const json_t *indices = json_object_get(from, "indices");
    out->array = js_source_text(in, from, "array");
    out->count = json_array_size(indices);
    if (!json_is_array(indices) || out->count > JS_SUBSCRIPT_INDICES) {
        js_source_fail(in, JS_EBAD);
    }
    for (size_t i = 0; i < out->count && in->status == JS_OK; i++) {
        const json_t *index = json_array_get(indices, i);
        out->indices[i].kind =
            (js_index_kind)js_source_word(in, index, "kind", kinds, sizeof kinds / sizeof *kinds);
        out->indices[i].text = js_source_name(in, index, "text");
        out->indices[i].value = js_source_text(in, index, "value");
    }
}

int js_subscripts_read(js_arena *arena, const char *json, js_subscripts *out)
{
    js_source_json in = {.arena = arena};
    json_t *root = json_loads(json, JSON_REJECT_DUPLICATES, NULL);
    *out = (js_subscripts){.count = json_array_size(root)};
    if (!json_is_array(root)) {
        js_source_fail(&in, JS_EBAD);
    }
    out->items = js_source_room(&in, out->count, sizeof *out->items);
    for (size_t i = 0; i < out->count && in.status == JS_OK; i++) {
        read_subscript(&in, json_array_get(root, i), &out->items[i]);
    }
    json_decref(root);
    return in.status;
}

bool js_subscript_forget_values(js_subscript *subscript)
{
    bool found = false;
    for (size_t i = 0; i < subscript->count; i++) {
        found = found || subscript->indices[i].value;
        subscript->indices[i].value = NULL;
    }
    return found;
}

bool js_subscript_is_whole(const js_subscript *subscript)
{
    return subscript->array && subscript->count == 0;
}

bool js_subscripts_have_index(const js_subscripts *subscripts)
{
    for (size_t i = 0; i < subscripts->count; i++) {
        if (!js_subscript_is_whole(&subscripts->items[i])) {
            return true;
        }
    }
    return false;
}
