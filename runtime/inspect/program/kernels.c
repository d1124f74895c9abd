/* A parallel loop's body is compiled as a function of its own, which knows nothing of where it came from. The
 * function that starts the region holds the address of the kernel's wrapper in its code: that joins the two,
 * and the row there is the loop's header. */
#include <string.h>

#include "program/program_internal.h"

/* The wrapper of this kernel: "__gufunc__." and the kernel's linkage name (numba/np/ufunc/wrappers.py,
 * 0.57-0.68). */
static bool is_wrapper_of(const js_function *wrapper, const js_function *kernel)
{
    size_t whole = strlen(wrapper->linkage_name), part = strlen(kernel->linkage_name);
    return wrapper->name.kind == JS_NAME_GUFUNC && whole > part &&
           !strcmp(wrapper->linkage_name + whole - part, kernel->linkage_name);
}

/* Offset in the code of an instruction operand with this 64-bit value. */
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

static void link_kernel(js_program *program, js_function *kernel)
{
    for (size_t i = 0; i < program->nobjects; i++)
        for (size_t k = 0; program->objects[i] && k < program->objects[i]->nfunctions; k++) {
            const js_function *wrapper = &program->objects[i]->functions[k];
            if (!is_wrapper_of(wrapper, kernel))
                continue;
            for (size_t n = 0; n < program->nobjects; n++)
                for (size_t m = 0; program->objects[n] && m < program->objects[n]->nfunctions; m++) {
                    js_function *parent = &program->objects[n]->functions[m];
                    uint64_t pc;
                    if (!parent->has_debug_info || !find_word(parent, wrapper->lo, &pc))
                        continue;
                    const js_row *row = js_function_row(parent->rows, parent->nrows, pc);
                    while (row && row > parent->rows && row->line == 0)
                        row--;
                    const js_function *outer = parent->parent ? parent->parent : parent;
                    char *name = js_arena_alloc(&kernel->object->arena, strlen(outer->source_name) + 8);
                    if (!name || !row)
                        continue;
                    strcpy(name, outer->source_name);
                    kernel->source_name = strcat(name, ".prange");
                    kernel->parent = (js_function *)outer;
                    kernel->region_line = row->line;
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
