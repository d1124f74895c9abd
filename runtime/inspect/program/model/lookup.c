/* Looks functions, rows, inlined code and variables up by address, line and name. */
#include "program/model/lookup.h"

#include <stdlib.h>
#include <string.h>

#include "program/model/frame.h"
#include "program/model/object.h"

void js_object_destroy(js_object *object)
{
    if (!object) {
        return;
    }
    for (size_t i = 0; i < object->nfunctions; i++) {
        js_name_deinit(&object->functions[i].name);
    }
    js_arena_deinit(&object->arena);
    free(object);
}

js_function *js_object_function(js_object *object, uint64_t pc)
{
    for (size_t i = 0; i < object->nfunctions; i++) {
        if (pc >= object->functions[i].lo && pc < object->functions[i].hi) {
            return &object->functions[i];
        }
    }
    return NULL;
}

const char *js_object_path(const js_object *object, uint32_t file)
{
    return file < object->nfiles ? object->files[file].absolute : "";
}

const js_raise *js_function_raise(const js_function *function, uint64_t lo, uint64_t hi)
{
    const js_raise *raises = function->statements.raises;
    size_t low = 0, high = function->statements.nraises;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (raises[middle].address < lo) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low < function->statements.nraises && raises[low].address < hi ? &raises[low] : NULL;
}

const js_row *js_function_row(const js_row *rows, size_t nrows, uint64_t pc)
{
    size_t low = 0, high = nrows;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (rows[middle].address <= pc) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low ? &rows[low - 1] : NULL;
}

const js_row *js_function_line_row(const js_function *function, uint64_t pc)
{
    const js_row *row = js_function_row(function->lines.rows, function->lines.nrows, pc);
    while (row && row > function->lines.rows && row->line == 0) {
        row--;
    }
    return row;
}

bool js_function_is_merged(const js_function *function, uint64_t pc)
{
    bool found = false;
    for (size_t i = 0; i < function->statements.nmerged && !found; i++) {
        found = function->statements.merged[i] == pc;
    }
    return found;
}

bool js_function_has_line(const js_function *function, uint32_t line)
{
    bool found = function->source.nown == 0;
    for (size_t i = 0; i < function->source.nown && !found; i++) {
        found = line >= function->source.own[i].first && line <= function->source.own[i].last;
    }
    return found;
}

uint32_t js_function_user_line(const js_function *function, uint32_t line)
{
    bool is_foreign = line && function->build.level < JS_LEVEL_EXACT && !js_function_has_line(function, line);
    bool is_template = line == 0 || (function->build.level < JS_LEVEL_EXACT &&
                                     (line <= function->region.line || is_foreign));
    if (function->region.parent) {
        return is_template ? function->region.line : line;
    }
    return is_foreign ? function->source.first_line : line;
}

bool js_path_ends_with(const char *own, const char *path)
{
    size_t length = strlen(own), wanted = strlen(path);
    return wanted && length >= wanted && strcmp(own + length - wanted, path) == 0 &&
           (length == wanted || *path == '/' || own[length - wanted - 1] == '/');
}

bool js_file_ends_with(const js_object *object, uint32_t file, const char *path)
{
    return js_path_ends_with(js_object_path(object, file), path);
}

bool js_inline_holds(const js_inline *item, uint64_t pc)
{
    for (size_t r = 0; r < item->nranges; r++) {
        if (pc >= item->ranges[2 * r] && pc < item->ranges[2 * r + 1]) {
            return true;
        }
    }
    return false;
}

uint32_t js_function_inline_at(const js_function *function, uint64_t pc)
{
    uint32_t found = 0;
    for (uint32_t i = 0; i < function->ninlines; i++) { /* parents come before children */
        const js_inline *item = &function->inlines[i];
        found = item->parent == found && js_inline_holds(item, pc) ? i + 1 : found;
    }
    return found;
}

uint32_t js_function_calling_line(const js_function *function, uint64_t pc)
{
    uint32_t at = js_function_inline_at(function, pc);
    while (at && function->inlines[at - 1].parent) {
        at = function->inlines[at - 1].parent;
    }
    return at ? function->inlines[at - 1].call_line : 0;
}

bool js_function_is_within(const js_function *function, uint32_t inner, uint32_t scope)
{
    while (inner && inner != scope) {
        inner = function->inlines[inner - 1].parent;
    }
    return inner == scope;
}

size_t js_function_inline_lookup_cost(const js_function *function)
{
    size_t ranges = 1;
    for (size_t i = 0; i < function->ninlines; i++) {
        ranges += function->inlines[i].nranges;
    }
    return ranges * (function->ninlines + 1);
}

uint64_t js_frame_lookup_pc(const js_frame *frame)
{
    return frame->is_caller && frame->pc ? frame->pc - 1 : frame->pc;
}

const char *js_state_text(js_state state)
{
    static const char *const texts[] = {[JS_STATE_EXACT] = "exact",
                                        [JS_STATE_OPTIMIZED_OUT] = "optimized-out",
                                        [JS_STATE_UNASSIGNED] = "unassigned",
                                        [JS_STATE_UNKNOWN] = "unknown"};
    return texts[state];
}

const js_range_state *js_local_span(const js_local *local, uint64_t pc)
{
    for (size_t i = 0; i < local->nspans; i++) {
        if (pc >= local->spans[i].lo && pc < local->spans[i].hi) {
            return &local->spans[i];
        }
    }
    return NULL;
}

const js_local *js_function_local(const js_function *function, const char *name, size_t length)
{
    for (size_t i = 0; i < function->nlocals; i++) {
        if (strlen(function->locals[i].name) == length && !strncmp(function->locals[i].name, name, length)) {
            return &function->locals[i];
        }
    }
    return NULL;
}
