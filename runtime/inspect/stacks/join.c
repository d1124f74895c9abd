/* Each evaluation in C (a frame of _PyEval_EvalFrameDefault) runs the Python frames up to the next entry. */
#include "stacks/join.h"

#include <stdlib.h>

struct js_join {
    js_join_frame_fn frame_at;
    void *context;
    const js_join_python *python;
    size_t count, taken; /* Python frames, and those that were given */
    size_t index;        /* of the next native frame */
    bool takes;          /* the Python frames of one evaluation come next */
    bool takes_all;      /* all Python frames that are left come next */
    int64_t evaluation;
    bool ran;       /* an interpreter's frame came that is not known to evaluate Python */
    bool evaluated; /* a frame came that evaluates Python */
    bool asking;    /* each frame so far belongs to a request to stop */
    bool is_native_at_end;
};

int js_join_create(js_join_frame_fn frame_at, void *context, const js_join_python *python, size_t count,
                   js_join **out)
{
    *out = calloc(1, sizeof **out);
    if (!*out) {
        return JS_ENOMEM;
    }
    **out = (js_join){.frame_at = frame_at, .context = context, .python = python, .count = count};
    (*out)->asking = true;
    (*out)->evaluation = -1;
    return JS_OK;
}

void js_join_destroy(js_join *join)
{
    free(join);
}

/* True if the native frame evaluates the next Python frames: since 3.11 CPython keeps a shim in such a frame,
 * so that the frame's name is not needed. */
static bool holds(const js_join *join, size_t index)
{
    js_join_frame frame, older;
    size_t next = join->taken;
    while (next < join->count && !join->python[next].is_entry) {
        next++;
    }
    uint64_t shim = next < join->count ? join->python[next].shim : 0;
    return shim && join->frame_at(join->context, index, &frame) == JS_OK &&
           join->frame_at(join->context, index + 1, &older) == JS_OK && frame.stack <= shim &&
           shim < older.stack;
}

/* True if a native frame from `index` on evaluates Python. Compiled code may call compiled code by the
 * interpreter's functions alone. */
static int evaluates(const js_join *join, size_t index, bool *out)
{
    js_join_frame frame;
    int status;
    *out = false;
    for (; (status = join->frame_at(join->context, index, &frame)) == JS_OK && !*out; index++) {
        *out = !frame.is_compiled && (holds(join, index) || frame.frame_class == JS_FRAME_EVALUATION);
    }
    return status == JS_ENOTFOUND ? JS_OK : status;
}

/* Give the next Python frame. False: no more come here. */
static bool take_python(js_join *join, js_join_item *out)
{
    bool is_given = (join->takes || join->takes_all) && join->taken < join->count;
    if (is_given) {
        const js_join_python *python = &join->python[join->taken];
        join->asking = join->asking && python->asks;
        *out = (js_join_item){.kind = JS_JOIN_PYTHON, .index = join->taken, .is_asking = join->asking};
        out->evaluation = join->takes_all ? -1 : join->evaluation;
        join->taken++;
        join->takes = !python->is_entry;
    } else {
        join->takes = join->takes_all = false;
    }
    return is_given;
}

/* Give a native frame, after which the Python frames that it runs come. */
static void take_native(js_join *join, const js_join_frame *frame, js_join_item *out)
{
    js_frame_class found = frame->frame_class;
    if (frame->is_compiled) {
        join->asking = join->asking && frame->asks;
    } else if (found == JS_FRAME_INTERPRETER && !frame->has_name && holds(join, join->index)) {
        found = JS_FRAME_EVALUATION;
    }
    *out = (js_join_item){.index = join->index, .is_asking = join->asking, .evaluation = -1};
    out->frame_class = found;
    if (!frame->is_compiled) {
        join->takes = found == JS_FRAME_EVALUATION;
        join->evaluation = (int64_t)join->index;
        join->evaluated |= join->takes;
        join->ran |= join->takes || found == JS_FRAME_INTERPRETER;
    }
    join->index++;
}

int js_join_next(js_join *join, js_join_item *out)
{
    js_join_frame frame;
    if (take_python(join, out)) {
        return JS_OK;
    }
    int status = join->is_native_at_end ? JS_ENOTFOUND : join->frame_at(join->context, join->index, &frame);
    if (status == JS_OK && frame.is_compiled && join->ran && !join->evaluated && join->taken < join->count) {
        status = evaluates(join, join->index, &join->evaluated);
        if (status == JS_OK && !join->evaluated) {
            join->takes_all = true;
            return js_join_next(join, out);
        }
    }
    if (status == JS_OK) {
        take_native(join, &frame, out);
    } else if (status == JS_ENOTFOUND && !join->is_native_at_end) {
        join->is_native_at_end = join->takes_all = true;
        return js_join_next(join, out);
    }
    return status;
}
