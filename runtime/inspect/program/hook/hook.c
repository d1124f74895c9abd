/* Fills the variables and statements of a function that was compiled with the hook, by calling the other
 * files of hook/. */
#include "program/hook/hook.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "program/model/lookup.h"
#include "program/model/object.h"

/* ---- variables ---- */

/* The gaps that are not put yet. */
typedef struct gap_cursor {
    const js_hook_gap *next, *end;
} gap_cursor;

/* Append spans for the addresses [lo, hi) between two valid ranges: one with the reason of each gap, and
 * spans like `nothing` for addresses that no gap covers. */
static void put_gaps(js_local *local, js_range_state *spans, const js_range_state *nothing, gap_cursor *gaps,
                     uint64_t lo, uint64_t hi)
{
    while (lo < hi) {
        js_range_state *span = &spans[local->nspans++];
        bool has_gap = gaps->next < gaps->end && gaps->next->lo < hi;
        uint64_t begin = has_gap ? gaps->next->lo : hi;
        *span = *nothing;
        span->lo = lo;
        span->hi = begin > lo ? begin : gaps->next->hi < hi ? gaps->next->hi : hi;
        if (begin <= lo) {
            span->reason = gaps->next++->reason;
        }
        lo = span->hi;
    }
}

static int add_spans(js_object *object, const js_function *function, js_local *local,
                     const js_hook_ranges *valid)
{
    js_variable *variable = local->versions[0];
    js_range_state nothing = {.state = variable->slot ? JS_STATE_UNKNOWN : JS_STATE_OPTIMIZED_OUT,
                              .version = variable,
                              .reason = variable->slot ? js_hook_not_begun : NULL};
    size_t count = variable->slot ? valid->count : 0, ngaps = variable->slot ? valid->ngaps : 0;
    gap_cursor gaps = {valid->gaps, ngaps ? valid->gaps + ngaps : valid->gaps};
    js_range_state *spans = js_arena_alloc(&object->arena, (2 * (count + ngaps) + 1) * sizeof(*spans));
    js_range_state exact = {.state = JS_STATE_EXACT, .version = variable};
    if (variable->slot) {
        exact.expr = js_area_location(&object->arena, variable->slot, &exact.size);
    }
    if (!spans || (variable->slot && !exact.expr)) {
        return JS_ENOMEM;
    }
    uint64_t at = function->lo;
    for (size_t i = 0; i < count; i++) {
        exact.lo = valid->ranges[2 * i];
        exact.hi = valid->ranges[2 * i + 1];
        put_gaps(local, spans, &nothing, &gaps, at, exact.lo);
        spans[local->nspans++] = exact;
        at = exact.hi;
    }
    put_gaps(local, spans, &nothing, &gaps, at, function->hi);
    local->spans = spans;
    return JS_OK;
}

/* The variables of a function, or of code that was inlined into it. */
typedef struct variables_of {
    uint32_t scope; /* 1 + index of the inlined code; 0: the function */
    js_variable *variables;
    size_t count;
} variables_of;

/* Make the locals of one scope, whose variables all lie in one area. `valid` receives where that is valid. */
static int add_locals(js_object *object, js_hook_code *code, const js_function *function,
                      const variables_of *of, js_local **locals, js_hook_ranges *valid)
{
    const js_area_slot *slot = NULL;
    js_variable *variables = of->variables;
    size_t count = of->count;
    *locals = js_arena_alloc(&object->arena, (count + 1) * sizeof(**locals));
    if (!*locals) {
        return JS_ENOMEM;
    }
    for (size_t i = 0; i < count; i++) {
        if (variables[i].is_whole && variables[i].nlocations > 0) {
            int status = js_area_read(&object->arena, variables[i].locations[0].expr,
                                      variables[i].locations[0].size, (js_area_slot **)&variables[i].slot);
            if (status != JS_OK) {
                return status;
            }
        }
        slot = slot ? slot : variables[i].slot;
    }
    int status =
        js_hook_ranges_find(code, of->scope, slot ? slot->base : NULL, slot ? slot->base_size : 0, valid);
    for (size_t i = 0; i < count && status == JS_OK; i++) {
        js_local *local = &(*locals)[i];
        if (variables[i].slot && *variables[i].slot->base != *slot->base) {
            variables[i].slot = NULL; /* it is addressed from another register */
        }
        *local = (js_local){.name = variables[i].base, .is_argument = variables[i].is_argument};
        local->versions = js_arena_alloc(&object->arena, sizeof(*local->versions));
        if (!local->versions) {
            return JS_ENOMEM;
        }
        local->versions[0] = &variables[i];
        local->nversions = 1;
        status = add_spans(object, function, local, valid);
    }
    return status;
}

/* Split and reorder the ranges so that the first begins at `first`, a marker: a debugger stops there for a
 * breakpoint at the inlined function. */
static int start_at_marker(js_object *object, js_inline *item, uint64_t first)
{
    size_t at = 0;
    while (at < item->nranges && (first < item->ranges[2 * at] || first >= item->ranges[2 * at + 1])) {
        at++;
    }
    if (at == item->nranges) {
        return JS_OK;
    }
    uint64_t *ranges = js_arena_alloc(&object->arena, 2 * (item->nranges + 1) * sizeof(*ranges));
    size_t count = 0;
    if (!ranges) {
        return JS_ENOMEM;
    }
    ranges[count++] = first;
    ranges[count++] = item->ranges[2 * at + 1];
    for (size_t i = 0; i < item->nranges; i++) {
        uint64_t hi = i == at ? first : item->ranges[2 * i + 1];
        if (item->ranges[2 * i] < hi) {
            ranges[count++] = item->ranges[2 * i];
            ranges[count++] = hi;
        }
    }
    item->ranges = ranges;
    item->nranges = count / 2;
    return JS_OK;
}

int js_hook_enter_at_top(js_object *object, const js_function *function, uint32_t scope)
{
    const js_row *top = NULL;
    for (size_t i = 0; i < function->lines.nall; i++) {
        const js_row *row = &function->lines.all[i];
        if (row->column == JS_COLUMN_MARKER && (!top || row->line < top->line) &&
            js_function_inline_at(function, row->address) == scope) {
            top = row;
        }
    }
    return top ? start_at_marker(object, &function->inlines[scope - 1], top->address) : JS_OK;
}

int js_hook_function(js_object *object, js_function *function)
{
    js_hook_code *code;
    js_hook_ranges own = {0}, valid = {0};
    int status = js_hook_code_create(object, function, &code);
    if (status != JS_OK) {
        return status;
    }
    for (uint32_t i = 0; i < function->ninlines && function->build.level == JS_LEVEL_EXACT; i++) {
        js_hook_ranges_claim(code, function, &function->inlines[i]);
    }
    status = js_hook_skip_checks(code, function);
    status = status == JS_OK ? js_hook_inline_entries(code, function) : status;
    status = status == JS_OK ? js_hook_inline_holes(code, function) : status;
    variables_of whole = {0, function->variables, function->nvariables};
    if (status == JS_OK) {
        status = add_locals(object, code, function, &whole, &function->locals, &own);
    }
    function->nlocals = status == JS_OK ? function->nvariables : 0;
    js_hook_paths ways = {0};
    if (status == JS_OK) {
        status = js_hook_paths_find(code, &ways);
    }
    if (status == JS_OK) {
        status = js_hook_statements(&ways, function, &own);
    }
    if (status == JS_OK) {
        status = js_hook_jumped(code, &ways, function);
    }
    if (status == JS_OK) {
        status = js_hook_moved(code, function);
    }
    for (uint32_t i = 0; i < function->ninlines && status == JS_OK; i++) {
        js_inline *item = &function->inlines[i];
        variables_of inlined = {i + 1, item->variables, item->nvariables};
        status = add_locals(object, code, function, &inlined, &item->locals, &valid);
        item->nlocals = status == JS_OK ? item->nvariables : 0;
        item->first = valid.first;
        if (status == JS_OK && !item->first && function->build.level == JS_LEVEL_EXACT) {
            status = js_hook_inlined(object, code, i + 1, &own, item);
        }
    }
    /* the ranges change only here, as the code above searches inlined code by its ranges */
    for (uint32_t i = 0; i < function->ninlines && status == JS_OK; i++) {
        js_inline *item = &function->inlines[i];
        if (item->first) {
            status = start_at_marker(object, item, item->first);
        }
        if (status == JS_OK) {
            js_hook_ranges_widen(code, item);
        }
    }
    js_hook_code_destroy(code);
    return status;
}

size_t js_hook_plain_length(const char *name)
{
    static const char plain[] = ".plain";
    size_t length = name ? strlen(name) : 0, own = sizeof(plain) - 1;
    return length > own && strcmp(name + length - own, plain) == 0 ? own : 0;
}

bool js_hook_is_plain(const char *name)
{
    return js_hook_plain_length(name) > 0;
}
