/* Compares the lines of a kernel's code with the loops of the source. */
#include "program/parallel/source_lines.h"

#include <string.h>

#include "program/model/lookup.h"
#include "program/names/numba/legal_names.h"
#include "program/read/argument_types.h"

static bool is_header(const js_flow *flow, uint32_t line)
{
    for (size_t i = 0; i < flow->nregions; i++) {
        if (flow->regions[i].kind == JS_REGION_LOOP && flow->regions[i].first_test == line) {
            return true;
        }
    }
    return false;
}

/* True if the line is in a loop below the kernel's line. If not, it belongs to another array expression that
 * the compiler has fused. */
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

/* True if all lines of the kernel's code that are below the kernel's line and in loops are in the body of
 * this loop. */
static bool holds_body(const js_function *kernel, const js_flow *flow, const js_region *loop)
{
    bool has_any = false;
    for (size_t i = 0; i < kernel->lines.nrows; i++) {
        uint32_t line = kernel->lines.rows[i].line;
        if (line <= kernel->region.line || !js_function_has_line(kernel, line) ||
            (line >= loop->first_test && line <= loop->last_test) || !is_in_loop(kernel, flow, line)) {
            continue;
        }
        if (line < loop->first || line > loop->last) {
            return false;
        }
        has_any = true;
    }
    return has_any;
}

/* Return how many lines a kernel's template may have. The template is a text of its own that begins at line 1
 * and has up to two lines for each of the user's arguments (numba/parfors/parfor_lowering.py,
 * _create_gufunc_for_parfor_body, 0.57-0.68). */
static uint32_t count_template_lines(const js_function *kernel)
{
    const char *text = kernel->name.arguments, *next = text && *text == '(' ? text + 1 : "";
    uint32_t arguments = 0; /* the user's; the schedule, which is the first one, is not counted */
    for (js_first_argument(next, &next); *next; arguments++) {
        js_first_argument(next, &next);
    }
    return 4 + 2 * arguments;
}

static bool is_in_body(const js_region *loop, uint32_t line)
{
    return line >= loop->first && line <= loop->last &&
           (line < loop->first_test || line > loop->last_test || loop->first == loop->last);
}

/* True if the kernel has code of statements in the body of this loop. *is_other: it has code of statements in
 * other loops. */
static bool has_body(const js_function *kernel, const js_flow *flow, const js_region *loop, bool *is_other)
{
    uint32_t template = count_template_lines(kernel);
    bool has_any = false;
    *is_other = false;
    for (size_t i = 0; i < kernel->lines.nrows; i++) {
        uint32_t line = kernel->lines.rows[i].line;
        if (line <= template || !js_function_has_line(kernel, line)) {
            continue;
        }
        if (is_in_body(loop, line)) {
            has_any = true;
        }
        for (size_t k = 0; k < flow->nregions && !is_in_body(loop, line) && !*is_other; k++) {
            *is_other = flow->regions[k].kind == JS_REGION_LOOP && is_in_body(&flow->regions[k], line);
        }
    }
    return has_any;
}

/* Return the outermost prange whose body has all statements in loops that the kernel has code of, or NULL. */
static const js_region *loop_of_body(const js_function *kernel, const js_flow *flow)
{
    const js_region *found = NULL;
    for (size_t i = 0; i < flow->ndefs; i++) {
        const js_region *loop = flow->defs[i].is_parallel ? js_flow_loop(flow, flow->defs[i].line) : NULL;
        bool is_other;
        if (loop && has_body(kernel, flow, loop, &is_other) && !is_other &&
            (!found || loop->first_test < found->first_test)) {
            found = loop;
        }
    }
    return found;
}

/* Replace a header whose loop the kernel has no code of: the code that starts a region may have the line of a
 * statement that the compiler has moved ahead. */
static void leave_others_header(js_function *kernel, const js_flow *flow)
{
    const js_region *said = js_flow_loop(flow, kernel->region.line);
    bool is_other;
    if (said && !has_body(kernel, flow, said, &is_other) && is_other) {
        const js_region *found = loop_of_body(kernel, flow);
        kernel->region.line = found ? found->first_test : kernel->region.line;
    }
}

/* Find the header of the kernel's loop. If several loops contain the kernel's lines, it is the outermost: the
 * compiler fuses only loops that are side by side. */
static void find_header(js_function *kernel, const js_flow *flow)
{
    const js_region *found = NULL;
    kernel->region.has_no_header = !js_function_has_line(kernel, kernel->region.line);
    if (kernel->region.has_no_header) {
        kernel->region.line = flow->first_line;
    }
    for (size_t i = 0; i < flow->nregions; i++) {
        const js_region *loop = &flow->regions[i];
        if (loop->kind == JS_REGION_LOOP && loop->first_test > kernel->region.line &&
            holds_body(kernel, flow, loop) && (!found || loop->first_test < found->first_test)) {
            found = loop;
        }
    }
    found = found ? found : loop_of_body(kernel, flow);
    if (found) {
        kernel->region.line = found->first_test;
        kernel->region.has_no_header = false;
    }
}

void js_region_find_lines(js_function *kernel, const js_flow *flow)
{
    if (kernel->build.level >= JS_LEVEL_EXACT || !kernel->region.line) {
        return;
    }
    if (is_header(flow, kernel->region.line)) {
        leave_others_header(kernel, flow);
    } else {
        find_header(kernel, flow);
    }
}

int js_region_name_locals(js_arena *arena, js_function *kernel, const js_flow *flow)
{
    size_t kept = 0;
    for (size_t i = 0; kernel->build.level < JS_LEVEL_EXACT && kernel->locals && i < kernel->nlocals; i++) {
        js_local *local = &kernel->locals[i];
        char *name = js_arena_alloc(arena, strlen(local->name) + 1);
        unsigned version;
        if (!name) {
            return JS_ENOMEM;
        }
        bool is_legal = !js_flow_has_name(flow, local->name) &&
                        js_numba_legal_decode(local->name, name, &version) && js_flow_has_name(flow, name) &&
                        strcmp(name, local->name) != 0;
        if (is_legal && js_function_local(kernel, name, strlen(name))) {
            continue; /* it is another version of a local that is there */
        }
        local->name = is_legal ? name : local->name;
        kernel->locals[kept++] = *local;
    }
    kernel->nlocals = kept < kernel->nlocals && kernel->build.level < JS_LEVEL_EXACT ? kept : kernel->nlocals;
    return JS_OK;
}
