/* Compares types with the kinds of scalars that formulas compute with. */
#include "program/validity/locations/scalar_kind.h"

#include <string.h>

bool js_scalar_is_int(const js_type *type)
{
    return type->kind == JS_KIND_INT && type->shape == JS_SHAPE_INT && type->is_signed && type->size == 8;
}

bool js_scalar_is_whole(const js_variable *variable)
{
    const js_type *type = variable->type;
    return js_scalar_is_int(type) || (variable->is_index && type->kind == JS_KIND_INT &&
                                      type->shape == JS_SHAPE_INT && type->size == 8);
}

bool js_scalar_is_bool(const js_type *type)
{
    return type->shape == JS_SHAPE_BOOL && type->size == 1;
}

bool js_scalar_is_float(const js_type *type)
{
    return type->kind == JS_KIND_FLOAT && type->shape == JS_SHAPE_FLOAT && type->size == 8;
}

static bool is_decimal(const char *text)
{
    text += *text == '-';
    size_t digits = strspn(text, "0123456789");
    return digits && !text[digits];
}

bool js_scalar_is_literal(const js_type *type)
{
    return type->kind == JS_KIND_LITERAL && type->size == 8 && type->literal && is_decimal(type->literal);
}
