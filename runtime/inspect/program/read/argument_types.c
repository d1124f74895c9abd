/* Compares what the compiler describes of an argument with the type in the function's linkage name. */
#include "program/read/argument_types.h"

#include <stdio.h>
#include <string.h>

#include "program/names/numba/variable_names.h"

const js_type *js_pointed_generator(const js_type *type)
{
    const js_type *frame = type->kind == JS_KIND_POINTER ? type->target : NULL;
    bool is_one = frame && frame->shape == JS_SHAPE_STRUCT && frame->nmembers == 3 &&
                  frame->members[0].type->shape == JS_SHAPE_INT && frame->members[0].type->size == 4 &&
                  frame->members[1].type->shape == JS_SHAPE_STRUCT &&
                  frame->members[2].type->shape == JS_SHAPE_STRUCT;
    return is_one ? frame : NULL;
}

bool js_is_pointer_to_generator(const js_type *pointer, const js_type *generator)
{
    const js_type *frame = js_pointed_generator(pointer);
    const js_member *given = generator->kind == JS_KIND_GENERATOR && generator->target
                                 ? js_type_member(generator->target, JS_ROLE_ARGUMENTS)
                                 : NULL;
    if (!frame || !given || frame->members[1].offset != given->offset ||
        frame->members[1].type->nmembers != given->type->nmembers) {
        return false;
    }
    for (size_t i = 0; i < given->type->nmembers; i++) {
        const js_member *ours = &frame->members[1].type->members[i], *theirs = &given->type->members[i];
        if (ours->offset != theirs->offset || ours->type->size != theirs->type->size) {
            return false;
        }
    }
    return true;
}

bool js_type_is_empty(const js_type *type)
{
    return type->size == 0 && type->nmembers == 0 && type->shape == JS_SHAPE_STRUCT;
}

bool js_is_nameless(const js_variable *variable)
{
    const js_type *type = variable->type;
    if (type && type->shape == JS_SHAPE_ARRAY && type->kind != JS_KIND_CHARSEQ && type->target &&
        type->target->shape == JS_SHAPE_INT) {
        return true;
    }
    if (type && (js_pointed_generator(type) || (js_type_is_empty(type) && type->kind != JS_KIND_TUPLE))) {
        return true;
    }
    return type && type->kind == JS_KIND_POINTER && type->shape == JS_SHAPE_POINTER &&
           (!type->name || js_numba_is_opaque(type->name) || js_numba_record_size(type->name) != 0);
}

/* True if the structure has the layout of the type. The compiler describes an enum whose values are texts,
 * complex numbers or tuples by the structure of the value. */
static bool lies_as(const js_type *structure, const js_type *type)
{
    bool is_uniform =
        structure->shape == JS_SHAPE_ARRAY && structure->kind != JS_KIND_CHARSEQ && structure->target;
    size_t count = is_uniform ? structure->count : structure->nmembers;
    bool is_whole = is_uniform || (structure->shape == JS_SHAPE_STRUCT && structure->name &&
                                   strncmp(structure->name, "Anonymous struct", 16) == 0);
    if (type->shape == JS_SHAPE_COMPLEX) {
        return is_whole && count == 2 && structure->size == type->size && !is_uniform &&
               structure->members[0].type->shape == JS_SHAPE_FLOAT &&
               structure->members[1].type->shape == JS_SHAPE_FLOAT;
    }
    if (!is_whole || type->shape != JS_SHAPE_STRUCT || type->size != structure->size ||
        type->nmembers != count) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        const js_type *part = is_uniform ? structure->target : structure->members[i].type;
        uint64_t offset = is_uniform ? i * part->size : structure->members[i].offset;
        if (type->members[i].offset != offset || type->members[i].type->size != part->size) {
            return false;
        }
    }
    return true;
}

/* The compiler describes a record as an array of its bytes, and a text of fixed length as an array of its
 * characters. */
bool js_may_be_of_type(const js_variable *variable, const js_type *type)
{
    if (type->kind == JS_KIND_ENUM) {
        return lies_as(variable->type, type);
    }
    if (type->kind == JS_KIND_CHARSEQ) {
        return variable->type->shape == JS_SHAPE_ARRAY && variable->type->size == type->size;
    }
    if (js_type_is_empty(variable->type)) {
        return type->kind == JS_KIND_TUPLE && js_type_is_empty(type);
    }
    if (js_pointed_generator(variable->type)) {
        return js_is_pointer_to_generator(variable->type, type);
    }
    bool is_record = type->target && type->target->kind == JS_KIND_RECORD;
    uint64_t bytes = variable->type->shape != JS_SHAPE_POINTER ? UINT64_MAX
                     : variable->type->name                    ? js_numba_record_size(variable->type->name)
                                                               : 0;
    return type->shape == JS_SHAPE_POINTER && type->size == 8 &&
           (is_record ? type->target->size == bytes : bytes == 0);
}

size_t js_first_argument(const char *text, const char **rest)
{
    int depth = 0;
    const char *at = text;
    for (; *at && (*at != ',' || depth > 0); at++) {
        depth += strchr("([{<", *at) != NULL;
        depth -= strchr(")]}>", *at) != NULL;
    }
    *rest = *at ? at + strspn(at, ", ") : at;
    return (size_t)(at - text);
}

bool js_is_omitted(const char *text)
{
    return strncmp(text, "omitted(", 8) == 0;
}

int js_nameless_arguments(js_types *types, js_function *function)
{
    const char *text = function->name.arguments, *rest;
    size_t count = 0, parameters = 0;
    for (size_t i = 0; i < function->nvariables; i++) {
        parameters += function->variables[i].is_argument;
    }
    if (!text || text[0] != '(' || !text[1] || text[strlen(text) - 1] != ')') {
        return JS_OK;
    }
    char inside[4096];
    if (strlen(text) - 2 >= sizeof inside) {
        return JS_OK;
    }
    memcpy(inside, text + 1, strlen(text) - 2);
    inside[strlen(text) - 2] = '\0';
    for (rest = inside; *rest; count++) {
        js_first_argument(rest, &rest);
    }
    char *next = inside, record[32];
    size_t records = 0;
    for (size_t i = 0; count == parameters && i < function->nvariables; i++) {
        js_variable *variable = &function->variables[i];
        const js_type *type;
        const char *name = next;
        if (!variable->is_argument) {
            continue;
        }
        size_t length = js_first_argument(name, &rest);
        next[length] = '\0';
        next = inside + (rest - inside);
        if (strcmp(name, "Record") == 0 && records < function->name.nrecords) {
            snprintf(record, sizeof record, "Record<%llu>",
                     (unsigned long long)function->name.records[records++]);
            name = record;
        }
        if (strcmp(name, "omitted(default=None)") == 0) {
            name = "none"; /* nothing is passed, but the function's body has a variable */
        }
        bool is_asked = js_is_nameless(variable) || strncmp(name, "Enum<", 5) == 0;
        int status = is_asked ? js_types_get_raw(types, name, NULL, &type) : JS_EUNSUP;
        if (status == JS_ENOMEM) {
            return status;
        }
        if (status == JS_OK && js_may_be_of_type(variable, type)) {
            variable->type = type;
        }
    }
    return JS_OK;
}
