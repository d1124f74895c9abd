/* Finds by the sources of inlined functions whether a call may store to elements of an array. */
#include "program/elements/stores_of_calls.h"

#include <string.h>

#include "program/elements/element_kinds.h"
#include "program/elements/source_flow.h"

static bool is_scalar(const js_inline *item, const char *name)
{
    for (size_t i = 0; i < item->nlocals; i++) {
        if (strcmp(item->locals[i].name, name) == 0) {
            return !js_pending_may_have_elements(&item->locals[i], true);
        }
    }
    return false;
}

static bool may_store(const js_program *program, const js_function *function, uint32_t scope, unsigned depth)
{
    const js_inline *item = &function->inlines[scope - 1];
    const js_flow *flow = item->flow ? item->flow : js_pending_flow(program, function, item);
    if (!flow || !depth) {
        return true;
    }
    for (size_t i = 0; i < flow->nstores; i++) {
        const js_store *store = &flow->stores[i];
        bool is_harmless = store->loop_first ||
                           (store->kind == JS_STORE_NAME && store->name && is_scalar(item, store->name)) ||
                           (store->kind == JS_STORE_CALL &&
                            !js_pending_call_may_store(program, function, scope, store, depth - 1));
        if (!is_harmless) {
            return true;
        }
    }
    return false;
}

bool js_pending_call_may_store(const js_program *program, const js_function *function, uint32_t scope,
                               const js_store *call, unsigned depth)
{
    bool is_inlined = false;
    for (uint32_t i = 0; i < function->ninlines; i++) {
        const js_inline *item = &function->inlines[i];
        if (item->parent == scope && item->call_line >= call->first && item->call_line <= call->last) {
            is_inlined = true;
            if (may_store(program, function, i + 1, depth)) {
                return true;
            }
        }
    }
    return !is_inlined;
}
