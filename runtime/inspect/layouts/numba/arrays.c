/* Builds the types of arrays and records. Source: numba/core/types/npytypes.py (Array, NestedArray, Record),
 * common.py (Buffer); datamodel/models.py (ArrayModel, RecordModel). */
#include <stdio.h>

#include "bytes/text.h"
#include "layouts/numba/numba.h"

enum { MAX_DIMENSIONS = 32 };

static const js_span absent = {NULL, 0};

static int descriptor(const js_build *build, js_type *type)
{
    char dims[48];
    snprintf(dims, sizeof dims, "UniTuple(int64 x %u)", type->ndim);
    const js_numba_row rows[] = {
        {"meminfo", "MemInfo*", JS_ROLE_MEMINFO, NULL}, {"parent", "void*", JS_ROLE_PARENT, NULL},
        {"nitems", "int64", JS_ROLE_NITEMS, NULL},      {"itemsize", "int64", JS_ROLE_ITEMSIZE, NULL},
        {"data", "void*", JS_ROLE_DATA, NULL},          {"shape", dims, JS_ROLE_SHAPE, NULL},
        {"strides", dims, JS_ROLE_STRIDES, NULL},
    };
    int status = js_numba_rows(build, rows, sizeof rows / sizeof rows[0], type);
    if (status) {
        return status;
    }
    js_type *pointer = js_build_new(build->types, js_span_of(type->target->name));
    if (!pointer) {
        return JS_ENOMEM;
    }
    js_numba_set(pointer, JS_SHAPE_POINTER, JS_KIND_POINTER, 8);
    pointer->target = type->target->kind == JS_KIND_OPAQUE ? NULL : type->target;
    js_text name;
    js_text_init(&name, 0);
    js_text_printf(&name, "%s*", type->target->name);
    pointer->name = name.status ? NULL : js_arena_strdup(js_types_arena(build->types), name.data);
    js_text_deinit(&name);
    for (size_t i = 0; i < type->nmembers; i++) {
        if (type->members[i].role == JS_ROLE_DATA) {
            ((js_member *)type->members)[i].type = pointer; /* may be changed until this returns */
        }
    }
    return pointer->name ? JS_OK : JS_ENOMEM;
}

static int nested(const js_build *build, js_type *type)
{
    js_span text = build->name, dtype, length;
    uint64_t dims[MAX_DIMENSIONS], count = 1;
    if (!js_span_eat(&text, "nestedarray(") || !js_span_eat_end(&text, ")") ||
        !js_span_next_item(&text, &dtype)) {
        return JS_EUNSUP;
    }
    text = js_span_trim(text);
    if (!js_span_eat(&text, "(") || !js_span_eat_end(&text, ")")) {
        return JS_EUNSUP;
    }
    int status = js_numba_inner(build, dtype, absent, true, &type->target);
    if (status) {
        return status;
    }
    while (js_span_next_item(&text, &length)) {
        if (type->ndim == MAX_DIMENSIONS || !js_span_eat_uint(&length, &dims[type->ndim]) || length.size) {
            return JS_EUNSUP;
        }
        uint64_t size = type->target->size ? type->target->size : 1;
        if (dims[type->ndim] && count > JS_TYPE_SIZE / size / dims[type->ndim]) {
            return JS_ELIMIT;
        }
        count *= dims[type->ndim++];
    }
    type->kind = JS_KIND_ARRAY;
    type->order = 'C';
    if (!build->in_data) {
        return descriptor(build, type);
    }
    uint64_t *copy = js_arena_alloc(js_types_arena(build->types), sizeof dims);
    if (!copy) {
        return JS_ENOMEM;
    }
    memcpy(copy, dims, type->ndim * sizeof *dims);
    type->dims = copy;
    type->shape = JS_SHAPE_ARRAY;
    type->count = count;
    type->size = count * type->target->size;
    type->align = type->target->align;
    return JS_OK;
}

static bool eat_prefix(js_span *text, js_type *type)
{
    static const struct {
        const char *word;
        bool is_readonly;
    } words[] = {
        {"readonly ", true},   {"nonwritable ", true}, {"unaligned ", false}, {"nonaligned ", false},
        {"nonarray? ", false}, {"mutable ", false},    {"aligned ", false},
    };
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        if (js_span_eat(text, words[i].word)) {
            type->is_readonly |= words[i].is_readonly;
            return true;
        }
    }
    return false;
}

/* Read the class of a buffer; arrays have none. */
static bool eat_class(js_span *text, js_type *type)
{
    static const struct {
        const char *opening, *class_name;
        bool is_readonly;
    } classes[] = {
        {"array(", NULL, false},      {"Array(", NULL, false},
        {"bytes(", "bytes", true},    {"bytearray(", "bytearray", false},
        {"pyarray(", "array", false}, {"memoryview(", "memoryview", false},
    };
    for (size_t i = 0; i < sizeof classes / sizeof classes[0]; i++) {
        if (js_span_eat(text, classes[i].opening)) {
            type->class_name = classes[i].class_name;
            type->is_readonly |= classes[i].is_readonly;
            return true;
        }
    }
    return false;
}

/* Parse "readonly array(float64, 2d, C)", or in the form of repr() Array(float64, 2, 'C', False,
 * aligned=True). */
int js_numba_array(const js_build *build, js_type *type)
{
    js_span text = build->name, dtype, ndim, order, extra;
    uint64_t dimensions;
    if (js_span_starts(text, "nestedarray(")) {
        return nested(build, type);
    }
    while (eat_prefix(&text, type)) {
    }
    if (!eat_class(&text, type) || !js_span_eat_end(&text, ")") || !js_span_next_item(&text, &dtype) ||
        !js_span_next_item(&text, &ndim) || !js_span_next_item(&text, &order) ||
        !js_span_eat_uint(&ndim, &dimensions) || (ndim.size && !js_span_is(ndim, "d")) ||
        dimensions > MAX_DIMENSIONS) {
        return JS_EUNSUP;
    }
    while (js_span_next_item(&text, &extra)) {
        type->is_readonly |=
            js_span_is(extra, "True") || js_span_is(extra, "readonly") || js_span_is(extra, "nonwritable");
    }
    if (js_span_eat(&order, "'")) {
        js_span_eat_end(&order, "'");
    }
    if (order.size == 0 || order.size > 2 || !strchr("CFA", *order.at)) {
        return JS_EUNSUP;
    }
    int status = js_numba_inner(build, dtype, absent, true, &type->target);
    if (status) {
        return status;
    }
    type->ndim = (unsigned)dimensions;
    type->order = order.size == 1 ? *order.at : 'A'; /* "CS" and "FS": only the inner axis is contiguous */
    bool is_text = type->class_name && type->ndim == 1 && js_span_is(js_span_of(type->target->name), "uint8");
    type->kind = is_text && strcmp(type->class_name, "array") != 0 ? JS_KIND_BYTES : JS_KIND_ARRAY;
    return descriptor(build, type);
}

/* Parse a field, "a[type=int64;offset=0;alignment=8]", after its comma. A field with a title occurs twice,
 * once by each name. */
static int record_field(const js_build *build, js_span *text, js_member *member, bool *is_title)
{
    size_t at = 0;
    while (at < text->size && !js_span_starts(js_span_skip(*text, at), "[type=")) {
        at++;
    }
    if (at == text->size) {
        return JS_EUNSUP;
    }
    js_span name = js_span_first(*text, at), rest = js_span_skip(*text, at + strlen("[type="));
    size_t end = js_span_find_outside(rest, ";offset=");
    js_span type = js_span_first(rest, end), title;
    rest = js_span_skip(rest, end + strlen(";offset="));
    if (!js_span_eat_uint(&rest, &member->offset)) {
        return JS_EUNSUP;
    }
    end = js_span_find_outside(rest, "]");
    title = js_span_first(rest, end);
    *is_title = js_span_eat(&title, ";title=") && title.size == name.size &&
                memcmp(title.at, name.at, name.size) == 0;
    *text = js_span_skip(rest, end + 1);
    js_span_eat(text, ",");
    member->role = JS_ROLE_ELEMENT;
    member->name = js_build_text(build->types, name);
    if (!member->name) {
        return JS_ENOMEM;
    }
    return js_numba_inner(build, type, absent, true, &member->type);
}

/* Build the type of a record's bytes. */
static int record_data(const js_build *build, js_span text, js_type *type)
{
    js_member fields[64], *list = fields;
    size_t room = sizeof fields / sizeof fields[0], count = 0;
    while (text.size && *text.at != ';') {
        if (count == JS_TYPE_MEMBERS) {
            return JS_ELIMIT;
        }
        if (count == room) {
            js_member *more = js_arena_alloc(js_types_arena(build->types), 8 * room * sizeof *more);
            if (!more) {
                return JS_ENOMEM;
            }
            memcpy(more, list, room * sizeof *more);
            list = more;
            room *= 8;
        }
        bool is_title;
        int status = record_field(build, &text, &list[count], &is_title);
        if (status) {
            return status;
        }
        count += !is_title;
    }
    if (!js_span_eat(&text, ";") || !js_span_eat_uint(&text, &type->size) || type->size > JS_TYPE_SIZE) {
        return JS_EUNSUP;
    }
    type->is_aligned = js_span_is(text, ";True");
    for (size_t i = 0; i < count; i++) {
        if (list[i].offset > type->size || list[i].type->size > type->size - list[i].offset) {
            return JS_EUNSUP; /* the field is not within its record */
        }
    }
    js_member *members = js_arena_alloc(js_types_arena(build->types), (count + 1) * sizeof *members);
    if (!members) {
        return JS_ENOMEM;
    }
    memcpy(members, list, count * sizeof *members);
    type->members = members;
    type->nmembers = count;
    type->shape = JS_SHAPE_STRUCT;
    type->kind = JS_KIND_RECORD;
    type->align = 1; /* RecordModel: [size x i8] */
    return JS_OK;
}

/* Parse "Record<383>", as in a function's linkage name. */
static int coded_record(const js_build *build, js_span text, js_type *type)
{
    char name[4096];
    uint64_t code;
    const js_type *found;
    if (build->in_data || !js_span_eat_uint(&text, &code) || !js_span_is(text, ">") ||
        js_types_coded(build->types, code, name, sizeof name)) {
        return JS_EUNSUP;
    }
    int status = js_numba_inner(build, js_span_of(name), absent, false, &found);
    if (status == JS_OK && (found->shape != JS_SHAPE_POINTER || found->target->kind != JS_KIND_RECORD)) {
        return JS_EUNSUP;
    }
    if (status == JS_OK) {
        *type = *found;
    }
    return status;
}

int js_numba_record(const js_build *build, js_type *type)
{
    js_span text = build->name;
    if (js_span_eat(&text, "Record<")) {
        return coded_record(build, text, type);
    }
    if (!js_span_eat(&text, "Record(") || !js_span_eat_end(&text, ")")) {
        return JS_EUNSUP;
    }
    bool is_inline = build->in_data || (build->storage.size && *build->storage.at == '[' &&
                                        build->storage.at[build->storage.size - 1] == ']');
    if (is_inline) {
        return record_data(build, text, type);
    }
    js_numba_set(type, JS_SHAPE_POINTER, JS_KIND_POINTER, 8);
    int status = js_numba_inner(build, build->name, absent, true, &type->target);
    return status == JS_OK && type->target->kind != JS_KIND_RECORD ? JS_EUNSUP : status;
}
