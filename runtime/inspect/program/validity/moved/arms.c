/* Finds jumps that seem to belong to an arm of a test, and do not. LLVM merges the jumps at the ends of the
 * arms of a test to one with the line of one arm, and copies it to where the test no longer runs. The code
 * before such a jump shows whether its arm has run. */
#include <string.h>

#include "program/model/lookup.h"
#include "program/names/numba/variable_names.h"
#include "program/validity/moved/accesses.h"
#include "program/validity/moved/rows.h"

typedef struct arm_walk {
    const js_moved *at;
    const js_region *arm;
    uint32_t line;     /* line of the jump */
    bool has_effect;   /* code of the arm that runs before the jump in any case stores or calls */
    uint8_t *seen;     /* for each block: it was looked at */
    uint32_t *waiting; /* blocks whose end leads to the jump, which are still to be looked at */
    size_t nwaiting;
} arm_walk;

typedef enum arm_proof { ARM_UNKNOWN, ARM_RUNS, ARM_PASSED } arm_proof;

/* Return the smallest region that the line is in, if it is an arm of a test; else NULL. */
static const js_region *find_arm(const js_flow *flow, uint32_t line)
{
    const js_region *found = NULL;
    for (size_t i = 0; i < flow->nregions; i++) {
        const js_region *it = &flow->regions[i];
        bool is_around = it->kind != JS_REGION_REST && line >= it->first && line <= it->last;
        found = is_around && (!found || it->last - it->first <= found->last - found->first) ? it : found;
    }
    bool is_tested = found && found->kind == JS_REGION_ARM && found->first_test;
    return is_tested && !js_flow_loop(flow, found->first_test) ? found : NULL;
}

/* Return the line of the instruction, or of the call that it was inlined by; 0: not known. */
static uint32_t line_at(const js_function *function, uint64_t address)
{
    uint32_t item = js_function_inline_at(function, address);
    const js_row *row = js_function_row(function->lines.all, function->lines.nall, address);
    while (row && !row->line) {
        row = row > function->lines.all ? row - 1 : NULL;
    }
    uint32_t line = row ? row->line : 0, file = row ? row->file : function->file;
    for (; item; item = function->inlines[item - 1].parent) {
        line = function->inlines[item - 1].call_line;
        file = function->inlines[item - 1].call_file;
    }
    return file == function->file ? line : 0;
}

static bool is_effect(const js_moved *moved, uint32_t insn)
{
    const js_insn *it = &moved->track->code->insns[insn];
    if (it->op == JS_OP_CALL) {
        const char *name = js_moved_called(moved, insn);
        return !name || !js_numba_counts_references(name);
    }
    return it->stores && js_code_is_element(moved->track->code, &it->to);
}

/* True if the line is in the arm, above the jump's line, and in no region within the arm. */
static bool always_runs(const arm_walk *walk, uint32_t line)
{
    const js_flow *flow = walk->at->flow;
    const js_region *arm = walk->arm;
    bool is_sure = line >= arm->first && line < walk->line;
    for (size_t i = 0; i < flow->nregions && is_sure; i++) {
        const js_region *it = &flow->regions[i];
        bool is_within =
            it->first >= arm->first && it->last <= arm->last && it->last - it->first < arm->last - arm->first;
        is_sure = !is_within || line < it->first || line > it->last;
    }
    return is_sure;
}

static bool has_effect(const arm_walk *walk)
{
    const js_code *code = walk->at->track->code;
    bool found = false;
    for (uint32_t i = 0; i < code->ninsns && !found; i++) {
        const js_insn *it = &code->insns[i];
        bool may_be = it->op == JS_OP_CALL || it->stores;
        found =
            may_be && always_runs(walk, line_at(walk->at->function, it->address)) && is_effect(walk->at, i);
    }
    return found;
}

/* Return what an instruction before the jump proves about the arm. */
static arm_proof prove(const arm_walk *walk, uint32_t insn)
{
    const js_insn *it = &walk->at->track->code->insns[insn];
    const js_region *arm = walk->arm;
    bool is_branch = it->op == JS_OP_BRANCH || it->op == JS_OP_INDIRECT;
    if (it->op == JS_OP_INDIRECT || (is_branch && it->length == 0)) {
        return ARM_RUNS; /* there is no proof that it does not */
    }
    if (!is_branch && !is_effect(walk->at, insn)) {
        return ARM_UNKNOWN;
    }
    uint32_t line = line_at(walk->at->function, it->address);
    bool is_tested = is_branch && !walk->has_effect && line >= arm->first_test && line <= arm->last_test;
    return !line || is_tested || (line >= arm->first && line <= arm->last) ? ARM_RUNS : ARM_PASSED;
}

/* Look for a proof in the block, from before instruction `end` back. */
static arm_proof look_back(arm_walk *walk, uint32_t block, uint32_t end)
{
    const js_code *code = walk->at->track->code;
    arm_proof found = ARM_UNKNOWN;
    for (uint32_t i = end; i > code->blocks[block].first && found == ARM_UNKNOWN; i--) {
        found = prove(walk, i - 1);
    }
    if (found == ARM_UNKNOWN && block == 0) {
        return ARM_PASSED;
    }
    for (size_t o = 0; o < code->norder && found == ARM_UNKNOWN; o++) {
        uint32_t from = code->order[o];
        const uint32_t *next = code->blocks[from].successors;
        if (!walk->seen[from] && (next[0] == block || next[1] == block)) {
            walk->seen[from] = 1;
            walk->waiting[walk->nwaiting++] = from;
        }
    }
    return found;
}

/* True if the code only copies between registers and the frame, and then jumps on. */
static bool only_jumps(const js_code *code, uint32_t first, uint64_t end)
{
    bool is_jump = false, is_other = false;
    for (uint32_t i = first; i < code->ninsns && code->insns[i].address < end && !is_other; i++) {
        const js_insn *it = &code->insns[i];
        is_jump = it->op == JS_OP_JUMP && it->target != JS_CODE_NOWHERE;
        is_other = !is_jump && it->op != JS_OP_PAD &&
                   (it->op != JS_OP_MOVE || js_code_is_element(code, &it->to) ||
                    js_code_is_element(code, &it->from));
    }
    return is_jump && !is_other;
}

bool js_moved_passes_arm(const js_moved *moved, const js_row *row, uint64_t end, uint8_t *seen,
                         uint32_t *waiting)
{
    const js_code *code = moved->track->code;
    uint32_t insn = js_code_find(code, row->address);
    arm_walk walk = {.at = moved,
                     .arm = find_arm(moved->flow, row->line),
                     .line = row->line,
                     .seen = seen,
                     .waiting = waiting};
    if (!walk.arm || !js_flow_is_quiet(moved->flow, row->line) || !only_jumps(code, insn, end)) {
        return false;
    }
    memset(seen, 0, code->nblocks);
    walk.has_effect = has_effect(&walk);
    uint32_t block = js_code_block(code, insn);
    arm_proof found = look_back(&walk, block, insn);
    while (found != ARM_PASSED && walk.nwaiting > 0) {
        block = walk.waiting[--walk.nwaiting];
        found = look_back(&walk, block, code->blocks[block].first + code->blocks[block].count);
    }
    return found == ARM_PASSED;
}
