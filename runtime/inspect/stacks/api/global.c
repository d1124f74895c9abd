/* Reads what a module of the interpreter has under a name. */
#include "program/session/program.h"
#include "stacks/api/stacks_state.h"
#include "values/base/value.h"

static int read_global(js_stacks *stacks, const char *module, const char *name, char **out)
{
    js_stack_target *target = &stacks->target;
    uint64_t address;
    const js_type *type;
    js_value value;
    js_text text;
    bool is_exact = false;
    *out = NULL;
    int status = target->python ? js_python_global(target->python, module, name, &address) : JS_ENOTFOUND;
    status = status ? status : js_types_get(js_program_types(target->program), "pyobject", NULL, &type);
    status = status ? status : js_value_init(&value, type, &address, sizeof address);
    if (status) {
        return status;
    }
    js_text_init(&text, 0);
    status = js_value_render_json(&value, target->now, &text, &is_exact);
    js_value_deinit(&value);
    return js_text_give(&text, status == JS_OK && !is_exact ? JS_EBAD : status, out);
}

int js_stacks_global(js_stacks *stacks, const char *module, const char *name, char **out)
{
    if (stacks->core) {
        return read_global(stacks, module, name, out);
    }
    js_stack_target *target = &stacks->target;
    js_snapshot_reset(&target->snapshot); /* what was copied in the pause is not all that is read here */
    js_stack_target_set_running(target, true);
    int status = read_global(stacks, module, name, out);
    js_stack_target_set_running(target, false);
    js_snapshot_close(&target->snapshot);
    return status;
}
