/* Applies validity/moved/ to a function compiled with the hook. Its markers stay where they are, but LLVM
 * moves code between them, and out of loops that have none. Code that cannot be followed keeps its rows. */
#include "program/hook/decoded.h"
#include "program/validity/moved/rows.h"

static js_moved rows_of(js_hook_code *code, js_function *function)
{
    return (js_moved){code->object, function, function->source.flow, &code->track, &code->scratch, 0};
}

int js_hook_skip_checks(js_hook_code *code, js_function *function)
{
    js_moved moved = rows_of(code, function);
    int status = code->is_tracked ? js_rows_skip_checks(&moved) : JS_OK;
    return status == JS_ENOMEM ? status : JS_OK;
}

int js_hook_moved(js_hook_code *code, js_function *function)
{
    js_moved moved = rows_of(code, function);
    if (!code->is_tracked) {
        return JS_OK;
    }
    int status = js_rows_drop_counts(&moved);
    status = status == JS_OK ? js_rows_find_moved(&moved, NULL) : status;
    return status == JS_ENOMEM ? status : JS_OK;
}
