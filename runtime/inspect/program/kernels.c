/* A parallel loop's body is compiled as a function of its own, which knows nothing of where it came from. The
 * function that starts the region refers to the kernel's wrapper: by a relocation of its code, which holds
 * the address once it is linked. That joins the two, and the row there is the loop's header. */
#include <string.h>

#include "program/program_internal.h"

/* The wrapper's linkage name is a prefix and the kernel's (numba/np/ufunc/wrappers.py, 0.57-0.68). */
static bool is_wrapped(const char *wrapper, const char *kernel)
{
    size_t whole = strlen(wrapper), part = strlen(kernel);
    return whole > part && !strcmp(wrapper + whole - part, kernel);
}

/* Where the function's code holds this 64-bit value. */
static bool find_word(const js_function *function, uint64_t word, uint64_t *pc)
{
    uint8_t bytes[8];
    size_t size = function->hi - function->lo;
    memcpy(bytes, &word, 8);
    if (!function->code || size < 8)
        return false;
    const uint8_t *at = memmem(function->code, size, bytes, 8);
    if (!at)
        return false;
    *pc = function->lo + (uint64_t)(at - function->code);
    return true;
}

static bool find_reference(const js_function *parent, const js_function *kernel, uint64_t *pc)
{
    const js_object *object = parent->object;
    for (size_t i = 0; i < object->nreferences; i++) {
        *pc = object->references[i].pc;
        if (*pc >= parent->lo && *pc < parent->hi &&
            is_wrapped(object->references[i].name, kernel->linkage_name))
            return true;
    }
    return false;
}

static bool find_wrapper_address(const js_program *program, const js_function *parent,
                                 const js_function *kernel, uint64_t *pc)
{
    for (size_t i = 0; i < program->nobjects; i++)
        for (size_t k = 0; program->objects[i] && k < program->objects[i]->nfunctions; k++) {
            const js_function *wrapper = &program->objects[i]->functions[k];
            if (wrapper->name.kind == JS_NAME_GUFUNC &&
                is_wrapped(wrapper->linkage_name, kernel->linkage_name) && find_word(parent, wrapper->lo, pc))
                return true;
        }
    return false;
}

/* Its wrappers show the loop's name too. */
static void name_wrappers(js_program *program, const js_function *kernel)
{
    for (size_t i = 0; i < program->nobjects; i++)
        for (size_t k = 0; program->objects[i] && k < program->objects[i]->nfunctions; k++) {
            js_function *wrapper = &program->objects[i]->functions[k];
            if (wrapper->has_debug_info || !is_wrapped(wrapper->linkage_name, kernel->linkage_name))
                continue;
            char *name = js_arena_strdup(&wrapper->object->arena, kernel->source_name);
            if (name)
                wrapper->source_name = name;
        }
}

static bool adopt(js_function *kernel, js_function *parent, uint64_t pc)
{
    js_function *outer = parent->parent ? parent->parent : parent; /* a region inside a region */
    const js_row *row = js_function_row(parent->rows, parent->nrows, pc);
    while (row && row > parent->rows && row->line == 0)
        row--;
    char *name = js_arena_alloc(&kernel->object->arena, strlen(outer->source_name) + sizeof ".prange");
    if (!name || !row)
        return false;
    strcpy(name, outer->source_name);
    kernel->source_name = strcat(name, ".prange");
    kernel->parent = outer;
    kernel->region_line = row->line;
    return true;
}

static void link_kernel(js_program *program, js_function *kernel)
{
    for (int by_address = 0; by_address < 2; by_address++)
        for (size_t i = 0; i < program->nobjects; i++)
            for (size_t k = 0; program->objects[i] && k < program->objects[i]->nfunctions; k++) {
                js_function *parent = &program->objects[i]->functions[k];
                uint64_t pc;
                if (!parent->has_debug_info || parent == kernel)
                    continue;
                if ((by_address ? find_wrapper_address(program, parent, kernel, &pc)
                                : find_reference(parent, kernel, &pc)) &&
                    adopt(kernel, parent, pc)) {
                    name_wrappers(program, kernel);
                    return;
                }
            }
}

void js_program_link_kernels(js_program *program)
{
    for (size_t i = 0; i < program->nobjects; i++)
        for (size_t k = 0; program->objects[i] && k < program->objects[i]->nfunctions; k++) {
            js_function *function = &program->objects[i]->functions[k];
            if (function->name.kind == JS_NAME_PARFOR && function->has_debug_info && !function->parent)
                link_kernel(program, function);
        }
}
