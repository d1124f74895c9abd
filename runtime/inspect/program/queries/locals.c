/* Lists the variables of a frame, and says why one has no value. */
#include <stdlib.h>
#include <string.h>

#include "program/model/numba/advice.h"
#include "program/queries/queries.h"
#include "program/queries/reasons.h"
#include "program/queries/variable_at.h"
#include "program/source/formula_text.h"

/* Append every version of one variable; only the current one has a value. */
static int put_versions(js_text *out, const js_local *local, const js_found_variable *current,
                        const js_frame *frame, const js_render_options *options, size_t *shown)
{
    int status = JS_OK;
    for (size_t i = 0; !status && i < local->nversions; i++) {
        const js_variable *version = local->versions[i];
        bool is_current = current->version && current->version == version;
        js_found_variable sight = {.local = local,
                                   .version = version,
                                   .type = version->type,
                                   .state = current->state == JS_STATE_UNASSIGNED ? JS_STATE_UNASSIGNED
                                                                                  : JS_STATE_UNKNOWN,
                                   .reason = "not the current version"};
        js_text_put(out, (*shown)++ ? ", {" : "{");
        status = js_sight_put(out, is_current ? current : &sight, frame, options);
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
    if (!js_scope_init(&scope, program, frame) || !scope.function->has_debug_info) {
        return JS_ENOTFOUND;
    }
    js_text text;
    js_text_init(&text, 0);
    js_text_put(&text, "[");
    size_t shown = 0;
    int status = JS_OK;
    for (int arguments = 1; arguments >= 0; arguments--) {
        for (size_t i = 0; !status && i < scope.nlocals; i++) {
            const js_local *local = &scope.locals[i];
            if (local->is_argument != (arguments == 1) || (which == 1 && !local->is_argument) ||
                (which == 2 && local->is_argument)) {
                continue;
            }
            js_found_variable sight;
            status = js_found_variable_init(&sight, scope.function, local, frame);
            if (status) {
                break;
            }
            if (versions) {
                status = put_versions(&text, local, &sight, frame, options, &shown);
            } else {
                js_text_put(&text, shown++ ? ", {" : "{");
                status = js_sight_put(&text, &sight, frame, options);
                js_text_put(&text, "}");
            }
            js_sight_deinit(&sight);
        }
    }
    js_text_put(&text, "]");
    return js_text_give(&text, status, out);
}

/* Look up one variable of the frame. After JS_OK the caller releases `sight` by js_sight_deinit(). */
static int look_at(js_program *program, const js_frame *frame, const char *name, js_scope *scope,
                   const js_local **local, js_found_variable *sight)
{
    *local = js_scope_init(scope, program, frame) ? js_scope_local(scope, name, strlen(name)) : NULL;
    return *local ? js_found_variable_init(sight, scope->function, *local, frame) : JS_ENOTFOUND;
}

int js_program_place(js_program *program, const js_frame *frame, const char *name, uint64_t *address)
{
    js_scope scope;
    const js_local *local;
    js_found_variable sight;
    int status = look_at(program, frame, name, &scope, &local, &sight);
    if (status) {
        return status;
    }
    *address = sight.has_value ? sight.place : 0;
    js_sight_deinit(&sight);
    return *address ? JS_OK : JS_ENOTFOUND;
}

/* ---- why ---- */

/* Write the answer of js_program_why(). elements: the label of the elements; NULL: they need none. */
static int put_why(const char *name, js_state state, const char *why, const char *elements,
                   const char *advice, char **out)
{
    js_text text;
    js_text_init(&text, 0);
    js_text_put(&text, "{");
    js_text_json_pair(&text, "name", name);
    js_text_put(&text, ", ");
    js_text_json_pair(&text, "state", js_state_text(state));
    js_text_put(&text, ", ");
    js_text_json_pair(&text, "why", why);
    js_text_put(&text, ", \"elements\": ");
    js_text_put(&text, elements ? "" : "null");
    if (elements) {
        js_text_json_string(&text, elements, strlen(elements));
    }
    js_text_put(&text, ", ");
    js_text_json_pair(&text, "advice", advice);
    js_text_put(&text, "}");
    return js_text_give(&text, JS_OK, out);
}

/* Return the reason in a text that is a label alone, such as <unknown: data is NULL, shape (3,)>; NULL: the
 * text is a value. The text is changed. */
static const char *reason_in(js_text *shown)
{
    static const char begin[] = "<unknown: ";
    size_t length = strlen(begin);
    if (shown->status || shown->length <= length || strncmp(shown->data, begin, length) != 0 ||
        shown->data[shown->length - 1] != '>') {
        return NULL;
    }
    shown->data[shown->length - 1] = '\0';
    return shown->data + length;
}

int js_program_why(js_program *program, const js_frame *frame, const char *name, char **out)
{
    *out = NULL;
    js_scope scope;
    const js_local *local;
    js_found_variable sight;
    int status = look_at(program, frame, name, &scope, &local, &sight);
    if (status) {
        return status;
    }
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
    const char *label = sight.has_value ? reason_in(&shown) : NULL;
    bool has_wrong_order =
        label && js_array_is_order_label(label) && scope.function->build.level >= JS_LEVEL_EXACT;
    if (label) {
        js_text_printf(&formula, "%s%s", label, has_wrong_order ? js_numba_wrong_order : "");
        why = formula.status ? why : formula.data;
    } else if (sight.state == JS_STATE_EXACT && sight.computed) {
        js_text_put(&formula, "computed, for the compiler does not keep it: the source makes it ");
        js_formula_write(&formula, sight.computed);
        why = formula.status ? why : formula.data;
    } else if (sight.state == JS_STATE_EXACT && scope.function->build.is_fast &&
               scope.function->build.level == JS_LEVEL_STEPS) {
        js_text_printf(&formula, "%s; %s", why, js_numba_fast_steps);
        why = formula.status ? why : formula.data;
    }
    if (label) {
        js_text_put(&advice, has_wrong_order ? js_numba_advice_order : "");
    } else if (sight.state == JS_STATE_UNASSIGNED) {
        js_text_put(&advice, "step on: `next`");
    } else if (sight.state != JS_STATE_EXACT || older) {
        js_scope_advise(&scope, local, pc, &advice);
    }
    const char *said = advice.length && !advice.status ? advice.data : "";
    status = put_why(local->name, label ? JS_STATE_UNKNOWN : sight.state, why, older, said, out);
    js_text_deinit(&shown);
    js_text_deinit(&advice);
    js_text_deinit(&formula);
    js_sight_deinit(&sight);
    return status;
}
