/* Moves rows that do not begin where their statement does. Numba's check for an exception after a `try` has
 * the line that was lowered last, and code that forgets the exception belongs to no statement. A jump past
 * the code of a row does not belong to the row's statement. */
#include "program/validity/moved/rows.h"

#include <string.h>

#include "program/model/lookup.h"
#include "program/model/object.h"

enum { GENERAL_RSI = 4, POINTER = 8, CHECKS_BLOCKS = 4096 };
#define NO_CODE UINT64_MAX

/* True if the instruction may store NULL to where the caller has asked for the exception. */
static bool may_forget(const js_insn *insn)
{
    const js_place *to = &insn->to;
    return insn->op == JS_OP_ZERO && to->kind == JS_PLACE_MEMORY && to->size == POINTER;
}

/* True if the place is where the caller has asked for the exception, when the instruction runs. */
static bool is_exceptions(const js_moved *moved, uint32_t insn, const js_place *place)
{
    const js_code *code = moved->track->code;
    uint32_t block = js_code_block(code, insn);
    bool is_plain = place->kind == JS_PLACE_MEMORY && place->size == POINTER && place->value == 0 &&
                    place->reg < JS_CODE_VECTOR && place->index == JS_CODE_REGISTERS;
    if (!is_plain || code->blocks[block].order == JS_CODE_NOWHERE) {
        return false;
    }
    js_track_enter(moved->track, block);
    for (uint32_t i = code->blocks[block].first; i < insn; i++) {
        js_track_step(moved->track, i);
    }
    const js_held *held = &moved->track->now[place->reg];
    return held->value == JS_VALUE_ENTRY + GENERAL_RSI && held->width >= POINTER;
}

static bool forgets(const js_moved *moved, uint32_t insn)
{
    const js_insn *it = &moved->track->code->insns[insn];
    return may_forget(it) && is_exceptions(moved, insn, &it->to);
}

/* True if a statement of the function has the line. */
static bool has_statement(const js_flow *flow, uint32_t line)
{
    bool found = false;
    for (size_t i = 0; i < flow->naccesses && !found; i++) {
        found = line >= flow->accesses[i].first && line <= flow->accesses[i].last;
    }
    return found;
}

static bool is_test(const js_flow *flow, uint32_t line)
{
    bool found = false;
    for (size_t i = 0; i < flow->nregions && !found; i++) {
        found = line >= flow->regions[i].first_test && line <= flow->regions[i].last_test;
    }
    return found;
}

typedef struct check_walk {
    js_row *rows;
    size_t nrows;
    bool is_by_hook;
    uint8_t *after; /* this and the next: room for all blocks, for walks through the code */
    uint32_t *waiting;
} check_walk;

static bool leads_to(const js_moved *moved, const check_walk *walk, uint32_t from, uint32_t to)
{
    memset(walk->after, 0, moved->track->code->nblocks);
    js_code_mark_after(moved->track->code, from, walk->after, walk->waiting);
    return from == to || walk->after[to];
}

static bool always_jumps(const js_code *code, uint32_t insn)
{
    return code->insns[insn].op == JS_OP_JUMP && code->insns[insn].target != JS_CODE_NOWHERE;
}

static uint32_t line_at(const check_walk *walk, uint64_t address)
{
    uint32_t line = 0;
    for (size_t i = 0; i < walk->nrows && walk->rows[i].address <= address; i++) {
        line = walk->rows[i].line ? walk->rows[i].line : line;
    }
    return line;
}

/* Return the address where the rows of the line, which have the address, end. */
static uint64_t line_end(const check_walk *walk, uint64_t address, uint32_t line, uint64_t end)
{
    size_t i = 0;
    while (i < walk->nrows &&
           (walk->rows[i].address <= address || walk->rows[i].line == 0 || walk->rows[i].line == line)) {
        i++;
    }
    return i < walk->nrows ? walk->rows[i].address : end;
}

/* True if a statement of the line may be nothing but a jump: a test, or a statement that accesses nothing.
 * False for a loop's header that leaves the loop at once: it may be in an arm whose test was removed with all
 * other code of the arm, and then the jump runs whichever way the test goes. */
static bool may_only_jump(const js_moved *moved, const check_walk *walk, uint32_t target, uint32_t line)
{
    const js_region *loop = walk->is_by_hook ? NULL : js_flow_loop(moved->flow, line);
    uint32_t to = line_at(walk, moved->track->code->insns[target].address);
    return loop ? !to || (to >= line && to <= loop->last)
                : js_flow_is_quiet(moved->flow, line) || is_test(moved->flow, line);
}

/* True if code of the range branches. */
static bool has_branch(const js_code *code, uint32_t first, uint64_t end)
{
    bool found = false;
    for (uint32_t i = first; i < code->ninsns && code->insns[i].address < end && !found; i++) {
        found = code->insns[i].op == JS_OP_BRANCH;
    }
    return found;
}

/* True for a jump before code of the row that no code after the jump reaches, or if all code of the row is a
 * jump to code of another line. */
static bool passes_by(const js_moved *moved, const check_walk *walk, uint32_t insn, uint64_t end,
                      uint32_t line)
{
    const js_code *code = moved->track->code;
    const js_insn *it = &code->insns[insn];
    uint32_t next = insn + 1;
    while (next < code->ninsns && code->insns[next].op == JS_OP_PAD) {
        next++;
    }
    if (it->op != JS_OP_JUMP || it->target == JS_CODE_NOWHERE) {
        return false;
    }
    /* the test of the line is after the jump, which ends an arm above it */
    bool is_above = !walk->is_by_hook && is_test(moved->flow, line) &&
                    has_branch(code, next, line_end(walk, it->address, line, moved->function->hi));
    if (!is_above && may_only_jump(moved, walk, it->target, line)) {
        return false;
    }
    if (next >= code->ninsns || code->insns[next].address >= end) {
        return !walk->is_by_hook && always_jumps(code, insn) &&
               line_at(walk, code->insns[it->target].address) != line;
    }
    return !leads_to(moved, walk, js_code_block(code, it->target), js_code_block(code, next));
}

/* True if the code from the instruction on only tests whether there is an exception, ahead of the loops that
 * have the line's statement. LLVM does so once for all iterations, and copies in between belong to no
 * statement. */
static bool only_looks(const js_moved *moved, const check_walk *walk, uint32_t insn, uint64_t end,
                       uint32_t line)
{
    const js_code *code = moved->track->code;
    const js_insn *first = &code->insns[insn];
    bool is_look = first->op == JS_OP_OTHER && !first->stores &&
                   js_flow_outermost_loop(moved->flow, line, NULL) &&
                   (is_exceptions(moved, insn, &first->to) || is_exceptions(moved, insn, &first->from));
    for (uint32_t i = insn; i < code->ninsns && code->insns[i].address < end && is_look; i++) {
        const js_insn *it = &code->insns[i];
        bool is_copy = it->op <= JS_OP_ADDRESS || it->op == JS_OP_PAD;
        bool writes = i > insn && js_code_is_element(code, &it->to);
        is_look = is_copy && !writes && it->extra_to == JS_PLACE_NONE;
    }
    uint32_t block = is_look ? js_code_block(code, insn) : 0;
    if (is_look) {
        memset(walk->after, 0, code->nblocks);
        js_code_mark_after(code, block, walk->after, walk->waiting);
    }
    return is_look && !walk->after[block];
}

/* Return the address where the row's own code begins; `end`: it has none. */
static uint64_t own_begin(const js_moved *moved, const check_walk *walk, const js_row *row, uint64_t end)
{
    const js_code *code = moved->track->code;
    uint32_t insn = js_code_find(code, row->address);
    bool is_own = insn == JS_CODE_NOWHERE || code->insns[insn].address != row->address ||
                  js_function_inline_at(moved->function, row->address);
    if (!is_own && !walk->is_by_hook &&
        (js_moved_passes_arm(moved, row, end, walk->after, walk->waiting) ||
         only_looks(moved, walk, insn, end, row->line))) {
        return end;
    }
    while (!is_own && insn < code->ninsns && code->insns[insn].address < end) {
        is_own = !forgets(moved, insn) && !passes_by(moved, walk, insn, end, row->line);
        insn += !is_own;
    }
    return is_own ? (insn == JS_CODE_NOWHERE ? row->address : code->insns[insn].address) : end;
}

/* True if the line of a row without own code has another row with own code, so that the row can be dropped.
 */
static bool is_elsewhere(const js_row *rows, size_t count, const uint64_t *begins, size_t row)
{
    bool found = false;
    for (size_t i = 0; i < count && !found; i++) {
        found = rows[i].line == rows[row].line && rows[i].file == rows[row].file && rows[i].is_stmt &&
                begins[i] != NO_CODE;
    }
    return found;
}

/* Correct the rows. begins: room for an address of each row. */
static void correct(const js_moved *moved, const check_walk *walk, uint64_t *begins)
{
    js_row *rows = walk->rows;
    size_t count = walk->nrows;
    for (size_t i = 0; i < count; i++) {
        const js_row *row = &rows[i];
        uint64_t end = i + 1 < count ? rows[i + 1].address : moved->function->hi;
        bool is_asked = row->line && row->file == moved->function->file && row->column != JS_COLUMN_MARKER &&
                        !row->prologue_end && end > row->address &&
                        (has_statement(moved->flow, row->line) || js_flow_loop(moved->flow, row->line));
        begins[i] = is_asked ? own_begin(moved, walk, row, end) : row->address;
        begins[i] = is_asked && begins[i] == end ? NO_CODE : begins[i];
    }
    for (size_t i = 0; i < count; i++) {
        if (begins[i] != NO_CODE) {
            rows[i].address = begins[i];
        } else if (!walk->is_by_hook || is_elsewhere(rows, count, begins, i)) {
            rows[i].line = 0; /* the line before goes on */
            rows[i].is_stmt = false;
        }
    }
}

/* True if there is a check of an exception, or a row that begins with a jump to another line or with a copy.
 */
static bool may_be_off(const js_moved *moved)
{
    const js_function *function = moved->function;
    const js_code *code = moved->track->code;
    bool found = false;
    for (size_t i = 0; i < code->ninsns && !found; i++) {
        found = may_forget(&code->insns[i]);
    }
    bool is_by_hook = function->build.level >= JS_LEVEL_EXACT; /* markers are not moved */
    for (size_t i = 0; i < function->lines.nall && !found && !is_by_hook; i++) {
        uint32_t insn = js_code_find(code, function->lines.all[i].address);
        found = insn != JS_CODE_NOWHERE && (always_jumps(code, insn) || code->insns[insn].op == JS_OP_MOVE);
    }
    return found;
}

int js_rows_skip_checks(const js_moved *moved)
{
    js_function *function = moved->function;
    const js_code *code = moved->track->code;
    if (!moved->flow || moved->flow->naccesses == 0 || function->region.parent ||
        code->nblocks > CHECKS_BLOCKS) {
        return JS_OK;
    }
    if (!may_be_off(moved)) {
        return JS_OK;
    }
    int status = moved->track->in ? JS_OK : js_track_run(moved->track, moved->scratch, NULL, 0, NULL, 0);
    check_walk walk = {.is_by_hook = function->build.level >= JS_LEVEL_EXACT,
                       .after = js_arena_alloc(moved->scratch, code->nblocks + 1),
                       .waiting =
                           js_arena_alloc(moved->scratch, (code->nblocks + 1) * sizeof(*walk.waiting))};
    size_t nrows =
        function->lines.nall > function->lines.nrows ? function->lines.nall : function->lines.nrows;
    uint64_t *begins = js_arena_alloc(moved->scratch, (nrows + 1) * sizeof(*begins));
    if (status == JS_OK && !(walk.after && walk.waiting && begins)) {
        status = JS_ENOMEM;
    }
    if (status == JS_OK) {
        walk.rows = function->lines.all;
        walk.nrows = function->lines.nall;
        correct(moved, &walk, begins);
        walk.rows = function->lines.rows;
        walk.nrows = function->lines.nrows;
        correct(moved, &walk, begins);
    }
    return status;
}
