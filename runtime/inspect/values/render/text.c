/* Writes one value as text, by its kind. */
#include <string.h>

#include "values/base/numbers.h"
#include "values/base/rendering.h"
#include "values/base/unbox.h"
#include "values/base/value.h"
#include "values/objects/pyobject.h"
#include "values/render/render.h"
#include "values/text/digits.h"
#include "values/text/scalars.h"
#include "values/text/strings.h"

static bool enter(js_render *render)
{
    unsigned limit = render->options->depth;
    limit = limit && limit < JS_RENDER_DEPTH ? limit : JS_RENDER_DEPTH;
    if (render->depth >= limit) {
        return false;
    }
    render->depth++;
    return true;
}

/* Write members one after the other, with their names as `name<joint>`, or without names. */
static void put_members(js_render *render, const js_type *type, const uint8_t *contents, const char *joint)
{
    uint64_t limit = js_render_limit(render);
    const js_columns *columns = render->columns;
    if (render->options->summary && limit > JS_SUMMARY_ELEMENTS) {
        limit = JS_SUMMARY_ELEMENTS;
    }
    for (size_t i = 0; i < type->nmembers && render->out->status == JS_OK; i++) {
        const js_member *member = &type->members[i];
        js_text_put(render->out, i ? ", " : "");
        if (i == limit) {
            js_text_put(render->out, "...");
            break;
        }
        if (joint) {
            js_text_printf(render->out, "%s%s%s", *joint == '\'' ? "'" : "", member->name, joint);
        }
        render->columns = columns && i < columns->ninner ? &columns->inner[i] : NULL;
        js_render_value(render, member->type, contents + member->offset);
    }
    render->columns = columns;
}

static void put_tuple(js_render *render, const js_type *type, const uint8_t *contents)
{
    bool is_named = type->kind == JS_KIND_TUPLE && type->class_name;
    if (type->kind == JS_KIND_TUPLE && type->literal_kind) {
        bool is_dict = type->literal_kind == '{';
        js_text_put(render->out, is_dict ? "{" : "[");
        put_members(render, type, contents, is_dict ? "': " : NULL);
        js_text_put(render->out, is_dict ? "}" : "]");
        return;
    }
    js_text_printf(render->out, "%s(", is_named ? type->class_name : "");
    put_members(render, type, contents, is_named ? "=" : NULL);
    js_text_put(render->out, type->nmembers == 1 && !is_named ? ",)" : ")");
}

static void put_record(js_render *render, const js_type *type, const uint8_t *contents)
{
    bool was_in_array = render->in_array, was_in_record = render->in_record;
    render->in_record |= !was_in_array;
    render->in_array = true;
    put_tuple(render, type, contents);
    render->in_array = was_in_array;
    render->in_record = was_in_record;
}

static void put_struct(js_render *render, const js_type *type, const uint8_t *contents)
{
    js_text_put(render->out, "{");
    if (type->nmembers) {
        put_members(render, type, contents, " = ");
    }
    uint64_t limit = js_render_limit(render), count = type->shape == JS_SHAPE_ARRAY ? type->count : 0;
    for (uint64_t i = 0; i < count && !type->nmembers && render->out->status == JS_OK; i++) {
        js_text_put(render->out, i ? ", " : "");
        if (i == limit) {
            js_text_put(render->out, "...");
            break;
        }
        js_render_value(render, type->target, contents + i * type->target->size);
    }
    js_text_put(render->out, "}");
}

static void put_optional(js_render *render, const js_type *type, const uint8_t *contents)
{
    const js_member *valid = js_type_member(type, JS_ROLE_VALID);
    const js_member *value = js_type_member(type, JS_ROLE_VALUE);
    uint8_t flag = valid ? contents[valid->offset] : 2;
    if (flag > 1 || !value) {
        render->exact = false;
        js_text_printf(render->out, "<unknown: valid flag is %u>", flag);
    } else if (flag == 0) {
        js_text_put(render->out, "None");
    } else {
        js_render_value(render, value->type, contents + value->offset);
    }
}

/* Write a pointer. A record variable is a pointer to its bytes, which are shown. */
static void put_pointer(js_render *render, const js_type *type, const uint8_t *contents)
{
    uint64_t address = js_load_uint(contents, 8);
    const js_type *target = type->target;
    if (!target || target->kind != JS_KIND_RECORD || strcmp(type->name, target->name) != 0) {
        if (target) {
            js_text_printf(render->out, "(%s) ", type->name);
        }
        js_text_printf(render->out, "0x%llx", (unsigned long long)address);
        return;
    }
    js_value record = {0};
    uint64_t size = target->size;
    int status = !address ? JS_EBAD : size > render->left || !render->bytes ? JS_EFAULT : JS_OK;
    if (status == JS_OK) {
        render->left -= size;
        status = js_value_init_at(&record, target, render->bytes, address);
    }
    if (status == JS_OK) {
        js_render_value(render, target, record.contents);
        js_value_deinit(&record);
    } else if (!address) {
        render->exact = false;
        js_text_put(render->out, "<unknown: record pointer is NULL>");
    } else {
        js_render_unreadable(render, address, size);
    }
}

static void put_opaque(js_render *render, const js_type *type, const uint8_t *contents)
{
    (void)contents;
    if (type->shape != JS_SHAPE_POINTER) {
        render->exact = false;
        js_text_printf(render->out, "<unknown: no layout of %s>", type->name);
    } else {
        js_text_printf(render->out, "<%s>", type->name);
    }
}

/* Return "NAME=VALUE" of the member that has this value. */
static const char *enumerator(const js_type *type, const char *value)
{
    for (const char *const *each = type->enumerators; each && *each; each++) {
        const char *equals = strchr(*each, '=');
        if (equals && strcmp(equals + 1, value) == 0) {
            return *each;
        }
    }
    return NULL;
}

/* Write <Shape.DOT: -3>, or as str() does Shape.DOT, and 2 if its members are ints too. */
static void put_enum(js_render *render, const js_type *type, const uint8_t *contents, bool as_str)
{
    js_text value;
    js_text_init(&value, 0);
    js_text *out = render->out;
    render->out = &value;
    js_render_value(render, type->target, contents);
    render->out = out;
    const char *text = value.data ? value.data : "", *name = enumerator(type, text);
    if (as_str && type->literal_kind == 'i') {
        js_text_put(out, text);
    } else if (as_str && name) {
        js_text_printf(out, "%s.%.*s", type->class_name, (int)strcspn(name, "="), name);
    } else {
        js_text_printf(out, "<%s%s%.*s: %s>", type->class_name ? type->class_name : "", name ? "." : "",
                       name ? (int)strcspn(name, "=") : 0, name ? name : "", text);
    }
    js_text_deinit(&value);
}

static void put_none(js_render *render, const js_type *type, const uint8_t *contents)
{
    (void)type;
    (void)contents;
    js_text_put(render->out, "None");
}

static void put_enum_repr(js_render *render, const js_type *type, const uint8_t *contents)
{
    put_enum(render, type, contents, false);
}

static void put_string(js_render *render, const js_type *type, const uint8_t *contents)
{
    js_render_string(render, type, contents, false);
}

static void put_items(js_render *render, const js_type *type, const uint8_t *contents)
{
    js_render_items(render, type, contents, false);
}

static void put_deferred(js_render *render, const js_type *type, const uint8_t *contents)
{
    if (!js_render_deferred(render, type, contents, false)) {
        render->exact = false;
        js_text_put(render->out, "<unknown: its class cannot be read>");
    }
}

static void put_literal(js_render *render, const js_type *type, const uint8_t *contents)
{
    (void)contents;
    js_render_literal(render, type);
}

/* The writer of each kind. */
static const js_write_fn writers[] = {
    [JS_KIND_OPAQUE] = put_opaque,
    [JS_KIND_NONE] = put_none,
    [JS_KIND_BOOL] = js_render_scalar,
    [JS_KIND_INT] = js_render_scalar,
    [JS_KIND_FLOAT] = js_render_scalar,
    [JS_KIND_COMPLEX] = js_render_scalar,
    [JS_KIND_DATETIME] = js_render_scalar,
    [JS_KIND_TIMEDELTA] = js_render_scalar,
    [JS_KIND_ENUM] = put_enum_repr,
    [JS_KIND_CHARSEQ] = put_string,
    [JS_KIND_STR] = put_string,
    [JS_KIND_BYTES] = put_string,
    [JS_KIND_ARRAY] = js_render_array,
    [JS_KIND_TUPLE] = put_tuple,
    [JS_KIND_RECORD] = put_record,
    [JS_KIND_OPTIONAL] = put_optional,
    [JS_KIND_LIST] = put_items,
    [JS_KIND_SET] = put_items,
    [JS_KIND_DICT] = put_items,
    [JS_KIND_OBJECT] = js_render_object,
    [JS_KIND_ITERATOR] = js_render_iterator,
    [JS_KIND_GENERATOR] = js_render_generator,
    [JS_KIND_RANGE] = js_render_range,
    [JS_KIND_MANAGED] = js_render_managed,
    [JS_KIND_FUNCTION] = js_render_function,
    [JS_KIND_PYOBJECT] = js_render_pyobject,
    [JS_KIND_DEFERRED] = put_deferred,
    [JS_KIND_STRUCT] = put_struct,
    [JS_KIND_POINTER] = put_pointer,
    [JS_KIND_LITERAL] = put_literal,
};
_Static_assert(sizeof writers / sizeof writers[0] == JS_KIND_LITERAL + 1, "a kind without a writer");

static void put_value(js_render *render, const js_type *type, const uint8_t *contents)
{
    writers[type->kind](render, type, contents);
}

/* Write a value as str() does, if that differs from repr(). */
static void put_str(js_render *render, const js_type *type, const uint8_t *contents)
{
    switch (type->kind) {
    case JS_KIND_STR:
    case JS_KIND_CHARSEQ:
        js_render_string(render, type, contents, true);
        break;
    case JS_KIND_LIST:
    case JS_KIND_SET:
    case JS_KIND_DICT:
        js_render_items(render, type, contents, true);
        break;
    case JS_KIND_ARRAY:
        js_render_array_str(render, type, contents);
        break;
    case JS_KIND_ENUM:
        put_enum(render, type, contents, true);
        break;
    case JS_KIND_DATETIME:
    case JS_KIND_TIMEDELTA:
        js_render_time_str(render, type, contents);
        break;
    case JS_KIND_FLOAT: { /* a float of Python has one width */
        double wide = js_load_float(contents, type->size);
        js_put_float(render->out, (const uint8_t *)&wide, sizeof wide, false);
        break;
    }
    case JS_KIND_COMPLEX:
    case JS_KIND_TUPLE:
    case JS_KIND_OPTIONAL: {
        bool was_in_boxed = render->in_boxed;
        render->in_boxed = true;
        put_value(render, type, contents);
        render->in_boxed = was_in_boxed;
        break;
    }
    default:
        put_value(render, type, contents);
    }
}

static bool holds_others(js_kind kind)
{
    switch (kind) {
    case JS_KIND_TUPLE:
    case JS_KIND_RECORD:
    case JS_KIND_STRUCT:
    case JS_KIND_ARRAY:
    case JS_KIND_LIST:
    case JS_KIND_SET:
    case JS_KIND_DICT:
    case JS_KIND_OBJECT:
    case JS_KIND_ITERATOR:
    case JS_KIND_GENERATOR:
    case JS_KIND_FUNCTION:
    case JS_KIND_PYOBJECT:
    case JS_KIND_DEFERRED:
        return true;
    default:
        return false;
    }
}

void js_write_text(js_render *render, const js_type *type, const uint8_t *contents)
{
    void (*const put)(js_render *, const js_type *, const uint8_t *) = render->as_str ? put_str : put_value;
    render->as_str = false;
    render->values++;
    if (js_render_is_spent(render) && holds_others(type->kind)) {
        render->exact = false;
        js_text_put(render->out, "...");
    } else if (!holds_others(type->kind)) {
        put(render, type, contents); /* the nesting of its contents is bounded by that of the type */
    } else if (enter(render)) {
        put(render, type, contents);
        render->depth--;
    } else {
        js_text_put(render->out, "{...}");
    }
}
