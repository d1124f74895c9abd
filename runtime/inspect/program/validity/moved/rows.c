/* Adds rows for accesses and calls of another statement. LLVM runs an access or a call that is the same in
 * each iteration once, before the loop or after it, and gives it no line, so that it seems to have the line
 * before. A fault would be shown at that line, and so would the caller of the called function. The source
 * says which statements make accesses and calls. If the statement shown makes none, and only one other can,
 * or only one other has no code that does, the access or call belongs to that one. */
#include "program/validity/moved/accesses.h"

#include <stdlib.h>

#include "program/model/lookup.h"
#include "program/model/object.h"
#include "program/validity/locations/debugger_rows.h"

enum { MOVED_LOOKS = 50000000 };

typedef struct moved_insn {
    uint64_t lo, hi;
    uint32_t insn, line, shown; /* its statement's line, and the line of the code around */
    bool is_foreign;            /* the line shown makes no such access; else it may, to other arguments */
} moved_insn;

static uint32_t file_of(const js_moved *moved)
{
    return moved->item ? moved->function->inlines[moved->item - 1].file : moved->function->file;
}

typedef struct row_list {
    js_row *rows;
    size_t count;
} row_list;

static void put(row_list *list, const js_row *row)
{
    list->rows[list->count++] = *row;
}

/* True if code of the range stores or calls. */
static bool has_effect(const js_code *code, uint64_t lo, uint64_t hi)
{
    bool found = false;
    for (uint32_t i = js_code_find(code, lo); i < code->ninsns && code->insns[i].address < hi && !found;
         i++) {
        found = code->insns[i].op == JS_OP_CALL ||
                (code->insns[i].stores && js_code_is_element(code, &code->insns[i].to));
    }
    return found;
}

/* Let the statement shown begin after the moved instruction if it has done nothing before, and the moved one
 * is above it; also if the moved instruction is its first, as a debugger shows the row that begins a
 * statement at an address. */
static void delay(const js_moved *moves, const moved_insn *moved, row_list *list, js_row *after)
{
    const js_code *code = moves->track->code;
    size_t first = list->count;
    bool is_stmt = false, is_first = false;
    while (first > 0 && list->rows[first - 1].line == moved->shown) {
        first--;
        is_stmt = is_stmt || list->rows[first].is_stmt;
        is_first = is_first || list->rows[first].prologue_end;
    }
    uint32_t insn = first < list->count ? js_code_find(code, list->rows[first].address) : JS_CODE_NOWHERE;
    bool is_after = insn != JS_CODE_NOWHERE && !is_first && moved->line < moved->shown &&
                    js_code_block(code, insn) == js_code_block(code, moved->insn) &&
                    !has_effect(code, list->rows[first].address, moved->lo);
    if (is_stmt && (is_after || insn == moved->insn)) {
        for (size_t i = first; i < list->count; i++) {
            list->rows[i].is_stmt = list->rows[i].prologue_end = false;
        }
        after->is_stmt = true;
        after->prologue_end = is_first;
    }
}

/* Insert rows for the instructions. */
static int insert(const js_moved *moves, const moved_insn *moved, size_t nmoved, js_row **rows, size_t count)
{
    row_list list = {js_arena_alloc(&moves->object->arena, (count + 2 * nmoved + 1) * sizeof(*list.rows)), 0};
    size_t next = 0;
    if (!list.rows) {
        return JS_ENOMEM;
    }
    for (size_t i = 0; i < nmoved; i++) {
        for (; next < count && (*rows)[next].address <= moved[i].lo; next++) {
            put(&list, &(*rows)[next]);
        }
        js_row row = {.address = moved[i].lo, .line = moved[i].line, .file = file_of(moves)};
        js_row rest = {.address = moved[i].hi, .line = moved[i].shown, .file = file_of(moves)};
        delay(moves, &moved[i], &list, &rest);
        put(&list, &row);
        put(&list, &rest);
    }
    for (; next < count; next++) {
        put(&list, &(*rows)[next]);
    }
    *rows = list.rows;
    return JS_OK;
}

static int add_rows(const js_moved *moves, const moved_insn *moved, size_t nmoved)
{
    js_function *function = moves->function;
    int status = insert(moves, moved, nmoved, &function->lines.rows, function->lines.nrows);
    if (status == JS_OK && function->statements.rows) {
        status = insert(moves, moved, nmoved, &function->statements.rows, function->lines.nall);
    }
    status =
        status == JS_OK ? insert(moves, moved, nmoved, &function->lines.all, function->lines.nall) : status;
    if (status == JS_OK) {
        function->lines.nrows += 2 * nmoved;
        function->lines.nall += 2 * nmoved;
    }
    return status;
}

/* Find instructions on lines whose statements may not have made them; returns their number, and fills
 * search->lines. */
static size_t find_candidates(const js_moved_search *search, const js_row *rows, size_t nrows,
                              moved_insn *out)
{
    const js_moved *moved = search->at;
    const js_code *code = moved->track->code;
    const js_row *row = NULL;
    size_t next = 0, count = 0;
    for (uint32_t i = 0; i < code->ninsns; i++) {
        const js_insn *it = &code->insns[i];
        for (; next < nrows && rows[next].address <= it->address; next++) {
            row = rows[next].line ? &rows[next] : row; /* with line 0 the line before goes on */
        }
        bool is_own = it->length > 0 && row && row->file == file_of(moved) &&
                      js_function_inline_at(moved->function, it->address) == moved->item;
        search->lines[i] = is_own ? row->line : 0;
        search->begins[i] = is_own && row->address == it->address;
        if (!is_own || !js_moved_may_be(search, it) ||
            code->blocks[js_code_block(code, i)].order == JS_CODE_NOWHERE) {
            continue;
        }
        bool is_foreign = js_moved_is_foreign(search, it, row->line);
        if (is_foreign || js_moved_may_be_foreign(search, it, row->line)) {
            out[count++] = (moved_insn){it->address, it->address + it->length, i, 0, row->line, is_foreign};
        }
    }
    return count;
}

/* True if the code of all statements can be compared with each of so many instructions in a short time. */
static bool is_small(const js_moved *moved, size_t ncandidates)
{
    const js_code *code = moved->track->code;
    size_t longest = 1;
    for (size_t b = 0; b < code->nblocks; b++) {
        longest = code->blocks[b].count > longest ? code->blocks[b].count : longest;
    }
    return ncandidates == 0 || code->ninsns <= MOVED_LOOKS / (moved->flow->naccesses + longest) / ncandidates;
}

/* Keep only the candidates that certainly belong to another line; returns their number. */
static size_t keep_foreign(moved_insn *candidates, size_t count)
{
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        if (candidates[i].is_foreign) {
            candidates[kept++] = candidates[i];
        }
    }
    return kept;
}

static int find(js_moved_search *search, moved_insn *moved, size_t *count)
{
    const js_moved *moves = search->at;
    size_t nrows, ncandidates = 0;
    js_row *rows = js_debugger_rows(moves->function, &nrows);
    *count = 0;
    if (!rows) {
        return JS_ENOMEM;
    }
    ncandidates = find_candidates(search, rows, nrows, moved);
    free(rows);
    ncandidates = is_small(moves, ncandidates) ? ncandidates : keep_foreign(moved, ncandidates);
    search->compares = is_small(moves, ncandidates);
    int status = ncandidates && !moves->track->in
                     ? js_track_run(moves->track, moves->scratch, NULL, 0, NULL, 0)
                     : JS_OK;
    uint64_t *merged = js_arena_alloc(moves->scratch, (ncandidates + 1) * sizeof(*merged));
    size_t nmerged = 0;
    status = merged ? status : JS_ENOMEM;
    for (size_t i = 0; i < ncandidates && status == JS_OK; i++) {
        uint32_t line = js_moved_line(search, moved[i].insn, moved[i].shown);
        if (!line && js_moved_is_of_several(search, moved[i].insn, moved[i].shown)) {
            merged[nmerged++] = moved[i].hi - 1;
        }
        if (line && line != moved[i].shown) {
            moved[*count] = moved[i];
            moved[(*count)++].line = line;
        }
    }
    return status == JS_OK && nmerged > 0 ? js_moved_add_merged(moves, merged, nmerged) : status;
}

int js_rows_find_moved(const js_moved *moves, uint32_t *lines)
{
    const js_function *function = moves->function;
    if (!moves->flow || moves->flow->naccesses == 0 || function->region.parent || function->starts_region ||
        function->name.kind != JS_NAME_FUNCTION || moves->track->code->ninsns == 0) {
        return JS_OK;
    }
    js_moved_search search = {
        .at = moves,
        .lines = js_arena_alloc(moves->scratch, moves->track->code->ninsns * sizeof(*search.lines)),
        .begins = js_arena_alloc(moves->scratch, moves->track->code->ninsns),
        .has_loads = js_moved_has(moves->flow, JS_ACCESS_LOAD),
        .has_stores = js_moved_has(moves->flow, JS_ACCESS_STORE),
        .has_calls = js_moved_has(moves->flow, JS_ACCESS_CALL)};
    if (!moves->item) {
        js_owners_find(function, moves->flow, &search.owners);
    }
    moved_insn *moved = js_arena_alloc(moves->scratch, moves->track->code->ninsns * sizeof(*moved));
    size_t count = 0;
    int status = moved && search.lines && search.begins ? find(&search, moved, &count) : JS_ENOMEM;
    if (status == JS_OK && count > 0) {
        status = add_rows(moves, moved, count);
    }
    for (size_t i = 0; lines && i < count; i++) {
        lines[moved[i].insn] = moved[i].line;
    }
    return status;
}
