#include "program/region_source.h"

#include <string.h>

#include "program/numba/variables.h"
#include "program/program_internal.h"

static bool is_header(const js_flow *flow, uint32_t line)
{
    for (size_t i = 0; i < flow->nregions; i++)
        if (flow->regions[i].kind == JS_REGION_LOOP && flow->regions[i].first_test == line)
            return true;
    return false;
}

/* Do all lines that the kernel has behind the one it is said to begin at lie in this loop? */
static bool holds_body(const js_function *kernel, const js_region *loop)
{
    bool has_any = false;
    for (size_t i = 0; i < kernel->nrows; i++) {
        uint32_t line = kernel->rows[i].line;
        if (line <= kernel->region_line || line > kernel->last_line ||
            (line >= loop->first_test && line <= loop->last_test))
            continue;
        if (line < loop->first || line > loop->last)
            return false;
        has_any = true;
    }
    return has_any;
}

/* Of several that do, the outermost: the compiler joins only what stands side by side. */
void js_region_find_lines(js_function *kernel, const js_flow *flow)
{
    const js_region *found = NULL;
    kernel->last_line = flow->last_line;
    if (kernel->level >= JS_LEVEL_EXACT || !kernel->region_line || is_header(flow, kernel->region_line))
        return;
    for (size_t i = 0; i < flow->nregions; i++) {
        const js_region *loop = &flow->regions[i];
        if (loop->kind == JS_REGION_LOOP && loop->first_test > kernel->region_line &&
            holds_body(kernel, loop) && (!found || loop->first_test < found->first_test))
            found = loop;
    }
    if (found)
        kernel->region_line = found->first_test;
}

static bool is_of_source(const js_flow *flow, const char *name, size_t length)
{
    for (size_t i = 0; i < flow->ndefs; i++)
        if (strlen(flow->defs[i].name) == length && !strncmp(flow->defs[i].name, name, length))
            return true;
    return false;
}

int js_region_name_locals(js_arena *arena, js_function *kernel, const js_flow *flow)
{
    for (size_t i = 0; kernel->level < JS_LEVEL_EXACT && kernel->locals && i < kernel->nlocals; i++) {
        js_local *local = &kernel->locals[i];
        size_t length = js_numba_legal_length(local->name);
        if (!length || is_of_source(flow, local->name, strlen(local->name)) ||
            !is_of_source(flow, local->name, length) || js_function_local(kernel, local->name, length))
            continue;
        char *name = js_arena_strndup(arena, local->name, length);
        if (!name)
            return JS_ENOMEM;
        local->name = name;
    }
    return JS_OK;
}
