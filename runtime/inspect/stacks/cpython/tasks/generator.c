/* Source: Include/(cpython/)genobject.h, Objects/genobject.c (_PyGen_yf, gen_getyieldfrom), pycore_frame.h
 * (enum _framestate) of CPython 3.9 to 3.15. */
#include "stacks/cpython/tasks/generator.h"

#include <string.h>

#include "stacks/cpython/frame.h"
#include "stacks/cpython/object.h"

enum {
    YIELD_FROM = 72, /* 3.9, 3.10 */
    RESUME = 151,    /* 3.11, 3.12; 3.11 has a quicker form, and 3.12 one for tools */
    RESUME_QUICK = 150,
    INSTRUMENTED_RESUME = 240,
    RESUME_AFTER_YIELD_FROM = 2, /* least argument of RESUME after `yield from` and `await` */
    MAX_STACK = 1 << 16,         /* values of a frame */
    STACK_REFERENCE_TAG = 3      /* pycore_stackref.h 3.14: Py_TAG_BITS */
};

bool js_generator_is(const js_python_object *object)
{
    static const char *const classes[] = {"generator", "coroutine", "async_generator"};
    bool found = false;
    for (size_t i = 0; i < sizeof classes / sizeof *classes && object->kind == JS_OBJECT_INSTANCE; i++) {
        found |= strcmp(object->class_name, classes[i]) == 0;
    }
    return found;
}

static int read_byte(js_python *python, uint64_t address, uint8_t *out)
{
    return js_memory_read(&python->memory, address, out, 1);
}

/* Give the byte of the bytecode at an offset, up to 3.10. */
static int read_old_code(js_python *python, const js_python_frame *frame, uint64_t offset, uint8_t *out)
{
    uint64_t code, size;
    const js_python_offsets *o = &python->offsets;
    int status = js_memory_read_word(&python->memory, frame->code + o->code_code, &code);
    status = status ? status : js_memory_read_word(&python->memory, code + o->object_size, &size);
    if (status == JS_OK && offset >= size) {
        status = JS_EBAD;
    }
    return status ? status : read_byte(python, code + o->bytes_data + offset, out);
}

/* Find out whether the frame is suspended in `await` or `yield from`, by the instruction that comes next. */
static int awaits(js_python *python, const js_python_frame *frame, bool *out)
{
    uint8_t code[2] = {0};
    uint64_t last = frame->instruction;
    int status;
    *out = false;
    if (python->offsets.version < JS_PYTHON_3_11) {
        uint64_t unit = python->offsets.version == JS_PYTHON_3_10 ? 2 : 1;
        status = (int32_t)(uint32_t)last < 0
                     ? JS_OK
                     : read_old_code(python, frame, (uint32_t)last * unit + 2, &code[0]);
        *out = status == JS_OK && code[0] == YIELD_FROM;
        return status;
    }
    status = js_memory_read(&python->memory, last + 2, code, sizeof code);
    *out =
        status == JS_OK && code[1] >= RESUME_AFTER_YIELD_FROM &&
        (code[0] == RESUME || (python->offsets.version == JS_PYTHON_3_11 ? code[0] == RESUME_QUICK
                                                                         : code[0] == INSTRUMENTED_RESUME));
    return status;
}

/* Find the end of the frame's stack of values. */
static int find_top(js_python *python, const js_python_frame *frame, uint64_t *out)
{
    const js_python_offsets *o = &python->offsets;
    uint64_t start = frame->address + o->frame_slots;
    int32_t depth;
    if (o->version == JS_PYTHON_3_9 || o->version >= JS_PYTHON_3_14) {
        return js_memory_read_word(&python->memory, frame->address + o->frame_top, out);
    }
    int status = js_memory_read_int(&python->memory, frame->address + o->frame_top, &depth);
    if (status == JS_OK && o->version == JS_PYTHON_3_10) {
        status = js_memory_read_word(&python->memory, frame->address + o->frame_stack, &start);
    }
    if (status == JS_OK && (depth <= 0 || depth > MAX_STACK)) {
        status = JS_EBAD;
    }
    *out = status ? 0 : start + (uint64_t)depth * 8;
    return status;
}

/* Find the object that a suspended frame awaits: the topmost value, and in 3.15 the one below it. */
static int find_awaited(js_python *python, const js_python_frame *frame, js_generator *out)
{
    uint64_t top, value, place = python->offsets.version >= JS_PYTHON_3_15 ? 16 : 8;
    int status = find_top(python, frame, &top);
    if (status == JS_OK && (top == 0 || top % 8)) {
        status = JS_EBAD;
    }
    status = status ? status : js_memory_read_word(&python->memory, top - place, &value);
    if (status == JS_OK && python->offsets.version >= JS_PYTHON_3_14) {
        value =
            (value & STACK_REFERENCE_TAG) == STACK_REFERENCE_TAG ? 0 : value & ~(uint64_t)STACK_REFERENCE_TAG;
    }
    out->awaited = status ? 0 : value;
    return status;
}

/* The states of a frame, enum _framestate, which are in the order of the life of a generator. */
typedef struct frame_states {
    uint32_t since;                 /* version */
    int created, yields_from, runs; /* yields_from: the first one in which it awaits; runs: no such state */
    int last;
} frame_states;

static const frame_states all_states[] = {
    {JS_PYTHON_3_15, 0, 2, 4, 5}, {JS_PYTHON_3_13, -3, -1, 0, 4}, {JS_PYTHON_3_10, -2, 0, 0, 4}};

static const frame_states *states_of(const js_python *python)
{
    const frame_states *states = all_states;
    while (states->since > python->offsets.version && states->since > JS_PYTHON_3_10) {
        states++;
    }
    return states;
}

/* Translate the state of a frame since 3.10. */
static int translate(js_python *python, int state, js_generator *out)
{
    const frame_states *states = states_of(python);
    if (state < states->created || state > states->last) {
        return JS_EBAD;
    }
    out->state = state == states->created ? JS_GENERATOR_CREATED
                 : state < states->runs   ? JS_GENERATOR_SUSPENDED
                 : state == states->runs  ? JS_GENERATOR_RUNNING
                                          : JS_GENERATOR_FINISHED;
    return JS_OK;
}

/* Read the state up to 3.10, where a generator that has finished has no frame. */
static int read_old(js_python *python, uint64_t address, const js_python_frame *frame, js_generator *out)
{
    uint8_t runs = 0;
    int8_t state = 0;
    int status;
    if (python->offsets.version == JS_PYTHON_3_10) {
        status = js_memory_read(&python->memory, frame->address + python->offsets.frame_state, &state, 1);
        return status ? status : translate(python, state, out);
    }
    status = read_byte(python, address + python->offsets.generator_state, &runs);
    bool has_begun = (int32_t)(uint32_t)frame->instruction >= 0;
    out->state = runs ? JS_GENERATOR_RUNNING : has_begun ? JS_GENERATOR_SUSPENDED : JS_GENERATOR_CREATED;
    return status;
}

/* Read the state, and the frame unless the generator has finished. */
static int read_state(js_python *python, uint64_t address, js_python_frame *frame, js_generator *out,
                      int8_t *state)
{
    const js_python_offsets *o = &python->offsets;
    int status;
    out->frame = address + o->generator_frame;
    if (o->version >= JS_PYTHON_3_11) {
        status = js_memory_read(&python->memory, address + o->generator_state, state, 1);
        status = status ? status : translate(python, *state, out);
    } else {
        status = js_memory_read_word(&python->memory, address + o->generator_frame, &out->frame);
        out->state = out->frame ? JS_GENERATOR_CREATED : JS_GENERATOR_FINISHED;
    }
    if (status || out->state == JS_GENERATOR_FINISHED) {
        return status;
    }
    status = js_python_read_frame(python, out->frame, frame);
    return status || o->version >= JS_PYTHON_3_11 ? status : read_old(python, address, frame, out);
}

int js_generator_read(js_python *python, uint64_t address, js_generator *out)
{
    js_python_frame frame;
    int8_t state = 0;
    *out = (js_generator){0};
    if (!address || address % 8) {
        return JS_EBAD;
    }
    int status = read_state(python, address, &frame, out, &state);
    if (status || out->state == JS_GENERATOR_FINISHED) {
        return status;
    }
    status = js_python_check_code_type(python, frame.code);
    if (status || out->state != JS_GENERATOR_SUSPENDED) {
        return status;
    }
    bool is_awaiting = state >= states_of(python)->yields_from;
    if (python->offsets.version < JS_PYTHON_3_13) {
        status = awaits(python, &frame, &is_awaiting);
    }
    return status || !is_awaiting ? status : find_awaited(python, &frame, out);
}

int js_generator_put(js_python *python, const js_python_object *object, js_text *out)
{
    static const char *const states[] = {"not started", "suspended", "running", "finished"};
    char name[JS_PYTHON_NAME_LIMIT + 4];
    js_generator generator;
    uint64_t address;
    size_t length;
    int status = js_generator_read(python, object->address, &generator);
    status = status ? status
                    : js_memory_read_word(&python->memory, object->address + python->offsets.generator_name,
                                          &address);
    status = status ? status : js_python_read_str(&python->memory, &python->offsets, address, name, &length);
    if (status) {
        return status;
    }
    js_text_printf(out, "<%s %s", object->class_name, name);
    if (generator.state != JS_GENERATOR_FINISHED) {
        const js_python_code *code;
        js_python_frame frame;
        status = js_python_read_frame(python, generator.frame, &frame);
        status = status ? status : js_python_find_code(python, frame.code, &code);
        if (status || !code->file) {
            return status ? status : JS_EBAD;
        }
        int32_t line = js_python_line_of(python, code, frame.instruction);
        const char *slash = strrchr(code->file, '/');
        js_text_printf(out, " at %s:%d", slash ? slash + 1 : code->file,
                       (int)(line == JS_NO_LINE ? code->first_line : line));
    }
    js_text_printf(out, ", %s>", states[generator.state]);
    return out->status;
}
