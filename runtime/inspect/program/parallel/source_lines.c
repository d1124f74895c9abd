#include "program/parallel/source_lines.h"

#include <string.h>

#include "program/model/lookup.h"
#include "program/names/numba/legal_names.h"

static bool is_header(const js_flow *flow, uint32_t line)
{
    for (size_t i = 0; i < flow->nregions; i++)
        if (flow->regions[i].kind == JS_REGION_LOOP && flow->regions[i].first_test == line)
            return true;
    return false;
}

/* Is the line in a loop below the one that the kernel is said to begin at? Else it is of another array
 * expression that the compiler has joined. */
static bool is_in_loop(const js_function *kernel, const js_flow *flow, uint32_t line)
{
    bool found = false;
    for (size_t i = 0; i < flow->nregions && !found; i++) {
        const js_region *loop = &flow->regions[i];
        found = loop->kind == JS_REGION_LOOP && loop->first_test > kernel->region.line &&
                line >= loop->first_test && line <= loop->last;
    }
    return found;
}

/* Do all lines that the kernel has in loops behind the one it is said to begin at lie in this loop? */
static bool holds_body(const js_function *kernel, const js_flow *flow, const js_region *loop)
{
    bool has_any = false;
    for (size_t i = 0; i < kernel->lines.nrows; i++) {
        uint32_t line = kernel->lines.rows[i].line;
        if (line <= kernel->region.line || !js_function_has_line(kernel, line) ||
            (line >= loop->first_test && line <= loop->last_test) || !is_in_loop(kernel, flow, line))
            continue;
        if (line < loop->first || line > loop->last)
            return false;
        has_any = true;
    }
    return has_any;
}

/* Where several loops do, takes the outermost: the compiler joins only what stands side by side. */
void js_region_find_lines(js_function *kernel, const js_flow *flow)
{
    const js_region *found = NULL;
    if (kernel->build.level >= JS_LEVEL_EXACT || !kernel->region.line || is_header(flow, kernel->region.line))
        return;
    kernel->region.has_no_header = !js_function_has_line(kernel, kernel->region.line);
    if (kernel->region.has_no_header)
        kernel->region.line = flow->first_line;
    for (size_t i = 0; i < flow->nregions; i++) {
        const js_region *loop = &flow->regions[i];
        if (loop->kind == JS_REGION_LOOP && loop->first_test > kernel->region.line &&
            holds_body(kernel, flow, loop) && (!found || loop->first_test < found->first_test))
            found = loop;
    }
    if (found) {
        kernel->region.line = found->first_test;
        kernel->region.has_no_header = false;
    }
}

int js_region_name_locals(js_arena *arena, js_function *kernel, const js_flow *flow)
{
    size_t kept = 0;
    for (size_t i = 0; kernel->build.level < JS_LEVEL_EXACT && kernel->locals && i < kernel->nlocals; i++) {
        js_local *local = &kernel->locals[i];
        char *name = js_arena_alloc(arena, strlen(local->name) + 1);
        unsigned version;
        if (!name)
            return JS_ENOMEM;
        bool is_legal = !js_flow_has_name(flow, local->name) &&
                        js_numba_legal_decode(local->name, name, &version) && js_flow_has_name(flow, name) &&
                        strcmp(name, local->name) != 0;
        if (is_legal && js_function_local(kernel, name, strlen(name)))
            continue; /* another version of what is there */
        local->name = is_legal ? name : local->name;
        kernel->locals[kept++] = *local;
    }
    kernel->nlocals = kept < kernel->nlocals && kernel->build.level < JS_LEVEL_EXACT ? kept : kernel->nlocals;
    return JS_OK;
}
