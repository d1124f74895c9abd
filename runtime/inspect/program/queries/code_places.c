#include "program/queries/code_places.h"

#include <stdlib.h>

#include "program/model/lookup.h"
#include "program/model/object.h"
#include "program/validity/locations/debugger_rows.h"

/* Return the path of a file of the function's object; a kernel's own file is that of the function that starts
 * its region. */
static const char *path_of(const js_function *function, uint32_t file)
{
    const js_function *home = function->region.parent;
    return home && file == function->file ? js_object_path(home->object, home->file)
                                          : js_object_path(function->object, file);
}

/* Find the line of the row at pc, as a debugger finds it. */
static int find_line(const js_function *function, uint64_t pc, js_code_place *out)
{
    size_t count;
    js_row *rows = js_debugger_rows(function, &count);
    if (!rows) {
        return JS_ENOMEM;
    }
    const js_row *row = js_function_row(rows, count, pc);
    bool has_line = row && row->line && !js_function_is_merged(function, pc);
    out->line = has_line ? row->line : 0;
    out->path = has_line ? path_of(function, row->file) : path_of(function, function->file);
    free(rows);
    return JS_OK;
}

static unsigned depth_of(const js_function *function, uint32_t inner)
{
    unsigned depth = 0;
    for (; inner; inner = function->inlines[inner - 1].parent) {
        depth++;
    }
    return depth;
}

int js_code_places(const js_function *function, uint64_t pc, js_code_place *out, size_t capacity,
                   size_t *count)
{
    js_code_place place = {.path = path_of(function, function->file)};
    uint32_t inner = function->has_debug_info ? js_function_inline_at(function, pc) : 0;
    int status = function->has_debug_info ? find_line(function, pc, &place) : JS_OK;
    unsigned depth = depth_of(function, inner);
    *count = 0;
    for (; status == JS_OK && inner; inner = function->inlines[inner - 1].parent, depth--) {
        const js_inline *item = &function->inlines[inner - 1];
        place.name = item->name;
        place.depth = depth;
        if (*count + 1 < capacity) {
            out[(*count)++] = place;
        }
        place.path = path_of(function, item->call_file);
        place.line = item->call_line;
    }
    place.name = function->source_name;
    place.depth = 0;
    out[(*count)++] = place;
    return status;
}
