/* Finds the function that starts a kernel. The body of a parallel loop is compiled as a function of its own,
 * which does not name the function that it came from. That function refers to the kernel's wrapper by a
 * relocation of its code, which holds the wrapper's address once it is linked. The line there is that of the
 * loop's header. */
#include "program/parallel/kernels.h"

#include <string.h>

#include "program/model/lookup.h"
#include "program/model/object.h"
#include "program/names/loop_name.h"
#include "program/names/numba/variable_names.h"

/* True for the linkage names of a wrapper and its kernel: the wrapper's is a prefix and the kernel's
 * (numba/np/ufunc/wrappers.py, 0.57-0.68). */
static bool is_wrapped(const char *wrapper, const char *kernel)
{
    size_t whole = strlen(wrapper), part = strlen(kernel);
    return whole > part && !strcmp(wrapper + whole - part, kernel);
}

/* Find where the function's code contains this 64-bit value. */
static bool find_word(const js_function *function, uint64_t word, uint64_t *pc)
{
    uint8_t bytes[8];
    size_t size = function->hi - function->lo;
    memcpy(bytes, &word, 8);
    if (!function->code || size < 8) {
        return false;
    }
    const uint8_t *at = memmem(function->code, size, bytes, 8);
    if (!at) {
        return false;
    }
    *pc = function->lo + (uint64_t)(at - function->code);
    return true;
}

static bool find_reference(const js_function *parent, const js_function *kernel, uint64_t *pc)
{
    const js_object *object = parent->object;
    for (size_t i = 0; i < object->nreferences; i++) {
        *pc = object->references[i].pc;
        if (*pc >= parent->lo && *pc < parent->hi &&
            is_wrapped(object->references[i].name, kernel->linkage_name)) {
            return true;
        }
    }
    return false;
}

/* Give the kernel's wrappers the name of the loop, too. */
static void name_wrappers(js_program *program, const js_function *kernel)
{
    for (size_t i = 0; i < program->nobjects; i++) {
        for (size_t k = 0; program->objects[i] && k < program->objects[i]->nfunctions; k++) {
            js_function *wrapper = &program->objects[i]->functions[k];
            if (!is_wrapped(wrapper->linkage_name, kernel->linkage_name)) {
                continue;
            }
            char *name = js_arena_strdup(&wrapper->object->arena, kernel->source_name);
            if (name) {
                wrapper->source_name = name;
            }
        }
    }
}

static bool adopt(js_function *kernel, js_function *parent, uint64_t pc)
{
    js_function *outer =
        parent->region.parent ? parent->region.parent : parent; /* the parent may be a kernel, too */
    const js_row *row = js_function_line_row(parent, pc);
    char *name = js_loop_name(&kernel->object->arena, outer->source_name);
    js_started *started = js_arena_alloc(&parent->object->arena, sizeof *started);
    if (!name || !row || !started) {
        return false;
    }
    kernel->source_name = name;
    kernel->region.parent = outer;
    *started = (js_started){.line = row->line, .next = parent->starts_region};
    parent->starts_region = started;
    /* the hook gives the kernel its line; at exact, the code that starts it may have any line of the parent
     */
    kernel->region.line = kernel->build.level >= JS_LEVEL_LINES && kernel->line ? kernel->line : row->line;
    return true;
}

typedef struct joining {
    js_program *program;
    const js_object *newest;
    js_function *kernel;
} joining;

/* Find the kernel's parent by the address of its wrapper, or, with NULL, by a relocation. Objects before the
 * newest one have been compared already. */
static bool find_parent(const joining *join, const js_function *wrapper)
{
    js_program *program = join->program;
    js_function *kernel = join->kernel;
    bool all = kernel->object == join->newest || (wrapper && wrapper->object == join->newest);
    for (size_t i = all ? 0 : join->newest->id; i < program->nobjects; i++) {
        for (size_t k = 0; program->objects[i] && k < program->objects[i]->nfunctions; k++) {
            js_function *parent = &program->objects[i]->functions[k];
            uint64_t pc;
            if (!parent->has_debug_info || parent == kernel) {
                continue;
            }
            if ((wrapper ? find_word(parent, wrapper->lo, &pc) : find_reference(parent, kernel, &pc)) &&
                adopt(kernel, parent, pc)) {
                return true;
            }
        }
    }
    return false;
}

static bool find_parent_by_address(const joining *join)
{
    const js_program *program = join->program;
    for (size_t i = 0; i < program->nobjects; i++) {
        for (size_t k = 0; program->objects[i] && k < program->objects[i]->nfunctions; k++) {
            const js_function *wrapper = &program->objects[i]->functions[k];
            if (wrapper->name.kind == JS_NAME_GUFUNC &&
                is_wrapped(wrapper->linkage_name, join->kernel->linkage_name) && find_parent(join, wrapper)) {
                return true;
            }
        }
    }
    return false;
}

/* Give a kernel without debug information the name of its loop; false: the function that starts it is not
 * found. */
static bool name_undescribed(const joining *join)
{
    const js_program *program = join->program;
    js_function *kernel = join->kernel;
    for (size_t i = kernel->object == join->newest ? 0 : join->newest->id; i < program->nobjects; i++) {
        for (size_t k = 0; program->objects[i] && k < program->objects[i]->nfunctions; k++) {
            const js_function *starter = &program->objects[i]->functions[k];
            uint64_t pc;
            bool is_written =
                starter->name.kind == JS_NAME_FUNCTION || starter->name.kind == JS_NAME_GENERATOR_NEXT;
            char *name = is_written && find_reference(starter, kernel, &pc)
                             ? js_loop_name(&kernel->object->arena, starter->source_name)
                             : NULL;
            if (name) {
                kernel->source_name = name;
                return true;
            }
        }
    }
    return false;
}

bool js_program_is_unnamed(const js_function *function)
{
    return (function->name.kind == JS_NAME_GUFUNC || function->name.kind == JS_NAME_PARFOR) &&
           (!function->has_debug_info || function->name.kind == JS_NAME_GUFUNC) &&
           js_numba_is_kernel_name(function->source_name);
}

void js_program_link_kernels(js_program *program, const js_object *newest)
{
    for (size_t i = 0; i < program->nobjects; i++) {
        bool may_have = program->objects[i] && program->objects[i]->has_kernels;
        for (size_t k = 0; may_have && k < program->objects[i]->nfunctions; k++) {
            js_function *kernel = &program->objects[i]->functions[k];
            joining join = {program, newest, kernel};
            if (kernel->name.kind != JS_NAME_PARFOR) {
                continue;
            }
            bool is_found = kernel->has_debug_info ? !kernel->region.parent && (find_parent(&join, NULL) ||
                                                                                find_parent_by_address(&join))
                                                   : js_program_is_unnamed(kernel) && name_undescribed(&join);
            if (is_found) {
                name_wrappers(program, kernel);
            }
        }
    }
}
