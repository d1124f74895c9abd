/* Writes a variable as JSON, with its value or the label that is shown in place of one. */
#include "program/queries/variable_at.h"

void js_sight_put_label(js_text *out, js_state state, const char *reason)
{
    if (state == JS_STATE_UNASSIGNED) {
        js_text_put(out, "<unassigned>");
    } else if (state == JS_STATE_OPTIMIZED_OUT) {
        js_text_put(out, "<optimized out>");
    } else {
        js_text_printf(out, "<unknown: %s>",
                       reason ? reason : "the compiler's description cannot be trusted here");
    }
}

int js_sight_put(js_text *out, const js_found_variable *sight, const js_frame *frame,
                 const js_render_options *options)
{
    int status = JS_OK;
    bool exact = true, is_older = false;
    js_state state = sight->state;
    js_text value;
    js_text_init(&value, 0);
    if (sight->has_value) {
        status = js_value_put(&value, &sight->value, frame->memory, options, &exact, &is_older);
        if (!exact) {
            state = JS_STATE_UNKNOWN;
        }
    } else {
        js_text label;
        js_text_init(&label, 0);
        js_sight_put_label(&label, state, sight->reason);
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
    if (sight->version && sight->version->line && sight->state != JS_STATE_UNASSIGNED) {
        js_text_printf(out, ", \"assigned_line\": %u", sight->version->line);
    } else {
        js_text_put(out, ", \"assigned_line\": null");
    }
    js_text_printf(out, ", \"argument\": %s", sight->local->is_argument ? "true" : "false");
    return status;
}
