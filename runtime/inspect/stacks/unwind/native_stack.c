#include "stacks/unwind/native_stack.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "bytes/vector.h"
#include "program/model/function.h"

enum {
    MAX_FRAMES = 1 << 20,
    RECURSION = 64,             /* frames in which the place of a frame is looked for */
    LONGEST_LIBRARY_CALL = 100, /* frames of one call into the C library, at most */
};

/* Unwind one more frame, without its description. */
static bool grow(js_native_stack *stack)
{
    if (stack->status || stack->count == MAX_FRAMES) {
        stack->status = stack->status ? stack->status : JS_ELIMIT;
        return false;
    }
    js_native_frame *grown =
        js_vector_reserve(stack->frames, &stack->capacity, stack->count + 1, sizeof *grown);
    if (!grown) {
        stack->status = JS_ENOMEM;
        return false;
    }
    stack->frames = grown;
    js_native_frame *made = &grown[stack->count];
    *made = (js_native_frame){0};
    stack->status = js_unwinder_older(stack->unwinder, &grown[stack->count - 1].registers, &made->registers);
    stack->count += stack->status == JS_OK;
    return stack->status == JS_OK;
}

/* Return one of the last frames that is at the same place, as those of a recursion are; NULL: none is. */
static const js_native_frame *same_place(const js_native_stack *stack, uint64_t pc)
{
    size_t last = stack->count - 1;
    for (size_t i = 1; i <= last && i <= RECURSION; i++) {
        const js_native_frame *newer = &stack->frames[last - i];
        if (js_unwound_lookup_pc(&newer->registers) == pc) {
            return newer;
        }
    }
    return NULL;
}

/* Describe the last frame. */
static void name(js_native_stack *stack)
{
    js_unwinder *unwinder = stack->unwinder;
    js_native_frame *frame = &stack->frames[stack->count - 1];
    uint64_t pc = js_unwound_lookup_pc(&frame->registers);
    frame->function = js_unwinder_function(unwinder, pc);
    const js_native_frame *known = same_place(stack, pc);
    if (known) {
        frame->place = known->place;
    } else {
        js_modules_describe(unwinder->modules, pc, &frame->place);
    }
}

static js_native_frame *named_at(js_native_stack *stack, size_t index)
{
    while (stack->count <= index) {
        if (!grow(stack)) {
            return NULL;
        }
        name(stack);
    }
    return &stack->frames[index];
}

static bool is_of_c_library(const js_native_frame *frame)
{
    const char *slash = strrchr(frame->place.path, '/');
    return slash && !frame->function && fnmatch("@(libc|libpthread)[.-]*", slash + 1, FNM_EXTMATCH) == 0;
}

/* Return the name of the function of the C library that starts main or a thread, which a stripped library
 * does not have: the one that calls main is followed by one that has a name, and the one that starts a thread
 * is one of the last two. */
static const char *start_name(js_native_stack *stack, size_t index)
{
    const js_native_frame *older = named_at(stack, index + 1);
    const char *older_name = older ? older->place.name : NULL;
    if (older_name && strncmp(older_name, "__libc_start_", strlen("__libc_start_")) == 0) {
        return older_name;
    }
    bool is_clone = older && (!older_name || fnmatch("?(__)clone?(3)", older_name, FNM_EXTMATCH) == 0);
    bool is_outermost = !older || (is_clone && !named_at(stack, index + 2));
    return is_outermost && is_of_c_library(&stack->frames[index]) ? "start_thread" : NULL;
}

/* True if the frame runs the function of the one that it has called, as those of a recursion do. */
static bool is_recursive(const js_native_stack *stack, size_t index)
{
    const js_native_frame *frame = &stack->frames[index], *newer = frame - 1;
    return index && newer->is_classified && frame->place.name && frame->place.name == newer->place.name &&
           frame->place.path == newer->place.path;
}

static void classify(js_native_stack *stack, size_t index)
{
    js_native_frame *frame = &stack->frames[index];
    if (is_recursive(stack, index)) {
        frame->frame_class = frame[-1].frame_class;
        frame->is_classified = true;
        return;
    }
    const char *known = frame->place.name ? frame->place.name : start_name(stack, index);
    js_native_frame *made = &stack->frames[index]; /* the array may have moved */
    made->frame_class = js_frame_classify(made->place.path, known);
    made->is_classified = true;
}

int js_native_stack_init(js_native_stack *stack, js_unwinder *unwinder,
                         const uint64_t registers[JS_UNWIND_REGISTERS])
{
    *stack = (js_native_stack){.unwinder = unwinder};
    stack->frames = js_vector_reserve(NULL, &stack->capacity, 1, sizeof *stack->frames);
    if (!stack->frames) {
        return JS_ENOMEM;
    }
    js_native_frame *first = &stack->frames[0];
    *first = (js_native_frame){0};
    memcpy(first->registers.values, registers, sizeof first->registers.values);
    memset(first->registers.is_known, true, sizeof first->registers.is_known);
    stack->count = 1;
    name(stack);
    classify(stack, 0);
    return JS_OK;
}

void js_native_stack_deinit(js_native_stack *stack)
{
    free(stack->frames);
    *stack = (js_native_stack){0};
}

js_native_frame *js_native_stack_at(js_native_stack *stack, size_t index)
{
    if (!named_at(stack, index)) {
        return NULL;
    }
    if (index && !stack->frames[index].function && !stack->frames[index].is_classified) {
        classify(stack, index);
    }
    return &stack->frames[index];
}

bool js_native_stack_is_inner(js_native_stack *stack, size_t index)
{
    const js_native_frame *frame = js_native_stack_at(stack, index);
    if (!frame || !is_of_c_library(frame)) {
        return false;
    }
    for (size_t i = index + 1; i - index <= LONGEST_LIBRARY_CALL; i++) {
        const js_native_frame *older = js_native_stack_at(stack, i);
        if (!older || !is_of_c_library(older) || older->frame_class != JS_FRAME_NATIVE) {
            return false;
        }
        if (older->place.name) {
            return true;
        }
    }
    return false;
}
