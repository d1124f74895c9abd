/* Computes x.name. */
#include "expressions/functions/attributes.h"

#include <stdio.h>
#include <string.h>

#include "expressions/core/repr.h"
#include "expressions/core/subscripts.h"
#include "expressions/functions/has_method.h"
#include "expressions/lazy/evaluation.h"
#include "expressions/operands/objects.h"
#include "values/base/path.h"
#include "values/base/value.h"
#include "values/select/elsewhere.h"

static int no_attribute(js_evaluation *e, const js_operand *of, const char *name)
{
    const char *type = js_operand_type(of);
    return js_python_has_name(type, name)
               ? js_fail(e, JS_EUNSUP, "AttributeError: .%s of '%s' is not known here", name, type)
               : js_fail(e, JS_ENOTFOUND, "AttributeError: '%s' object has no attribute '%s'", type, name);
}

static int integers(js_evaluation *e, const int64_t *values, unsigned count, js_operand *out)
{
    js_operand *items = js_arena_alloc(&e->arena, (count + 1) * sizeof *items);
    if (!items) {
        return js_no_memory(e);
    }
    for (unsigned i = 0; i < count; i++) {
        items[i] = js_operand_of_int(values[i]);
    }
    *out = (js_operand){.kind = JS_OPERAND_SEQUENCE, .items = items, .count = count};
    return JS_OK;
}

/* Compute an attribute of an array that is computed, or of a part of one. */
static int lazy_attribute(js_evaluation *e, const js_operand *of, const char *name, js_operand *out)
{
    const js_lazy *lazy = of->array, *made;
    const js_array_view *view = &lazy->view;
    int status;
    if (strcmp(name, "shape") == 0) {
        return integers(e, view->shape, view->ndim, out);
    }
    if (strcmp(name, "ndim") == 0 || strcmp(name, "size") == 0 || strcmp(name, "itemsize") == 0) {
        *out = js_operand_of_int(*name == 'n'   ? (__int128)view->ndim
                                 : *name == 's' ? (__int128)view->nitems
                                                : (__int128)view->itemsize);
        return JS_OK;
    }
    if (strcmp(name, "nbytes") == 0) {
        *out = js_operand_of_int((__int128)view->nitems * (__int128)view->itemsize);
        return JS_OK;
    }
    if (strcmp(name, "T") == 0) {
        status = js_lazy_transpose(e, lazy, &made);
        *out = js_operand_of_array(made);
        return status;
    }
    bool is_real = strcmp(name, "real") == 0;
    if ((is_real || strcmp(name, "imag") == 0) && lazy->type != JS_NOT_A_NUMBER) {
        if (is_real && !js_number_is_complex(lazy->type)) {
            *out = *of;
            return JS_OK;
        }
        status = js_lazy_map(e, is_real ? JS_REAL : JS_IMAG, js_number_part(lazy->type), JS_NOT_A_NUMBER,
                             lazy, NULL, &made);
        *out = js_operand_of_array(made);
        return status;
    }
    if (strcmp(name, "dtype") == 0) {
        const js_type *type;
        js_value text;
        js_text format;
        js_text_init(&format, 0);
        js_text_printf(&format, "dtype('%s')", js_number_name(lazy->type));
        status =
            format.status ? format.status : js_types_literal(e->with.types, "dtype", 'x', format.data, &type);
        js_text_deinit(&format);
        status = status ? status : js_value_init(&text, type, "", 0);
        return status ? status : js_operand_of_value(e, &text, out);
    }
    return no_attribute(e, of, name);
}

static int method(js_evaluation *e, const js_operand *of, const char *name, js_operand *out)
{
    js_operand *self = js_arena_alloc(&e->arena, sizeof *self);
    if (!self) {
        return js_no_memory(e);
    }
    *self = *of;
    *out = (js_operand){.kind = JS_OPERAND_METHOD, .of = self, .name = name};
    return JS_OK;
}

/* Give the name of an enum's member whose value is an integer. JS_ENOTFOUND: the members are not known. */
static int member_name(js_evaluation *e, const js_value *member, js_operand *out)
{
    js_number_type kind = js_number_type_of(member->type->target);
    if (kind == JS_NOT_A_NUMBER || !js_number_is_int(kind)) {
        return JS_ENOTFOUND;
    }
    js_number number = {0};
    js_number_load(&number, kind, member->contents);
    char value[24];
    snprintf(value, sizeof value, number.integer < 0 ? "%lld" : "%llu", (long long)number.integer);
    for (const char *const *each = member->type->enumerators; each && *each; each++) {
        const char *equals = strchr(*each, '=');
        if (equals && strcmp(equals + 1, value) == 0) {
            return js_ascii_text(e, *each, (size_t)(equals - *each), out);
        }
    }
    return JS_ENOTFOUND;
}

int js_attribute(js_evaluation *e, const js_operand *of, const char *name, js_operand *out)
{
    if (of->kind == JS_OPERAND_VALUE && of->value.type->kind == JS_KIND_ENUM && strcmp(name, "name") == 0) {
        int status = member_name(e, &of->value, out);
        if (status != JS_ENOTFOUND) {
            return status;
        }
    }
    js_operand text;
    bool is_text;
    int status = js_object_text(e, of, &text, &is_text); /* str and bytes of the interpreter */
    if (status) {
        return status;
    }
    of = is_text && js_has_method(&text, name) ? &text : of;
    if (js_has_method(of, name)) {
        return method(e, of, name, out);
    }
    if (of->kind == JS_OPERAND_NUMBER) {
        bool is_real = strcmp(name, "real") == 0;
        if (is_real || strcmp(name, "imag") == 0) {
            js_number number = of->number;
            number.type = js_number_part(number.type == JS_BOOL ? JS_INT64 : number.type);
            if (!is_real) {
                number.integer = 0;
                number.real = number.imag;
            }
            number.imag = 0;
            *out = js_operand_of_number(number);
            return JS_OK;
        }
        return no_attribute(e, of, name);
    }
    js_path_step wanted = {.is_attribute = true};
    if (strlen(name) >= sizeof wanted.name) {
        return no_attribute(e, of, name);
    }
    strcpy(wanted.name, name);
    if (of->kind == JS_OPERAND_VALUE) {
        return js_step_of_value(e, &of->value, &wanted, out);
    }
    if (of->kind != JS_OPERAND_ARRAY) {
        return no_attribute(e, of, name);
    }
    bool is_plain = of->array->kind == JS_LAZY_LEAF && of->array->origin;
    bool is_leaf_part = is_plain && js_number_is_complex(of->array->type); /* a view, as in NumPy */
    bool is_own = strcmp(name, "shape") == 0 || strcmp(name, "T") == 0 || strcmp(name, "size") == 0 ||
                  strcmp(name, "nbytes") == 0 || strcmp(name, "ndim") == 0 || strcmp(name, "itemsize") == 0 ||
                  ((strcmp(name, "real") == 0 || strcmp(name, "imag") == 0) && !is_leaf_part);
    return is_plain && !is_own ? js_field_of_array(e, of, &wanted, out) : lazy_attribute(e, of, name, out);
}
