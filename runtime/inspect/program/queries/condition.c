/* Evaluates the condition of a breakpoint, and lists the names that it may use at a pc. */
#include <limits.h>
#include <string.h>

#include "expressions/api/expression.h"
#include "expressions/api/result.h"
#include "program/queries/namespace.h"
#include "program/queries/queries.h"
#include "program/queries/reasons.h"
#include "program/queries/variable_at.h"

/* A namespace that remembers which variable had no value. */
typedef struct conditional {
    js_surroundings inner;
    const js_scope *scope;
    const js_frame *frame;
    const char *missing; /* name of the variable; NULL: each had a value */
    js_state state;      /* state of that variable */
} conditional;

static int name_of(void *context, const char *name, js_value *out, js_text *why)
{
    conditional *c = context;
    int status = c->inner.name(c->inner.name_context, name, out, why);
    const js_local *local = status ? js_scope_local(c->scope, name, strlen(name)) : NULL;
    js_found_variable sight;
    if (local && js_found_variable_init(&sight, c->scope->function, local, c->frame) == JS_OK) {
        c->missing = local->name;
        c->state = sight.state;
        js_sight_deinit(&sight);
    }
    return status;
}

static void put_error(js_text *out, const conditional *c, const js_text *why)
{
    js_text_put(out, "\"error\": ");
    js_text_json_string(out, why->data ? why->data : "", why->length);
    js_text_put(out, ", \"name\": ");
    if (c->missing) {
        js_text_json_string(out, c->missing, strlen(c->missing));
        js_text_put(out, ", ");
        js_text_json_pair(out, "state", js_state_text(c->state));
    } else {
        js_text_put(out, "null, \"state\": null");
    }
}

int js_program_condition(js_program *program, const js_frame *frame, const char *expression, js_bytes *data,
                         js_progress_fn progress, void *context, char **out)
{
    *out = NULL;
    js_scope scope;
    if (!js_scope_init(&scope, program, frame)) {
        return JS_ENOTFOUND;
    }
    js_namespace in = {&scope, frame, expression, NULL};
    conditional c = {.inner = js_namespace_surroundings(&in, program, data, progress, context),
                     .scope = &scope,
                     .frame = frame};
    js_surroundings surroundings = c.inner;
    surroundings.name = name_of;
    surroundings.name_context = &c;
    js_expression *x;
    js_text text, why;
    size_t at;
    bool holds = false;
    js_question question;
    js_text_init(&text, 0);
    js_text_init(&why, 0);
    js_question_begin(&question, surroundings.bytes, UINT64_MAX);
    js_bytes_seen(surroundings.bytes);
    int status = js_expression_create(&surroundings, expression, &x, &why, &at);
    status = status ? status : js_expression_truth(x, &holds, &why);
    js_question_end(&question, surroundings.bytes);
    const char *label = js_bytes_seen(surroundings.bytes);
    if (label && status == JS_OK) {
        js_text_printf(&why, "<%s>", label);
        status = JS_EBAD;
    }
    js_text_put(&text, "{");
    if (status == JS_OK) {
        js_text_printf(&text, "\"holds\": %s", holds ? "true" : "false");
    } else if (status != JS_ECANCEL) {
        put_error(&text, &c, &why);
        status = why.status;
    }
    js_text_put(&text, "}");
    js_expression_destroy(x);
    js_text_deinit(&why);
    return js_text_give(&text, status, out);
}

/* True if the variable has a value whenever the program is in the span: no check at run time decides it. */
static bool is_always_known(const js_range_state *span)
{
    return span && span->state == JS_STATE_EXACT && !span->reason && !span->computed &&
           !(span->version->slot && span->version->slot->nwords);
}

static void put_names(js_text *out, const js_scope *scope, uint64_t pc, size_t *shown)
{
    for (size_t i = 0; i < scope->nlocals; i++) {
        const js_local *local = &scope->locals[i];
        const js_range_state *span = js_local_span(local, pc);
        js_state state = span ? span->state : JS_STATE_UNKNOWN;
        js_text advice;
        js_text_init(&advice, 0);
        js_scope_advise(scope, local, pc, &advice);
        js_text_put(out, (*shown)++ ? ", {" : "{");
        js_text_json_pair(out, "name", local->name);
        js_text_put(out, ", ");
        js_text_json_pair(out, "state", js_state_text(state));
        js_text_printf(out, ", \"always\": %s, ", is_always_known(span) ? "true" : "false");
        js_text_json_pair(out, "type",
                          (span && span->version ? span->version : local->versions[0])->type->name);
        js_text_put(out, ", ");
        js_text_json_pair(out, "why",
                          span && span->reason ? span->reason : js_scope_why(scope, local, pc, state));
        js_text_put(out, ", ");
        bool has_advice = state != JS_STATE_EXACT && state != JS_STATE_UNASSIGNED && !advice.status;
        js_text_json_pair(out, "advice", has_advice && advice.length ? advice.data : "");
        js_text_put(out, "}");
        js_text_deinit(&advice);
    }
}

int js_program_names(js_program *program, uint64_t pc, char **out)
{
    *out = NULL;
    js_frame frame = {.pc = pc, .depth = UINT_MAX};
    js_scope scope;
    if (!js_scope_init(&scope, program, &frame) || !scope.function->has_debug_info) {
        return JS_ENOTFOUND;
    }
    js_text text;
    size_t shown = 0;
    js_text_init(&text, 0);
    js_text_put(&text, "[");
    put_names(&text, &scope, pc, &shown);
    for (const js_inline *item = scope.item; item;) {
        item = item->parent ? &scope.function->inlines[item->parent - 1] : NULL;
        js_scope around = {.function = scope.function,
                           .item = item,
                           .locals = item ? item->locals : scope.function->locals,
                           .nlocals = item ? item->nlocals : scope.function->nlocals};
        put_names(&text, &around, pc, &shown);
    }
    js_text_put(&text, "]");
    return js_text_give(&text, JS_OK, out);
}
