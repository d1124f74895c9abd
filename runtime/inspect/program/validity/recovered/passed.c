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
    length -= length > 0 && !*rest && text[length - 1] == ')'; /* it ends the list */
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

/* True if the call is of the inlined function, or of this method of a class. An attribute may also be a
 * function of a module, or one that another function has made: these have no `self`. */
static bool calls(const js_pass *pass, const js_inline *item)
{
    if (pass->function[0] != '.') {
        return strcmp(pass->function, item->name) == 0;
    }
    const char *method = strrchr(item->name, '.');
    return method && strcmp(method, pass->function) == 0 && !strchr(item->name, '<') && item->flow &&
           item->flow->npositional > 0 && strcmp(item->flow->defs[0].name, "self") == 0;
}

/* Return the variable that is passed as this argument; NULL: it is none, or not known. */
static const char *passed_name(const js_flow *around, const js_inline *item, size_t argument)
{
    const char *found = NULL;
    for (size_t i = 0; i < around->npasses; i++) {
        const js_pass *pass = &around->passes[i];
        bool is_call = item->call_line >= pass->first && item->call_line <= pass->last && calls(pass, item) &&
                       pass->argument == argument;
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

/* Return the variable around the inlined code that is passed as argument i, with the inlined code's own
 * local; NULL: there is none, or the argument may be another value. */
static const js_local *passed_variable(const js_program *program, const js_function *function,
                                       const js_inline *item, const js_flow *around, size_t i,
                                       js_local **argument)
{
    const js_inline *parent = item->parent ? &function->inlines[item->parent - 1] : NULL;
    js_local *locals = parent ? parent->locals : function->locals;
    size_t nlocals = parent ? parent->nlocals : function->nlocals;
    const js_local *variable = local_of(locals, nlocals, passed_name(around, item, i));
    *argument = local_of(item->locals, item->nlocals, item->flow->defs[i].name);
    bool is_passed = variable && *argument && variable->nversions && !is_assigned(item->flow, i) &&
                     is_taken(program, function->object, item, i, variable);
    return is_passed ? variable : NULL;
}

/* True if the line of the call is of the function around it: Numba itself may have inlined one of another
 * file. */
static bool is_called_around(const js_function *function, const js_inline *item)
{
    const js_inline *parent = item->parent ? &function->inlines[item->parent - 1] : NULL;
    return item->call_file == (parent ? parent->file : function->file);
}

/* Return the next address from row *r on at which the hook has marked that the inlined code raises, and move
 * *r after it; 0: there is none. */
static uint64_t next_raise(const js_function *function, const js_inline *item, size_t *r)
{
    uint32_t scope = (uint32_t)(item - function->inlines) + 1;
    while (function->statements.rows && *r < function->lines.nall) {
        const js_row *row = &function->statements.rows[(*r)++];
        if (row->column == JS_COLUMN_RAISE && row->line &&
            js_function_is_within(function, js_function_inline_at(function, row->address), scope)) {
            return row->address;
        }
    }
    return 0;
}

/* Give the argument the variable's place at one address, in an array of spans that has room. */
static void put_at(js_local *argument, const js_variable *version, const js_range_state *from, uint64_t pc)
{
    for (size_t i = 0; i < argument->nspans; i++) {
        js_range_state *span = (js_range_state *)&argument->spans[i], old = *span;
        if (pc < old.lo || pc >= old.hi || old.state == JS_STATE_EXACT) {
            continue;
        }
        js_range_state parts[3];
        size_t count = 0;
        if (old.lo < pc) {
            parts[count] = old;
            parts[count++].hi = pc;
        }
        parts[count] = *from;
        parts[count].lo = pc;
        parts[count].hi = pc + 1;
        parts[count++].version = version;
        if (pc + 1 < old.hi) {
            parts[count] = old;
            parts[count++].lo = pc + 1;
        }
        memmove(span + count, span + 1, (argument->nspans - i - 1) * sizeof *span);
        memcpy(span, parts, count * sizeof *span);
        argument->nspans += count - 1;
        return;
    }
}

/* Give one argument the places of the variable at the addresses where the inlined code raises. */
static int copy_at_raises(js_function *function, const js_inline *item, const js_local *variable,
                          js_local *argument)
{
    js_arena *arena = &function->object->arena;
    size_t nraises = 0, count = argument->nversions + variable->nversions;
    for (size_t r = 0; next_raise(function, item, &r) != 0; nraises++) {
    }
    js_variable *own = js_arena_alloc(arena, variable->nversions * sizeof *own);
    js_variable **versions = js_arena_alloc(arena, count * sizeof *versions);
    js_range_state *spans = js_arena_alloc(arena, (argument->nspans + 2 * nraises + 1) * sizeof *spans);
    if (!own || !versions || !spans) {
        return JS_ENOMEM;
    }
    memcpy(versions, argument->versions, argument->nversions * sizeof *versions);
    for (size_t i = 0; i < variable->nversions; i++) {
        own[i] = *variable->versions[i];
        own[i].name = own[i].base = argument->name;
        own[i].line = argument->versions[0]->line;
        own[i].is_argument = true;
        versions[argument->nversions + i] = &own[i];
    }
    memcpy(spans, argument->spans, argument->nspans * sizeof *spans);
    argument->spans = spans;
    uint64_t pc;
    for (size_t r = 0; (pc = next_raise(function, item, &r)) != 0;) {
        const js_range_state *span = js_local_span(variable, pc);
        const js_variable *version =
            span && span->state == JS_STATE_EXACT ? own_version(variable, span->version, own) : NULL;
        if (version) {
            put_at(argument, version, span, pc);
        }
    }
    argument->versions = versions;
    argument->nversions = count;
    return JS_OK;
}

static int recover_each(const js_program *program, js_function *function, js_inline *item,
                        const js_flow *around, bool is_at_raises)
{
    int status = JS_OK;
    bool is_known = around && item->flow && is_called_around(function, item);
    for (size_t i = 0; is_known && i < item->flow->npositional && status == JS_OK; i++) {
        js_local *argument;
        const js_local *variable = passed_variable(program, function, item, around, i, &argument);
        if (variable && is_at_raises) {
            status = copy_at_raises(function, item, variable, argument);
        } else if (variable) {
            status = copy(&function->object->arena, variable, argument);
        }
    }
    return status;
}

int js_recover_passed(const js_program *program, js_function *function, js_inline *item,
                      const js_flow *around)
{
    return recover_each(program, function, item, around, false);
}

int js_recover_raised(const js_program *program, js_function *function, js_inline *item,
                      const js_flow *around)
{
    return recover_each(program, function, item, around, true);
}
