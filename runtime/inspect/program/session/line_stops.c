/* Finds how often a breakpoint at a line of the source stops, and why not each time that the line runs. */
#include "program/session/line_stops.h"

#include <inttypes.h>
#include <string.h>

#include "program/hook/hook.h"
#include "program/machine/line_loops.h"
#include "program/model/callees.h"
#include "program/model/lookup.h"
#include "program/model/numba/advice.h"
#include "program/model/object.h"
#include "program/queries/reasons.h"
#include "program/session/asked_flows.h"
#include "program/session/program.h"

enum { LINE_PLACES = 4096 };

typedef struct found {
    const js_function *function;
    uint32_t scope;      /* 1 + index of the inlined code that the line is in; 0: the function's own */
    uint32_t iterations; /* iterations of a loop that one pass through the line's code covers, at most */
    uint32_t places;     /* number of addresses at which the line begins */
    bool is_marked;      /* each place is a marker */
    bool goes_on;        /* is_marked, and the line of one marker runs again without a marker */
    bool is_unkept;      /* a place is in a loop that keeps no variables */
    bool is_packed, is_strided, is_repeated;
} found;

typedef enum line_state {
    LINE_GONE,
    LINE_LIFTED, /* the line may be in a loop that will be compiled as a function of its own */
    LINE_VECTORISED,
    LINE_UNROLLED,
    LINE_STRIDED,  /* several elements of an array in one iteration of a loop */
    LINE_REPEATED, /* several places in one iteration of a loop */
    LINE_ENTERED,  /* a breakpoint stops only where the line's loop begins */
    LINE_MARKED,
    LINE_UNKEPT, /* the line is in a loop that keeps no variables */
    LINE_THERE,
} line_state;

static const char *const state_texts[] = {
    [LINE_LIFTED] = "lifted",     [LINE_GONE] = "gone",       [LINE_VECTORISED] = "vectorised",
    [LINE_UNROLLED] = "unrolled", [LINE_STRIDED] = "strided", [LINE_REPEATED] = "repeated",
    [LINE_ENTERED] = "entered",   [LINE_MARKED] = "marked",   [LINE_UNKEPT] = "unkept",
    [LINE_THERE] = "there",
};

static line_state state_of(const found *ctx)
{
    bool may_be_lifted = !ctx->scope && ctx->function && ctx->function->name.is_object_mode;
    return ctx->places == 0      ? may_be_lifted ? LINE_LIFTED : LINE_GONE
           : ctx->is_packed      ? LINE_VECTORISED
           : ctx->iterations > 1 ? LINE_UNROLLED
           : ctx->is_strided     ? LINE_STRIDED
           : ctx->is_repeated    ? LINE_REPEATED
           : ctx->is_marked      ? ctx->goes_on ? LINE_ENTERED : LINE_MARKED
           : ctx->is_unkept      ? LINE_UNKEPT
                                 : LINE_THERE;
}

/* ---- one function ---- */

/* Judge a row by the code of its loop, where the compiler does not say what the loop became. */
static void judge_loop(js_line_loops *loops, const js_row *row, found *out)
{
    uint32_t insn = js_line_insn(loops, row->address);
    if (out->function->build.level >= JS_LEVEL_EXACT) {
        out->is_packed |= row->iterations > 1 && js_line_loop_is_packed(loops, insn);
    } else {
        out->is_packed |= js_line_loop_is_packed(loops, insn);
        out->is_strided |= js_line_loop_is_strided(loops, insn);
    }
}

static void look_at_rows(js_line_loops *loops, const char *path, uint32_t line, found *out)
{
    uint32_t places[LINE_PLACES];
    bool may_repeat = loops->is_known && !out->function->build.has_homes; /* homes: not optimised */
    out->is_marked = true;
    for (size_t i = 0; i < loops->nrows; i++) {
        const js_row *row = &loops->rows[i];
        if (row->line != line || !js_file_ends_with(out->function->object, row->file, path) ||
            js_function_inline_at(out->function, row->address) != out->scope) {
            continue;
        }
        if (out->function->build.level == JS_LEVEL_STEPS && row->column != JS_COLUMN_MARKER) {
            continue; /* such code runs only where no debugger is */
        }
        out->iterations = row->iterations > out->iterations ? row->iterations : out->iterations;
        if (may_repeat) {
            judge_loop(loops, row, out);
        }
        if (row->is_stmt && out->places < LINE_PLACES) {
            places[out->places++] = loops->is_known ? js_line_insn(loops, row->address) : JS_CODE_NOWHERE;
            out->is_marked &= row->column == JS_COLUMN_MARKER;
            out->is_unkept |= out->function->build.level == JS_LEVEL_EXACT && row->column == JS_COLUMN_LOOP;
            out->goes_on |= row->goes_on;
        }
    }
    for (uint32_t i = 0; i < out->places && may_repeat && !out->is_marked; i++) {
        for (uint32_t k = 0; k < out->places && !out->is_repeated; k++) {
            out->is_repeated = js_line_follows(loops, places[i], places[k]);
        }
    }
}

static void put_markers(js_text *out, const js_line_loops *loops, const char *path, uint32_t line,
                        const found *one)
{
    size_t shown = 0;
    js_text_put(out, ", \"markers\": [");
    for (size_t i = 0; i < loops->nrows && state_of(one) == LINE_MARKED; i++) {
        const js_row *row = &loops->rows[i];
        if (row->line == line && row->is_stmt && row->column == JS_COLUMN_MARKER &&
            js_file_ends_with(one->function->object, row->file, path) &&
            js_function_inline_at(one->function, row->address) == one->scope) {
            js_text_printf(out, shown++ ? ", %" PRIu64 : "%" PRIu64, row->address);
        }
    }
    js_text_put(out, "]");
}

static const char *name_of(const found *ctx)
{
    return ctx->scope ? ctx->function->inlines[ctx->scope - 1].name : ctx->function->source_name;
}

static uint32_t file_of(const found *ctx)
{
    return ctx->scope ? ctx->function->inlines[ctx->scope - 1].file : ctx->function->file;
}

/* True if the source has the line in a loop. Code of statements that only leave a loop, such as a `raise`
 * after it, may lie in the loop's code. */
static bool is_in_loop(const found *ctx, uint32_t line)
{
    const js_flow *flow =
        ctx->scope ? ctx->function->inlines[ctx->scope - 1].flow : ctx->function->source.flow;
    return !flow || js_flow_outermost_loop(flow, line, NULL);
}

static void put_state(js_text *out, const found *ctx, uint32_t line)
{
    switch (state_of(ctx)) {
    case LINE_GONE:
        js_text_printf(out, "no code is left of line %u in %s", line, name_of(ctx));
        if (ctx->scope) {
            js_text_printf(out, " where it is inlined in %s", ctx->function->source_name);
        }
        break;
    case LINE_LIFTED:
        js_text_printf(out,
                       "line %u of %s has no code yet: in object mode a loop is compiled when it first runs",
                       line, name_of(ctx));
        break;
    case LINE_VECTORISED:
        js_text_printf(out, "line %u is vectorised in %s: a stop there may be several iterations", line,
                       name_of(ctx));
        if (ctx->iterations > 1) {
            js_text_printf(out, " (up to %u)", ctx->iterations);
        }
        break;
    case LINE_UNROLLED:
        js_text_printf(out, "line %u is unrolled %u times in %s: it need not stop once an iteration", line,
                       ctx->iterations, name_of(ctx));
        break;
    case LINE_STRIDED:
        js_text_printf(
            out,
            "line %u is in a loop of %s that takes several elements at a time: a stop there may be "
            "several iterations",
            line, name_of(ctx));
        break;
    case LINE_REPEATED:
        js_text_printf(out,
                       "line %u is at %u places in %s, some of them in one iteration of a loop: it may stop "
                       "more than once an iteration, or once for several",
                       line, ctx->places, name_of(ctx));
        break;
    case LINE_ENTERED:
        js_text_printf(out, "line %u stops in %s where its loop begins, not each time it runs", line,
                       name_of(ctx));
        break;
    case LINE_MARKED:
        js_text_printf(out, "line %u stops each time it runs in %s", line, name_of(ctx));
        break;
    case LINE_UNKEPT:
        js_text_printf(out,
                       is_in_loop(ctx, line) ? "line %u is in an innermost loop of %s"
                                             : "the code of line %u lies in an innermost loop of %s",
                       line, name_of(ctx));
        break;
    case LINE_THERE:
        js_text_printf(out, "line %u stops in %s where its code begins", line, name_of(ctx));
        break;
    }
}

static void put_why(js_text *out, const found *ctx, uint32_t line)
{
    put_state(out, ctx, line);
    if (ctx->is_unkept) {
        js_text_put(out, ", and level exact keeps no variables there");
    }
}

static void advise(js_text *out, const found *ctx)
{
    const js_inline *item = ctx->scope ? &ctx->function->inlines[ctx->scope - 1] : NULL;
    bool is_stock = (item ? item->level : ctx->function->build.level) == JS_LEVEL_STOCK;
    if (is_stock && ctx->function->build.chosen_by != JS_BY_FASTMATH && ctx->function->object->advice) {
        js_text_put(out, ctx->function->build.has_homes ? js_numba_advice_stepped : js_numba_advice_lines);
    } else {
        js_scope scope = {.function = ctx->function, .item = item};
        js_scope_advise(&scope, NULL, 0, out);
    }
}

typedef struct said {
    const char *name, *within, *path;
    const js_text *why, *advice;
} said;

static const char *text_of(const js_text *text)
{
    return text->status || !text->length ? "" : text->data;
}

static void put_said(js_text *out, const found *ctx, line_state state, const said *what)
{
    js_text_put(out, "{");
    js_text_json_pair(out, "function", what->name);
    if (what->within) {
        js_text_put(out, ", ");
        js_text_json_pair(out, "within", what->within);
    } else {
        js_text_put(out, ", \"within\": null");
    }
    js_text_put(out, ", ");
    js_text_json_pair(out, "file", what->path);
    js_text_printf(out, ", \"low\": %llu, ", (unsigned long long)ctx->function->lo);
    js_text_json_pair(out, "state", state_texts[state]);
    js_text_printf(out, ", \"places\": %u, \"iterations\": %u, ", ctx->places, ctx->iterations);
    js_text_json_pair(out, "why", text_of(what->why));
    js_text_put(out, ", ");
    js_text_json_pair(out, "advice", text_of(what->advice));
}

static void put_found(js_text *out, const js_line_loops *rows, const found *ctx, const char *path,
                      uint32_t line)
{
    js_text why, advice;
    js_text_init(&why, 0);
    js_text_init(&advice, 0);
    put_why(&why, ctx, line);
    line_state state = state_of(ctx);
    if (state != LINE_MARKED && state != LINE_LIFTED) {
        advise(&advice, ctx);
    }
    put_said(out, ctx, state,
             &(said){.name = name_of(ctx),
                     .within = ctx->scope ? ctx->function->source_name : NULL,
                     .path = js_object_path(ctx->function->object, file_of(ctx)),
                     .why = &why,
                     .advice = &advice});
    put_markers(out, rows, path, line, ctx);
    js_text_put(out, "}");
    js_text_deinit(&why);
    js_text_deinit(&advice);
}

void js_line_put_gone(js_text *out, js_program *program, const js_function *function, const js_callee *callee,
                      uint32_t line)
{
    js_text why, advice;
    js_text_init(&why, 0);
    js_text_init(&advice, 0);
    js_text_put(&why, "no code is left of ");
    if (line) {
        js_text_printf(&why, "line %u in ", line);
    }
    js_text_printf(&why, "%s where it is inlined in %s", callee->name, function->source_name);
    js_numba_advise_steps(&advice, function->build.chosen_by == JS_BY_DEFAULT ? JS_BY_DEFAULT : JS_BY_NOBODY,
                          "", callee->name, js_flow_asks_of_callee(program, callee));
    put_said(out, &(found){.function = function, .iterations = 1}, LINE_GONE,
             &(said){.name = callee->name,
                     .within = function->source_name,
                     .path = callee->path,
                     .why = &why,
                     .advice = &advice});
    js_text_put(out, ", \"markers\": []}");
    js_text_deinit(&why);
    js_text_deinit(&advice);
}

/* True if the line is between the first and the last line of the function's own code. */
static bool covers(const js_function *function, const char *path, uint32_t line)
{
    if (!js_file_ends_with(function->object, function->file, path) || line <= function->line ||
        !function->line) {
        return false;
    }
    for (size_t i = 0; i < function->lines.nrows; i++) {
        if (function->lines.rows[i].line >= line &&
            js_function_has_line(function, function->lines.rows[i].line) &&
            !js_function_inline_at(function, function->lines.rows[i].address)) {
            return true;
        }
    }
    return false;
}

static bool has_rows(const js_function *function, uint32_t scope, const char *path, uint32_t line)
{
    for (size_t i = 0; i < function->lines.nall; i++) {
        const js_row *row = &function->lines.all[i];
        bool is_foreign = row->file == function->file && !js_function_has_line(function, line);
        if (row->line == line && !is_foreign && js_file_ends_with(function->object, row->file, path) &&
            js_function_inline_at(function, row->address) == scope) {
            return true;
        }
    }
    return false;
}

/* Like covers(), for inlined code whose function is defined on line `first`: looks at that function's own
 * code. */
static bool is_covered(const js_program *program, uint32_t first, const char *path, uint32_t line)
{
    for (size_t o = 0; o < program->nobjects && first; o++) {
        const js_object *object = program->objects[o];
        for (size_t i = 0; object && i < object->nfunctions; i++) {
            if (object->functions[i].line == first && covers(&object->functions[i], path, line)) {
                return true;
            }
        }
    }
    return false;
}

static bool has_line_up_to(const js_function *function, uint32_t line)
{
    for (size_t i = 0; i < function->lines.nrows; i++) {
        if (function->lines.rows[i].line <= line &&
            js_function_has_line(function, function->lines.rows[i].line)) {
            return true;
        }
    }
    return false;
}

/* True if the line is in a loop of this function that has been compiled by itself. */
static bool is_lifted(const js_program *program, const js_function *function, const char *path, uint32_t line)
{
    for (size_t o = 0; o < program->nobjects && function->name.is_object_mode; o++) {
        const js_object *object = program->objects[o];
        for (size_t i = 0; object && i < object->nfunctions; i++) {
            const js_function *loop = &object->functions[i];
            if (!loop->name.is_object_mode && loop->line == function->line && covers(loop, path, line) &&
                has_line_up_to(loop, line)) {
                return true;
            }
        }
    }
    return false;
}

static int put_function(js_text *out, js_program *program, const js_function *function, const char *path,
                        uint32_t line, size_t *shown)
{
    js_line_loops loops = {0};
    bool looked = false;
    int status = JS_OK;
    for (uint32_t scope = 0; scope <= function->ninlines && status == JS_OK; scope++) {
        if (js_hook_is_plain(scope ? function->inlines[scope - 1].name : function->source_name)) {
            continue;
        }
        bool has_own = has_rows(function, scope, path, line);
        if (!has_own && !scope && is_lifted(program, function, path, line)) {
            continue; /* the list has the loop already */
        }
        if (!has_own &&
            !(scope ? js_file_ends_with(function->object, function->inlines[scope - 1].file, path) &&
                          is_covered(program, function->inlines[scope - 1].line, path, line)
                    : covers(function, path, line))) {
            continue;
        }
        if (!looked) {
            looked = true;
            status = js_line_loops_init(&loops, function);
        }
        found one = {.function = function, .scope = scope, .iterations = 1};
        if (status == JS_OK) {
            look_at_rows(&loops, path, line, &one);
        }
        if (status == JS_OK) {
            js_text_put(out, (*shown)++ ? ", " : "");
            put_found(out, &loops, &one, path, line);
        }
    }
    if (looked) {
        js_line_loops_deinit(&loops);
    }
    for (size_t i = 0; i < function->build.ncallees && status == JS_OK; i++) {
        const js_callee *callee = &function->build.callees[i];
        if (js_path_ends_with(callee->path, path) && !js_callee_has_code(function, callee) &&
            is_covered(program, callee->line, path, line)) {
            js_text_put(out, (*shown)++ ? ", " : "");
            js_line_put_gone(out, program, function, callee, line);
        }
    }
    return status;
}

int js_program_line(js_program *program, const char *path, uint32_t line, unsigned since, char **out)
{
    *out = NULL;
    js_text text;
    js_text_init(&text, 0);
    js_text_put(&text, "[");
    size_t shown = 0;
    int status = JS_OK;
    for (size_t o = since; o < program->nobjects; o++) {
        const js_object *object = program->objects[o];
        for (size_t i = 0; object && i < object->nfunctions && status == JS_OK; i++) {
            const js_function *function = &object->functions[i];
            if (function->has_debug_info && function->lines.nall) {
                status = put_function(&text, program, function, path, line, &shown);
            }
        }
    }
    js_text_put(&text, "]");
    return js_text_give(&text, status, out);
}
