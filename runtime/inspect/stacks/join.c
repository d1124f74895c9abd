/* Each evaluation in C (a frame of _PyEval_EvalFrameDefault) runs the Python frames up to the next entry. */
#include "stacks/join.h"

#include <stdlib.h>

enum { MOST_COUNTED = 20000 /* native frames, which a debugger takes a while to find */ };

struct js_join {
    js_join_frame_fn frame_at;
    void *context;
    const js_join_python *python;
    size_t count, taken; /* Python frames, and those that were given */
    size_t index;        /* index of the next native frame */
    bool takes;          /* the Python frames of one evaluation come next */
    bool takes_all;      /* all Python frames that are left come next */
    int64_t evaluation;
    bool ran;          /* an interpreter's frame came that is not known to evaluate Python */
    bool evaluated;    /* a frame came that evaluates Python */
    bool asking;       /* each frame so far belongs to a request to stop */
    bool is_innermost; /* only functions of the interpreter that do not evaluate Python came */
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
    (*out)->asking = (*out)->is_innermost = true;
    (*out)->evaluation = -1;
    return JS_OK;
}

void js_join_destroy(js_join *join)
{
    free(join);
}

/* Return the index of the last Python frame of the next evaluation; `count`: there is none. */
static size_t next_entry(const js_join *join)
{
    size_t next = join->taken;
    while (next < join->count && !join->python[next].is_entry) {
        next++;
    }
    return next;
}

/* Whether a native frame runs the next Python frames. */
typedef enum relation { UNKNOWN, RUNS_THEM, RUNS_OTHERS } relation;

/* Find out by the shim: since 3.11 CPython keeps one in each native frame that evaluates Python, so that the
 * frame's name is not needed. The innermost evaluation may have none yet, or none any more, while it begins
 * or ends, and then it runs no Python frame. */
static relation relation_of(const js_join *join, size_t index)
{
    js_join_frame frame, older;
    size_t next = next_entry(join);
    uint64_t shim = next < join->count ? join->python[next].shim : 0;
    if (!shim || join->frame_at(join->context, index, &frame)) {
        return UNKNOWN;
    }
    bool has_older = join->frame_at(join->context, index + 1, &older) == JS_OK;
    if (!has_older || older.stack <= frame.stack) {
        return UNKNOWN; /* the frame's end is not known */
    }
    return frame.stack <= shim && shim < older.stack ? RUNS_THEM : RUNS_OTHERS;
}

static bool holds(const js_join *join, size_t index)
{
    return relation_of(join, index) == RUNS_THEM;
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

/* True if the innermost evaluation has not linked its Python frame yet, or has unlinked it already, in
 * CPython up to 3.10. There each evaluation runs one frame, so that there is one more evaluation than frames.
 */
static bool is_between(const js_join *join)
{
    js_join_frame frame;
    size_t evaluations = 0, index = join->index;
    int status = JS_OK;
    for (size_t i = 0; i < join->count; i++) {
        if (join->python[i].shim || !join->python[i].is_entry || !join->python[i].is_sole) {
            return false;
        }
    }
    for (; index < MOST_COUNTED && (status = join->frame_at(join->context, index, &frame)) == JS_OK;
         index++) {
        evaluations += !frame.is_compiled && frame.frame_class == JS_FRAME_EVALUATION;
    }
    return status == JS_ENOTFOUND && evaluations == join->count + 1;
}

/* True if the native frame that comes next evaluates Python, and runs the next Python frames. */
static bool runs_python(const js_join *join, js_frame_class found)
{
    relation known = relation_of(join, join->index);
    if (known != UNKNOWN || found != JS_FRAME_EVALUATION) {
        return known == RUNS_THEM;
    }
    return !join->is_innermost || !is_between(join);
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
    bool takes = !frame->is_compiled && runs_python(join, found);
    if (frame->is_compiled) {
        join->asking = join->asking && frame->asks;
    } else if (found == JS_FRAME_INTERPRETER && !frame->has_name && takes) {
        found = JS_FRAME_EVALUATION;
    }
    *out = (js_join_item){.index = join->index, .is_asking = join->asking, .evaluation = -1};
    out->frame_class = found;
    if (!frame->is_compiled) {
        join->takes = takes;
        join->evaluation = found == JS_FRAME_EVALUATION ? (int64_t)join->index : -1;
        join->evaluated |= takes || found == JS_FRAME_EVALUATION;
        join->ran |= join->evaluated || found == JS_FRAME_INTERPRETER;
    }
    join->is_innermost = join->is_innermost && !frame->is_compiled && found == JS_FRAME_INTERPRETER;
    join->index++;
}

int js_join_next(js_join *join, js_join_item *out)
{
    js_join_frame frame;
    if (!join->takes && join->index && holds(join, join->index - 1)) {
        join->takes = true; /* the frame of their evaluation was not found: it lies within the last one */
        join->evaluation = -1;
    }
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
