/* Follows a path from value to value, as Python would evaluate it. */

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "values/base/numbers.h"
#include "values/base/path.h"
#include "values/base/unbox.h"
#include "values/base/value.h"
#include "values/select/elsewhere.h"
#include "values/select/select.h"

static const char *python_name(const js_type *type)
{
    switch (type->kind) {
    case JS_KIND_NONE:
        return "NoneType";
    case JS_KIND_BOOL:
        return "bool";
    case JS_KIND_INT:
        return "int";
    case JS_KIND_FLOAT:
        return "float";
    case JS_KIND_COMPLEX:
        return "complex";
    case JS_KIND_DATETIME:
        return "numpy.datetime64";
    case JS_KIND_TIMEDELTA:
        return "numpy.timedelta64";
    case JS_KIND_STR:
        return "str";
    case JS_KIND_CHARSEQ:
        return type->is_wide ? "str" : "bytes";
    case JS_KIND_BYTES:
        return type->class_name ? type->class_name : "bytes";
    case JS_KIND_ARRAY:
        return "numpy.ndarray";
    case JS_KIND_TUPLE:
        return type->class_name ? type->class_name : "tuple";
    case JS_KIND_RECORD:
        return "numpy.void";
    case JS_KIND_LIST:
        return type->prefix ? "List" : "list";
    case JS_KIND_SET:
        return type->prefix ? "Set" : "set";
    case JS_KIND_DICT:
        return type->prefix ? "Dict" : "dict";
    case JS_KIND_OBJECT:
    case JS_KIND_ITERATOR:
    case JS_KIND_RANGE:
        return type->class_name ? type->class_name : type->name;
    case JS_KIND_GENERATOR:
        return "generator";
    case JS_KIND_FUNCTION:
        return "function";
    case JS_KIND_ENUM:
        return type->class_name ? type->class_name : "enum";
    case JS_KIND_LITERAL:
        return type->literal_kind == 's' ? "str" : type->literal_kind == 'b' ? "bool" : "int";
    default:
        return type->name;
    }
}

const char *js_select_type_name(const js_type *type)
{
    return python_name(type);
}

static const js_member *named(const js_type *type, const char *name)
{
    for (size_t i = 0; i < type->nmembers; i++) {
        if (strcmp(type->members[i].name, name) == 0) {
            return &type->members[i];
        }
    }
    return NULL;
}

/* Give the tuple of the members start, start + step, …: a new type with other offsets. */
static int tuple_slice(const js_selection *selection, const js_path_item *item, js_value *out)
{
    const js_type *type = selection->value->type, *slice_type;
    int64_t start, count = js_path_slice(item, (int64_t)type->nmembers, &start);
    js_text name;
    js_text_init(&name, 0);
    js_text_put(&name, "Tuple(");
    for (int64_t i = 0; i < count; i++) {
        js_text_printf(&name, "%s%s", i ? ", " : "", type->members[start + i * item->step].type->name);
    }
    js_text_put(&name, ")");
    int status = name.status ? name.status : js_types_get(selection->types, name.data, NULL, &slice_type);
    js_text_deinit(&name);
    if (status) {
        return status;
    }
    if (slice_type->kind != JS_KIND_TUPLE || slice_type->nmembers != (size_t)count) {
        return js_select_fail(selection, JS_EUNSUP, "TypeError: a slice of '%s' is not known here",
                              type->name);
    }
    uint8_t *bytes = calloc(1, slice_type->size + 1);
    if (!bytes) {
        return JS_ENOMEM;
    }
    for (int64_t i = 0; i < count && status == JS_OK; i++) {
        const js_member *from = &type->members[start + i * item->step], *to = &slice_type->members[i];
        if (from->type->size != to->type->size) {
            status = js_select_fail(selection, JS_EUNSUP, "TypeError: a slice of '%s' is not known here",
                                    type->name);
        } else {
            memcpy(bytes + to->offset, selection->value->contents + from->offset, from->type->size);
        }
    }
    if (status == JS_OK) {
        status = js_value_init(out, slice_type, bytes, slice_type->size);
    }
    free(bytes);
    return status;
}

static int member_item(const js_selection *selection, js_value *out)
{
    const js_type *type = selection->value->type;
    const js_path_item *item = &selection->step->items[0];
    int64_t index;
    if (selection->step->is_field) {
        const js_member *field = named(type, selection->step->name);
        if (type->kind != JS_KIND_RECORD || !field) {
            return type->kind == JS_KIND_RECORD
                       ? js_select_fail(selection, JS_ENOTFOUND, "ValueError: no field of name %s",
                                        selection->step->name)
                       : js_select_fail(selection, JS_EUNSUP,
                                        "TypeError: tuple indices must be integers or slices, not str");
        }
        return js_select_part(selection->value, field->type, field->offset, out);
    }
    if (selection->step->count != 1 || item->kind == JS_ITEM_ELLIPSIS) {
        return js_select_fail(selection, JS_EUNSUP,
                              "TypeError: tuple indices must be integers or slices, not tuple");
    }
    if (item->kind == JS_ITEM_SLICE) {
        if (item->step == 0) {
            return js_select_fail(selection, JS_EBAD, "ValueError: slice step cannot be zero");
        }
        return tuple_slice(selection, item, out);
    }
    if (js_select_wrap(item->index, (int64_t)type->nmembers, &index)) {
        return js_select_fail(selection, JS_ELIMIT, "IndexError: tuple index out of range");
    }
    return js_select_part(selection->value, type->members[index].type, type->members[index].offset, out);
}

/* Give p[i] for a pointer with a known target. */
static int pointer_item(const js_selection *selection, js_value *out)
{
    const js_type *target = selection->value->type->target;
    if (selection->step->is_field || selection->step->count != 1 ||
        selection->step->items[0].kind != JS_ITEM_INDEX) {
        return js_select_fail(selection, JS_EUNSUP, "TypeError: a pointer takes one integer");
    }
    uint64_t address = js_load_uint(selection->value->contents, 8);
    address += (uint64_t)selection->step->items[0].index * target->size;
    return js_select_memory(selection, target, address, out);
}

static int take_item(const js_selection *selection, js_value *out)
{
    const js_type *type = selection->value->type;
    switch (type->kind) {
    case JS_KIND_ARRAY:
    case JS_KIND_BYTES:
        return js_select_array_items(selection, out);
    case JS_KIND_STR:
    case JS_KIND_CHARSEQ:
        return js_select_text(selection, out);
    case JS_KIND_TUPLE:
    case JS_KIND_RECORD:
        return member_item(selection, out);
    case JS_KIND_LIST:
        return js_select_list_item(selection, out);
    case JS_KIND_DICT:
        return js_select_dict_value(selection, out);
    case JS_KIND_PYOBJECT:
        return js_select_pyobject_item(selection, out);
    case JS_KIND_POINTER:
        if (type->target) {
            return pointer_item(selection, out);
        }
        break;
    default:
        break;
    }
    return js_select_fail(selection, JS_EUNSUP, "TypeError: '%s' object is not subscriptable",
                          python_name(type));
}

static int take_attribute(const js_selection *selection, js_value *out)
{
    const js_type *type = selection->value->type;
    const char *name = selection->step->name;
    if (type->kind == JS_KIND_ARRAY) {
        int status = js_select_array_attribute(selection, out);
        if (status != JS_ENOTFOUND) {
            return status;
        }
    }
    if (type->kind == JS_KIND_ENUM && strcmp(name, "value") == 0) {
        return js_select_part(selection->value, type->target, 0, out);
    }
    if (type->kind == JS_KIND_PYOBJECT) {
        return js_select_pyobject_attribute(selection, out);
    }
    if (type->kind == JS_KIND_OBJECT) {
        int status = js_select_attribute(selection, out);
        if (status != JS_ENOTFOUND) {
            return status;
        }
    }
    const js_member *member = named(type, name);
    if (member && member->role == JS_ROLE_REFERENCE) {
        return js_select_memory(selection, member->type->target,
                                js_load_uint(selection->value->contents + member->offset, 8), out);
    }
    if (member && member->role == JS_ROLE_MEMINFO && member->type->kind == JS_KIND_POINTER) {
        const js_type *managed; /* with its count, which the type's plain address does not have */
        int status = js_types_get(selection->types, "memory-managed *", NULL, &managed);
        return status ? status : js_select_part(selection->value, managed, member->offset, out);
    }
    if (member) {
        return js_select_part(selection->value, member->type, member->offset, out);
    }
    if (type->kind == JS_KIND_OBJECT) {
        return js_select_fail(selection, JS_ENOTFOUND,
                              "AttributeError: '%s' object has no field '%s' (its class' properties and "
                              "methods are not run)",
                              python_name(type), name);
    }
    return js_python_has_name(python_name(type), name)
               ? js_select_fail(selection, JS_ENOTFOUND, "AttributeError: .%s of '%s' is not known here",
                                name, python_name(type))
               : js_select_fail(selection, JS_ENOTFOUND, "AttributeError: '%s' object has no attribute '%s'",
                                python_name(type), name);
}

/* Find the value that a value contains: that of an Optional, the target of a record variable or of a MemInfo,
 * or the one that an object of the interpreter holds. */
static int unwrap(js_selection *selection, js_value *holder)
{
    const js_type *type = selection->value->type;
    if (type->kind == JS_KIND_OPTIONAL) {
        const js_member *valid = js_type_member(type, JS_ROLE_VALID);
        const js_member *value = js_type_member(type, JS_ROLE_VALUE);
        uint8_t flag = valid ? selection->value->contents[valid->offset] : 0;
        if (flag == 0 || !value) {
            return selection->step->is_attribute
                       ? js_select_fail(selection, JS_ENOTFOUND,
                                        "AttributeError: 'NoneType' object has no attribute '%s'",
                                        selection->step->name)
                       : js_select_fail(selection, JS_EUNSUP,
                                        "TypeError: 'NoneType' object is not subscriptable");
        }
        if (flag != 1) {
            return js_select_fail(selection, JS_EBAD, "<unknown: valid flag is %u>", flag);
        }
        int status = js_select_part(selection->value, value->type, value->offset, holder);
        selection->value = holder;
        bool is_more = holder->type->kind == JS_KIND_POINTER || holder->type->kind == JS_KIND_DEFERRED;
        return status ? status : is_more ? JS_ECANCEL : JS_OK;
    }
    js_value unboxed;
    if (js_value_unbox(selection->value, selection->bytes, &unboxed) == JS_OK) {
        js_value_deinit(holder);
        *holder = unboxed;
        selection->value = holder;
        return JS_OK;
    }
    bool is_record = type->kind == JS_KIND_POINTER && type->target && type->target->kind == JS_KIND_RECORD &&
                     strcmp(type->name, type->target->name) == 0;
    if (is_record || type->kind == JS_KIND_MANAGED) {
        js_value whole;
        int status =
            js_select_memory(selection, type->target, js_load_uint(selection->value->contents, 8), &whole);
        if (status == JS_OK) {
            js_value_deinit(holder);
            *holder = whole;
            selection->value = holder;
        }
        return status;
    }
    return JS_OK;
}

static int take_step(js_selection *selection, js_value *out)
{
    js_value holder = {0};
    const js_value *value = selection->value;
    int status = unwrap(selection, &holder);
    if (status == JS_ECANCEL) { /* an Optional of a record or an instance: unwrap again */
        status = unwrap(selection, &holder);
    }
    if (status == JS_OK) {
        status = selection->step->is_attribute ? take_attribute(selection, out) : take_item(selection, out);
    }
    js_value_deinit(&holder);
    selection->value = value;
    return status;
}

int js_select_step(js_types *types, const js_value *value, js_bytes *bytes, const js_path_step *step,
                   js_value *out, js_text *why)
{
    js_selection selection = {types, bytes, value, step, why};
    *out = (js_value){0};
    int status = take_step(&selection, out);
    if (status) {
        js_value_deinit(out);
    }
    return status || out->type ? status : JS_EBAD;
}

int js_value_select(js_types *types, const js_value *value, js_bytes *bytes, const char *path, js_value *out,
                    js_text *why)
{
    js_value current;
    *out = (js_value){0};
    int status = js_value_init(&current, value->type, value->contents, value->type ? value->type->size : 0);
    if (status) {
        return status;
    }
    current.has_address = value->has_address;
    current.address = value->address;
    for (;;) {
        js_path_step step;
        const char *start = path;
        js_selection selection = {types, bytes, &current, &step, why};
        js_value next = {0};
        status = js_path_next(&path, &step);
        if (status == JS_ENOTFOUND) {
            *out = current;
            return JS_OK;
        }
        if (status) {
            js_select_fail(&selection, status, "SyntaxError: invalid syntax: %.80s", start);
        } else {
            status = take_step(&selection, &next);
        }
        js_value_deinit(&current);
        if (status || !next.type) {
            js_value_deinit(&next);
            return status ? status : JS_EBAD;
        }
        current = next;
    }
}
