/* Adds arguments that the compiler does not describe, because the function does not read them: the source has
 * their names, the linkage name their types. */
#include "program/validity/variables/unused_arguments.h"

#include <string.h>

#include "program/read/argument_types.h"

enum { UNREAD_ARGUMENTS = 64, UNREAD_TEXT = 4096 };

typedef struct unread {
    js_truth *truth;
    const js_flow_def *defs[UNREAD_ARGUMENTS]; /* definitions of the source's arguments, in order */
    size_t count, missing;
    js_variable *known[UNREAD_ARGUMENTS]; /* variable of each argument; NULL: not described */
} unread;

static void read_source(unread *ctx)
{
    const js_flow *flow = ctx->truth->flow;
    for (size_t i = 0; i < flow->ndefs && ctx->count < UNREAD_ARGUMENTS; i++) {
        if (flow->defs[i].line == flow->first_line) {
            ctx->defs[ctx->count++] = &flow->defs[i];
        }
    }
}

/* Match the compiler's arguments with the source's; false: they are not in the source's order. */
static bool match(unread *ctx)
{
    const js_function *function = ctx->truth->function;
    size_t next = 0;
    for (size_t i = 0; i < function->nvariables; i++) {
        js_variable *variable = &function->variables[i];
        if (!variable->is_argument) {
            continue;
        }
        while (next < ctx->count && strcmp(ctx->defs[next]->name, variable->base) != 0) {
            next++;
        }
        if (next == ctx->count || variable->version != 0) {
            return false;
        }
        ctx->known[next++] = variable;
    }
    for (size_t i = 0; i < ctx->count; i++) {
        ctx->missing += !ctx->known[i];
    }
    return true;
}

static bool is_whole(const js_function *function)
{
    bool is_whole = function->nvariables > 0;
    for (size_t i = 0; i < function->nvariables; i++) {
        is_whole = is_whole && function->variables[i].is_whole;
    }
    return is_whole;
}

/* Read the types of all arguments. JS_ENOTFOUND: there are not as many as in the source. */
static int read_types(const unread *ctx, js_types *types, const js_type **out)
{
    char inside[UNREAD_TEXT];
    const char *text = ctx->truth->function->name.arguments, *next = inside, *rest;
    size_t length = text ? strlen(text) : 0, count = 0;
    if (length < 2 || length >= sizeof(inside) || text[0] != '(' || text[length - 1] != ')') {
        return JS_ENOTFOUND;
    }
    memcpy(inside, text + 1, length - 2);
    inside[length - 2] = '\0';
    for (; *next; next = rest, count++) {
        size_t own = js_first_argument(next, &rest);
        inside[(size_t)(next - inside) + own] = '\0';
        if (count == ctx->count || js_is_omitted(next)) {
            return JS_ENOTFOUND;
        }
        int status = js_types_get_raw(types, next, NULL, &out[count]);
        if (status != JS_OK) {
            return status;
        }
    }
    return count == ctx->count ? JS_OK : JS_ENOTFOUND;
}

int js_truth_add_unused_arguments(js_types *types, js_truth *truth)
{
    js_function *function = truth->function;
    const js_type *own[UNREAD_ARGUMENTS];
    unread ctx = {.truth = truth};
    if (!truth->flow || function->region.parent || function->name.kind != JS_NAME_FUNCTION ||
        function->name.is_object_mode) {
        return JS_OK;
    }
    read_source(&ctx);
    if (ctx.count == 0 || ctx.count == UNREAD_ARGUMENTS || !match(&ctx) || ctx.missing == 0) {
        return JS_OK;
    }
    int status = read_types(&ctx, types, own);
    if (status != JS_OK) {
        return status == JS_ENOMEM ? status : JS_OK;
    }
    size_t used = 0, size = function->nvariables + ctx.missing;
    js_variable *all = js_arena_alloc(truth->arena, (size + 1) * sizeof(*all));
    if (!all) {
        return JS_ENOMEM;
    }
    for (size_t i = 0; i < ctx.count; i++) { /* the order in which they are passed */
        const char *name = ctx.defs[i]->name;
        all[used++] = ctx.known[i] ? *ctx.known[i]
                                   : (js_variable){.name = name,
                                                   .base = name,
                                                   .is_argument = true,
                                                   .line = ctx.defs[i]->line,
                                                   .type = own[i],
                                                   .is_whole = is_whole(function)};
    }
    for (size_t i = 0; i < function->nvariables; i++) {
        if (!function->variables[i].is_argument) {
            all[used++] = function->variables[i];
        }
    }
    function->variables = all;
    function->nvariables = size;
    return JS_OK;
}
