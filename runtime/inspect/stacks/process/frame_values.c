#include "stacks/process/frame_values.h"

#include <string.h>
#include <time.h>

#include "program/queries/queries.h"
#include "program/session/program.h"

enum {
    ALL = 0,           /* `which` of js_program_locals() and js_python_variables() */
    FIRST_VECTOR = 17, /* DWARF number of xmm0 (System V ABI x86-64 psABI 1.0, figure 3.36) */
};

/* A frame, as the callback for its registers finds it. */
typedef struct frame_registers {
    const js_frame_values *values;
    const js_unwound *registers;
} frame_registers;

static bool is_late(js_frame_values *values)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    uint64_t now = (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
    bool late = values->deadline && now > values->deadline;
    values->left_out += late;
    return late;
}

static int read_register(void *context, unsigned number, void *buffer, size_t capacity)
{
    const frame_registers *self = context;
    bool is_innermost = self->registers->by == JS_UNWOUND_BY_REGISTERS;
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

/* Sort the variables into "arguments" and "locals" of the entry. */
static int put(json_t *entry, json_t *found)
{
    json_t *arguments = json_array(), *locals = json_array();
    size_t i;
    json_t *variable;
    int failed = !arguments || !locals;
    json_array_foreach(found, i, variable)
    {
        bool is_argument = json_is_true(json_object_get(variable, "argument"));
        failed = failed || json_array_append(is_argument ? arguments : locals, variable);
    }
    failed |= json_object_set_new(entry, "arguments", arguments);
    failed |= json_object_set_new(entry, "locals", locals);
    return failed ? JS_ENOMEM : JS_OK;
}

static int put_text(json_t *entry, char *text, bool is_nested)
{
    json_t *found = text ? json_loads(text, JSON_ALLOW_NUL, NULL) : NULL;
    json_t *own = is_nested ? json_array_get(found, 0) : found;
    int status = json_is_array(own) ? put(entry, own) : JS_OK;
    json_decref(found);
    js_free(text);
    return status;
}

int js_frame_values_compiled(js_frame_values *values, const js_native_frame *native, unsigned depth,
                             json_t *entry)
{
    frame_registers registers = {values, &native->registers};
    js_render_options options;
    char *text = NULL;
    js_render_options_init(&options);
    if (is_late(values)) {
        return JS_OK;
    }
    js_frame frame = {.pc = native->registers.values[JS_UNWIND_RETURN],
                      .is_caller = native->registers.is_caller,
                      .cfa = native->registers.cfa,
                      .registers = read_register,
                      .context = &registers,
                      .memory = values->memory,
                      .depth = depth};
    int status = js_program_locals(values->program, &frame, ALL, 0, &options, &text);
    return status == JS_OK ? put_text(entry, text, false) : status == JS_ENOMEM ? status : JS_OK;
}

int js_frame_values_python(js_frame_values *values, uint64_t address, json_t *entry)
{
    js_render_options options;
    char *text = NULL;
    js_render_options_init(&options);
    if (!values->python || !address || is_late(values)) {
        return JS_OK;
    }
    int status = js_python_variables(values->python, js_program_types(values->program), &address, 1, ALL,
                                     &options, &text);
    return status == JS_OK ? put_text(entry, text, true) : status == JS_ENOMEM ? status : JS_OK;
}
