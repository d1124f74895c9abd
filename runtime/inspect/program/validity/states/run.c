/* Runs the analyses of one stock function, in the order in which they need each other. */
#include "program/validity/states/run.h"

#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

#include "program/machine/relocated_calls.h"
#include "program/model/lookup.h"
#include "program/model/object.h"
#include "program/validity/locations/home.h"
#include "program/validity/locations/stack_depth.h"
#include "program/validity/moved/rows.h"
#include "program/validity/recovered/arguments.h"
#include "program/validity/recovered/places.h"
#include "program/validity/statements/raises.h"
#include "program/validity/statements/rows.h"
#include "program/validity/statements/yields.h"
#include "program/validity/states/sweep.h"
#include "program/validity/variables/loop_indices.h"
#include "program/validity/variables/pointer_types.h"
#include "program/validity/variables/removed_variables.h"
#include "program/validity/variables/shared_names.h"
#include "program/validity/variables/source_names.h"
#include "program/validity/variables/undescribed_variables.h"
#include "program/validity/variables/unused_arguments.h"

enum {
    TRUTH_INLINES = 1024,
    TRUTH_MARKS = 16 << 20,
    TRUTH_SCRATCH = 512 << 20,
    TRUTH_WORDS = 256,
};

/* ---- locals: versions of one name ---- */

static int order_versions(const void *left, const void *right)
{
    unsigned l = (*(js_variable *const *)left)->version, r = (*(js_variable *const *)right)->version;
    return l < r ? -1 : l > r;
}

static int group_versions(js_truth *truth)
{
    js_function *function = truth->function;
    function->nlocals = 0;
    function->locals = js_arena_alloc(truth->arena, (function->nvariables + 1) * sizeof(*function->locals));
    if (!function->locals) {
        return JS_ENOMEM;
    }
    for (size_t i = 0; i < function->nvariables; i++) {
        js_variable *variable = &function->variables[i];
        js_local *local = NULL;
        if (truth->flow && !variable->is_argument && !variable->is_absent &&
            js_flow_is_inner(truth->flow, variable->line, variable->base)) {
            continue;
        }
        for (size_t k = 0; k < function->nlocals && !local; k++) {
            local = strcmp(function->locals[k].name, variable->base) == 0 ? &function->locals[k] : NULL;
        }
        if (!local) {
            local = &function->locals[function->nlocals++];
            *local = (js_local){.name = variable->base};
            local->versions = js_arena_alloc(truth->arena, 4 * sizeof(*local->versions));
        } else if (local->nversions >= 4 && (local->nversions & (local->nversions - 1)) == 0) {
            js_variable **more = js_arena_alloc(truth->arena, 2 * local->nversions * sizeof(*more));
            if (more) {
                memcpy(more, local->versions, local->nversions * sizeof(*more));
            }
            local->versions = more;
        }
        if (!local->versions) {
            return JS_ENOMEM;
        }
        local->versions[local->nversions++] = variable;
        local->is_argument = local->is_argument || variable->is_argument;
    }
    for (size_t k = 0; k < function->nlocals; k++) {
        qsort(function->locals[k].versions, function->locals[k].nversions, sizeof(js_variable *),
              order_versions);
    }
    return JS_OK;
}

/* ---- facts about the whole function ---- */

/* Find the offset of DWARF's frame base, a register that does not change in the body of the function. */
static void find_base(js_truth *truth)
{
    const js_function *function = truth->function;
    truth->machine.base = JS_TRACK_NOWHERE;
    if (!truth->machine.is_followed || function->frame_base_size != 1 ||
        function->frame_base[0] < DW_OP_reg0 || function->frame_base[0] > DW_OP_reg31) {
        return;
    }
    unsigned reg = js_code_from_dwarf((uint64_t)(function->frame_base[0] - DW_OP_reg0));
    size_t deepest = 0;
    for (size_t i = 1; i < truth->machine.code.ninsns; i++) {
        int64_t stack = truth->machine.track.stack[i], known = truth->machine.track.stack[deepest];
        bool realigned = stack >= JS_TRACK_ALIGNED / 2 && known < JS_TRACK_ALIGNED / 2;
        bool below = stack < known && (stack >= JS_TRACK_ALIGNED / 2 || known < JS_TRACK_ALIGNED / 2);
        if (stack != JS_TRACK_NOWHERE && (realigned || below)) {
            deepest = i;
        }
    }
    truth->machine.base = js_track_offset(&truth->machine.track, deepest, reg, 0);
}

static int read_leaves(js_truth *truth)
{
    js_function *function = truth->function;
    js_leaf leaves[JS_TRUTH_LEAVES];
    truth->tracked = js_arena_alloc(&truth->scratch, (function->nvariables + 1) * sizeof(*truth->tracked));
    if (!truth->tracked) {
        return JS_ENOMEM;
    }
    truth->is_plain = function->nvariables > 0;
    for (size_t i = 0; i < function->nvariables; i++) {
        js_tracked *tracked = &truth->tracked[i];
        size_t count;
        truth->is_plain = truth->is_plain && function->variables[i].is_whole;
        if (js_leaves_read(function->variables[i].type, leaves, JS_TRUTH_LEAVES, &count) != JS_OK) {
            continue;
        }
        tracked->leaves = js_arena_alloc(&truth->scratch, (count + 1) * sizeof(*leaves));
        tracked->ids = js_arena_alloc(&truth->scratch, (count + 1) * sizeof(*tracked->ids));
        tracked->since = js_arena_alloc(&truth->scratch, (count + 1) * sizeof(*tracked->since));
        tracked->places = js_arena_alloc(&truth->scratch, (count + 1) * sizeof(*tracked->places));
        if (!tracked->leaves || !tracked->ids || !tracked->since || !tracked->places) {
            return JS_ENOMEM;
        }
        memset(tracked->since, 0, (count + 1) * sizeof(*tracked->since));
        memcpy(tracked->leaves, leaves, count * sizeof(*leaves));
        tracked->nleaves = count;
        tracked->is_known = true;
        for (size_t l = 0; l < count; l++) {
            tracked->places[l] = JS_PLACE_ABSENT;
        }
    }
    truth->function->build.has_homes = truth->is_plain;
    return JS_OK;
}

/* Find the line of each instruction, as js_truth_line() would. */
static int find_lines(js_truth *truth)
{
    const js_function *function = truth->function;
    const js_code *code = &truth->machine.code;
    uint32_t line = 0;
    size_t row = 0, marks = 0;
    truth->insns.lines = js_arena_alloc(&truth->scratch, (code->ninsns + 1) * sizeof(*truth->insns.lines));
    if (!truth->insns.lines) {
        return JS_ENOMEM;
    }
    for (size_t i = 0; i < code->ninsns; i++) {
        for (; row < function->lines.nrows && function->lines.rows[row].address <= code->insns[i].address;
             row++) {
            line = function->lines.rows[row].line ? function->lines.rows[row].line : line;
        }
        bool is_foreign = function->region.parent && !js_function_has_line(function, line);
        truth->insns.lines[i] =
            is_foreign ? js_function_user_line(function, line) : line; /* the line that is written */
    }
    for (size_t i = function->ninlines < TRUTH_INLINES ? function->ninlines : TRUTH_INLINES; i-- > 0;) {
        const js_inline *item = &function->inlines[i];
        for (size_t r = 0; item->parent == 0 && item->call_file == function->file && r < item->nranges; r++) {
            uint32_t insn = js_code_find(code, item->ranges[2 * r]);
            for (; insn < code->ninsns && code->insns[insn].address < item->ranges[2 * r + 1]; insn++) {
                truth->insns.lines[insn] = item->call_line ? item->call_line : truth->insns.lines[insn];
                if (++marks == TRUTH_MARKS) {
                    return JS_ELIMIT;
                }
            }
        }
    }
    return JS_OK;
}

/* Decode and track the machine code. JS_EUNSUP: nothing can be learned from it. */
static int follow(js_truth *truth)
{
    const js_function *function = truth->function;
    int64_t words[TRUTH_WORDS];
    size_t nwords, nhomes = 0;
    js_function linked = *function;
    int status = function->code && function->hi > function->lo
                     ? js_reference_code(&truth->scratch, truth->object, &linked)
                     : JS_OK;
    if (status == JS_OK) {
        status = js_code_init(&truth->machine.code, &truth->scratch, truth->object->machine, &linked);
    }
    if (status == JS_OK) {
        status = js_track_init(&truth->machine.track, &truth->scratch, &truth->machine.code);
    }
    if (status != JS_OK) {
        return status;
    }
    truth->machine.is_followed = true;
    find_base(truth);
    js_extent *homes = js_arena_alloc(&truth->scratch, (function->nvariables + 1) * sizeof(*homes));
    if (!homes) {
        return JS_ENOMEM;
    }
    for (size_t i = 0; i < function->nvariables; i++) {
        nhomes += js_truth_home(truth, &function->variables[i], &homes[nhomes]);
    }
    status = js_truth_list_argument_words(truth, words, TRUTH_WORDS, &nwords);
    if (status == JS_OK) {
        status = js_track_run(&truth->machine.track, &truth->scratch, words, nwords, homes, nhomes);
    }
    js_moved moved = {truth->object, truth->function, truth->flow, &truth->machine.track, &truth->scratch, 0};
    if (status == JS_OK && !truth->is_plain) {
        status = js_rows_skip_checks(&moved);
    }
    if (status == JS_OK) {
        status = js_code_cycles(&truth->machine.code, &truth->scratch, &truth->insns.is_cyclic);
    }
    if (status == JS_OK) {
        status = find_lines(truth);
    }
    if (status != JS_OK) {
        truth->machine.is_followed = false;
        truth->machine.base = JS_TRACK_NOWHERE;
        return status;
    }
    status = js_truth_find_raises(truth);
    status = status == JS_OK ? js_truth_cut_locations(truth) : status;
    if (status != JS_OK) {
        return status;
    }
    js_truth_bind_arguments(truth);
    status = js_rows_clean(truth);
    status = status == JS_OK && !truth->is_plain ? js_rows_drop_counts(&moved) : status;
    status = status == JS_OK && !truth->is_plain ? js_rows_find_moved(&moved, truth->insns.lines) : status;
    return status == JS_OK ? js_rows_follow_effects(truth) : status;
}

typedef struct lesson { /* a location that begins at this instruction */
    uint32_t insn;
    const js_variable *variable;
} lesson;

static int order_lessons(const void *left, const void *right)
{
    uint32_t l = ((const lesson *)left)->insn, r = ((const lesson *)right)->insn;
    return l < r ? -1 : l > r;
}

static int learn(js_truth *truth)
{
    const js_function *function = truth->function;
    size_t count = 0, used = 0;
    for (size_t i = 0; i < function->nvariables; i++) {
        count += function->variables[i].is_whole ? 0 : function->variables[i].nlocations;
    }
    if (!truth->machine.is_followed || count == 0) {
        return JS_OK;
    }
    lesson *lessons = js_arena_alloc(&truth->scratch, count * sizeof(*lessons));
    if (!lessons) {
        return JS_ENOMEM;
    }
    for (size_t i = 0; i < function->nvariables; i++) {
        const js_variable *variable = &function->variables[i];
        for (size_t l = 0; !variable->is_whole && l < variable->nlocations; l++) {
            uint32_t insn = js_code_find(&truth->machine.code, variable->locations[l].lo);
            if (insn != JS_CODE_NOWHERE &&
                truth->machine.code.insns[insn].address == variable->locations[l].lo) {
                lessons[used++] = (lesson){insn, variable};
            }
        }
    }
    qsort(lessons, used, sizeof(*lessons), order_lessons);
    size_t next = 0;
    for (size_t b = 0; b < truth->machine.code.nblocks; b++) {
        const js_basic_block *block = &truth->machine.code.blocks[b];
        uint32_t end = block->first + block->count;
        if (block->order == JS_CODE_NOWHERE) {
            while (next < used && lessons[next].insn < end) {
                next++;
            }
            continue;
        }
        if (next < used && lessons[next].insn < end) {
            js_track_enter(&truth->machine.track, (uint32_t)b);
            for (uint32_t i = block->first; i < end; i++) {
                for (; next < used && lessons[next].insn == i; next++) {
                    int status = js_truth_learn(truth, lessons[next].variable,
                                                truth->machine.code.insns[i].address, (uint32_t)b, i);
                    if (status != JS_OK) {
                        return status;
                    }
                }
                js_track_step(&truth->machine.track, i);
            }
        }
    }
    return js_truth_spread_learned(truth);
}

int js_truth_function(js_object *object, js_types *types, js_function *function, const js_flow *flow)
{
    js_truth *truth = calloc(1, sizeof(*truth));
    if (!truth) {
        return JS_ENOMEM;
    }
    truth->arena = &object->arena;
    truth->object = object;
    truth->function = function;
    truth->flow = flow;
    js_arena_init(&truth->scratch, TRUTH_SCRATCH);
    function->statements.hides_raises = object->returns_status;
    js_rows_enter(function, flow);
    js_source_names(truth);
    int status = js_truth_add_unused_arguments(types, truth);
    status = status == JS_OK ? js_truth_add_loop_indices(types, truth) : status;
    status = status == JS_OK ? js_truth_add_removed_variables(types, truth) : status;
    status = status == JS_OK ? js_absent_add_to_function(truth) : status;
    status = status == JS_OK ? group_versions(truth) : status;
    if (status == JS_OK) {
        js_truth_separate_shared_names(truth);
    }
    if (status == JS_OK && flow) {
        status = js_nameless_locals(types, truth);
    }
    if (status == JS_OK) {
        status = read_leaves(truth);
    }
    if (status == JS_OK) {
        status = follow(truth);
        status = status == JS_ENOMEM ? status : JS_OK; /* if code cannot be followed, there are more labels */
    }
    if (status == JS_OK) {
        status = js_truth_find_yields(types, truth);
    }
    if (status == JS_OK) {
        status = learn(truth);
    }
    if (status == JS_OK) {
        status = js_truth_sweep(truth);
        js_absent_mark_arguments(truth);
    }
    js_arena_deinit(&truth->scratch);
    free(truth);
    return status;
}
