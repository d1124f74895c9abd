/* Reads dicts: the places of their items, and the attributes of an instance, which are a dict too. */
#include "layouts/cpython/internal.h"

#include <string.h>

static int read_keys(js_bytes *bytes, js_python_object *object, uint64_t keys)
{
    uint8_t header[40];
    uint64_t size;
    if (keys == 0 || keys % 8 != 0) {
        return JS_EBAD;
    }
    int status = js_bytes_read(bytes, keys, header, sizeof header);
    if (status) {
        return status;
    }
    if (object->facts->version < PY_3_11) {
        memcpy(&size, header + 8, 8);
        memcpy(&object->slots, header + 32, 8);
        if (size == 0 || size > (uint64_t)1 << 40 || (size & (size - 1)) != 0) {
            return JS_EBAD;
        }
        uint64_t width = size <= 0xff ? 1 : size <= 0xffff ? 2 : size <= 0xffffffff ? 4 : 8;
        object->data = keys + 40 + size * width;
        object->stride = 24;
        object->key = 8;
    } else {
        if (header[8] > 40 || header[9] > 44 || header[10] > 2) {
            return JS_EBAD;
        }
        size = (uint64_t)1 << header[8];
        memcpy(&object->slots, header + 24, 8);
        object->data = keys + 32 + ((uint64_t)1 << header[9]);
        object->stride = header[10] == 0 ? 24 : 16; /* without the hash where all keys are str */
        object->key = header[10] == 0 ? 8 : 0;
    }
    object->value = object->key + 8;
    return object->slots > size ? JS_EBAD : JS_OK;
}

/* Return where the values of a dict are whose keys its class has. */
static uint64_t split_values(const js_python_object *object, uint64_t values)
{
    return values && object->facts->version >= PY_3_13 ? values + 8 : values;
}

int js_dict_read(js_bytes *bytes, js_python_object *object)
{
    uint64_t fields[4]; /* used, version, keys, values */
    int status = js_bytes_read(bytes, js_object_member(object, 16), fields, sizeof fields);
    if (status) {
        return status;
    }
    object->length = fields[0];
    object->values = split_values(object, fields[3]);
    status = read_keys(bytes, object, fields[2]);
    return status ? status : object->length > object->slots ? JS_EBAD : JS_OK;
}

bool js_object_is_dict(js_bytes *bytes, const js_python_object *object)
{
    js_class_head type;
    return object->kind == JS_OBJECT_DICT ||
           (object->kind == JS_OBJECT_INSTANCE &&
            js_class_read(bytes, object->facts, object->type, &type) == JS_OK &&
            (js_class_word(&type, TYPE_FLAGS) & FLAG_DICT));
}

uint64_t js_dict_find(js_bytes *bytes, const js_python_object *dict, const char *name)
{
    enum { ENTRIES = 512 };
    char text[64];
    uint64_t key, value;
    for (uint64_t i = 0; i < dict->slots && i < ENTRIES; i++) {
        if (js_object_item(bytes, dict, i, &key, &value)) {
            return 0;
        }
        if (key && js_str_short(bytes, dict->facts, key, text, sizeof text) && strcmp(text, name) == 0) {
            return value;
        }
    }
    return 0;
}

int js_object_item(js_bytes *bytes, const js_python_object *object, uint64_t slot, uint64_t *key,
                   uint64_t *value)
{
    uint64_t entry[3] = {0}, place = object->data + slot * object->stride;
    *key = *value = 0;
    int status =
        js_bytes_read(bytes, place, entry, object->stride < sizeof entry ? object->stride : sizeof entry);
    if (status) {
        return status;
    }
    *key = entry[object->key / 8];
    if (object->kind == JS_OBJECT_SET || object->kind == JS_OBJECT_FROZENSET) {
        *key = entry[1] == UINT64_MAX ? 0 : *key; /* a dummy's hash is -1 */
    }
    if (object->value != UINT64_MAX) {
        *value = entry[object->value / 8];
        if (object->values) {
            status = js_bytes_read_word(bytes, object->values + 8 * slot, value);
        }
        *key = *value ? *key : 0;
    }
    return status;
}

static int inline_values(js_bytes *bytes, const js_python_object *object, uint64_t values,
                         js_python_object *out)
{
    uint64_t keys;
    const js_object_facts *facts = object->facts;
    int status = js_bytes_read_word(bytes, object->type + facts->shift + facts->cached_keys, &keys);
    if (status == JS_OK) {
        out->values = values;
        status = read_keys(bytes, out, keys);
    }
    out->length = out->slots;
    return status;
}

static int read_instance_dict(js_bytes *bytes, const js_python_object *object, const js_class_head *type,
                              js_python_object *out)
{
    uint64_t flags = js_class_word(type, TYPE_FLAGS), pointer = 0;
    *out = (js_python_object){.kind = JS_OBJECT_DICT, .facts = object->facts, .value = UINT64_MAX};
    enum version version = object->facts->version;
    int status = JS_ENOTFOUND;
    if (version >= PY_3_11 && (flags & FLAG_MANAGED_DICT)) {
        /* Include/internal/pycore_object.h, MANAGED_DICT_OFFSET: the collector's head lies in between, which
         * free-threaded builds lack */
        unsigned before = object->facts->shift ? 8 : 24;
        status = js_bytes_read_word(bytes, object->address - before, &pointer);
        if (status == JS_OK && version == PY_3_11 && !pointer) {
            status = js_bytes_read_word(bytes, object->address - 32, &pointer);
            return status || !pointer ? (status ? status : JS_ENOTFOUND)
                                      : inline_values(bytes, object, pointer, out);
        }
        if (status == JS_OK && version == PY_3_12 && (pointer & 1)) {
            return inline_values(bytes, object, pointer + 1, out);
        }
        if (status == JS_OK && version >= PY_3_13 && !pointer && (flags & FLAG_INLINE_VALUES)) {
            uint64_t place = object->address + js_class_word(type, TYPE_BASICSIZE);
            return inline_values(bytes, object, split_values(object, place), out);
        }
    } else {
        int64_t offset = (int64_t)js_class_word(type, TYPE_DICTOFFSET), items = 0;
        if (offset < 0 &&
            js_bytes_read_word(bytes, js_object_member(object, VAR_SIZE), (uint64_t *)&items) == JS_OK &&
            items > -(1 << 16) &&
            items < 1 << 16) { /* counted from the end of the object, whose length it has itself */
            uint64_t item = js_class_word(type, TYPE_ITEMSIZE);
            uint64_t end =
                js_class_word(type, TYPE_BASICSIZE) + (uint64_t)(items < 0 ? -items : items) * item;
            offset = end < 1 << 24 ? offset + (int64_t)((end + 7) / 8 * 8) : 0;
        }
        if (offset > 0 && offset < 1 << 16) {
            status = js_bytes_read_word(bytes, object->address + (uint64_t)offset, &pointer);
        }
    }
    if (status || !pointer) {
        return status ? status : JS_ENOTFOUND;
    }
    if (pointer % 8) {
        return JS_EBAD;
    }
    out->address = pointer;
    return js_dict_read(bytes, out);
}

int js_object_attributes(js_bytes *bytes, const js_python_object *object, js_python_object *out)
{
    js_class_head type;
    int status = js_class_read(bytes, object->facts, object->type, &type);
    return status ? status : read_instance_dict(bytes, object, &type, out);
}
