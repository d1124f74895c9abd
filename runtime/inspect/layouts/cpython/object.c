/* Include/cpython/{object,unicodeobject,longintrepr,setobject}.h, Include/internal/pycore_{dict,object}.h of
 * CPython 3.9 to 3.14; numpy/core/include/numpy/ndarraytypes.h of NumPy 1.x and 2.x. */
#include "layouts/cpython/object.h"

#include <stdio.h>
#include <string.h>

#include "bytes/utf8.h"

enum version { PY_3_9, PY_3_10, PY_3_11, PY_3_12, PY_3_13, PY_3_14 };

struct js_object_facts {
    uint64_t type_size; /* of a class: type.__basicsize__; 0: any */
    enum version version;
    uint64_t cached_keys; /* in a class: the keys of its instances' attributes */
};

static const js_object_facts known[] = {
    {880, PY_3_9, 864}, {888, PY_3_10, 872}, {904, PY_3_11, 872}, {920, PY_3_12, 880}, {928, PY_3_13, 880},
};
static const js_object_facts newest = {0, PY_3_14, 880};

/* Offsets that are the same in all of them. */
enum {
    OBJECT_TYPE = 8,
    VAR_SIZE = 16,
    VAR_ITEMS = 24,
    TYPE_NAME = 24,
    TYPE_BASICSIZE = 32,
    TYPE_ITEMSIZE = 40,
    TYPE_FLAGS = 168,
    TYPE_DICT = 264,
    TYPE_DICTOFFSET = 288,
    TYPE_BASES = 336,
    TYPE_HEAD = 344, /* bytes of it that are read */
};

enum flags {
    FLAG_INLINE_VALUES = 1 << 2,
    FLAG_MANAGED_DICT = 1 << 4,
    FLAG_HEAP = 1 << 9,
};
static const uint64_t FLAG_CLASS = (uint64_t)1 << 31;

typedef struct head {
    uint8_t bytes[TYPE_HEAD];
} head;

static uint64_t word(const head *type, unsigned offset)
{
    uint64_t value;
    memcpy(&value, type->bytes + offset, sizeof value);
    return value;
}

static int read_type(js_bytes *bytes, uint64_t address, head *out)
{
    return address == 0 || address % 8 != 0 ? JS_EBAD : js_bytes_read(bytes, address, out, sizeof *out);
}

/* The type of all classes, from any class: `type`, or a metaclass that leads to it. */
static int find_facts(js_bytes *bytes, uint64_t type, const js_object_facts **out)
{
    head class;
    uint64_t bases, tuple, size;
    for (unsigned depth = 0; depth < 8; depth++) {
        int status = read_type(bytes, type, &class);
        if (status) {
            return status;
        }
        if (word(&class, OBJECT_TYPE) != type) {
            type = word(&class, OBJECT_TYPE);
            continue;
        }
        char name[8];
        if (js_bytes_read_string(bytes, word(&class, TYPE_NAME), sizeof name, name) ||
            strcmp(name, "type") != 0 || word(&class, TYPE_ITEMSIZE) != 40) {
            return JS_EBAD;
        }
        size = word(&class, TYPE_BASICSIZE);
        if (js_bytes_read_word(bytes, type + TYPE_BASES, &bases) == JS_OK && bases &&
            js_bytes_read_word(bytes, bases + OBJECT_TYPE, &tuple) == JS_OK && tuple &&
            js_bytes_read_word(bytes, tuple + TYPE_BASICSIZE, &bases) == JS_OK && bases == 32) {
            *out = &newest; /* tuples keep their hash */
            return JS_OK;
        }
        for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
            if (known[i].type_size == size) {
                *out = &known[i];
                return JS_OK;
            }
        }
        return JS_EBAD;
    }
    return JS_EBAD;
}

/* ---- strings ---- */

static int read_str(js_bytes *bytes, js_object *object)
{
    bool is_old = object->facts->version < PY_3_12;
    uint64_t state, data;
    int status = js_bytes_read_word(bytes, object->address + 16, &object->length);
    if (status == JS_OK) {
        status = js_bytes_read_uint(bytes, object->address + 32, 4, &state);
    }
    if (status) {
        return status;
    }
    /* interned:2 kind:3 compact:1 ascii:1; 3.14: interned:16 before them */
    state >>= object->facts->version == PY_3_14 ? 16 : 2;
    bool is_compact = state >> 3 & 1, is_ascii = state >> 4 & 1;
    object->width = state & 7;
    if ((object->width != 1 && object->width != 2 && object->width != 4) || object->length > INT64_MAX) {
        return JS_EBAD;
    }
    uint64_t ascii = is_old ? 48 : 40, compact = is_old ? 72 : 56;
    object->data = object->address + (is_ascii ? ascii : compact);
    if (!is_compact) {
        status = js_bytes_read_word(bytes, object->address + compact, &data);
        object->data = data;
    }
    return status;
}

/* A short ASCII str; false where it is none. */
static bool short_str(js_bytes *bytes, const js_object_facts *facts, uint64_t address, char *out, size_t room)
{
    js_object text = {.facts = facts, .address = address};
    if (!address || address % 8 || read_str(bytes, &text) || text.width != 1 || text.length >= room ||
        js_bytes_read(bytes, text.data, out, text.length)) {
        return false;
    }
    out[text.length] = '\0';
    for (size_t i = 0; i < text.length; i++) {
        if ((unsigned char)out[i] >= 0x80) {
            return false;
        }
    }
    return true;
}

/* ---- dicts ---- */

static int read_keys(js_bytes *bytes, js_object *object, uint64_t keys)
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

/* Where the values of a dict lie whose keys its class has. */
static uint64_t split_values(const js_object *object, uint64_t values)
{
    return values && object->facts->version >= PY_3_13 ? values + 8 : values;
}

static int read_dict(js_bytes *bytes, js_object *object)
{
    uint64_t fields[4]; /* used, version, keys, values */
    int status = js_bytes_read(bytes, object->address + 16, fields, sizeof fields);
    if (status) {
        return status;
    }
    object->length = fields[0];
    object->values = split_values(object, fields[3]);
    status = read_keys(bytes, object, fields[2]);
    return status ? status : object->length > object->slots ? JS_EBAD : JS_OK;
}

/* dict[key] for a short ASCII key; 0 when it is not there. */
static uint64_t look_up(js_bytes *bytes, const js_object *dict, const char *name)
{
    enum { ENTRIES = 512 };
    char text[64];
    uint64_t key, value;
    for (uint64_t i = 0; i < dict->slots && i < ENTRIES; i++) {
        if (js_object_item(bytes, dict, i, &key, &value)) {
            return 0;
        }
        if (key && short_str(bytes, dict->facts, key, text, sizeof text) && strcmp(text, name) == 0) {
            return value;
        }
    }
    return 0;
}

int js_object_item(js_bytes *bytes, const js_object *object, uint64_t slot, uint64_t *key, uint64_t *value)
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

/* ---- which class ---- */

enum { JS_OBJECT_PART = 150 };

static const struct builtin {
    const char *name;
    js_object_kind kind;
} builtins[] = {
    {"NoneType", JS_OBJECT_NONE},
    {"ellipsis", JS_OBJECT_ELLIPSIS},
    {"bool", JS_OBJECT_BOOL},
    {"int", JS_OBJECT_INT},
    {"float", JS_OBJECT_FLOAT},
    {"complex", JS_OBJECT_COMPLEX},
    {"str", JS_OBJECT_STR},
    {"bytes", JS_OBJECT_BYTES},
    {"bytearray", JS_OBJECT_BYTEARRAY},
    {"list", JS_OBJECT_LIST},
    {"tuple", JS_OBJECT_TUPLE},
    {"set", JS_OBJECT_SET},
    {"frozenset", JS_OBJECT_FROZENSET},
    {"dict", JS_OBJECT_DICT},
    {"numpy.ndarray", JS_OBJECT_NDARRAY},
};

/* Printable UTF-8? Else it is no name. */
static bool is_name(const char *text, size_t *length)
{
    size_t size = strlen(text), at = 0;
    while (at < size) {
        uint32_t code;
        size_t used = js_utf8_decode(text + at, size - at, &code);
        if (used == 0 && size == JS_OBJECT_PART - 1 && size - at < 4) {
            break; /* cut */
        }
        if (used == 0 || code < 0x20 || code == 0x7f) {
            return false;
        }
        at += used;
    }
    *length = at;
    return size != 0;
}

/* "module.name": a static class has it in its name, another in its attributes. */
static int name_class(js_bytes *bytes, const js_object_facts *facts, uint64_t address, const head *type,
                      char out[JS_OBJECT_NAME])
{
    char module[100] = "", name[JS_OBJECT_PART];
    size_t length;
    int status = js_bytes_read_string(bytes, word(type, TYPE_NAME), sizeof name, name);
    if (status && status != JS_ELIMIT) {
        return status;
    }
    if (!is_name(name, &length)) {
        return JS_EBAD;
    }
    name[length] = '\0';
    js_object attributes = {.facts = facts, .kind = JS_OBJECT_DICT, .address = word(type, TYPE_DICT)};
    if ((word(type, TYPE_FLAGS) & FLAG_HEAP) && attributes.address && attributes.address % 8 == 0 &&
        read_dict(bytes, &attributes) == JS_OK) {
        uint64_t found = look_up(bytes, &attributes, "__module__");
        if (!found || !short_str(bytes, facts, found, module, sizeof module) || !strcmp(module, "builtins")) {
            module[0] = '\0';
        }
        uint64_t qualified; /* Outer.Foo; it stands before the keys */
        char longer[sizeof name];
        if (js_bytes_read_word(bytes, address + facts->cached_keys - 8, &qualified) == JS_OK &&
            short_str(bytes, facts, qualified, longer, sizeof longer)) {
            memcpy(name, longer, sizeof name);
        }
    }
    snprintf(out, JS_OBJECT_NAME, "%s%s%s", module, module[0] ? "." : "", name);
    return JS_OK;
}

static int read_int(js_bytes *bytes, js_object *object)
{
    uint64_t size;
    int status = js_bytes_read_word(bytes, object->address + VAR_SIZE, &size);
    if (object->facts->version >= PY_3_12) {
        object->is_negative = (size & 3) == 2;
        object->length = (size & 3) == 1 ? 0 : size >> 3;
    } else {
        object->is_negative = (int64_t)size < 0;
        object->length = (int64_t)size < 0 ? 0 - size : size;
    }
    object->data = object->address + VAR_ITEMS;
    return status ? status : object->length > (uint64_t)1 << 40 ? JS_EBAD : JS_OK;
}

static int read_contents(js_bytes *bytes, js_object *object)
{
    uint64_t fields[4];
    int status = js_bytes_read_word(bytes, object->address + VAR_SIZE, &object->length);
    object->stride = 8;
    object->value = UINT64_MAX;
    switch (object->kind) {
    case JS_OBJECT_BOOL:
    case JS_OBJECT_INT:
        return read_int(bytes, object);
    case JS_OBJECT_FLOAT:
    case JS_OBJECT_COMPLEX:
        object->data = object->address + 16;
        return JS_OK;
    case JS_OBJECT_STR:
        return read_str(bytes, object);
    case JS_OBJECT_BYTES:
        object->data = object->address + 32;
        break;
    case JS_OBJECT_BYTEARRAY:
        status = status ? status : js_bytes_read_word(bytes, object->address + 40, &object->data);
        break;
    case JS_OBJECT_LIST:
        status = status ? status : js_bytes_read_word(bytes, object->address + VAR_ITEMS, &object->data);
        object->slots = object->length;
        break;
    case JS_OBJECT_TUPLE:
        object->data = object->address + (object->facts->version == PY_3_14 ? 32 : VAR_ITEMS);
        object->slots = object->length;
        break;
    case JS_OBJECT_SET:
    case JS_OBJECT_FROZENSET:
        status =
            js_bytes_read(bytes, object->address + 16, fields, sizeof fields); /* fill, used, mask, table */
        object->length = fields[1];
        object->slots = fields[2] + 1;
        object->data = fields[3];
        object->stride = 16;
        if (status == JS_OK && ((object->slots & fields[2]) != 0 || object->length > object->slots)) {
            return JS_EBAD;
        }
        break;
    case JS_OBJECT_DICT:
        return read_dict(bytes, object);
    default:
        object->length = 0;
        return JS_OK;
    }
    return status ? status : object->length > (uint64_t)1 << 48 ? JS_EBAD : JS_OK;
}

int js_object_read(js_bytes *bytes, uint64_t address, js_object *out)
{
    head type;
    uint64_t start[2];
    *out = (js_object){.address = address};
    if (!bytes || address == 0 || address % 8 != 0) {
        return JS_EBAD;
    }
    int status = js_bytes_read(bytes, address, start, sizeof start);
    if (status == JS_OK) {
        out->type = start[1];
        status = read_type(bytes, out->type, &type);
    }
    if (status == JS_OK) {
        status = find_facts(bytes, out->type, &out->facts);
    }
    if (status) {
        return status;
    }
    if ((int64_t)start[0] <= 0) {
        return JS_EBAD; /* no reference: it was freed, or is none */
    }
    if (word(&type, TYPE_FLAGS) & FLAG_CLASS) {
        head itself;
        out->kind = JS_OBJECT_CLASS;
        status = read_type(bytes, address, &itself);
        return status ? status : name_class(bytes, out->facts, address, &itself, out->class_name);
    }
    status = name_class(bytes, out->facts, out->type, &type, out->class_name);
    for (size_t i = 0; status == JS_OK && i < sizeof builtins / sizeof builtins[0]; i++) {
        if (!(word(&type, TYPE_FLAGS) & FLAG_HEAP) && strcmp(out->class_name, builtins[i].name) == 0) {
            out->kind = builtins[i].kind;
            return read_contents(bytes, out);
        }
    }
    return status;
}

/* ---- attributes ---- */

static int inline_values(js_bytes *bytes, const js_object *object, uint64_t values, js_object *out)
{
    uint64_t keys;
    int status = js_bytes_read_word(bytes, object->type + object->facts->cached_keys, &keys);
    if (status == JS_OK) {
        out->values = values;
        status = read_keys(bytes, out, keys);
    }
    out->length = out->slots;
    return status;
}

static int read_instance_dict(js_bytes *bytes, const js_object *object, const head *type, js_object *out)
{
    uint64_t flags = word(type, TYPE_FLAGS), pointer = 0;
    *out = (js_object){.kind = JS_OBJECT_DICT, .facts = object->facts, .value = UINT64_MAX};
    enum version version = object->facts->version;
    int status = JS_ENOTFOUND;
    if (version >= PY_3_11 && (flags & FLAG_MANAGED_DICT)) {
        status = js_bytes_read_word(bytes, object->address - 24, &pointer);
        if (status == JS_OK && version == PY_3_11 && !pointer) {
            status = js_bytes_read_word(bytes, object->address - 32, &pointer);
            return status || !pointer ? (status ? status : JS_ENOTFOUND)
                                      : inline_values(bytes, object, pointer, out);
        }
        if (status == JS_OK && version == PY_3_12 && (pointer & 1)) {
            return inline_values(bytes, object, pointer + 1, out);
        }
        if (status == JS_OK && version >= PY_3_13 && !pointer && (flags & FLAG_INLINE_VALUES)) {
            uint64_t place = object->address + word(type, TYPE_BASICSIZE);
            return inline_values(bytes, object, split_values(object, place), out);
        }
    } else {
        int64_t offset = (int64_t)word(type, TYPE_DICTOFFSET);
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
    return read_dict(bytes, out);
}

int js_object_attributes(js_bytes *bytes, const js_object *object, js_object *out)
{
    head type;
    int status = read_type(bytes, object->type, &type);
    return status ? status : read_instance_dict(bytes, object, &type, out);
}

/* ---- NumPy ---- */

int js_object_array_read(js_bytes *bytes, const js_object *object, js_object_array *out)
{
    uint64_t fields[7], number; /* data, nd, dimensions, strides, base, descr, flags */
    uint8_t descr[48];
    *out = (js_object_array){0};
    int status = js_bytes_read(bytes, object->address + 16, fields, sizeof fields);
    if (status == JS_OK) {
        status = js_bytes_read(bytes, fields[5], descr, sizeof descr);
    }
    if (status) {
        return status;
    }
    out->data = fields[0];
    out->ndim = (unsigned)fields[1];
    out->dimensions = fields[2];
    out->strides = fields[3];
    out->is_writeable = fields[6] >> 10 & 1;
    out->kind = (char)descr[24];
    out->is_swapped = descr[26] == '>';
    /* 1.x: int elsize, int alignment (never 0); 2.x: 64 bits of flags, then the size. */
    memcpy(&number, descr + 32, 8);
    if (number >> 32) {
        out->itemsize = number & 0xffffffff;
    } else {
        memcpy(&out->itemsize, descr + 40, 8);
    }
    return out->ndim > 64 ? JS_EBAD : JS_OK;
}
