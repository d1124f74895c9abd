/* Finds the frames and the line of an address within a function. */
#include "program/live/code_frames.h"

#include "program/model/function.h"
#include "program/model/lookup.h"
#include "program/model/object.h"
#include "program/validity/locations/debugger_rows.h"

int js_live_code_read_rows(js_live_code *code)
{
    if (code->rows || !code->function->lines.nall) {
        return JS_OK;
    }
    code->rows = js_debugger_rows(code->function, &code->nrows);
    return code->rows ? JS_OK : JS_ENOMEM;
}

/* Return the function that has the source of this one: a kernel's code is in the function that starts it. */
static const js_function *home_of(const js_function *function)
{
    return function->region.parent ? function->region.parent : function;
}

static const char *path_of(const js_function *function, uint32_t file)
{
    const js_function *home = home_of(function);
    return file == function->file ? js_object_path(home->object, home->file)
                                  : js_object_path(function->object, file);
}

const char *js_live_code_file(const js_function *function)
{
    /* A wrapper of a function with lines has a scope without a line. */
    bool is_placed = function->has_debug_info && (function->build.level != JS_LEVEL_LINES ||
                                                  js_name_kind_is_written(function->name.kind));
    return is_placed ? path_of(function, function->file) : "";
}

uint32_t js_live_code_line(const js_function *function)
{
    return function->region.parent ? function->region.line : function->line;
}

/* Return the row that a debugger takes for the address: the last one at or before it, and of several at one
 * address the last that begins a statement. */
static const js_row *find_row(const js_live_code *code, uint64_t address)
{
    const js_row *last = js_function_row(code->rows, code->nrows, address);
    for (const js_row *row = last; row && row >= code->rows && row->address == last->address; row--) {
        if (row->is_stmt) {
            return row;
        }
    }
    return last;
}

size_t js_live_code_frames(const js_live_code *code, uint64_t address, js_names_frame *frames,
                           size_t capacity)
{
    const js_function *function = code->function;
    const js_row *row = find_row(code, address);
    bool is_merged = !row || js_function_is_merged(function, address);
    bool is_by_hook = function->build.level >= JS_LEVEL_EXACT;
    const char *file = is_merged ? js_live_code_file(function) : path_of(function, row->file);
    uint32_t line = is_merged ? 0 : row->line;
    size_t count = 0;
    for (uint32_t at = js_function_inline_at(function, address);; count++) {
        const js_inline *item = at ? &function->inlines[at - 1] : NULL;
        if (count < capacity) {
            frames[count] = (js_names_frame){
                .name = item ? item->name : function->source_name,
                .qualified = item ? item->qualified : function->qualified,
                .file = file,
                .line = line,
                .first_line = item ? item->line : js_live_code_line(function),
                .kind = js_name_kind_text(item ? JS_NAME_FUNCTION : function->name.kind),
                .low = function->lo,
                .high = function->hi,
                .is_inlined = item != NULL,
                .is_line_certain = line && (is_by_hook || function->source.nown),
            };
            frames[count].qualified = frames[count].qualified ? frames[count].qualified : "";
        }
        if (!item) {
            return count + 1;
        }
        file = path_of(function, item->call_file);
        line = item->call_line;
        at = item->parent;
    }
}
