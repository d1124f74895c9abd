/* Objects of the interpreter, as repr() writes them; of those whose class says how, "<Foo object at 0x…>". */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "values/pyobject.h"

typedef struct js_open {
    uint64_t address;
    const struct js_open *outer;
} js_open;

static void put(js_render *render, const js_type *type, uint64_t address);

bool js_pyobject_charge(js_render *render, uint64_t size)
{
    if (size > render->left) {
        return false;
    }
    render->left -= size;
    return true;
}

static void put_address(js_render *render, const char *name, uint64_t address)
{
    js_text_printf(render->out, "<%s object at 0x%llx>", name, (unsigned long long)address);
}

/* ---- numbers ---- */

void js_render_pyobject_int(js_render *render, const js_object *object)
{
    uint32_t digits[JS_OBJECT_DIGITS];
    char text[JS_OBJECT_DIGITS * 10 + 2];
    size_t at = sizeof text - 1, count = (size_t)object->length;
    if (object->length > JS_OBJECT_DIGITS) {
        js_text_printf(render->out, "<int of %llu bits>", (unsigned long long)object->length * 30);
        return;
    }
    if (js_render_read(render, object->data, digits, count * 4)) {
        js_render_unreadable(render, object->data, count * 4);
        return;
    }
    text[at] = '\0';
    do {
        uint64_t rest = 0;
        for (size_t i = count; i-- > 0;) {
            rest = rest << 30 | (digits[i] & 0x3fffffff);
            digits[i] = (uint32_t)(rest / 10);
            rest %= 10;
        }
        text[--at] = (char)('0' + rest);
        while (count && digits[count - 1] == 0) {
            count--;
        }
    } while (count);
    js_text_printf(render->out, "%s%s", object->is_negative ? "-" : "", text + at);
}

static void put_number(js_render *render, const js_object *object, const char *name)
{
    js_type number = {.name = name, .kind = JS_KIND_FLOAT, .size = 8};
    uint8_t contents[16];
    if (object->kind == JS_OBJECT_COMPLEX) {
        number.kind = JS_KIND_COMPLEX;
        number.size = 16;
    }
    if (js_render_read(render, object->data, contents, number.size)) {
        js_render_unreadable(render, object->data, number.size);
    } else {
        js_render_scalar(render, &number, contents);
    }
}

/* ---- texts ---- */

static void put_text(js_render *render, const js_object *object)
{
    bool is_str = object->kind == JS_OBJECT_STR;
    uint64_t width = is_str ? object->width : 1, limit = js_render_limit(render), count = object->length;
    count = count < limit ? count : limit;
    count = count < render->left / width ? count : render->left / width;
    uint8_t *raw = malloc(count * width + 1);
    uint32_t *codes = malloc((count + 1) * sizeof *codes);
    int status = raw && codes ? js_render_read(render, object->data, raw, count * width) : JS_ENOMEM;
    if (status == JS_ENOMEM) {
        render->out->status = status;
    } else if (status) {
        js_render_unreadable(render, object->data, count * width);
    } else {
        for (uint64_t i = 0; i < count; i++) {
            codes[i] = (uint32_t)js_load_uint(raw + i * width, width);
            codes[i] = codes[i] > 0x10ffff ? 0xfffd : codes[i];
        }
        js_text_put(render->out, object->kind == JS_OBJECT_BYTEARRAY ? "bytearray(" : "");
        js_put_repr(render->out, codes, count, !is_str);
        js_text_put(render->out, count < object->length ? "..." : "");
        js_text_put(render->out, object->kind == JS_OBJECT_BYTEARRAY ? ")" : "");
    }
    free(raw);
    free(codes);
}

/* ---- containers ---- */

static void put_items(js_render *render, const js_type *type, const js_object *object, const char *opening,
                      const char *closing)
{
    uint64_t limit = js_render_limit(render), shown = 0, key, value;
    js_text_put(render->out, opening);
    for (uint64_t i = 0; i < object->slots && render->out->status == JS_OK; i++) {
        if (shown == limit || i == JS_OBJECT_SLOTS || render->left < 2 * JS_OBJECT_COST + object->stride) {
            js_text_put(render->out, shown ? ", ..." : "...");
            break;
        }
        render->left -= object->stride;
        int status = js_object_item(render->bytes, object, i, &key, &value);
        if (status) {
            js_text_put(render->out, shown ? ", " : "");
            js_render_unreadable(render, object->data + i * object->stride, object->stride);
            break;
        }
        bool is_table = object->kind != JS_OBJECT_LIST && object->kind != JS_OBJECT_TUPLE;
        if (!key && is_table) {
            continue;
        }
        js_text_put(render->out, shown++ ? ", " : "");
        put(render, type, key);
        if (object->kind == JS_OBJECT_DICT) {
            js_text_put(render->out, ": ");
            put(render, type, value);
        }
    }
    js_text_put(render->out, object->kind == JS_OBJECT_TUPLE && object->length == 1 ? ",)" : closing);
}

/* ---- arrays ---- */

static const char *dtype_name(const js_object_array *array, char *room, size_t size)
{
    unsigned bits = (unsigned)array->itemsize * 8;
    switch (array->kind) {
    case 'b':
        return "bool";
    case 'i':
        snprintf(room, size, "int%u", bits);
        return room;
    case 'u':
        snprintf(room, size, "uint%u", bits);
        return room;
    case 'f':
        snprintf(room, size, "float%u", bits);
        return bits <= 64 ? room : NULL;
    case 'c':
        snprintf(room, size, "complex%u", bits);
        return bits <= 128 ? room : NULL;
    case 'U':
        snprintf(room, size, "[unichr x %llu]", (unsigned long long)array->itemsize / 4);
        return room;
    case 'S':
        snprintf(room, size, "[char x %llu]", (unsigned long long)array->itemsize);
        return room;
    default:
        return NULL;
    }
}

static void store(uint8_t *contents, const js_type *type, js_role role, const void *from, size_t size)
{
    const js_member *member = js_type_member(type, role);
    if (member && size <= member->type->size) {
        memcpy(contents + member->offset, from, size);
    }
}

/* The same as an array of compiled code. False: it is of no kind that one can have. */
bool js_render_pyobject_array(js_render *render, const js_type *type, const js_object *object, bool as_json)
{
    js_object_array array;
    char room[48], name[96];
    int64_t shape[32], strides[32];
    const js_type *described;
    uint8_t contents[1024] = {0};
    if (js_object_array_read(render->bytes, object, &array) || array.ndim > 32 || array.is_swapped ||
        !type->owner) {
        return false;
    }
    const char *dtype = dtype_name(&array, room, sizeof room);
    if (!dtype || js_render_read(render, array.dimensions, shape, 8 * (uint64_t)array.ndim) ||
        js_render_read(render, array.strides, strides, 8 * (uint64_t)array.ndim)) {
        return false;
    }
    snprintf(name, sizeof name, "array(%s, %ud, A)", dtype, array.ndim);
    if (js_types_get(type->owner, name, NULL, &described) || described->kind != JS_KIND_ARRAY ||
        described->size > sizeof contents || described->target->size != array.itemsize) {
        return false;
    }
    int64_t items = 1;
    for (unsigned i = 0; i < array.ndim; i++) {
        if (shape[i] < 0 || __builtin_mul_overflow(items, shape[i], &items)) {
            return false;
        }
    }
    store(contents, described, JS_ROLE_NITEMS, &items, 8);
    store(contents, described, JS_ROLE_ITEMSIZE, &array.itemsize, 8);
    store(contents, described, JS_ROLE_DATA, &array.data, 8);
    store(contents, described, JS_ROLE_SHAPE, shape, 8 * (size_t)array.ndim);
    store(contents, described, JS_ROLE_STRIDES, strides, 8 * (size_t)array.ndim);
    if (as_json) {
        js_json_value(render, described, contents);
    } else {
        js_render_value(render, described, contents);
    }
    return true;
}

/* ---- any ---- */

static void put_known(js_render *render, const js_type *type, const js_object *object)
{
    switch (object->kind) {
    case JS_OBJECT_NONE:
        js_text_put(render->out, "None");
        break;
    case JS_OBJECT_ELLIPSIS:
        js_text_put(render->out, "Ellipsis");
        break;
    case JS_OBJECT_BOOL:
        js_text_put(render->out, object->length ? "True" : "False");
        break;
    case JS_OBJECT_INT:
        js_render_pyobject_int(render, object);
        break;
    case JS_OBJECT_FLOAT:
    case JS_OBJECT_COMPLEX:
        put_number(render, object, object->class_name);
        break;
    case JS_OBJECT_STR:
    case JS_OBJECT_BYTES:
    case JS_OBJECT_BYTEARRAY:
        put_text(render, object);
        break;
    case JS_OBJECT_LIST:
        put_items(render, type, object, "[", "]");
        break;
    case JS_OBJECT_TUPLE:
        put_items(render, type, object, "(", ")");
        break;
    case JS_OBJECT_SET:
    case JS_OBJECT_FROZENSET:
        if (object->length == 0) {
            js_text_printf(render->out, "%s()", object->class_name);
        } else if (object->kind == JS_OBJECT_SET) {
            put_items(render, type, object, "{", "}");
        } else {
            put_items(render, type, object, "frozenset({", "})");
        }
        break;
    case JS_OBJECT_DICT:
        put_items(render, type, object, "{", "}");
        break;
    case JS_OBJECT_CLASS:
        js_text_printf(render->out, "<class '%s'>", object->class_name);
        break;
    case JS_OBJECT_NDARRAY:
        if (js_render_pyobject_array(render, type, object, false)) {
            break;
        }
        put_address(render, object->class_name, object->address);
        break;
    case JS_OBJECT_INSTANCE:
        if (js_render_pyobject_boxed(render, type, object, false)) {
            break;
        }
        put_address(render, object->class_name, object->address);
        break;
    }
}

/* What repr() has for a container inside itself. */
static const char *cycle_text(js_object_kind kind)
{
    return kind == JS_OBJECT_LIST ? "[...]" : kind == JS_OBJECT_TUPLE ? "(...)" : "{...}";
}

static bool is_open(const js_render *render, uint64_t address)
{
    for (const js_open *each = render->open; each; each = each->outer) {
        if (each->address == address) {
            return true;
        }
    }
    return false;
}

static void put(js_render *render, const js_type *type, uint64_t address)
{
    js_object object;
    if (!address) {
        js_text_put(render->out, "<unknown: no object (NULL)>");
        render->exact = false;
        return;
    }
    if (!render->bytes || !js_pyobject_charge(render, JS_OBJECT_COST)) {
        js_text_put(render->out, "...");
        return;
    }
    if (js_object_read(render->bytes, address, &object)) {
        js_text_printf(render->out, "<%s at 0x%llx>", type->name, (unsigned long long)address);
        return;
    }
    if (is_open(render, address)) {
        js_text_put(render->out, cycle_text(object.kind));
        return;
    }
    unsigned limit = render->options->depth && render->options->depth < JS_RENDER_DEPTH
                         ? render->options->depth
                         : JS_RENDER_DEPTH;
    if (render->depth >= limit) {
        js_text_put(render->out, "{...}");
        return;
    }
    js_open self = {address, render->open};
    render->open = &self;
    render->depth++;
    put_known(render, type, &object);
    render->depth--;
    render->open = self.outer;
}

void js_render_pyobject(js_render *render, const js_type *type, const uint8_t *contents)
{
    put(render, type, js_load_uint(contents, 8));
}
