/* Finds the arguments of inlined code at level lines. The compiler does not describe them, but a statement
 * that calls one function once passes it what its variables hold. They hold the same while the function runs,
 * if the statement does not assign them, and the argument is the variable's value if the function does not
 * assign it. A call may convert what it passes, and a ufunc passes the elements of an array: so each version
 * of the function that was compiled has to take the variable's type. */
#include "program/validity/recovered/passed.h"

#include <string.h>

#include "program/model/lookup.h"
#include "program/model/object.h"
#include "program/read/argument_types.h"

static bool is_assigned(const js_flow *flow, size_t argument)
{
    size_t defs = 0;
    for (size_t i = 0; i < flow->ndefs; i++) {
        defs += strcmp(flow->defs[i].name, flow->defs[argument].name) == 0;
    }
    return defs != 1;
}

/* True if the function's argument has the type of each version of the variable. */
static bool takes(const js_function *function, size_t argument, const js_local *variable)
{
    const char *text = function->name.arguments;
    const char *rest = *text == '(' ? text + 1 : text;
    size_t length = 0;
    for (size_t i = 0; i <= argument; i++) {
        text = rest;
        length = *text ? js_first_argument(text, &rest) : 0;
    }
    bool is_same = length > 0;
    for (size_t i = 0; i < variable->nversions && is_same; i++) {
        const char *name = variable->versions[i]->type ? variable->versions[i]->type->name : NULL;
        is_same = name && strlen(name) == length && strncmp(name, text, length) == 0;
    }
    return is_same;
}

/* True if the inlined function was compiled by itself, too, and each time takes the variable as it is. */
static bool is_taken(const js_program *program, const js_object *object, const js_inline *item,
                     size_t argument, const js_local *variable)
{
    bool found = false;
    for (size_t o = 0; o < program->nobjects; o++) {
        const js_object *other = program->objects[o];
        for (size_t i = 0; other && i < other->nfunctions; i++) {
            const js_function *function = &other->functions[i];
            bool is_own =
                function->has_debug_info && function->line == item->line &&
                js_name_kind_is_written(function->name.kind) &&
                strcmp(function->source_name, item->name) == 0 &&
                strcmp(js_object_path(other, function->file), js_object_path(object, item->file)) == 0;
            if (is_own && !takes(function, argument, variable)) {
                return false;
            }
            found = found || is_own;
        }
    }
    return found;
}

/* Return the variable that is passed as this argument; NULL: it is none, or not known. */
static const char *passed_name(const js_flow *around, const js_inline *item, size_t argument)
{
    const char *found = NULL;
    for (size_t i = 0; i < around->npasses; i++) {
        const js_pass *pass = &around->passes[i];
        bool is_call = item->call_line >= pass->first && item->call_line <= pass->last &&
                       strcmp(pass->function, item->name) == 0 && pass->argument == argument;
        if (is_call && found && strcmp(found, pass->name)) {
            return NULL;
        }
        found = is_call ? pass->name : found;
    }
    return found;
}

static js_local *local_of(js_local *locals, size_t count, const char *name)
{
    for (size_t i = 0; name && i < count; i++) {
        if (strcmp(locals[i].name, name) == 0) {
            return &locals[i];
        }
    }
    return NULL;
}

/* Return the argument's own description of a version of the variable; NULL: there is none. */
static const js_variable *own_version(const js_local *variable, const js_variable *version,
                                      const js_variable *own)
{
    for (size_t i = 0; i < variable->nversions; i++) {
        if (variable->versions[i] == version) {
            return &own[i];
        }
    }
    return NULL;
}

static int copy(js_arena *arena, const js_local *variable, js_local *argument)
{
    const js_variable *absent = argument->versions[0];
    js_variable *own = js_arena_alloc(arena, variable->nversions * sizeof *own);
    js_variable **versions = js_arena_alloc(arena, variable->nversions * sizeof *versions);
    js_range_state *spans = js_arena_alloc(arena, (variable->nspans + 1) * sizeof *spans);
    if (!own || !versions || !spans) {
        return JS_ENOMEM;
    }
    for (size_t i = 0; i < variable->nversions; i++) {
        own[i] = *variable->versions[i];
        own[i].name = own[i].base = argument->name;
        own[i].line = absent->line;
        own[i].is_argument = true;
        versions[i] = &own[i];
    }
    for (size_t i = 0; i < variable->nspans; i++) {
        const js_range_state *span = &variable->spans[i];
        const js_variable *version = own_version(variable, span->version, own);
        if (span->state == JS_STATE_EXACT && version) {
            spans[i] = *span;
            spans[i].version = version;
        } else {
            spans[i] = (js_range_state){
                .lo = span->lo, .hi = span->hi, .state = JS_STATE_OPTIMIZED_OUT, .version = own};
        }
    }
    argument->versions = versions;
    argument->nversions = variable->nversions;
    argument->spans = spans;
    argument->nspans = variable->nspans;
    return JS_OK;
}

int js_recover_passed(const js_program *program, js_function *function, js_inline *item,
                      const js_flow *around)
{
    js_inline *parent = item->parent ? &function->inlines[item->parent - 1] : NULL;
    if (item->call_file != (parent ? parent->file : function->file)) {
        return JS_OK; /* the line is of a function of another file, which Numba itself has inlined */
    }
    js_local *locals = parent ? parent->locals : function->locals;
    size_t nlocals = parent ? parent->nlocals : function->nlocals;
    int status = JS_OK;
    for (size_t i = 0; around && item->flow && i < item->flow->npositional && status == JS_OK; i++) {
        const js_local *variable = local_of(locals, nlocals, passed_name(around, item, i));
        js_local *argument = local_of(item->locals, item->nlocals, item->flow->defs[i].name);
        if (variable && argument && variable->nversions && !is_assigned(item->flow, i) &&
            is_taken(program, function->object, item, i, variable)) {
            status = copy(&function->object->arena, variable, argument);
        }
    }
    return status;
}
