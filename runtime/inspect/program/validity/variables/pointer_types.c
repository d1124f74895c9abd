/* Variables of which the compiler says only that they are pointers: None, texts of the source, functions,
 * records. Arguments have their type in the function's linkage name; of others the source says what they are
 * given. */
#include <stdio.h>
#include <string.h>

#include "program/names/numba/variable_names.h"
#include "program/program_internal.h"
#include "program/truth_internal.h"

/* Of one type for the whole of a name: else which of them is given is not asked. */
static const js_type *only_type(const js_local *local)
{
    for (size_t v = 1; local && v < local->nversions; v++) {
        if (local->versions[v]->type != local->versions[0]->type) {
            return NULL;
        }
    }
    return local ? local->versions[0]->type : NULL;
}

/* "{i32, {…}, {…}}*": where a generator goes on, its arguments, its state. */
static const js_type *generator_frame(const js_type *type)
{
    const js_type *frame = type->kind == JS_KIND_POINTER ? type->target : NULL;
    bool is_one = frame && frame->shape == JS_SHAPE_STRUCT && frame->nmembers == 3 &&
                  frame->members[0].type->shape == JS_SHAPE_INT && frame->members[0].type->size == 4 &&
                  frame->members[1].type->shape == JS_SHAPE_STRUCT &&
                  frame->members[2].type->shape == JS_SHAPE_STRUCT;
    return is_one ? frame : NULL;
}

/* Do the arguments lie as in what the compiler calls this pointer? */
static bool is_such_generator(const js_type *pointer, const js_type *generator)
{
    const js_type *frame = generator_frame(pointer);
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

bool js_is_nothing(const js_type *type)
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
    if (type && (generator_frame(type) || (js_is_nothing(type) && type->kind != JS_KIND_TUPLE))) {
        return true;
    }
    return type && type->kind == JS_KIND_POINTER && type->shape == JS_SHAPE_POINTER &&
           (!type->name || js_numba_is_opaque(type->name) || js_numba_bytes(type->name) != 0);
}

/* Of an enum whose values are texts, complex numbers or tuples the compiler tells the value's structure. */
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

/* The compiler's own structure for a record is an array of its bytes; for a text of fixed length one of its
 * characters. */
static bool is_fitting(const js_variable *variable, const js_type *type)
{
    if (type->kind == JS_KIND_ENUM) {
        return lies_as(variable->type, type);
    }
    if (type->kind == JS_KIND_CHARSEQ) {
        return variable->type->shape == JS_SHAPE_ARRAY && variable->type->size == type->size;
    }
    if (js_is_nothing(variable->type)) {
        return type->kind == JS_KIND_TUPLE && js_is_nothing(type);
    }
    if (generator_frame(variable->type)) {
        return is_such_generator(variable->type, type);
    }
    bool is_record = type->target && type->target->kind == JS_KIND_RECORD;
    uint64_t bytes = variable->type->shape != JS_SHAPE_POINTER ? UINT64_MAX
                     : variable->type->name                    ? js_numba_bytes(variable->type->name)
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
            name = "none"; /* nothing is passed; the body has a variable of it */
        }
        bool is_asked = js_is_nameless(variable) || strncmp(name, "Enum<", 5) == 0;
        int status = is_asked ? js_types_get(types, name, NULL, &type) : JS_EUNSUP;
        if (status == JS_ENOMEM) {
            return status;
        }
        if (status == JS_OK && is_fitting(variable, type)) {
            variable->type = type;
        }
    }
    return JS_OK;
}

/* "int64 generator(func=<function gen at 0x7f>, args=(…), …": of one function? */
static bool is_same_function(const char *one, const char *other)
{
    const char *end = strstr(one, ", args=");
    return end && strncmp(one, other, (size_t)(end - one) + strlen(", args=")) == 0;
}

/* Is it an int wherever `narrow` has one, or the very number of a call gen(5)? */
static bool takes(const js_type *wide, const js_type *narrow)
{
    const js_member *all = js_type_member(wide->target, JS_ROLE_ARGUMENTS);
    const js_member *some = js_type_member(narrow->target, JS_ROLE_ARGUMENTS);
    if (!is_same_function(wide->name, narrow->name) || all->type->nmembers != some->type->nmembers ||
        wide->target->nstops != narrow->target->nstops) {
        return false;
    }
    for (size_t i = 0; i < wide->target->nstops; i++) {
        const js_generator_stop *ours = &wide->target->stops[i], *theirs = &narrow->target->stops[i];
        if (ours->index != theirs->index || ours->line != theirs->line) {
            return false;
        }
    }
    for (size_t i = 0; i < all->type->nmembers; i++) {
        const js_type *ours = all->type->members[i].type, *theirs = some->type->members[i].type;
        bool is_number = theirs->kind == JS_KIND_LITERAL && theirs->literal_kind == 'i' &&
                         ours->kind == JS_KIND_INT && ours->is_signed && ours->size == theirs->size;
        if (ours != theirs && !is_number) {
            return false;
        }
    }
    return true;
}

/* The generator of this name whose code the object holds, as its callers' objects do, and whose frame lies as
 * the variable's: if several do, one that takes what each of them does. */
static int generator_type(js_types *types, const js_truth *truth, const char *name,
                          const js_variable *variable, const js_type **out)
{
    for (size_t i = 0, count = truth->object->nfunctions; i < 2 * count; i++) {
        const js_function *function = &truth->object->functions[i % count];
        const js_type *type;
        if (function->name.kind != JS_NAME_GENERATOR_NEXT || !*function->name.generator ||
            strcmp(function->source_name, name) != 0) {
            continue;
        }
        int status = js_types_get(types, function->name.generator, NULL, &type);
        if (status == JS_ENOMEM) {
            return status;
        }
        if (status || !is_such_generator(variable->type, type)) {
            continue;
        }
        bool is_taken = *out && takes(*out, type);
        if (i >= count && !is_taken) {
            *out = NULL;
            return JS_OK;
        }
        *out = is_taken || (*out && !takes(type, *out)) ? *out : type;
    }
    return JS_OK;
}

static int given_type(js_types *types, const js_truth *truth, const js_flow_def *def,
                      const js_variable *version, const js_type **out)
{
    const js_function *function = truth->function;
    *out = NULL;
    if (strcmp(def->held, "call") == 0) {
        return generator_frame(version->type) ? generator_type(types, truth, def->of, version, out) : JS_OK;
    }
    if (strcmp(def->held, "none") == 0) {
        return js_types_get(types, "none", NULL, out);
    }
    if (strcmp(def->held, "ellipsis") == 0 || strcmp(def->held, "empty") == 0) {
        return js_types_get(types, *def->held == 'e' && def->held[1] == 'l' ? "ellipsis" : "Tuple()", NULL,
                            out);
    }
    if (strcmp(def->held, "text") == 0) {
        js_text name;
        js_text_init(&name, 0);
        js_text_printf(&name, "Literal[str](%s)", def->of);
        int status = name.status ? name.status : js_types_get(types, name.data, NULL, out);
        js_text_deinit(&name);
        return status;
    }
    const js_type *from = only_type(js_function_local(function, def->of, strlen(def->of)));
    if (from && strcmp(def->held, "item") == 0) {
        bool is_array = from->kind == JS_KIND_ARRAY &&
                        (from->target->kind == JS_KIND_RECORD || from->target->kind == JS_KIND_CHARSEQ);
        return is_array ? js_types_get(types, from->target->name, NULL, out) : JS_OK;
    }
    *out = from;
    return JS_OK;
}

int js_nameless_locals(js_types *types, js_truth *truth)
{
    enum { ROUNDS = 4 }; /* of variables that are given to variables */
    bool is_new = true;
    for (unsigned round = 0; is_new && round < ROUNDS; round++) {
        is_new = false;
        for (size_t i = 0; i < truth->flow->ndefs; i++) {
            const js_flow_def *def = &truth->flow->defs[i];
            const js_local *local = js_function_local(truth->function, def->name, strlen(def->name));
            js_variable *version = def->held && local ? js_truth_version(truth, local, def) : NULL;
            const js_type *type;
            if (!version || version->is_argument || !js_is_nameless(version)) {
                continue;
            }
            int status = given_type(types, truth, def, version, &type);
            if (status == JS_ENOMEM) {
                return status;
            }
            if (status == JS_OK && type && type != version->type && is_fitting(version, type)) {
                version->type = type;
                is_new = true;
            }
        }
    }
    return JS_OK;
}
