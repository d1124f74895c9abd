/* Objects of the interpreter, as repr() writes them; of those whose class says how, "<Foo object at 0x…>". */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "values/pyobject.h"

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

void js_render_pyobject_int(js_render *render, const js_python_object *object)
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

static void put_number(js_render *render, const js_python_object *object, const char *name)
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

/* As in repr(), without the quotes: nothing that a terminal would obey. */
static void put_bare(js_text *out, const uint32_t *codes, uint64_t count)
{
    js_text quoted;
    js_text_init(&quoted, 0);
    js_put_repr(&quoted, codes, count, false);
    if (quoted.length >= 2) {
        js_text_printf(out, "%.*s", (int)(quoted.length - 2), quoted.data + 1);
    }
    js_text_deinit(&quoted);
}

static void put_text(js_render *render, const js_python_object *object, bool is_bare)
{
    bool is_str = object->kind == JS_OBJECT_STR;
    uint64_t width = is_str ? object->width : 1, limit = js_render_limit(render), count = object->length;
    limit = render->options->summary && limit >= JS_SUMMARY_ELEMENTS ? JS_SUMMARY_CHARACTERS : limit;
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
        js_text_put(render->out, object->kind == JS_OBJECT_BYTEARRAY ? js_object_last_name(object) : "");
        js_text_put(render->out, object->kind == JS_OBJECT_BYTEARRAY ? "(" : "");
        if (is_bare) {
            put_bare(render->out, codes, count);
        } else if (object->kind == JS_OBJECT_BYTEARRAY) {
            js_put_repr_mutable(render->out, codes, count);
        } else {
            js_put_repr(render->out, codes, count, !is_str);
        }
        js_text_put(render->out, count < object->length ? "..." : "");
        js_text_put(render->out, object->kind == JS_OBJECT_BYTEARRAY ? ")" : "");
    }
    free(raw);
    free(codes);
}

void js_render_pyobject_str(js_render *render, const js_python_object *object)
{
    put_text(render, object, true);
}

/* ---- containers ---- */

void js_render_pyobject_items(js_render *render, const js_type *type, const js_python_object *object,
                              const char *opening, const char *closing)
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

/* ---- any ---- */

/* {1}, and with its class where that is not set: frozenset({1}). */
static void put_set(js_render *render, const js_type *type, const js_python_object *object)
{
    const char *name = js_object_last_name(object);
    if (object->length == 0) {
        js_text_printf(render->out, "%s()", name);
    } else if (strcmp(name, "set") == 0) {
        js_render_pyobject_items(render, type, object, "{", "}");
    } else {
        js_text_printf(render->out, "%s({", name);
        js_render_pyobject_items(render, type, object, "", "})");
    }
}

static void put_known(js_render *render, const js_type *type, const js_python_object *object);

/* Writes an array; one of a subclass of ndarray as matrix([[1, 2]]). */
static bool put_array(js_render *render, const js_type *type, const js_python_object *object)
{
    static const char plain[] = "array(";
    js_python_object array = *object;
    js_text text, *out = render->out;
    if (!js_object_is_array(render->bytes, object)) {
        return false;
    }
    array.kind = JS_OBJECT_NDARRAY;
    js_text_init(&text, 0);
    render->out = &text;
    bool is_known = js_render_pyobject_unboxed(render, type, &array, false) && text.status == JS_OK &&
                    text.data && strncmp(text.data, plain, sizeof plain - 1) == 0;
    render->out = out;
    if (is_known) {
        js_text_printf(out, "%s(%s", js_object_last_name(object), text.data + sizeof plain - 1);
    }
    js_text_deinit(&text);
    return is_known;
}

/* Writes what it is, and where: its class is neither Numba's, nor takes its repr() from a builtin's, nor has
 * one that is known. */
static void put_instance(js_render *render, const js_type *type, const js_python_object *object)
{
    js_python_object base;
    if (js_render_pyobject_unboxed(render, type, object, false) || put_array(render, type, object)) {
        return;
    }
    if (js_object_as_base(render->bytes, object, &base) == JS_OK) {
        put_known(render, type, &base);
    } else if (js_render_pyobject_known(render, type, object)) {
        return;
    } else if (js_render_is_spent(render)) {
        js_text_put(render->out, "...");
    } else {
        put_address(render, object->class_name, object->address);
    }
}

static void put_class(js_render *render, const js_python_object *object)
{
    char writer[JS_OBJECT_NAME];
    const char *kind = js_object_class_kind(render->bytes, object, writer);
    const char *last = strrchr(object->class_name, '.');
    if (!kind) {
        put_address(render, writer, object->address);
    } else {
        bool is_plain = strcmp(kind, "class") == 0 || !last;
        js_text_printf(render->out, "<%s '%s'>", kind, is_plain ? object->class_name : last + 1);
    }
}

static void put_known(js_render *render, const js_type *type, const js_python_object *object)
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
        put_text(render, object, false);
        break;
    case JS_OBJECT_LIST:
        js_render_pyobject_items(render, type, object, "[", "]");
        break;
    case JS_OBJECT_TUPLE:
        js_render_pyobject_items(render, type, object, "(", ")");
        break;
    case JS_OBJECT_SET:
    case JS_OBJECT_FROZENSET:
        put_set(render, type, object);
        break;
    case JS_OBJECT_DICT:
        js_render_pyobject_items(render, type, object, "{", "}");
        break;
    case JS_OBJECT_CLASS:
        put_class(render, object);
        break;
    case JS_OBJECT_NDARRAY:
    case JS_OBJECT_INSTANCE:
        put_instance(render, type, object);
        break;
    }
}

/* What repr() has for a container inside itself. */
static const char *cycle_text(const js_python_object *object)
{
    bool is_list = object->kind == JS_OBJECT_LIST || strcmp(object->class_name, "collections.deque") == 0;
    return is_list                              ? "[...]"
           : object->kind == JS_OBJECT_TUPLE    ? "(...)"
           : object->kind == JS_OBJECT_INSTANCE ? "..."
                                                : "{...}";
}

static void put(js_render *render, const js_type *type, uint64_t address)
{
    js_python_object object;
    if (!address) {
        js_text_put(render->out, "<unknown: no object (NULL)>");
        render->exact = false;
        return;
    }
    if (!render->bytes || js_render_is_spent(render) || !js_pyobject_charge(render, JS_OBJECT_COST)) {
        js_text_put(render->out, "...");
        return;
    }
    if (js_object_read(render->bytes, address, &object)) {
        if (js_render_is_spent(render)) {
            js_text_put(render->out, "...");
        } else {
            js_text_printf(render->out, "<%s at 0x%llx>", type->name, (unsigned long long)address);
        }
        return;
    }
    if (js_render_is_open(render, address)) {
        js_text_put(render->out, cycle_text(&object));
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
    bool was_in_record = render->in_record;
    bool was_in_array = render->in_array, is_list = was_in_array && object.kind == JS_OBJECT_LIST;
    render->open = &self;
    render->in_array = render->in_record = false;
    render->depth++;
    js_text_put(render->out, is_list ? "list(" : ""); /* as NumPy tells it from a row */
    put_known(render, type, &object);
    js_text_put(render->out, is_list ? ")" : "");
    render->depth--;
    render->in_array = was_in_array;
    render->in_record = was_in_record;
    render->open = self.outer;
}

void js_render_pyobject(js_render *render, const js_type *type, const uint8_t *contents)
{
    put(render, type, js_load_uint(contents, 8));
}
