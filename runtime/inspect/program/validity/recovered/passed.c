/* Finds the arguments of inlined code at level lines. The compiler does not describe them, but a statement
 * that calls one function once passes it what its variables hold. They hold the same while the function runs,
 * if the statement does not assign them, and the argument is the variable's value if the function does not
 * assign it. */
#include "program/validity/recovered/passed.h"

#include <string.h>

static bool is_assigned(const js_flow *flow, size_t argument)
{
    size_t defs = 0;
    for (size_t i = 0; i < flow->ndefs; i++) {
        defs += strcmp(flow->defs[i].name, flow->defs[argument].name) == 0;
    }
    return defs != 1;
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

int js_recover_passed(js_arena *arena, js_function *function, js_inline *item, const js_flow *around)
{
    js_inline *parent = item->parent ? &function->inlines[item->parent - 1] : NULL;
    js_local *locals = parent ? parent->locals : function->locals;
    size_t nlocals = parent ? parent->nlocals : function->nlocals;
    int status = JS_OK;
    for (size_t i = 0; around && item->flow && i < item->flow->npositional && status == JS_OK; i++) {
        const js_local *variable = local_of(locals, nlocals, passed_name(around, item, i));
        js_local *argument = local_of(item->locals, item->nlocals, item->flow->defs[i].name);
        if (variable && argument && variable->nversions && !is_assigned(item->flow, i)) {
            status = copy(arena, variable, argument);
        }
    }
    return status;
}
