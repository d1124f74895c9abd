/* js_python_frames: walks from the innermost frame of a thread to the outermost. */
#include "stacks/cpython/frame.h"

enum {
    MAX_FRAMES = 1000000,
    MAX_STEPS = 2 * MAX_FRAMES + 2, /* with shims */
    POLL_EVERY = 256,
    FRAME_TEXT = 128, /* most bytes of a frame's JSON without its names */
};

typedef struct frame_walk {
    js_python *python;
    js_text *out;
    js_address_map seen;
    unsigned limit, count;
    bool pending;    /* a frame was written except for its "entry", which its caller decides */
    uint64_t cframe; /* 3.11: address of its evaluation's _PyCFrame, on the C stack; 0: not known */
    const char *why;
} frame_walk;

static void finish_pending(frame_walk *walk, const char *entry)
{
    if (walk->pending) {
        js_text_printf(walk->out, ", \"entry\": %s}", entry);
        walk->pending = false;
    }
}

/* Finish the pending frame as an entry, with an address within its evaluation's frame on the C stack: since
 * 3.12 that of the shim frame, which the evaluation links. */
static void finish_pending_at(frame_walk *walk, uint64_t address)
{
    if (walk->pending) {
        js_text_printf(walk->out, ", \"entry\": true, \"shim\": %llu}", (unsigned long long)address);
        walk->pending = false;
    }
}

/* Finish the pending frame as an entry in 3.11, and go on to the next evaluation. Each has a _PyCFrame on the
 * C stack, and these are linked like the frames: the calling frame is the one that the next of them runs. */
static void finish_evaluation(frame_walk *walk, const js_python_frame *frame)
{
    js_memory *memory = &walk->python->memory;
    const js_python_offsets *offsets = &walk->python->offsets;
    uint64_t runs = 0;
    if (!walk->cframe) {
        finish_pending(walk, "true");
        return;
    }
    finish_pending_at(walk, walk->cframe);
    if (js_memory_read_word(memory, walk->cframe + offsets->cframe_previous, &walk->cframe) ||
        !walk->cframe || walk->cframe % 8 ||
        js_memory_read_word(memory, walk->cframe + offsets->cframe_current, &runs) ||
        runs != frame->previous) {
        walk->cframe = 0;
    }
}

static int write_frame(frame_walk *walk, const js_python_frame *frame)
{
    const js_python_code *code;
    int status = js_python_find_code(walk->python, frame->code, &code);
    if (status == JS_ENOMEM) {
        return status;
    }
    if (status < 0) {
        walk->why =
            status == JS_ELIMIT ? "their names are too long to show" : "a frame without a code object";
        return JS_OK;
    }
    if (code->internal) {
        return JS_OK;
    }
    finish_pending(walk, "false");
    if (walk->count == walk->limit) {
        walk->why = "limit";
        return JS_OK;
    }
    if (walk->out->limit - walk->out->length < code->json_length + FRAME_TEXT * 2) {
        walk->why = "their names are too long to show";
        return JS_OK;
    }
    js_text_put(walk->out, walk->count++ ? ", {" : "{");
    js_text_putn(walk->out, code->json, code->json_length);
    int32_t line = js_python_line_of(walk->python, code, frame->instruction);
    if (line == JS_NO_LINE) {
        js_text_printf(walk->out, ", \"line\": null, \"first_line\": %d", code->first_line);
    } else {
        js_text_printf(walk->out, ", \"line\": %d, \"first_line\": %d", line, code->first_line);
    }
    js_text_printf(walk->out, ", \"address\": %llu", (unsigned long long)frame->address);
    walk->pending = true;
    if (frame->is_entry) {
        finish_evaluation(walk, frame);
    }
    return walk->out->status;
}

static int walk_frames(frame_walk *walk, uint64_t address, js_poll_fn poll, void *poll_context)
{
    for (unsigned step = 0; address != 0 && !walk->why; step++) {
        if (step % POLL_EVERY == POLL_EVERY - 1 && poll && poll(poll_context) != 0) {
            return JS_ECANCEL;
        }
        int added = step < MAX_STEPS ? js_address_map_add(&walk->seen, address, 0) : 1;
        if (added < 0) {
            return added;
        }
        if (added > 0) {
            walk->why = step < MAX_STEPS ? "the frames form a cycle" : "limit";
            break;
        }
        js_python_frame frame;
        if (js_python_read_frame(walk->python, address, &frame) < 0) {
            walk->why = "a frame cannot be read";
            break;
        }
        if (frame.shim) {
            finish_pending_at(walk, address);
        } else {
            int status = write_frame(walk, &frame);
            if (status < 0) {
                return status;
            }
        }
        address = frame.previous;
    }
    /* Since 3.11 the oldest frame begins an evaluation; a generator that is being left is unlinked first. */
    if (walk->pending && !walk->why) {
        walk->why = "the list of frames ends inside a call";
    }
    finish_pending(walk, "null");
    return walk->out->status;
}

int js_python_frames(js_python *python, uint64_t native_id, uint64_t pthread, unsigned limit, js_poll_fn poll,
                     void *poll_context, js_text *out)
{
    js_python_chosen thread;
    js_memory_reset(&python->memory);
    int status = js_python_choose(python, native_id, pthread, &thread);
    if (status < 0) {
        return status;
    }
    frame_walk walk = {.python = python, .out = out};
    walk.limit = limit == 0 || limit > MAX_FRAMES ? MAX_FRAMES : limit;
    status = js_python_innermost_frame(python, thread.address, &thread.frame);
    if (status < 0) {
        thread.frame = 0;
        walk.why = status == JS_EBAD ? "a call is being entered, or the stack is corrupt"
                                     : "the thread cannot be read";
    }
    if (python->offsets.version == JS_PYTHON_3_11 && thread.frame) {
        walk.cframe = js_python_cframe(python, thread.address, thread.frame);
    }
    js_text_put(out, "{\"frames\": [");
    status = walk_frames(&walk, thread.frame, poll, poll_context);
    js_address_map_deinit(&walk.seen);
    js_text_printf(out, "], \"truncated\": %s", walk.why ? "true" : "false");
    if (walk.why) {
        js_text_printf(out, ", \"why\": \"%s\"", walk.why);
    }
    if (thread.states > 1) {
        js_text_printf(out, ", \"other_states\": %u", thread.states - 1);
    }
    js_text_put(out, "}");
    return status < 0 ? status : out->status;
}
