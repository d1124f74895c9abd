/* Asks for flows by path, line and name, and reads the JSON. */
#include "program/session/asked_flows.h"

#include <string.h>

#include "program/hook/hook.h"
#include "program/model/lookup.h"
#include "program/model/object.h"
#include "program/source/flow_json.h"

enum { SCRATCH_MAX = 64 << 20 };

/* Read the flow of the source function that is defined at path:line; false: its source is not at hand.
 * Wrappers are defined at no line, and line 0 would ask for the fields of a class. */
static bool read_flow(js_program *program, js_arena *arena, const char *path, uint32_t line, const char *name,
                      js_flow *flow)
{
    js_text text;
    js_text_init(&text, 0);
    bool found = line && program->flow(program->flow_context, path, line, name, &text) == JS_OK &&
                 text.status == JS_OK && text.length &&
                 js_flow_read(arena, text.data, text.length, flow) == JS_OK;
    js_text_deinit(&text);
    return found;
}

bool js_flow_of_function(js_program *program, js_object *object, const js_function *function, js_flow *flow)
{
    js_text name;
    js_text_init(&name, 0);
    js_text_put(&name, function->source_name);
    js_text_put(&name, function->name.arguments ? function->name.arguments : "");
    bool found = name.status == JS_OK &&
                 read_flow(program, &object->arena, js_object_path(function->object, function->file),
                           function->line, name.data, flow);
    js_text_deinit(&name);
    return found;
}

js_asks js_flow_asks_of_callee(js_program *program, const js_callee *callee)
{
    js_arena scratch;
    js_flow flow;
    js_arena_init(&scratch, SCRATCH_MAX);
    bool found =
        program->flow && read_flow(program, &scratch, callee->path, callee->line, callee->name, &flow);
    js_asks asks = found ? flow.asks : JS_ASKS_DECORATOR;
    js_arena_deinit(&scratch);
    return asks;
}

int js_flow_keep(js_object *object, const js_flow *flow, const js_flow **out)
{
    js_flow *kept = js_arena_alloc(&object->arena, sizeof *kept);
    if (kept) {
        *kept = *flow;
    }
    *out = kept;
    return kept ? JS_OK : JS_ENOMEM;
}

/* Append the name of inlined code with the types of its arguments. */
static void put_inlined(js_text *to, const js_inline *item)
{
    js_text_putn(to, item->name, strlen(item->name) - js_hook_plain_length(item->name));
    const char *between = "(";
    for (size_t i = 0; i < item->nvariables; i++) {
        const js_variable *variable = &item->variables[i];
        if (variable->is_argument && variable->type && variable->type->name) {
            js_text_put(to, between);
            js_text_put(to, variable->type->name);
            between = ", ";
        }
    }
    js_text_put(to, *between == '(' ? "" : ")");
}

int js_flow_of_inlined(js_program *program, js_object *object, js_inline *item)
{
    js_text name;
    js_flow flow;
    js_text_init(&name, 0);
    put_inlined(&name, item);
    bool found =
        name.status == JS_OK &&
        read_flow(program, &object->arena, js_object_path(object, item->file), item->line, name.data, &flow);
    js_text_deinit(&name);
    return found ? js_flow_keep(object, &flow, &item->flow) : JS_OK;
}

bool js_flow_is_shared(const js_inline *one, const js_inline *other)
{
    bool is_same =
        one->file == other->file && one->line == other->line && one->nvariables == other->nvariables;
    for (size_t i = 0; i < one->nvariables && is_same; i++) {
        is_same = one->variables[i].type == other->variables[i].type;
    }
    return is_same;
}
