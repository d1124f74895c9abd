/* Puts the addresses of elements, items and attributes that may differ from the source on the watch list. */
#include "program/elements/newer_elements.h"

#include <stdlib.h>
#include <string.h>

#include "program/elements/element_kinds.h"
#include "program/elements/source_flow.h"
#include "program/elements/stores_of_code.h"
#include "program/model/lookup.h"
#include "program/queries/scope.h"
#include "program/queries/variable_at.h"
#include "values/base/places.h"

/* A frame, and the function or the inlined code that its pc is in. */
typedef struct running {
    js_program *program;
    const js_frame *frame;
    js_scope scope;
} running;

static char *label_of(const running *ctx, const js_store *store, js_freshness how)
{
    const js_function *function = ctx->scope.function;
    const js_function *source =
        function->region.parent && !ctx->scope.item ? function->region.parent : function;
    const char *path = js_object_path(source->object, ctx->scope.item ? ctx->scope.item->file : source->file);
    const char *file = strrchr(path, '/');
    js_text text;
    js_text_init(&text, 0);
    if (how == JS_IN_REGISTER) {
        js_text_printf(&text, "elements may be older: the loop at %s:%u keeps them in registers",
                       file ? file + 1 : path, store->loop_first);
    } else if (how == JS_LEFT_OUT) {
        js_text_printf(&text,
                       "elements may be older: the compiler has left out or moved the statement at %s:%u",
                       file ? file + 1 : path, store->first);
    } else if (how == JS_AHEAD) {
        js_text_printf(&text, "elements may be older or newer: the compiler has moved the statement at %s:%u",
                       file ? file + 1 : path, store->first);
    } else if (how == JS_MAY_MOVE) {
        js_text_printf(
            &text, "elements may be older or newer: the statement at %s:%u may be moved where it is inlined",
            file ? file + 1 : path, store->first);
    } else if (function->region.parent && !ctx->scope.item) {
        js_text_printf(
            &text, "elements that the loop at %s:%u stores may be older or newer: its iterations run at once",
            file ? file + 1 : path, store->loop_first);
    } else {
        js_text_printf(&text,
                       "elements that the current iterations store may be older or newer: the loop at %s:%u "
                       "runs several at once",
                       file ? file + 1 : path, store->loop_first);
    }
    char *label = js_text_take(&text);
    js_text_deinit(&text);
    return label;
}

/* Find the addresses of the elements, items and attributes of a variable's value. out->is_known is false
 * where they are not known. The caller releases `out` by js_places_deinit(). */
static int find_places(const js_scope *scope, const js_frame *frame, const js_local *local, js_places *out)
{
    js_found_variable sight;
    *out = (js_places){0};
    int status = js_found_variable_init(&sight, scope->function, local, frame);
    if (status || !sight.has_value) {
        return status;
    }
    status = js_places_init(out, &sight.value, frame->memory);
    js_sight_deinit(&sight);
    return status;
}

/* Put the places on the watch list, or all of memory where they are not known; releases `places`. */
static int watch(const running *ctx, js_places *places, const js_store *store, js_freshness how)
{
    js_watch *pending = &ctx->program->pending;
    int status = JS_OK;
    for (size_t i = 0; i < places->count && status == JS_OK; i++) {
        status = js_watch_add(pending, places->all[i].low, places->all[i].high, label_of(ctx, store, how));
    }
    if (status == JS_OK && !places->is_known) {
        status = js_watch_add(pending, 0, UINT64_MAX, label_of(ctx, store, how));
    }
    js_places_deinit(places);
    return status;
}

/* Watch what a variable of inlined code may hold where nothing is known of the variable itself: the elements
 * of each variable that the inlined call is passed. */
static int add_passed(const running *ctx, const js_store *store, js_freshness how)
{
    const js_inline *item = ctx->scope.item;
    const js_function *function = ctx->scope.function;
    const js_inline *around = item->parent ? &function->inlines[item->parent - 1] : NULL;
    const js_flow *flow = around ? js_pending_flow(ctx->program, function, around) : function->source.flow;
    js_scope scope = {.function = function,
                      .item = around,
                      .locals = around ? around->locals : function->locals,
                      .nlocals = around ? around->nlocals : function->nlocals};
    bool is_any = false;
    int status = JS_OK;
    for (size_t i = 0; flow && i < flow->nstores && status == JS_OK; i++) {
        const js_store *call = &flow->stores[i];
        if (call->kind != JS_STORE_CALL || call->loop_first || !call->name || item->call_line < call->first ||
            item->call_line > call->last) {
            continue;
        }
        const js_local *local = js_scope_local(&scope, call->name, strlen(call->name));
        js_places places = {0};
        if (local && !js_pending_may_have_elements(local, false)) {
            continue;
        }
        is_any = true;
        status = local ? find_places(&scope, ctx->frame, local, &places) : JS_OK;
        if (status) {
            js_places_deinit(&places);
        } else {
            status = watch(ctx, &places, store, how);
        }
    }
    return status || is_any ? status : watch(ctx, &(js_places){0}, store, how);
}

static int add(const running *ctx, const js_store *store, js_freshness how)
{
    const js_local *local =
        store->name ? js_scope_local(&ctx->scope, store->name, strlen(store->name)) : NULL;
    js_places places = {0};
    if (local && !js_pending_may_have_elements(local, store->kind == JS_STORE_NAME)) {
        return JS_OK;
    }
    if (store->name && !local) { /* a global array is constant */
        return ctx->scope.item ? add_passed(ctx, store, how) : JS_OK;
    }
    int status = local ? find_places(&ctx->scope, ctx->frame, local, &places) : JS_OK;
    if (status == JS_OK && local && !places.is_known && ctx->scope.item) {
        js_places_deinit(&places);
        return add_passed(ctx, store, how);
    }
    if (status) {
        js_places_deinit(&places);
        return status;
    }
    return watch(ctx, &places, store, how);
}

int js_program_watch_pending(js_program *program, const js_frame *frame)
{
    uint64_t pc = js_frame_lookup_pc(frame);
    const js_function *function = js_program_function(program, pc);
    const js_pending *all = NULL;
    size_t count = 0;
    if (!function) {
        return JS_ENOTFOUND;
    }
    int status =
        js_program_may_keep(program, pc) ? js_pending_find(program, function, pc, &all, &count) : JS_OK;
    for (size_t i = 0; i < count && status == JS_OK; i++) {
        const js_inline *item = all[i].item;
        running ctx = {.program = program,
                       .frame = frame,
                       .scope = {.function = function,
                                 .item = item,
                                 .locals = item ? item->locals : function->locals,
                                 .nlocals = item ? item->nlocals : function->nlocals}};
        status = add(&ctx, &all[i].store, all[i].how);
    }
    return status;
}

void js_program_forget_pending(js_program *program)
{
    js_watch_clear(&program->pending);
}

void js_program_set_find_pending(js_program *program, js_find_pending_fn find, void *context)
{
    program->pending.find = find;
    program->pending.context = context;
}

js_watch *js_program_pending(js_program *program)
{
    return &program->pending;
}

bool js_program_may_keep(const js_program *program, uint64_t pc)
{
    const js_function *function = js_program_function(program, pc);
    return function && function->has_debug_info && (function->ninlines > 0 || function->source.flow);
}
