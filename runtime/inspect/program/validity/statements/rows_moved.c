/* LLVM makes an access or a call that is the same in each iteration once, ahead of the loop or behind it, and
 * gives it no line: it then seems to be of the line before. A fault would be shown at that line, and the
 * frame of what is called would have its caller there. The source says which statements make accesses and
 * calls; where the one shown makes none, and only one other can, it is of that. */
#include "program/validity/statements/rows_moved.h"

#include <stdlib.h>
#include <string.h>

#include "program/machine/relocated_calls.h"
#include "program/model/lookup.h"
#include "program/model/object.h"
#include "program/names/names.h"
#include "program/validity/locations/debugger_rows.h"

enum { MOVED_DEPTH = 6, GENERAL_RSI = 4, GENERAL_RDI = 5 };

typedef struct moved_insn {
    uint64_t lo, hi;
    uint32_t insn, line, shown; /* the line that it is of, and that of the code around */
} moved_insn;

typedef struct moved_search {
    const js_moved *at;
    uint32_t load, store; /* lines of the only statement that does; 0: not known */
    bool has_calls;
} moved_search;

/* ---- what the source says ---- */

/* The line of the one statement that does this; 0: several do, or none, or it has several lines. */
static uint32_t only_line(const js_flow *flow, unsigned kind, const char *name)
{
    uint32_t found = 0;
    for (size_t i = 0; i < flow->naccesses; i++) {
        const js_may_access *access = &flow->accesses[i];
        if (access->kind != kind || (name && access->name && strcmp(access->name, name) != 0)) {
            continue;
        }
        if (!access->name || access->first != access->last || (found && found != access->first)) {
            return 0;
        }
        found = access->first;
    }
    return found;
}

/* ---- what the instruction does ---- */

static bool is_memory(const js_place *place)
{
    return place->kind == JS_PLACE_MEMORY;
}

static bool is_general(unsigned reg)
{
    return reg < JS_CODE_VECTOR;
}

static void enter(const js_moved *at, uint32_t insn)
{
    const js_code *code = at->track->code;
    uint32_t block = js_code_block(code, insn);
    js_track_enter(at->track, block);
    for (uint32_t i = code->blocks[block].first; i < insn; i++) {
        js_track_step(at->track, i);
    }
}

/* The registers that an instruction makes its result of; nothing that it loads from memory. */
static uint64_t made_of(const js_insn *insn)
{
    uint64_t registers = insn->read;
    if (insn->op == JS_OP_ADDRESS) {
        registers = is_general(insn->from.reg) ? (uint64_t)1 << insn->from.reg : 0;
        registers |= is_general(insn->from.index) ? (uint64_t)1 << insn->from.index : 0;
    } else if (is_memory(&insn->from)) {
        registers = 0;
    }
    return registers & ~((uint64_t)1 << JS_CODE_RSP);
}

/* Is what one of the registers holds before the instruction made of an argument? The first two arguments are
 * where the caller wants the result and the exception. */
static bool is_of_argument(const js_moved *at, uint32_t insn, uint64_t registers, unsigned depth)
{
    uint32_t makers[JS_CODE_VECTOR];
    size_t count = 0;
    enter(at, insn);
    for (unsigned reg = 0; reg < JS_CODE_VECTOR; reg++) {
        uint32_t value = registers >> reg & 1 ? at->track->now[reg].value : JS_VALUE_ANY;
        uint32_t place = value - JS_VALUE_ENTRY, maker = js_track_maker(at->track, reg);
        if (value >= JS_VALUE_ENTRY && place < at->track->nplaces) {
            if (place != GENERAL_RSI && place != GENERAL_RDI) {
                return true;
            }
        } else if (value != JS_VALUE_ANY && maker != JS_CODE_NOWHERE) {
            makers[count++] = maker;
        }
    }
    for (size_t i = 0; i < count && depth > 0; i++) {
        const js_insn *made = &at->track->code->insns[makers[i]];
        bool is_loaded = made->from.kind == JS_PLACE_FRAME && made->op != JS_OP_ADDRESS;
        int64_t offset = is_loaded ? js_track_offset(at->track, makers[i], made->from.reg, made->from.value)
                                   : JS_TRACK_NOWHERE;
        bool is_passed = offset >= 0 && offset < JS_TRACK_ALIGNED / 2; /* above the frame */
        if (is_passed || is_of_argument(at, makers[i], made_of(made), depth - 1)) {
            return true;
        }
    }
    return false;
}

static bool is_element(const js_moved *at, uint32_t insn, const js_place *place)
{
    uint64_t registers = is_general(place->reg) ? (uint64_t)1 << place->reg : 0;
    registers |= is_general(place->index) ? (uint64_t)1 << place->index : 0;
    return is_memory(place) && registers && is_of_argument(at, insn, registers, MOVED_DEPTH);
}

static uint32_t line_of_call(const js_moved *at, uint32_t insn)
{
    enter(at, insn);
    const char *symbol = js_reference_called(at->object, at->track, &at->track->code->insns[insn]);
    js_name name;
    if (!symbol || js_name_init(&name, symbol, strlen(symbol)) != JS_OK) {
        return 0;
    }
    const char *last = strrchr(name.qualname, '.');
    uint32_t line = name.kind == JS_NAME_FUNCTION
                        ? only_line(at->flow, JS_ACCESS_CALL, last ? last + 1 : name.qualname)
                        : 0;
    js_name_deinit(&name);
    return line;
}

/* The statement that an instruction which is not of the one shown is of; 0: not known. */
static uint32_t own_line(const moved_search *search, uint32_t insn)
{
    const js_insn *it = &search->at->track->code->insns[insn];
    if (it->op == JS_OP_CALL) {
        return line_of_call(search->at, insn);
    }
    bool is_store = is_memory(&it->to);
    return is_element(search->at, insn, is_store ? &it->to : &it->from)
               ? is_store ? search->store : search->load
               : 0;
}

/* Before the track is asked: may another statement have made the instruction? */
static bool may_be_moved(const moved_search *search, const js_insn *it)
{
    if (it->op == JS_OP_CALL) {
        return search->has_calls;
    }
    bool is_code = it->op != JS_OP_ADDRESS && it->op != JS_OP_PAD && !it->is_locked;
    return is_code && (is_memory(&it->to) ? search->store != 0 : is_memory(&it->from) && search->load != 0);
}

/* ---- rows ---- */

typedef struct row_list {
    js_row *rows;
    size_t count;
} row_list;

static void put(row_list *list, const js_row *row)
{
    list->rows[list->count++] = *row;
}

/* The rows with those of the instructions among them. */
static int insert(const js_moved *at, const moved_insn *moved, size_t nmoved, js_row **rows, size_t count)
{
    row_list list = {js_arena_alloc(&at->object->arena, (count + 2 * nmoved + 1) * sizeof(*list.rows)), 0};
    size_t next = 0;
    if (!list.rows) {
        return JS_ENOMEM;
    }
    for (size_t i = 0; i < nmoved; i++) {
        for (; next < count && (*rows)[next].address <= moved[i].lo; next++) {
            put(&list, &(*rows)[next]);
        }
        js_row row = {.address = moved[i].lo, .line = moved[i].line, .file = at->function->file};
        put(&list, &row);
        row.address = moved[i].hi;
        row.line = moved[i].shown;
        put(&list, &row);
    }
    for (; next < count; next++) {
        put(&list, &(*rows)[next]);
    }
    *rows = list.rows;
    return JS_OK;
}

static int add_rows(const js_moved *at, const moved_insn *moved, size_t nmoved)
{
    js_function *function = at->function;
    int status = insert(at, moved, nmoved, &function->lines.rows, function->lines.nrows);
    if (status == JS_OK && function->statements.rows) {
        status = insert(at, moved, nmoved, &function->statements.rows, function->lines.nall);
    }
    status = status == JS_OK ? insert(at, moved, nmoved, &function->lines.all, function->lines.nall) : status;
    if (status == JS_OK) {
        function->lines.nrows += 2 * nmoved;
        function->lines.nall += 2 * nmoved;
    }
    return status;
}

static bool has_calls(const js_flow *flow)
{
    bool found = false;
    for (size_t i = 0; i < flow->naccesses && !found; i++) {
        found = flow->accesses[i].kind == JS_ACCESS_CALL && flow->accesses[i].name;
    }
    return found;
}

/* Instructions on the lines of quiet statements that may be of others. */
static size_t find_candidates(const moved_search *search, const js_row *rows, size_t nrows, moved_insn *out)
{
    const js_moved *at = search->at;
    const js_code *code = at->track->code;
    const js_row *row = NULL;
    size_t next = 0, count = 0;
    bool is_shown = false;
    for (uint32_t i = 0; i < code->ninsns; i++) {
        const js_insn *it = &code->insns[i];
        for (; next < nrows && rows[next].address <= it->address; next++) {
            row = rows[next].line ? &rows[next] : row; /* else it goes on with the line before */
            is_shown = row && row->file == at->function->file &&
                       (row->line == at->flow->first_line || js_flow_is_quiet(at->flow, row->line));
        }
        if (is_shown && may_be_moved(search, it) &&
            code->blocks[js_code_block(code, i)].order != JS_CODE_NOWHERE &&
            !js_function_inline_at(at->function, it->address)) {
            out[count++] = (moved_insn){it->address, it->address + it->length, i, 0, row->line};
        }
    }
    return count;
}

static int find(const moved_search *search, moved_insn *moved, size_t *count)
{
    const js_moved *at = search->at;
    size_t nrows, ncandidates = 0;
    js_row *rows = js_write_rows(at->function, &nrows);
    *count = 0;
    if (!rows) {
        return JS_ENOMEM;
    }
    ncandidates = find_candidates(search, rows, nrows, moved);
    free(rows);
    int status =
        ncandidates && !at->track->in ? js_track_run(at->track, at->scratch, NULL, 0, NULL, 0) : JS_OK;
    for (size_t i = 0; i < ncandidates && status == JS_OK; i++) {
        uint32_t line = own_line(search, moved[i].insn);
        if (line && line != moved[i].shown) {
            moved[*count] = moved[i];
            moved[(*count)++].line = line;
        }
    }
    return status;
}

int js_rows_find_moved(const js_moved *at, uint32_t *lines)
{
    const js_function *function = at->function;
    if (!at->flow || at->flow->naccesses == 0 || function->region.parent || function->starts_region ||
        function->name.kind != JS_NAME_FUNCTION || at->track->code->ninsns == 0) {
        return JS_OK;
    }
    moved_search search = {at, only_line(at->flow, JS_ACCESS_LOAD, NULL),
                           only_line(at->flow, JS_ACCESS_STORE, NULL), has_calls(at->flow)};
    moved_insn *moved = js_arena_alloc(at->scratch, at->track->code->ninsns * sizeof(*moved));
    size_t count = 0;
    int status = moved ? find(&search, moved, &count) : JS_ENOMEM;
    if (status == JS_OK && count > 0) {
        status = add_rows(at, moved, count);
    }
    for (size_t i = 0; lines && i < count; i++) {
        lines[moved[i].insn] = moved[i].line;
    }
    return status;
}
