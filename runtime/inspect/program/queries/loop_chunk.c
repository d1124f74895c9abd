/* Finds which iterations of a parallel loop a call of its kernel runs. The kernel gets a row of the schedule
 * from its caller, in words of the stack. They are valid if no code of the kernel writes them. */
#include <elf.h>
#include <string.h>

#include "program/machine/value_tracking.h"
#include "program/model/lookup.h"
#include "program/model/object.h"
#include "program/names/numba/schedule.h"
#include "program/queries/queries.h"

enum { CHUNK_SCRATCH = 64 << 20, WORDS = 3 };

static const int64_t words[WORDS] = {JS_NUMBA_SCHEDULE_DATA, JS_NUMBA_SCHEDULE_SHAPE,
                                     JS_NUMBA_SCHEDULE_STRIDE};

/* True if no store writes the three words, and no address in them is taken. */
static bool are_kept(const js_track *track)
{
    for (size_t i = 0; i < track->nslots; i++) {
        const js_slot *slot = &track->slots[i];
        bool overlaps = slot->offset < words[WORDS - 1] + 8 && slot->offset + slot->size > 0;
        if (overlaps && (slot->stores || (slot->offset >= 0 && !slot->survives_stores))) {
            return false;
        }
    }
    return true;
}

/* Follow the kernel's code. JS_EUNSUP: the code cannot be followed, or may write the words. */
static int follow(const js_function *function)
{
    js_arena scratch;
    js_code code;
    js_track track;
    js_arena_init(&scratch, CHUNK_SCRATCH);
    int status = js_code_init(&code, &scratch, function->object->machine, function);
    status = status ? status : js_track_init(&track, &scratch, &code);
    status = status ? status : js_track_run(&track, &scratch, words, WORDS, NULL, 0);
    if (!status && !are_kept(&track)) {
        status = JS_EUNSUP;
    }
    js_arena_deinit(&scratch);
    return status;
}

static bool keeps_schedule(js_function *function)
{
    if (!function->region.schedule) {
        function->region.schedule = function->code && !follow(function) ? JS_SCHEDULE_KEPT : JS_SCHEDULE_LOST;
    }
    return function->region.schedule == JS_SCHEDULE_KEPT;
}

static int read_row(const js_frame *frame, int64_t *row, unsigned *ndim)
{
    uint64_t given[WORDS];
    for (size_t i = 0; i < WORDS; i++) {
        int status = js_bytes_read_word(frame->memory, frame->cfa + (uint64_t)words[i], &given[i]);
        if (status) {
            return status;
        }
    }
    *ndim = js_numba_schedule_dimensions(given[1], given[2]);
    size_t size = 2 * *ndim * (size_t)JS_NUMBA_SCHEDULE_WORD;
    return *ndim ? js_bytes_read(frame->memory, given[0], row, size) : JS_EBAD;
}

/* Recover the chunk into row and ndim. Returns why it is not known; NULL: it is. */
static const char *recover(js_function *function, const js_frame *frame, int64_t *row, unsigned *ndim)
{
    bool is_signed;
    if (function->object->machine != EM_X86_64) {
        return "the schedule is found on x86-64 only";
    }
    if (!js_numba_schedule_passed(function->name.arguments, &is_signed)) {
        return "the kernel is passed no schedule that is known here";
    }
    if (!frame->cfa) {
        return "the frame's address is not known";
    }
    if (!keeps_schedule(function)) {
        return "the kernel's code may have written over its schedule";
    }
    int status = read_row(frame, row, ndim);
    if (status) {
        return status == JS_EBAD ? "what the kernel was passed is no schedule"
                                 : "the schedule cannot be read";
    }
    for (unsigned d = 0; d < *ndim; d++) {
        if (!is_signed && (row[d] < 0 || row[*ndim + d] < 0)) {
            return "what the kernel was passed is no schedule";
        }
    }
    return NULL;
}

static void put_row(js_text *out, const int64_t *row, unsigned ndim)
{
    js_text_put(out, "[");
    for (unsigned d = 0; d < ndim; d++) {
        js_text_printf(out, "%s[%lld, %lld]", d ? ", " : "", (long long)row[d], (long long)row[ndim + d]);
    }
    js_text_put(out, "]");
}

static void put_kernel(js_text *out, const js_function *function, uint64_t pc)
{
    const js_row *row = function->has_debug_info ? js_function_line_row(function, pc) : NULL;
    js_text_put(out, "{");
    js_text_json_pair(out, "name", function->source_name);
    js_text_put(out, ", ");
    js_text_json_pair(out, "function", function->region.parent ? function->region.parent->source_name : "");
    js_text_put(out, ", ");
    js_text_json_pair(out, "file",
                      function->region.parent
                          ? js_object_path(function->region.parent->object, function->region.parent->file)
                          : "");
    uint32_t line = js_function_user_line(function, row ? row->line : 0);
    js_text_printf(out, ", \"region_line\": %u, \"line\": %u, ",
                   function->region.has_no_header ? 0 : function->region.line,
                   function->region.has_no_header ? 0 : line);
}

int js_program_chunk(js_program *program, const js_frame *frame, char **out)
{
    uint64_t pc = js_frame_lookup_pc(frame);
    js_function *function = js_program_function(program, pc);
    *out = NULL;
    if (!function || function->name.kind != JS_NAME_PARFOR) {
        return JS_ENOTFOUND;
    }
    int64_t row[2 * JS_NUMBA_SCHEDULE_DIMENSIONS];
    unsigned ndim = 0;
    const char *problem = recover(function, frame, row, &ndim);
    js_text text;
    js_text_init(&text, 0);
    put_kernel(&text, function, pc);
    js_text_put(&text, "\"chunk\": ");
    if (problem) {
        js_text_put(&text, "null");
    } else {
        put_row(&text, row, ndim);
    }
    js_text_put(&text, ", ");
    js_text_json_pair(&text, "problem", problem ? problem : "");
    js_text_put(&text, "}");
    return js_text_give(&text, JS_OK, out);
}
