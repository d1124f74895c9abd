/* What the commands ask of a frame: its variables, one expression, and why something is not to be had. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "expressions/api/expression_api.h"
#include "program/model/numba/advice.h"
#include "program/queries/namespace.h"
#include "program/queries/queries.h"
#include "program/queries/reasons.h"
#include "program/queries/variable_at.h"
#include "program/source/formula_text.h"

/* The label that stands in place of a value. */
static void put_label(js_text *out, js_state state, const char *reason)
{
    if (state == JS_STATE_UNASSIGNED)
        js_text_put(out, "<unassigned>");
    else if (state == JS_STATE_OPTIMIZED_OUT)
        js_text_put(out, "<optimized out>");
    else
        js_text_printf(out, "<unknown: %s>", reason ? reason : "no reason given");
}

/* "name" … "assigned_line", without the braces. */
static int put_sight(js_text *out, const js_sight *sight, const js_frame *frame,
                     const js_render_options *options)
{
    int status = JS_OK;
    bool exact = true, is_older = false;
    js_state state = sight->state;
    js_text value;
    js_text_init(&value, 0);
    if (sight->has_value) {
        status = js_value_put(&value, &sight->value, frame->memory, options, &exact, &is_older);
        if (!exact)
            state = JS_STATE_UNKNOWN;
    } else {
        js_text label;
        js_text_init(&label, 0);
        put_label(&label, state, sight->reason);
        js_text_put(&value, ", \"value\": null, ");
        js_text_json_pair(&value, "text", label.status ? "" : label.data);
        js_text_deinit(&label);
    }
    js_text_json_pair(out, "name", sight->local->name);
    js_text_put(out, ", ");
    js_text_json_pair(out, "type", sight->type->name);
    js_text_put(out, ", ");
    js_text_json_pair(out, "state", is_older && state == JS_STATE_EXACT ? "older" : js_state_text(state));
    status = status ? status : value.status;
    js_text_put(out, status ? "" : value.data);
    js_text_deinit(&value);
    if (sight->version && sight->version->line && sight->state != JS_STATE_UNASSIGNED)
        js_text_printf(out, ", \"assigned_line\": %u", sight->version->line);
    else
        js_text_put(out, ", \"assigned_line\": null");
    js_text_printf(out, ", \"argument\": %s", sight->local->is_argument ? "true" : "false");
    return status;
}

/* Every version of one variable, with what is known of each here. */
static int put_versions(js_text *out, const js_local *local, const js_sight *current, const js_frame *frame,
                        const js_render_options *options, size_t *shown)
{
    int status = JS_OK;
    for (size_t i = 0; !status && i < local->nversions; i++) {
        const js_variable *version = local->versions[i];
        bool is_current = current->version && current->version == version;
        js_sight sight = {.local = local,
                          .version = version,
                          .type = version->type,
                          .state =
                              current->state == JS_STATE_UNASSIGNED ? JS_STATE_UNASSIGNED : JS_STATE_UNKNOWN,
                          .reason = "not the current version"};
        js_text_put(out, (*shown)++ ? ", {" : "{");
        status = put_sight(out, is_current ? current : &sight, frame, options);
        js_text_printf(out, ", \"version\": %u, \"version_line\": %u, \"current\": %s}", version->version,
                       version->line, is_current ? "true" : "false");
    }
    return status;
}

int js_program_locals(js_program *program, const js_frame *frame, int which, int versions,
                      const js_render_options *options, char **out)
{
    *out = NULL;
    js_scope scope;
    if (!js_scope_init(&scope, program, frame) || !scope.function->has_debug_info)
        return JS_ENOTFOUND;
    js_text text;
    js_text_init(&text, 0);
    js_text_put(&text, "[");
    size_t shown = 0;
    int status = JS_OK;
    for (int arguments = 1; arguments >= 0; arguments--)
        for (size_t i = 0; !status && i < scope.nlocals; i++) {
            const js_local *local = &scope.locals[i];
            if (local->is_argument != (arguments == 1) || (which == 1 && !local->is_argument) ||
                (which == 2 && local->is_argument))
                continue;
            js_sight sight;
            status = js_sight_init(&sight, scope.function, local, frame);
            if (status)
                break;
            if (versions) {
                status = put_versions(&text, local, &sight, frame, options, &shown);
            } else {
                js_text_put(&text, shown++ ? ", {" : "{");
                status = put_sight(&text, &sight, frame, options);
                js_text_put(&text, "}");
            }
            js_sight_deinit(&sight);
        }
    js_text_put(&text, "]");
    return js_text_give(&text, status, out);
}

/* One variable of the frame. Where it is JS_OK the sight is to be ended by js_sight_deinit(). */
static int look_at(js_program *program, const js_frame *frame, const char *name, js_scope *scope,
                   const js_local **local, js_sight *sight)
{
    *local = js_scope_init(scope, program, frame) ? js_scope_local(scope, name, strlen(name)) : NULL;
    return *local ? js_sight_init(sight, scope->function, *local, frame) : JS_ENOTFOUND;
}

int js_program_place(js_program *program, const js_frame *frame, const char *name, uint64_t *address)
{
    js_scope scope;
    const js_local *local;
    js_sight sight;
    int status = look_at(program, frame, name, &scope, &local, &sight);
    if (status)
        return status;
    *address = sight.has_value ? sight.place : 0;
    js_sight_deinit(&sight);
    return *address ? JS_OK : JS_ENOTFOUND;
}

/* ---- one expression ---- */

/* A name of the function's module, as the interpreter holds it. */
static int global_of(const js_namespace *in, const char *name, js_value *out)
{
    const js_type *type;
    uint64_t address;
    if (!in->program->global || in->program->global(in->program->global_context, name, &address))
        return JS_ENOTFOUND;
    int status = js_types_get(in->program->types, "pyobject", NULL, &type);
    return status ? status : js_value_init(out, type, &address, sizeof address);
}

/* The variable of that name, of the frame, or where it has no value there, of the function that started the
 * loop. JS_ENOTFOUND: there is none. */
static int find_sight(const js_program *program, const js_scope *own, const js_frame *frame, const char *name,
                      js_sight *out)
{
    const js_local *local = js_scope_local(own, name, strlen(name));
    int status = local ? js_sight_init(out, own->function, local, frame) : JS_ENOTFOUND;
    if ((local && (status || out->has_value)) || !program->enclosing)
        return status;
    js_scope scope;
    js_sight sight;
    if (program->enclosing(program->enclosing_context, name, &frame) ||
        !js_scope_init(&scope, program, frame))
        return status;
    const js_local *outside = js_scope_local(&scope, name, strlen(name));
    int found = outside ? js_sight_init(&sight, scope.function, outside, frame) : JS_ENOTFOUND;
    if (found || !sight.has_value)
        return status;
    *out = sight; /* the frame's own has nothing to let go of */
    return JS_OK;
}

static int value_of(void *context, const char *name, js_value *out, js_text *why)
{
    const js_namespace *in = context;
    js_sight sight;
    int status = find_sight(in->program, in->scope, in->frame, name, &sight);
    if (status)
        return status == JS_ENOTFOUND ? global_of(in, name, out) : status;
    const char *part = "";
    if (sight.has_value && sight.has_free_stride && strstr(in->expression, ".strides")) {
        sight.state = JS_STATE_OPTIMIZED_OUT;
        part = ".strides";
    } else if (sight.has_value) {
        *out = sight.value;
        sight.has_value = false;
        sight.value = (js_value){0};
        js_sight_deinit(&sight);
        return JS_OK;
    }
    js_text_printf(why, "`%s%s` is ", name, part);
    put_label(why, sight.state, sight.reason);
    js_sight_deinit(&sight);
    return JS_EBAD;
}

js_surroundings js_namespace_surroundings(js_namespace *in, js_program *program, js_bytes *data,
                                          js_progress_fn progress, void *context)
{
    in->program = program;
    return (js_surroundings){.types = program->types,
                             .bytes = data ? data : in->frame->memory,
                             .name = value_of,
                             .name_context = in,
                             .poll = progress,
                             .poll_context = context};
}

static size_t name_length(const char *text)
{
    size_t length = 0;
    while (isalnum((unsigned char)text[length]) || text[length] == '_' || (unsigned char)text[length] >= 0x80)
        length++;
    return length;
}

/* The local when the expression is a name alone. */
static const js_local *only_name(const js_scope *scope, const char *expression)
{
    while (isspace((unsigned char)*expression))
        expression++;
    size_t length = name_length(expression);
    const char *rest = expression + length;
    while (isspace((unsigned char)*rest))
        rest++;
    return *rest ? NULL : js_scope_local(scope, expression, length);
}

int js_program_print(js_program *program, const js_frame *frame, const char *expression,
                     const js_render_options *options, js_bytes *data, js_progress_fn progress, void *context,
                     char **out)
{
    *out = NULL;
    js_scope scope;
    if (!js_scope_init(&scope, program, frame))
        return JS_ENOTFOUND;
    js_text text;
    js_text_init(&text, 0);
    js_text_put(&text, "{");
    const js_local *local = only_name(&scope, expression);
    int status;
    if (local) {
        js_sight sight;
        status = find_sight(program, &scope, frame, local->name, &sight);
        if (!status) {
            status = put_sight(&text, &sight, frame, options);
            js_sight_deinit(&sight);
        }
    } else {
        js_namespace in = {&scope, frame, expression, NULL};
        js_surroundings surroundings = js_namespace_surroundings(&in, program, data, progress, context);
        js_text_json_pair(&text, "name", expression);
        js_text_put(&text, ", ");
        status = js_expression_put(&surroundings, expression, options, &text);
        js_text_put(&text, ", \"assigned_line\": null, \"argument\": false");
    }
    js_text_put(&text, "}");
    return js_text_give(&text, status, out);
}

/* ---- why ---- */

int js_program_why(js_program *program, const js_frame *frame, const char *name, char **out)
{
    *out = NULL;
    js_scope scope;
    const js_local *local;
    js_sight sight;
    int status = look_at(program, frame, name, &scope, &local, &sight);
    if (status)
        return status;
    bool has_reason = sight.state == JS_STATE_OPTIMIZED_OUT || sight.state == JS_STATE_UNKNOWN;
    uint64_t pc = js_frame_lookup_pc(frame);
    const char *why =
        has_reason && sight.reason ? sight.reason : js_scope_why(&scope, local, pc, sight.state);
    js_text advice, formula, shown;
    js_render_options options;
    const char *older = NULL;
    js_text_init(&advice, 0);
    js_text_init(&formula, 0);
    js_text_init(&shown, 0);
    js_render_options_init(&options);
    if (sight.has_value) {
        js_bytes_seen(frame->memory);
        js_value_render_text(&sight.value, frame->memory, &options, &shown);
        older = js_bytes_seen(frame->memory);
    }
    js_text_deinit(&shown);
    if (sight.state == JS_STATE_EXACT && sight.computed) {
        js_text_put(&formula, "computed, for the compiler does not keep it: the source makes it ");
        js_computed_write(&formula, sight.computed);
        why = formula.status ? "computed as the source says" : formula.data;
    } else if (sight.state == JS_STATE_EXACT && scope.function->is_fast &&
               scope.function->level == JS_LEVEL_STEPS) {
        js_text_printf(&formula, "%s; %s", why, js_numba_fast_steps);
        why = formula.status ? why : formula.data;
    }
    if (sight.state == JS_STATE_UNASSIGNED)
        js_text_put(&advice, "step on: `next`");
    else if (sight.state != JS_STATE_EXACT || older)
        js_scope_advise(&scope, local, pc, &advice);
    js_text text;
    js_text_init(&text, 0);
    js_text_put(&text, "{");
    js_text_json_pair(&text, "name", local->name);
    js_text_put(&text, ", ");
    js_text_json_pair(&text, "state", js_state_text(sight.state));
    js_text_put(&text, ", ");
    js_text_json_pair(&text, "why", why);
    js_text_put(&text, ", \"elements\": ");
    js_text_put(&text, older ? "" : "null");
    if (older)
        js_text_json_string(&text, older, strlen(older));
    js_text_put(&text, ", ");
    js_text_json_pair(&text, "advice", advice.length && !advice.status ? advice.data : "");
    js_text_deinit(&advice);
    js_text_deinit(&formula);
    js_text_put(&text, "}");
    js_sight_deinit(&sight);
    return js_text_give(&text, JS_OK, out);
}
