/* Renders values for callers that hold only pointers, integers and strings (ctypes). */

#include <string.h>

#include "bytes/watch.h"

#include "values/api/render_api.h"
#include "values/base/array.h"
#include "values/base/rendering.h"
#include "values/base/value.h"
#include "values/render/render.h"

static int give(js_text *text, int status, char **out_text)
{
    if (status && text->length == 0 && text->status == JS_OK) {
        js_text_put(text, js_strerror(status));
    }
    if (text->status) {
        status = status ? status : text->status;
    }
    *out_text = js_text_take(text);
    js_text_deinit(text);
    return status;
}

/* Render a value, which this function owns from then on. */
static int render(js_types *types, js_bytes *bytes, js_value *value, const char *path,
                  const js_render_options *options, int json, char **out_text, int *exact)
{
    js_text out;
    js_question question;
    js_text_init(&out, 0);
    int status = JS_OK;
    bool is_exact = true;
    js_render_begin(&question, bytes);
    js_bytes_seen(bytes);
    if (path && *path) {
        js_value selected = {0};
        status = js_value_select(types, value, bytes, path, &selected, &out);
        js_value_deinit(value);
        *value = selected;
    }
    if (status == JS_OK && json) {
        status = js_value_render_json(value, bytes, &out, &is_exact);
    } else if (status == JS_OK) {
        js_render_options standard;
        js_render_options_init(&standard);
        options = options ? options : &standard;
        js_render state = {.bytes = bytes,
                           .write = &js_value_writers,
                           .options = options,
                           .out = &out,
                           .left = options->max_bytes};
        js_question own;
        state.exact = true;
        js_render_begin(&own, bytes);
        js_render_value(&state, value->type, value->contents);
        js_render_end(&state, &own, true);
        is_exact = state.exact;
        status = out.status;
    }
    js_question_end(&question, bytes);
    const char *label = js_bytes_seen(bytes);
    js_put_older(&out, json ? NULL : label);
    js_value_deinit(value);
    if (exact) {
        *exact = status == JS_OK && is_exact;
    }
    return give(&out, status, out_text);
}

static int fail(int status, char **out_text, int *exact)
{
    js_text reason;
    js_text_init(&reason, 0);
    if (exact) {
        *exact = 0;
    }
    return give(&reason, status, out_text);
}

int js_api_render(js_types *types, js_bytes *bytes, const char *name, const char *storage,
                  const void *contents, size_t size, const char *path, const js_render_options *options,
                  int json, char **out_text, int *exact)
{
    const js_type *type;
    js_value value = {0};
    int status = js_types_get(types, name, storage, &type);
    if (status == JS_OK) {
        status = js_value_init(&value, type, contents, size);
    }
    if (status) {
        return fail(status, out_text, exact);
    }
    return render(types, bytes, &value, path, options, json, out_text, exact);
}

int js_api_render_at(js_types *types, js_bytes *bytes, const char *name, const char *storage,
                     uint64_t address, const char *path, const js_render_options *options, int json,
                     char **out_text, int *exact)
{
    const js_type *type;
    js_value value = {0};
    int status = js_types_get(types, name, storage, &type);
    if (status == JS_OK) {
        status = js_value_init_at(&value, type, bytes, address);
    }
    if (status) {
        return fail(status, out_text, exact);
    }
    return render(types, bytes, &value, path, options, json, out_text, exact);
}

int js_api_array_view(js_types *types, const char *name, const char *storage, const void *contents,
                      size_t size, js_array_view *view, char **out_text)
{
    const js_type *type;
    js_text why;
    js_text_init(&why, 0);
    int status = js_types_get(types, name, storage, &type);
    if (status == JS_OK && size < type->size) {
        status = JS_EARG;
    }
    if (status == JS_OK && ((type->kind != JS_KIND_ARRAY && type->kind != JS_KIND_BYTES) || type->dims)) {
        status = JS_EUNSUP;
    }
    if (status == JS_OK) {
        status = js_array_check(view, type, contents, &why);
    }
    if (out_text) {
        return give(&why, status, out_text);
    }
    js_text_deinit(&why);
    return status;
}

/* ---- layouts ---- */

static const char *const shapes[] = {
    [JS_SHAPE_VOID] = "void",       [JS_SHAPE_INT] = "int",         [JS_SHAPE_BOOL] = "bool",
    [JS_SHAPE_FLOAT] = "float",     [JS_SHAPE_COMPLEX] = "complex", [JS_SHAPE_POINTER] = "pointer",
    [JS_SHAPE_ARRAY] = "array",     [JS_SHAPE_STRUCT] = "struct",   [JS_SHAPE_OPAQUE] = "opaque",
    [JS_SHAPE_VARIANT] = "variant",
};
static const char *const kinds[] = {
    [JS_KIND_OPAQUE] = "opaque",     [JS_KIND_NONE] = "none",
    [JS_KIND_BOOL] = "bool",         [JS_KIND_INT] = "int",
    [JS_KIND_FLOAT] = "float",       [JS_KIND_COMPLEX] = "complex",
    [JS_KIND_DATETIME] = "datetime", [JS_KIND_TIMEDELTA] = "timedelta",
    [JS_KIND_ENUM] = "enum",         [JS_KIND_CHARSEQ] = "charseq",
    [JS_KIND_STR] = "str",           [JS_KIND_BYTES] = "bytes",
    [JS_KIND_ARRAY] = "array",       [JS_KIND_TUPLE] = "tuple",
    [JS_KIND_RECORD] = "record",     [JS_KIND_OPTIONAL] = "optional",
    [JS_KIND_LIST] = "list",         [JS_KIND_SET] = "set",
    [JS_KIND_DICT] = "dict",         [JS_KIND_OBJECT] = "object",
    [JS_KIND_ITERATOR] = "iterator", [JS_KIND_GENERATOR] = "generator",
    [JS_KIND_RANGE] = "range",       [JS_KIND_MANAGED] = "managed",
    [JS_KIND_FUNCTION] = "function", [JS_KIND_PYOBJECT] = "pyobject",
    [JS_KIND_STRUCT] = "struct",     [JS_KIND_POINTER] = "pointer",
    [JS_KIND_LITERAL] = "literal",   [JS_KIND_DEFERRED] = "deferred",
};
static const char *const roles[] = {
    [JS_ROLE_NONE] = "",
    [JS_ROLE_MEMINFO] = "meminfo",
    [JS_ROLE_PARENT] = "parent",
    [JS_ROLE_NITEMS] = "nitems",
    [JS_ROLE_ITEMSIZE] = "itemsize",
    [JS_ROLE_DATA] = "data",
    [JS_ROLE_SHAPE] = "shape",
    [JS_ROLE_STRIDES] = "strides",
    [JS_ROLE_LENGTH] = "length",
    [JS_ROLE_CHAR_KIND] = "kind",
    [JS_ROLE_IS_ASCII] = "is_ascii",
    [JS_ROLE_HASH] = "hash",
    [JS_ROLE_VALID] = "valid",
    [JS_ROLE_VALUE] = "value",
    [JS_ROLE_REAL] = "real",
    [JS_ROLE_IMAG] = "imag",
    [JS_ROLE_ELEMENT] = "element",
    [JS_ROLE_REFCOUNT] = "refcount",
    [JS_ROLE_STORE] = "store",
    [JS_ROLE_ITEMS] = "items",
    [JS_ROLE_ITEMS_OFFSET] = "items_offset",
    [JS_ROLE_CAPACITY] = "capacity",
    [JS_ROLE_ENTRIES] = "entries",
    [JS_ROLE_LAST_ENTRY] = "last_entry",
    [JS_ROLE_KEY] = "key",
    [JS_ROLE_REFERENCE] = "reference",
    [JS_ROLE_START] = "start",
    [JS_ROLE_STOP] = "stop",
    [JS_ROLE_STEP] = "step",
    [JS_ROLE_RESUME] = "resume",
    [JS_ROLE_ARGUMENTS] = "arguments",
    [JS_ROLE_STATE] = "state",
    [JS_ROLE_DESTRUCTOR] = "destructor",
    [JS_ROLE_SIZE] = "size",
    [JS_ROLE_PYOBJECT] = "pyobject",
    [JS_ROLE_ADDRESS] = "address",
};

static void put_string(js_text *out, const char *key, const char *value)
{
    if (value) {
        js_text_printf(out, ", \"%s\": ", key);
        js_text_json_string(out, value, strlen(value));
    }
}

static void put_type(js_text *out, const js_type *type, unsigned depth)
{
    js_text_put(out, "{\"name\": ");
    js_text_json_string(out, type->name, strlen(type->name));
    js_text_printf(out, ", \"kind\": \"%s\", \"shape\": \"%s\", \"size\": %llu, \"align\": %llu",
                   kinds[type->kind], shapes[type->shape], (unsigned long long)type->size,
                   (unsigned long long)type->align);
    put_string(out, "class", type->class_name);
    put_string(out, "unit", type->unit);
    put_string(out, "literal", type->literal);
    if (type->shape == JS_SHAPE_INT) {
        js_text_printf(out, ", \"signed\": %s", type->is_signed ? "true" : "false");
    }
    if (type->shape == JS_SHAPE_ARRAY) {
        js_text_printf(out, ", \"count\": %llu", (unsigned long long)type->count);
    }
    if (type->kind == JS_KIND_ARRAY || type->kind == JS_KIND_BYTES) {
        js_text_printf(out, ", \"ndim\": %u, \"order\": \"%c\", \"readonly\": %s", type->ndim, type->order,
                       type->is_readonly ? "true" : "false");
    }
    if (type->target && depth) {
        js_text_put(out, ", \"target\": ");
        put_type(out, type->target, depth - 1);
    }
    js_text_put(out, ", \"members\": [");
    for (size_t i = 0; depth && i < type->nmembers && out->status == JS_OK; i++) {
        const js_member *member = &type->members[i];
        js_text_put(out, i ? ", {\"name\": " : "{\"name\": ");
        js_text_json_string(out, member->name, strlen(member->name));
        js_text_printf(out,
                       ", \"offset\": %llu, \"role\": \"%s\", \"type\": ", (unsigned long long)member->offset,
                       roles[member->role]);
        put_type(out, member->type, depth - 1);
        js_text_put(out, "}");
    }
    js_text_put(out, "]}");
}

int js_api_type_json(js_types *types, const char *name, const char *storage, char **out_text)
{
    const js_type *type;
    js_text out;
    js_text_init(&out, 0);
    int status = js_types_get(types, name, storage, &type);
    if (status == JS_OK) {
        put_type(&out, type, 6);
    }
    return give(&out, status, out_text);
}

uint64_t js_bytes_wanted(const js_bytes *bytes)
{
    return bytes->wanted;
}
