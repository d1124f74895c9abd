/* Finds arrays that a kernel fills because Numba has fused array expressions with its loop. */
#include "program/elements/stores_of_kernels.h"

#include <string.h>

#include "program/elements/running_code.h"
#include "program/model/lookup.h"

/* True if the function is a kernel and runs this loop, either as its own or as a prange in its body. */
static bool is_of_kernel(const js_running *running, uint32_t loop_first)
{
    const js_function *function = running->function;
    if (!function->region.parent || running->item || function->build.level == JS_LEVEL_STEPS) {
        return false;
    }
    return loop_first == function->region.line || js_flow_parallel_loop(running->flow, loop_first);
}

bool js_kernel_may_fill(const js_running *running, const js_store *store)
{
    bool is_kernels = store->name && is_of_kernel(running, store->loop_first);
    for (size_t i = 0; is_kernels && i < running->flow->ndefs; i++) {
        const js_flow_def *def = &running->flow->defs[i];
        if (def->is_fresh && def->line < store->loop_first && strcmp(def->name, store->name) == 0) {
            return true;
        }
    }
    return false;
}

static bool has_code_of(const js_function *function, uint32_t line)
{
    bool found = false;
    for (size_t i = 0; i < function->lines.nall && !found; i++) {
        found = function->lines.all[i].line == line;
    }
    return found;
}

/* True if the kernel runs the code that makes the variable of this definition. The hook says so by the line
 * of the argument. */
static bool fills(const js_function *function, const js_flow_def *def)
{
    if (function->build.level < JS_LEVEL_EXACT) {
        return has_code_of(function, def->line);
    }
    const js_local *local = js_function_local(function, def->name, strlen(def->name));
    return local && local->versions[0]->is_argument && local->versions[0]->line == def->line;
}

int js_kernel_find_filled(const js_running *running, js_moved_fn tell, void *context)
{
    const js_function *function = running->function;
    int status = JS_OK;
    if (!is_of_kernel(running, function->region.line) || !running->line) {
        return JS_OK;
    }
    /* The line is in one of the loops that Numba has fused. */
    const js_region *loop = js_flow_outermost_loop(running->flow, running->line, NULL);
    for (size_t i = 0; i < running->flow->ndefs && status == JS_OK; i++) {
        const js_flow_def *def = &running->flow->defs[i];
        if (def->line > running->flow->first_line && def->line < (loop ? loop->first_test : running->line) &&
            fills(function, def)) {
            js_store store = {.loop_first = loop ? loop->first_test : function->region.line,
                              .loop_last = loop ? loop->last : running->line,
                              .first = def->line,
                              .last = def->line,
                              .name = def->name,
                              .kind = JS_STORE_ELEMENT};
            status = tell(context, &store, JS_AT_ITERATION);
        }
    }
    return status;
}
