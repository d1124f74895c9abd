/* Finds why a variable of compiled code has no value at a pc, and the one setting that gives it one. */
#include "program/queries/reasons.h"

#include <string.h>

#include "program/model/lookup.h"
#include "program/model/numba/advice.h"
#include "program/model/object.h"

/* Why the hook does not keep a variable, which the variable's word does not say. */
typedef enum cause {
    CAUSE_UNKNOWN, /* not known: the source is not at hand */
    CAUSE_HIDDEN,
    CAUSE_LOOP,
    CAUSE_GENERATOR,
    CAUSE_AROUND,
    CAUSE_LIFTED,
    CAUSE_REMOVED,
} cause;

static js_level level_of(const js_scope *scope)
{
    return scope->item ? scope->item->level : scope->function->build.level;
}

static const js_flow *flow_of(const js_scope *scope)
{
    return scope->item ? scope->item->flow : scope->function->source.flow;
}

/* True if the function has code of these lines in an innermost loop that has no markers, or has a form
 * without markers. */
static bool has_plain_rows(const js_function *function, uint32_t first, uint32_t last)
{
    for (size_t i = 0; i < function->lines.nrows; i++) {
        const js_row *row = &function->lines.rows[i];
        bool is_plain = function->build.level == JS_LEVEL_STEPS
                            ? row->column == JS_COLUMN_PLAIN
                            : row->column == JS_COLUMN_LOOP || row->column == JS_COLUMN_ENTRY;
        if (is_plain && row->line >= first && row->line <= last) {
            return true;
        }
    }
    return false;
}

/* True if the line is in such a loop. The line need not have code of its own. */
static bool is_in_loop(const js_function *function, const js_flow *flow, uint32_t line)
{
    const js_region *innermost = NULL;
    for (size_t i = 0; i < flow->nregions; i++) {
        const js_region *loop = &flow->regions[i];
        bool is_around = loop->kind == JS_REGION_LOOP && line >= loop->first_test && line <= loop->last;
        innermost = is_around && (!innermost || loop->first >= innermost->first) ? loop : innermost;
    }
    for (size_t i = 0; innermost && i < flow->nregions; i++) {
        const js_region *loop = &flow->regions[i];
        if (loop->kind == JS_REGION_LOOP && loop != innermost && loop->first > innermost->first &&
            loop->last <= innermost->last) {
            return false;
        }
    }
    return innermost && has_plain_rows(function, innermost->first_test, innermost->last);
}

/* Count the arguments in a text such as "(int64, Tuple(int64, int64))". */
static size_t count_arguments(const char *text)
{
    size_t count = text && text[0] == '(' && text[1] != ')';
    int depth = 0;
    for (; text && *text; text++) {
        depth += *text && strchr("([{<", *text) ? 1 : *text && strchr(")]}>", *text) ? -1 : 0;
        count += *text == ',' && depth == 1 && text[1] != ')';
    }
    return count;
}

/* True for a loop that was lifted out of its function: its arguments are not the function's, but the
 * variables that the loop reads, in an order of its own. */
static bool is_piece(const js_function *function, const js_flow *flow)
{
    if (function->name.kind != JS_NAME_FUNCTION || !function->name.arguments) {
        return false;
    }
    bool differs = count_arguments(function->name.arguments) != flow->narguments;
    for (size_t i = 0; i < function->nvariables && !differs; i++) {
        const js_variable *variable = &function->variables[i];
        size_t at = variable->is_argument ? variable->position : 0;
        differs = at > 0 && (at > flow->narguments || strcmp(flow->defs[at - 1].name, variable->base) != 0);
    }
    return differs;
}

/* True if the source assigns the name in loops only. In object mode Numba compiles a loop as a function of
 * its own, which returns only variables that are read after the loop. */
static bool is_of_loops(const js_flow *flow, const char *name)
{
    bool is_assigned = false;
    for (size_t i = 0; i < flow->ndefs; i++) {
        if (strcmp(flow->defs[i].name, name) == 0) {
            is_assigned = true;
            if (!js_flow_outermost_loop(flow, flow->defs[i].line, NULL)) {
                return false;
            }
        }
    }
    return is_assigned;
}

static cause find_cause(const js_scope *scope, const js_local *local, uint64_t pc)
{
    const js_function *function = scope->function;
    const js_flow *flow = flow_of(scope);
    if (!flow || scope->item) {
        return CAUSE_UNKNOWN;
    }
    const js_row *row = js_function_line_row(function, pc);
    uint32_t call = js_function_calling_line(function, pc), line = call || !row ? call : row->line;
    if (line && js_flow_is_hidden(flow, line, local->name)) {
        return CAUSE_HIDDEN;
    }
    if (function->name.is_object_mode && is_of_loops(flow, local->name)) {
        return CAUSE_LIFTED;
    }
    for (size_t i = 0; i < flow->ndefs; i++) {
        if (strcmp(flow->defs[i].name, local->name) == 0 && is_in_loop(function, flow, flow->defs[i].line)) {
            return CAUSE_LOOP;
        }
    }
    if (function->name.kind == JS_NAME_GENERATOR_NEXT) {
        return CAUSE_GENERATOR;
    }
    return is_piece(function, flow) ? CAUSE_AROUND : CAUSE_REMOVED;
}

/* True if the body of a parallel loop, which has variables of its own, may not have assigned the variable
 * yet. Loops at level steps run with markers where the debugger was there before the code. */
static bool is_workers(const js_scope *scope, cause found)
{
    bool is_stepped = level_of(scope) == JS_LEVEL_STEPS && !scope->function->object->was_there;
    return !scope->item && scope->function->region.parent &&
           (found == CAUSE_REMOVED || found == CAUSE_UNKNOWN || (found == CAUSE_LOOP && is_stepped));
}

static const char *why_missing(const js_scope *scope, const js_local *local, uint64_t pc)
{
    bool is_steps = level_of(scope) == JS_LEVEL_STEPS;
    if (level_of(scope) < JS_LEVEL_EXACT) {
        return "the optimiser kept no copy of it";
    }
    if (scope->item && !is_steps) {
        return "its function is inlined here, and inlined code runs at full speed at level exact";
    }
    cause found = find_cause(scope, local, pc);
    if (is_workers(scope, found)) {
        return is_steps
                   ? "this worker of the parallel loop has not assigned it yet, or Numba has removed the "
                     "assignment; the value from before the loop is not passed to the loop's body"
                   : "this worker of the parallel loop has not assigned it yet, or it is assigned in an "
                     "innermost loop, which runs at full speed at level exact";
    }
    switch (found) {
    case CAUSE_HIDDEN:
        return "on this line the name is that of another function, whose code was inlined";
    case CAUSE_LOOP:
        return is_steps ? js_scope_plain_reason(scope)
                        : "it is assigned in an innermost loop, which runs at full speed at level exact";
    case CAUSE_GENERATOR:
        return "the generator does not keep it over a `yield`, or the compiler removed what assigns it";
    case CAUSE_AROUND:
        return "the function around this lifted loop assigns it, or the compiler removed what does";
    case CAUSE_LIFTED:
        return "it is assigned in a loop that Numba compiles by itself, or the compiler removed what assigns "
               "it";
    case CAUSE_REMOVED:
        return "the compiler removed what assigns it";
    case CAUSE_UNKNOWN:
        break;
    }
    if (!is_steps) {
        return "it is assigned in an innermost loop, which runs at full speed at level exact, or the "
               "compiler "
               "removed what assigns it";
    }
    return scope->function->object->was_there
               ? "the compiler removed what assigns it, or it was assigned in an innermost loop that ran at "
                 "full speed, as no debugger was there when it began"
               : "the compiler removed what assigns it";
}

const char *js_scope_plain_reason(const js_scope *scope)
{
    return scope->function->object->was_there
               ? "its loop runs at full speed, as no debugger was there when it began"
               : js_numba_plain_reason;
}

const char *js_scope_why(const js_scope *scope, const js_local *local, uint64_t pc, js_state state)
{
    switch (state) {
    case JS_STATE_EXACT:
        return "the compiler keeps it here, and it was assigned before";
    case JS_STATE_UNASSIGNED:
        return "no statement on the way here has assigned it yet";
    case JS_STATE_OPTIMIZED_OUT:
        return why_missing(scope, local, pc);
    case JS_STATE_UNKNOWN:
        break;
    }
    return "the compiler's description cannot be trusted here";
}

/* True for a variable of a closure that Numba has inlined, which no level keeps. */
static bool is_inlined_absentee(const js_scope *scope, const js_local *local)
{
    const js_variable *first = local->versions[0];
    return first->is_within && first->is_absent && !scope->item;
}

/* True if no setting makes the variable exact, in code compiled with the hook. */
static bool is_past_help(const js_scope *scope, const js_local *local, uint64_t pc)
{
    cause found = find_cause(scope, local, pc);
    return is_inlined_absentee(scope, local) || found == CAUSE_HIDDEN || found == CAUSE_GENERATOR ||
           found == CAUSE_AROUND || found == CAUSE_LIFTED ||
           (found == CAUSE_REMOVED && level_of(scope) == JS_LEVEL_STEPS && !is_workers(scope, found));
}

/* True if level steps alone does not keep the variable: its loop may run at full speed before a debugger
 * comes. */
static bool needs_stepped_loops(const js_scope *scope, const js_local *local, uint64_t pc)
{
    if (!local || scope->item || level_of(scope) != JS_LEVEL_EXACT || !scope->function->object->was_there) {
        return false;
    }
    cause found = find_cause(scope, local, pc);
    return found == CAUSE_LOOP || found == CAUSE_UNKNOWN;
}

void js_scope_advise(const js_scope *scope, const js_local *local, uint64_t pc, js_text *out)
{
    js_level level = level_of(scope);
    const js_function *named =
        scope->function->region.parent ? scope->function->region.parent : scope->function;
    if (level >= JS_LEVEL_EXACT && local && is_past_help(scope, local, pc)) {
        return;
    }
    bool is_asked = level == JS_LEVEL_EXACT ||
                    (level < JS_LEVEL_EXACT && scope->function->build.chosen_by == JS_BY_FASTMATH);
    if (is_asked) {
        const js_flow *flow = flow_of(scope);
        js_chooser by = scope->item ? scope->item->chosen_by : scope->function->build.chosen_by;
        js_numba_advise_steps(out, by, scope->item ? "" : named->name.module,
                              scope->item ? scope->item->name : named->name.qualname,
                              flow ? flow->asks : JS_ASKS_DECORATOR);
        if (needs_stepped_loops(scope, local, pc)) {
            js_text_put(out, by == JS_BY_DEFAULT ? js_numba_advice_loops_too : js_numba_advice_loops_alone);
        }
    } else if (level == JS_LEVEL_STEPS && local && is_workers(scope, find_cause(scope, local, pc))) {
        js_text_put(out, "look at it in the thread that waits for the loop: `jit bt`");
    } else if (level == JS_LEVEL_STEPS && scope->function->object->was_there) {
        js_text_put(out, js_numba_advice_loops);
    } else if (level == JS_LEVEL_LINES) {
        js_text_put(out, js_numba_advice_described);
    } else if (level < JS_LEVEL_EXACT && scope->function->object->advice &&
               !(local && is_inlined_absentee(scope, local))) {
        js_text_put(out, scope->function->build.has_homes ? js_numba_advice_cleared
                                                          : scope->function->object->advice);
    }
}
