/* Finds where statements begin in inlined code that has no markers: applies rules 1, 5, 6 and 7 of rows.c to
 * each inlined call by itself, and then validity/moved/rows.c. In a loop it applies only rule 7, within a
 * block. */
#include <stdlib.h>

#include "program/machine/relocated_calls.h"
#include "program/model/lookup.h"
#include "program/model/object.h"
#include "program/validity/moved/rows.h"
#include "program/validity/statements/rows_lines.h"

enum { INLINED_SCRATCH = 512 << 20, INLINED_LOOKS = 50000000 };

/* True if the call is in a loop, or in code that is inlined in one: iterations cannot be distinguished there.
 */
static bool is_in_loop(const js_function *function, const js_inline *item)
{
    bool found = false;
    while (item && !found) {
        const js_inline *parent = item->parent ? &function->inlines[item->parent - 1] : NULL;
        const js_flow *flow = parent ? parent->flow : function->source.flow;
        found = !flow || js_flow_outermost_loop(flow, item->call_line, NULL);
        item = parent;
    }
    return found;
}

static bool is_asked(const js_inline *item)
{
    return item->flow && !item->first && item->nranges && item->flow->last_line >= item->flow->first_line;
}

/* Let the first statement of inlined code begin at its entry if that is code that was moved: a breakpoint at
 * the function stops there. */
static void enter_at_first(js_rows *rows, size_t entry)
{
    js_row *it = &rows->rows[entry];
    size_t next = entry + 1;
    while (next < rows->nrows && !js_rows_is_judged(rows, next)) {
        next++;
    }
    if (next < rows->nrows && js_rows_block(rows, next) == js_rows_block(rows, entry) &&
        !js_rows_effect_between(rows, it->address, rows->rows[next].address)) {
        it->line = rows->rows[next].line;
        rows->rows[next].is_stmt = false;
    }
    it->is_stmt = true;
}

static int order(js_truth *truth, uint32_t number, bool in_loop)
{
    js_function *function = truth->function;
    const js_inline *item = &function->inlines[number - 1];
    js_rows rows;
    int status = js_rows_init(&rows, truth, number);
    if (status == JS_OK && !in_loop) {
        js_rows_drop_predicated(&rows);
        status = js_rows_drop_early(&rows);
        status = status == JS_OK ? js_rows_order(&rows) : status;
    }
    status = status == JS_OK ? js_rows_drop_moved(&rows, in_loop) : status;
    for (size_t i = 0; i < rows.nrows && status == JS_OK; i++) {
        js_row *row = &function->lines.all[i];
        bool is_entry = row->address == item->ranges[0];
        if (!rows.judged[i] || row->prologue_end) {
            continue;
        }
        if (is_entry) { /* the entry of the inlined code does not move */
            rows.rows[i].address = row->address;
            if (!rows.rows[i].is_stmt) {
                enter_at_first(&rows, i);
            }
        }
        *row = rows.rows[i];
        if (function->statements.rows) { /* they have equal indices, and some begin no statement */
            row = &function->statements.rows[i];
            row->address = rows.rows[i].address;
            row->line = is_entry ? rows.rows[i].line : row->line;
            row->is_stmt = row->is_stmt && rows.rows[i].is_stmt;
        }
    }
    return status;
}

static int clean(js_truth *truth, uint32_t number)
{
    js_function *function = truth->function;
    const js_inline *item = &function->inlines[number - 1];
    truth->flow = item->flow;
    int status = order(truth, number, is_in_loop(function, item));
    js_moved moved = {truth->object, function, item->flow, &truth->machine.track, &truth->scratch, number};
    return status == JS_OK ? js_rows_find_moved(&moved, NULL) : status;
}

static int follow(js_truth *truth)
{
    js_function linked = *truth->function;
    int status = js_reference_code(&truth->scratch, truth->object, &linked);
    if (status == JS_OK) {
        status = js_code_init(&truth->machine.code, &truth->scratch, truth->object->machine, &linked);
    }
    if (status == JS_OK) {
        status = js_track_init(&truth->machine.track, &truth->scratch, &truth->machine.code);
    }
    if (status == JS_OK) {
        status = js_code_cycles(&truth->machine.code, &truth->scratch, &truth->insns.is_cyclic);
    }
    return status;
}

int js_rows_clean_inlined(js_object *object, js_function *function)
{
    bool is_any = false;
    for (uint32_t i = 0; i < function->ninlines && !is_any; i++) {
        is_any = is_asked(&function->inlines[i]);
    }
    if (!is_any || !function->code || function->lines.nall == 0 ||
        function->lines.nall > INLINED_LOOKS / (function->ninlines * function->ninlines + 1)) {
        return JS_OK;
    }
    js_truth *truth = calloc(1, sizeof(*truth));
    if (!truth) {
        return JS_ENOMEM;
    }
    truth->arena = &object->arena;
    truth->object = object;
    truth->function = function;
    js_arena_init(&truth->scratch, INLINED_SCRATCH);
    int status = follow(truth);
    for (uint32_t i = 0; i < function->ninlines && status == JS_OK; i++) {
        if (is_asked(&function->inlines[i])) {
            status = clean(truth, i + 1);
        }
    }
    js_arena_deinit(&truth->scratch);
    free(truth);
    return status == JS_ENOMEM ? status : JS_OK;
}
