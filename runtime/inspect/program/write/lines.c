/* Writes .debug_line. */
#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

#include "program/validity/locations/debugger_rows.h"
#include "program/write/write.h"

enum { OPCODE_BASE = 13, FILES_MAX = 256 };

uint32_t js_unit_file(js_unit *unit, js_object *object, uint32_t file)
{
    if (file >= object->nfiles) {
        return 0;
    }
    const js_file *wanted = &object->files[file];
    for (size_t i = 0; i < unit->nfiles; i++) {
        if (!strcmp(unit->files[i].path, wanted->path) &&
            !strcmp(unit->files[i].directory, wanted->directory)) {
            return (uint32_t)i + 1;
        }
    }
    if (unit->nfiles == FILES_MAX) {
        return 0;
    }
    unit->files[unit->nfiles] = *wanted;
    return (uint32_t)++unit->nfiles;
}

static void extended(js_output *line, unsigned op, size_t length)
{
    js_output_uint(line, 0, 1);
    js_output_uleb(line, length + 1);
    js_output_uint(line, op, 1);
}

/* A sequence of a function's rows, with the registers of the line table's state machine. */
typedef struct sequence {
    js_output *line;
    uint64_t address;
    uint32_t file, number;
    bool is_stmt, has_rows;
} sequence;

static void begin(sequence *ctx, uint64_t address)
{
    *ctx = (sequence){.line = ctx->line, .address = address, .file = 1, .number = 1, .is_stmt = true};
    extended(ctx->line, DW_LNE_set_address, 8);
    js_output_uint(ctx->line, address, 8);
}

static void advance(sequence *ctx, uint64_t address)
{
    js_output_uint(ctx->line, DW_LNS_advance_pc, 1);
    js_output_uleb(ctx->line, address - ctx->address);
    ctx->address = address;
}

static void end(sequence *ctx, uint64_t address)
{
    advance(ctx, address);
    extended(ctx->line, DW_LNE_end_sequence, 0);
}

static void put_row(sequence *ctx, const js_row *row, uint32_t file)
{
    if (row->address > ctx->address) {
        advance(ctx, row->address);
    }
    if (file != ctx->file) {
        js_output_uint(ctx->line, DW_LNS_set_file, 1);
        js_output_uleb(ctx->line, file);
        ctx->file = file;
    }
    if (row->line != ctx->number) {
        js_output_uint(ctx->line, DW_LNS_advance_line, 1);
        js_output_sleb(ctx->line, (int64_t)row->line - (int64_t)ctx->number);
        ctx->number = row->line;
    }
    if (row->is_stmt != ctx->is_stmt) {
        js_output_uint(ctx->line, DW_LNS_negate_stmt, 1);
        ctx->is_stmt = row->is_stmt;
    }
    if (row->prologue_end) {
        js_output_uint(ctx->line, DW_LNS_set_prologue_end, 1);
    }
    js_output_uint(ctx->line, DW_LNS_copy, 1);
    ctx->has_rows = true;
}

/* End the sequence at the last bytes, below `until`, of calls of no line, and begin another one after each. A
 * debugger looks for the line of a caller at this byte, where no thread stops, and ignores rows of line 0. */
static void leave_out(sequence *ctx, const js_function *function, uint64_t until, size_t *next)
{
    for (; *next < function->statements.nmerged && function->statements.merged[*next] < until; ++*next) {
        uint64_t address = function->statements.merged[*next];
        js_row row = {.address = address + 1, .line = ctx->number};
        uint32_t file = ctx->file;
        if (ctx->has_rows && address > ctx->address) {
            end(ctx, address);
            begin(ctx, address + 1);
            put_row(ctx, &row, file);
        }
    }
}

static int write_function(js_output *line, js_unit *unit, const js_function *function, bool is_for_lldb)
{
    sequence ctx = {.line = line};
    size_t count, next = 0;
    js_row *rows = js_debugger_rows(function, &count);
    if (!rows || (is_for_lldb && js_lldb_rows(function, rows, count))) {
        free(rows);
        return JS_ENOMEM;
    }
    begin(&ctx, function->lo);
    for (size_t i = 0; i < count; i++) {
        const js_row *row = &rows[i];
        bool is_home = function->region.parent && row->file == function->file;
        uint32_t file = js_unit_file(unit, is_home ? function->region.parent->object : function->object,
                                     is_home ? function->region.parent->file : row->file);
        if (file == 0) {
            continue;
        }
        leave_out(&ctx, function, row->address, &next);
        put_row(&ctx, row, file);
    }
    leave_out(&ctx, function, function->hi, &next);
    free(rows);
    end(&ctx, function->hi);
    return JS_OK;
}

size_t js_write_line_header(js_output *line, bool is_stmt)
{
    static const uint8_t lengths[OPCODE_BASE - 1] = {0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1};
    js_output_uint(line, 0, 4); /* unit_length */
    js_output_uint(line, 4, 2);
    size_t header_length = line->size;
    js_output_uint(line, 0, 4);
    js_output_uint(line, 1, 1); /* minimum_instruction_length */
    js_output_uint(line, 1, 1); /* maximum_operations_per_instruction */
    js_output_uint(line, is_stmt, 1);
    js_output_uint(line, (uint8_t)-5, 1);
    js_output_uint(line, 14, 1);
    js_output_uint(line, OPCODE_BASE, 1);
    js_output_bytes(line, lengths, sizeof lengths);
    return header_length;
}

int js_write_lines(js_writer *writer, const js_unit *unit_in, size_t *offset)
{
    /* the table of files comes before the program that adds to it: write the program first */
    js_unit *unit = (js_unit *)unit_in;
    js_output program = {0};
    int status = JS_OK;
    for (size_t i = 0; !status && i < unit->nfunctions; i++) {
        if (unit->functions[i]->lines.nall) {
            status = write_function(&program, unit, unit->functions[i], writer->is_for_lldb);
        }
    }
    js_output *line = &writer->line;
    *offset = line->size;
    size_t header_length = js_write_line_header(line, true);
    for (size_t i = 0; i < unit->nfiles; i++) { /* each file has a directory of its own, which is simple */
        js_output_string(line, *unit->files[i].directory ? unit->files[i].directory : ".");
    }
    js_output_uint(line, 0, 1);
    for (size_t i = 0; i < unit->nfiles; i++) {
        js_output_string(line, *unit->files[i].path ? unit->files[i].path : "?");
        js_output_uleb(line, i + 1);
        js_output_uleb(line, 0);
        js_output_uleb(line, 0);
    }
    js_output_uint(line, 0, 1);
    js_output_patch(line, header_length, line->size - header_length - 4, 4);
    js_output_bytes(line, program.data, program.size);
    js_output_patch(line, *offset, line->size - *offset - 4, 4);
    line->failed |= program.failed;
    js_output_deinit(&program);
    return line->failed ? JS_ENOMEM : status;
}
