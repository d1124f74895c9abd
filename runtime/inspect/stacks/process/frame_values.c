#include "stacks/process/frame_values.h"

#include <string.h>

#include "program/elements/newer_elements.h"
#include "program/queries/queries.h"
#include "program/session/program.h"
#include "stacks/process/pause.h"
#include "stacks/python.h"

enum {
    ALL = 0, /* `which` of js_program_locals() and js_python_variables() */
    ARGUMENTS = 1,
    OTHERS = 2,
    FIRST_VECTOR = 17, /* DWARF number of xmm0 (System V ABI x86-64 psABI 1.0, figure 3.36) */
};

/* A frame, as the callback for its registers finds it. */
typedef struct frame_registers {
    const js_frame_values *values;
    const js_unwound *registers;
} frame_registers;

bool js_frame_values_is_late(const js_frame_values *values)
{
    return values->deadline && js_pause_clock() > values->deadline;
}

static int read_register(void *context, unsigned number, void *buffer, size_t capacity)
{
    const frame_registers *self = context;
    bool is_innermost = self->values && self->registers->by == JS_UNWOUND_BY_REGISTERS;
    if (number < JS_UNWIND_REGISTERS && self->registers->is_known[number] && capacity >= 8) {
        memcpy(buffer, &self->registers->values[number], 8);
        return 8;
    }
    if (is_innermost && self->values->has_vectors && number >= FIRST_VECTOR &&
        number < FIRST_VECTOR + JS_TRACED_VECTORS && capacity >= JS_TRACED_VECTOR_SIZE) {
        memcpy(buffer, self->values->vectors.bytes[number - FIRST_VECTOR], JS_TRACED_VECTOR_SIZE);
        return JS_TRACED_VECTOR_SIZE;
    }
    return JS_ENOTFOUND;
}

/* Return the frame as the questions of program/ take it. `registers` must live as long. */
static js_frame frame_of(frame_registers *registers, js_bytes *memory)
{
    const js_unwound *own = registers->registers;
    return (js_frame){.pc = own->values[JS_UNWIND_RETURN],
                      .is_caller = own->is_caller,
                      .cfa = own->cfa,
                      .registers = read_register,
                      .context = registers,
                      .memory = memory};
}

/* Set a member of the entry to the list that a function of the library gave as JSON. `is_nested`: it is the
 * sole member of that list, or null. */
static int put(const js_frame_values *values, json_t *entry, const char *key, char *text, bool is_nested)
{
    size_t around = is_nested, size = text ? strlen(text) : 0;
    bool is_list = size >= 2 + 2 * around && text[around] == '[';
    int status = is_list ? js_raw_json_set(values->raw, entry, key, text + around, size - 2 * around) : JS_OK;
    js_free(text);
    return status;
}

/* Return the options of arguments, which are in the frame's line, or of other variables. */
static js_render_options options_of(bool is_summary)
{
    js_render_options options;
    js_render_options_init(&options);
    options.summary = is_summary;
    return options;
}

int js_frame_values_none(json_t *entry)
{
    return json_object_set_new(entry, "arguments", json_array()) ? JS_ENOMEM : JS_OK;
}

int js_frame_values_compiled(js_frame_values *values, const js_native_frame *native, unsigned depth,
                             json_t *entry)
{
    frame_registers registers = {values, &native->registers};
    js_frame frame = frame_of(&registers, values->memory);
    frame.depth = depth;
    int status = js_frame_values_is_late(values) ? JS_ENOTFOUND : js_frame_values_none(entry);
    for (int which = ARGUMENTS; which <= OTHERS && status == JS_OK; which++) {
        js_render_options options = options_of(which == ARGUMENTS);
        char *text = NULL;
        status = js_program_locals(values->program, &frame, which, 0, &options, &text);
        status =
            status ? status : put(values, entry, which == ARGUMENTS ? "arguments" : "locals", text, false);
    }
    return status == JS_ENOMEM ? status : JS_OK;
}

int js_frame_values_python(js_frame_values *values, uint64_t address, json_t *entry)
{
    int status = !values->python || !address || js_frame_values_is_late(values) ? JS_ENOTFOUND : JS_OK;
    for (int which = ARGUMENTS; which >= ALL && status == JS_OK; which--) {
        js_render_options options = options_of(which == ARGUMENTS);
        char *text = NULL;
        status = js_python_variables(values->python, js_program_types(values->program), &address, 1, which,
                                     &options, &text);
        status =
            status ? status : put(values, entry, which == ARGUMENTS ? "arguments" : "locals", text, true);
    }
    return status == JS_ENOMEM ? status : JS_OK;
}

int js_frame_values_watch(js_program *program, js_bytes *memory, const js_native_frame *native)
{
    frame_registers registers = {NULL, &native->registers};
    js_frame frame = frame_of(&registers, memory);
    frame.depth = UINT32_MAX; /* all inlined code at the frame's address */
    return js_program_watch_pending(program, &frame) == JS_ENOMEM ? JS_ENOMEM : JS_OK;
}

int js_frame_values_fault(js_program *program, js_bytes *memory, const js_native_frame *native,
                          const js_fault_asked *asked, char **out)
{
    frame_registers registers = {NULL, &native->registers};
    js_frame frame = frame_of(&registers, memory);
    frame.depth = UINT32_MAX; /* the innermost inlined code at the frame's address */
    return js_program_explain_far_fault(program, &frame, asked->address, asked->subscripts, asked->maps, out);
}

int js_frame_values_array(js_program *program, js_bytes *memory, const js_native_frame *native,
                          const js_array_asked *asked, char **out)
{
    frame_registers registers = {NULL, &native->registers};
    js_frame frame = frame_of(&registers, memory);
    js_render_options options = options_of(true);
    frame.depth = asked->depth;
    return js_program_array(program, &frame, asked->expression, asked->request, &options, memory,
                            asked->progress, asked->context, out);
}

int js_frame_values_chunk(js_program *program, js_bytes *memory, const js_native_frame *native, json_t *entry)
{
    frame_registers registers = {NULL, &native->registers};
    js_frame frame = frame_of(&registers, memory);
    char *text = NULL;
    int status = js_program_chunk(program, &frame, &text);
    if (status) {
        return status == JS_ENOMEM ? status : JS_OK;
    }
    json_t *found = json_loads(text, JSON_ALLOW_NUL, NULL), *chunk = json_object_get(found, "chunk");
    int failed = json_is_array(chunk) && json_object_set(entry, "chunk", chunk);
    json_decref(found);
    js_free(text);
    return failed ? JS_ENOMEM : JS_OK;
}
