/* Describes arrays of the compiled frames of a core's first thread. */
#include <stdlib.h>
#include <string.h>

#include "program/live/code_frames.h"
#include "program/queries/queries.h"
#include "stacks/api/stacks_state.h"
#include "stacks/process/frame_values.h"
#include "stacks/process/kept_elements.h"
#include "stacks/process/pause.h"

enum {
    DEPTH = 64,  /* native frames in which compiled ones are looked for */
    PLACES = 32, /* functions of the source at one address */
};

#define LONGEST UINT64_C(200000000) /* nanoseconds, after which no more frames are looked at */

/* Find which code at the frame's address is the function of this number, counted from the innermost one, and
 * subtract the number of those that are there. False: none. */
static bool find_depth(const js_native_frame *frame, unsigned *number, unsigned *depth)
{
    js_names_frame places[PLACES];
    js_live_code code = {.function = frame->function};
    bool is_found = false;
    if (js_live_code_read_rows(&code) == JS_OK) {
        size_t all = js_live_code_frames(&code, js_unwound_lookup_pc(&frame->registers), places, PLACES);
        for (size_t i = 0; i < all && i < PLACES && !is_found; i++) {
            bool is_written = places[i].is_inlined || js_name_kind_is_written(frame->function->name.kind);
            is_found = is_written && *number == 0;
            *depth = (unsigned)(all - 1 - i);
            *number -= is_written && !is_found;
        }
    }
    free(code.rows);
    return is_found;
}

/* Find the elements that loops of any thread keep in registers, unless that was done. */
static int find_kept(js_stacks *stacks, const js_core_thread *threads, size_t count)
{
    if (stacks->is_watched) {
        return JS_OK;
    }
    js_thread_copy *copies = calloc(count, sizeof *copies);
    for (size_t i = 0; copies && i < count; i++) {
        copies[i].is_at_rest = true;
        memcpy(copies[i].registers.general, threads[i].registers, sizeof copies[i].registers.general);
    }
    int status = copies ? js_kept_elements_find(&stacks->target, copies, count, js_pause_clock() + LONGEST)
                        : JS_ENOMEM;
    free(copies);
    stacks->is_watched = status == JS_OK;
    return status;
}

int js_stacks_array(js_stacks *stacks, unsigned number, const char *expression,
                    const js_array_request *request, js_progress_fn progress, void *context, char **out)
{
    size_t count = 0;
    const js_core_thread *threads = stacks->core ? js_core_threads(stacks->core, &count) : NULL;
    uint64_t registers[JS_UNWIND_REGISTERS];
    js_array_asked asked = {expression, request, progress, context, 0};
    *out = NULL;
    int status = count ? find_kept(stacks, threads, count) : JS_ENOTFOUND;
    if (status) {
        return status;
    }
    memcpy(registers, threads->registers, sizeof registers);
    js_unwinder unwinder = js_stack_target_unwinder(&stacks->target, stacks->target.paused);
    js_native_stack stack;
    status = js_native_stack_init(&stack, &unwinder, registers);
    const js_native_frame *frame = NULL;
    bool is_found = false;
    for (size_t i = 0; status == JS_OK && i < DEPTH && !is_found; i++) {
        js_native_stack_at(&stack, i + 1); /* this finds the CFA of the frame before it */
        frame = js_native_stack_at(&stack, i);
        if (!frame) {
            break;
        }
        is_found = frame->function && find_depth(frame, &number, &asked.depth);
    }
    if (status == JS_OK) {
        status = is_found ? js_frame_values_array(stacks->target.program, stacks->target.paused, frame,
                                                  &asked, out)
                          : JS_ENOTFOUND;
    }
    js_native_stack_deinit(&stack);
    return status;
}
