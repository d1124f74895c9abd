/* Finds names that the source assigns and no described variable has, and lists them. */
#include "program/validity/variables/undescribed_variables.h"

#include <string.h>

#include "program/model/object.h"
#include "program/names/numba/legal_names.h"
#include "program/validity/variables/loop_indices.h"

const char js_absent_not_within[] = "of a function that is inlined here, and does not run";
static const char reason[] = "the compiler left nothing of it";
static const char nameless_reason[] =
    "it is a lambda's or a comprehension's, whose variables are not followed";

/* The function, kernel or inlined code whose variables are looked at. */
typedef struct scope {
    const js_flow *flow;
    const js_variable *variables; /* the variables that the compiler describes */
    size_t count;
    bool is_kernel;        /* a kernel, which has the variables of its loop */
    bool has_own;          /* all variables of the function itself are described */
    const js_region *loop; /* the kernel's loop; NULL: the source has none */
    const js_row *rows;    /* rows of the function's code; none: nested functions are not looked at */
    size_t nrows;
} scope;

/* A variable that the compiler does not describe; a search begins with all members 0. */
typedef struct absentee {
    size_t next; /* where the search goes on: an index into the definitions, and then into flow->within */
    const char *name;
    const char *reason; /* NULL: the reason of any variable without a value */
    uint32_t line;
    uint32_t last; /* last line of the nested function */
    bool is_argument;
    bool is_within; /* it belongs to a nested function, which the compiler has inlined */
} absentee;

static scope scope_of(const js_function *function, const js_flow *flow)
{
    return (scope){.flow = flow,
                   .variables = function->variables,
                   .count = function->nvariables,
                   .is_kernel = function->region.parent != NULL,
                   .loop = function->region.parent ? js_flow_loop(flow, function->region.line) : NULL,
                   .rows = function->lines.rows,
                   .nrows = function->lines.nrows};
}

static bool is_described(const scope *in, const char *name)
{
    for (size_t i = 0; i < in->count; i++) {
        const js_variable *variable = &in->variables[i];
        bool is_inner = !variable->is_argument && js_flow_is_inner(in->flow, variable->line, variable->base);
        if (!is_inner && (strcmp(variable->base, name) == 0 ||
                          (in->is_kernel && js_numba_legal_is(variable->name, name)))) {
            return true;
        }
    }
    return false;
}

static bool is_inside(const scope *in, const js_flow_def *def)
{
    return !in->is_kernel || (in->loop && def->line >= in->loop->first_test && def->line <= in->loop->last);
}

/* True for the first definition, in the scope, of a name that the compiler does not describe. */
static bool is_missing_def(const scope *in, const js_flow_def *def)
{
    if (in->has_own || !is_inside(in, def) || is_described(in, def->name)) {
        return false;
    }
    for (const js_flow_def *before = in->flow->defs; before < def; before++) {
        if (is_inside(in, before) && strcmp(before->name, def->name) == 0) {
            return false;
        }
    }
    return true;
}

static bool is_argument(const scope *in, const js_flow_def *def)
{
    return !in->is_kernel && (size_t)(def - in->flow->defs) < in->flow->narguments;
}

/* True if the scope has code of the nested function. Code on the first of several lines may make the nested
 * function instead, except in a kernel whose loop does not make it. */
static bool is_inlined(const scope *in, const js_flow_within *within)
{
    const js_region *loop = in->is_kernel ? in->loop : NULL;
    bool is_made_outside = loop && (within->first < loop->first_test || within->first > loop->last);
    bool is_any = is_made_outside || within->first == within->last;
    uint32_t first = is_any ? within->first : within->first + 1;
    bool is_found = false;
    for (size_t i = 0; i < in->nrows && !is_found; i++) {
        is_found = in->rows[i].line >= first && in->rows[i].line <= within->last;
    }
    return is_found;
}

/* True for the first variable of its name, in nested functions, that the compiler does not describe. If the
 * function itself has a variable of the name, that is listed instead. */
static bool is_missing_within(const scope *in, const js_flow_within *within)
{
    if (!is_inlined(in, within) || is_described(in, within->name) ||
        js_flow_has_name(in->flow, within->name)) {
        return false;
    }
    for (size_t i = 0; i < in->count; i++) {
        if (js_numba_is_inlined_name(in->variables[i].base, within->function, within->name)) {
            return false;
        }
    }
    for (const js_flow_within *before = in->flow->within; before < within; before++) {
        if (strcmp(before->name, within->name) == 0 && is_inlined(in, before)) {
            return false;
        }
    }
    return true;
}

/* Find the next undescribed variable; false: there is none. */
static bool next_missing(const scope *in, absentee *out)
{
    const js_flow *flow = in->flow;
    for (; out->next < flow->ndefs; out->next++) {
        const js_flow_def *def = &flow->defs[out->next];
        if (is_missing_def(in, def)) {
            *out = (absentee){.next = out->next + 1,
                              .name = def->name,
                              .line = def->line,
                              .is_argument = is_argument(in, def)};
            return true;
        }
    }
    for (; out->next < flow->ndefs + flow->nwithin; out->next++) {
        const js_flow_within *within = &flow->within[out->next - flow->ndefs];
        if (is_missing_within(in, within)) {
            *out = (absentee){.next = out->next + 1,
                              .name = within->name,
                              .reason = within->function[0] == '<' ? nameless_reason : NULL,
                              .line = within->first,
                              .last = within->last,
                              .is_within = true};
            return true;
        }
    }
    return false;
}

static size_t count_missing(const scope *in)
{
    absentee each = {0};
    size_t count = 0;
    while (next_missing(in, &each)) {
        count++;
    }
    return count;
}

/* GDB sees a number, because it writes `...` for a structure in the line of a frame; no other number has this
 * size. */
const js_type js_absent_type = {
    .name = "unknown", .shape = JS_SHAPE_INT, .kind = JS_KIND_OPAQUE, .size = 16, .align = 1};

static int make_variable(js_arena *arena, const absentee *one, js_variable *out)
{
    char *name = js_arena_strdup(arena, one->name);
    *out = (js_variable){.name = name,
                         .base = name,
                         .line = one->line,
                         .type = &js_absent_type,
                         .is_within = one->is_within,
                         .is_absent = true};
    return name ? JS_OK : JS_ENOMEM;
}

/* Return the position of an argument in the source; the number of arguments: it is none. */
static size_t position(const js_flow *flow, const js_local *local)
{
    size_t at = 0;
    while (at < flow->narguments && strcmp(flow->defs[at].name, local->name) != 0) {
        at++;
    }
    return at;
}

/* Put the arguments in the source's order, because a frame shows them in the order of its locals. */
static void order_arguments(const js_flow *flow, js_local *locals, size_t count)
{
    for (size_t i = 1; i < count; i++) {
        js_local local = locals[i];
        size_t at = i, own = position(flow, &local);
        for (; at > 0 && local.is_argument && position(flow, &locals[at - 1]) > own; at--) {
            locals[at] = locals[at - 1];
        }
        locals[at] = local;
    }
}

/* ---- stock code ---- */

int js_absent_add_to_function(js_truth *truth)
{
    js_function *function = truth->function;
    bool is_code = function->name.kind == JS_NAME_FUNCTION || function->name.kind == JS_NAME_GENERATOR_NEXT;
    if (!truth->flow || (!is_code && !function->region.parent)) {
        return JS_OK;
    }
    const scope in = scope_of(function, truth->flow);
    bool is_whole = js_truth_is_kept_whole(function);
    size_t count = count_missing(&in), used = in.count;
    if (count == 0) {
        return JS_OK;
    }
    js_variable *all = js_arena_alloc(truth->arena, (used + count) * sizeof(*all));
    if (!all) {
        return JS_ENOMEM;
    }
    if (used) {
        memcpy(all, in.variables, used * sizeof(*all));
    }
    for (absentee each = {0}; next_missing(&in, &each);) {
        int status = make_variable(truth->arena, &each, &all[used]);
        if (status != JS_OK) {
            return status;
        }
        all[used++].is_whole = is_whole;
    }
    function->variables = all;
    function->nvariables = used;
    return JS_OK;
}

void js_absent_mark_arguments(js_truth *truth)
{
    const js_function *function = truth->function;
    size_t found = 0;
    for (size_t i = 0; truth->flow && !function->region.parent && i < function->nlocals; i++) {
        js_local *local = &function->locals[i];
        if (local->versions[0]->is_absent && position(truth->flow, local) < truth->flow->narguments) {
            local->is_argument = true;
            found++;
        }
    }
    if (found) {
        order_arguments(truth->flow, function->locals, function->nlocals);
    }
}

/* True for a variable of a function that has no name. */
static bool is_of_nameless(const js_flow *flow, const js_variable *variable)
{
    bool is_found = false;
    for (size_t i = 0; flow && variable->is_within && i < flow->nwithin && !is_found; i++) {
        const js_flow_within *within = &flow->within[i];
        is_found = within->function[0] == '<' && within->first == variable->line &&
                   strcmp(within->name, variable->base) == 0;
    }
    return is_found;
}

void js_absent_judge(const js_truth *truth, const js_local *local, const js_flow_at *fact, bool is_in_order,
                     js_verdict *out)
{
    const js_variable *variable = local->versions[0];
    bool is_unassigned = fact && fact->ndefs == 0 && is_in_order && !variable->is_within;
    const char *why = is_of_nameless(truth->flow, variable) ? nameless_reason : reason;
    out->state = is_unassigned ? JS_STATE_UNASSIGNED : JS_STATE_OPTIMIZED_OUT;
    out->version = is_unassigned ? NULL : variable;
    out->reason = is_unassigned ? NULL : why;
}

/* ---- code compiled with the hook ---- */

/* Fill `out` with the spans of an undescribed variable, and return their number; there is room for one more
 * than the function has rows. A variable of a nested function is unassigned on lines outside of that
 * function. */
static size_t put_spans(const scope *in, const js_function *function, const absentee *one,
                        const js_variable *version, js_range_state *out)
{
    const char *why = in->is_kernel ? reason : NULL;
    js_range_state there = {.lo = function->lo,
                            .hi = function->hi,
                            .state = JS_STATE_OPTIMIZED_OUT,
                            .version = version,
                            .reason = one->reason ? one->reason : why};
    js_range_state outside = {
        .lo = function->lo, .hi = function->hi, .state = JS_STATE_UNASSIGNED, .reason = js_absent_not_within};
    bool is_split = one->is_within && in->nrows > 0;
    size_t count = 1;
    out[0] = is_split ? outside : there;
    for (size_t i = 0; i < in->nrows && is_split; i++) {
        const js_row *row = &in->rows[i];
        js_range_state *current = &out[count - 1];
        bool is_there = row->line >= one->line && row->line <= one->last;
        if (row->line == 0 || row->address >= current->hi ||
            is_there == (current->state == JS_STATE_OPTIMIZED_OUT)) {
            continue;
        }
        if (row->address > current->lo) {
            current->hi = row->address;
            current = &out[count++];
        }
        uint64_t lo = row->address > function->lo ? row->address : function->lo;
        *current = is_there ? there : outside;
        current->lo = lo;
    }
    return count;
}

static int add_locals(js_object *object, const js_function *function, const scope *in, js_local **locals,
                      size_t *nlocals)
{
    js_arena *arena = &object->arena;
    size_t missing = count_missing(in), count = *nlocals;
    if (missing == 0) {
        return JS_OK;
    }
    js_local *all = js_arena_alloc(arena, (count + missing) * sizeof(*all));
    js_variable *variables = js_arena_alloc(arena, missing * sizeof(*variables));
    js_variable **versions = js_arena_alloc(arena, missing * sizeof(js_variable *));
    js_range_state *spans = js_arena_alloc(arena, missing * (in->nrows + 1) * sizeof(*spans));
    if (!all || !variables || !versions || !spans) {
        return JS_ENOMEM;
    }
    if (count) {
        memcpy(all, *locals, count * sizeof(*all));
    }
    for (absentee each = {0}; next_missing(in, &each);) {
        int status = make_variable(arena, &each, variables);
        if (status != JS_OK) {
            return status;
        }
        variables->is_argument = each.is_argument;
        *versions = variables;
        size_t nspans = put_spans(in, function, &each, variables, spans);
        all[count++] = (js_local){.name = variables->base,
                                  .is_argument = variables->is_argument,
                                  .versions = versions++,
                                  .nversions = 1,
                                  .spans = spans,
                                  .nspans = nspans};
        spans += in->nrows + 1;
        variables++;
    }
    *locals = all;
    *nlocals = count;
    if (!in->is_kernel) {
        order_arguments(in->flow, all, count);
    }
    return JS_OK;
}

int js_absent_of_kernel(js_object *object, js_function *kernel, const js_flow *flow)
{
    const scope in = scope_of(kernel, flow);
    return add_locals(object, kernel, &in, &kernel->locals, &kernel->nlocals);
}

int js_absent_of_function(js_object *object, js_function *function, const js_flow *flow)
{
    scope in = scope_of(function, flow);
    in.has_own = true;
    return add_locals(object, function, &in, &function->locals, &function->nlocals);
}

int js_absent_of_inlined(js_object *object, const js_function *function, js_inline *item, const js_flow *flow)
{
    const scope in = {.flow = flow, .variables = item->variables, .count = item->nvariables};
    return add_locals(object, function, &in, &item->locals, &item->nlocals);
}
