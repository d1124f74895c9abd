/* Finds types of variables that the compiler describes as pointers only: None, texts of the source,
 * functions, records. Arguments have their type in the function's linkage name; for others the source shows
 * what they are assigned. */
#include "program/validity/variables/pointer_types.h"

#include <stdio.h>
#include <string.h>

#include "program/model/lookup.h"
#include "program/model/object.h"
#include "program/read/argument_types.h"
#include "program/validity/variables/versions.h"

/* Return the one type of all versions of the name; NULL: they differ, and no version's type is known. */
static const js_type *only_type(const js_local *local)
{
    for (size_t v = 1; local && v < local->nversions; v++) {
        if (local->versions[v]->type != local->versions[0]->type) {
            return NULL;
        }
    }
    return local ? local->versions[0]->type : NULL;
}

/* True for types of generators of one function: "int64 generator(func=<function gen at 0x7f>, args=(…), …".
 */
static bool is_same_function(const char *one, const char *other)
{
    const char *end = strstr(one, ", args=");
    return end && strncmp(one, other, (size_t)(end - one) + strlen(", args=")) == 0;
}

/* True if `wide` has an int wherever `narrow` has an int or a literal, as for a call gen(5). */
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

/* Find the generator of this name whose code is in the object, as in the objects of all its callers, and
 * whose frame has the layout of the variable's. If several do, take one whose arguments fit all of them. */
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
        int status = js_types_get_raw(types, function->name.generator, NULL, &type);
        if (status == JS_ENOMEM) {
            return status;
        }
        if (status || !js_is_pointer_to_generator(variable->type, type)) {
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
    if (def->held == JS_DEF_CALL) {
        return js_pointed_generator(version->type) ? generator_type(types, truth, def->of, version, out)
                                                   : JS_OK;
    }
    if (def->held == JS_DEF_NONE || def->held == JS_DEF_ELLIPSIS || def->held == JS_DEF_EMPTY) {
        const char *name = def->held == JS_DEF_NONE       ? "none"
                           : def->held == JS_DEF_ELLIPSIS ? "ellipsis"
                                                          : "Tuple()";
        return js_types_get(types, name, NULL, out);
    }
    if (def->held == JS_DEF_TEXT) {
        js_text name;
        js_text_init(&name, 0);
        js_text_printf(&name, "Literal[str](%s)", def->of);
        int status = name.status ? name.status : js_types_get_raw(types, name.data, NULL, out);
        js_text_deinit(&name);
        return status;
    }
    const js_type *from = only_type(js_function_local(function, def->of, strlen(def->of)));
    if (from && def->held == JS_DEF_ITEM) {
        bool is_array = from->kind == JS_KIND_ARRAY &&
                        (from->target->kind == JS_KIND_RECORD || from->target->kind == JS_KIND_CHARSEQ);
        return is_array ? js_types_get(types, from->target->name, NULL, out) : JS_OK;
    }
    *out = from;
    return JS_OK;
}

int js_nameless_locals(js_types *types, js_truth *truth)
{
    enum { ROUNDS = 4 }; /* a variable may get its type from another one, and so on */
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
            if (status == JS_OK && type && type != version->type && js_may_be_of_type(version, type)) {
                version->type = type;
                is_new = true;
            }
        }
    }
    return JS_OK;
}
