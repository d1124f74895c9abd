/* Finds where a version's value is at an instruction: in the compiler's location, or in a place that the
 * value was followed to. */
#include "program/validity/recovered/places.h"

#include <dwarf.h>
#include <string.h>

#include "program/names/numba/return_convention.h"
#include "program/source/definitions.h"
#include "program/validity/recovered/arguments.h"
#include "program/validity/recovered/from_caller.h"

const js_location *js_truth_location_at(const js_variable *version, uint64_t pc)
{
    size_t lo = 0, hi = version->nlocations;
    while (lo < hi) {
        size_t middle = lo + (hi - lo) / 2;
        const js_location *location = &version->locations[middle];
        if (pc < location->lo) {
            hi = middle;
        } else if (pc >= location->hi) {
            lo = middle + 1;
        } else {
            return location;
        }
    }
    return NULL;
}

/* True if the value is the version's here. On another path the compiler may have made it from something else.
 */
static bool is_value_of(const js_truth *truth, const js_tracked *tracked, size_t leaf, const js_held *held,
                        size_t insn)
{
    if (held->value == JS_VALUE_ANY || held->width < tracked->leaves[leaf].size) {
        return false;
    }
    for (unsigned i = 0; i < JS_TRUTH_IDS; i++) {
        if (tracked->ids[leaf][i] == held->value) {
            const uint32_t *since = tracked->since[leaf][i];
            return !since || insn >= since[js_code_block(&truth->machine.code, insn)];
        }
    }
    return false;
}

static uint32_t find_place(const js_truth *truth, const js_tracked *tracked, size_t leaf, size_t insn)
{
    if (!truth->machine.is_followed || tracked->ids[leaf][0] == JS_VALUE_ANY) {
        return JS_PLACE_ABSENT;
    }
    uint32_t last = tracked->places[leaf];
    if (last != JS_PLACE_ABSENT && is_value_of(truth, tracked, leaf, &truth->machine.track.now[last], insn)) {
        return last;
    }
    for (size_t p = truth->machine.track.nplaces; p-- > 0;) { /* memory first, as it lasts longer */
        if (p != JS_CODE_RSP && is_value_of(truth, tracked, leaf, &truth->machine.track.now[p], insn)) {
            return tracked->places[leaf] = (uint32_t)p;
        }
    }
    return JS_PLACE_ABSENT;
}

static bool is_aligned(int64_t offset)
{
    return offset >= JS_TRACK_ALIGNED / 2;
}

/* Put the address of a slot, by rsp or rbp at the instruction, or by the canonical frame address. */
static void put_slot(const js_truth *truth, size_t insn, int64_t offset, js_expr *out)
{
    int64_t stack = truth->machine.track.stack[insn], frame = truth->machine.track.frame[insn];
    if (stack != JS_TRACK_NOWHERE && is_aligned(stack) == is_aligned(offset)) {
        js_expr_memory(out, JS_CODE_RSP, offset - stack);
    } else if (frame != JS_TRACK_NOWHERE && is_aligned(frame) == is_aligned(offset)) {
        js_expr_memory(out, JS_CODE_RBP, offset - frame);
    } else if (!is_aligned(offset)) {
        js_expr_op(out, DW_OP_call_frame_cfa);
        js_expr_op(out, DW_OP_consts);
        js_expr_sleb(out, offset);
        js_expr_op(out, DW_OP_plus);
    } else {
        out->overflow = true;
    }
}

static void put_place(const js_truth *truth, size_t insn, uint32_t place, const js_leaf *leaf, js_expr *out)
{
    bool is_slot = place >= JS_CODE_REGISTERS;
    int64_t offset = is_slot ? truth->machine.track.slots[place - JS_CODE_REGISTERS].offset : 0;
    if (!leaf->is_bool) {
        if (is_slot) {
            put_slot(truth, insn, offset, out);
        } else {
            js_expr_register(out, place);
        }
        return;
    }
    if (is_slot) { /* only one bit is valid */
        put_slot(truth, insn, offset, out);
        js_expr_op(out, DW_OP_deref_size);
        js_expr_op(out, 1);
    } else {
        js_expr_value(out, place);
    }
    js_expr_op(out, DW_OP_lit1);
    js_expr_op(out, DW_OP_and);
    js_expr_op(out, DW_OP_stack_value);
}

static bool is_usable(const js_part *part, bool older)
{
    bool is_there = part->kind == JS_PART_PLACE || part->kind == JS_PART_CONSTANT;
    return is_there && !(older && (part->registers & js_code_call_clobbers()));
}

const js_part *js_truth_part_of(const js_part *parts, size_t count, const js_leaf *leaf, bool older)
{
    for (size_t i = 0; i < count; i++) {
        if (parts[i].offset == leaf->offset && parts[i].size == leaf->size) {
            return is_usable(&parts[i], older) ? &parts[i] : NULL;
        }
    }
    return NULL;
}

bool js_truth_is_late(const js_truth *truth, const js_held *held, uint32_t line)
{
    uint32_t made = JS_VALUE_ENTRY + (uint32_t)truth->machine.track.nplaces;
    return held->value == JS_VALUE_ANY ||
           (held->value >= made && truth->insns.lines[held->value - made] > line);
}

bool js_truth_is_foreign(const js_truth *truth, const js_variable *version, size_t leaf, const js_held *held)
{
    uint32_t place = held->value - JS_VALUE_ENTRY;
    js_name_kind kind = truth->function->name.kind;
    if (held->value < JS_VALUE_ENTRY || place >= truth->machine.track.nplaces) {
        return false;
    }
    bool has_leading = kind == JS_NAME_FUNCTION || kind == JS_NAME_PARFOR || kind == JS_NAME_GENERATOR_NEXT;
    bool is_foreign = false;
    for (size_t i = 0; i < JS_NUMBA_LEADING_ARGUMENTS && has_leading; i++) {
        is_foreign |= place == js_code_argument_registers[i];
    }
    const js_tracked *tracked = &truth->tracked[js_truth_index(truth, version)];
    bool is_passed = version->is_argument && version->version == 0 && leaf < tracked->nleaves &&
                     tracked->ids[leaf][0] != JS_VALUE_ANY && !tracked->since[leaf][0];
    bool is_kept = is_passed && truth->flow && js_flow_count_defs(truth->flow, version->base) == 1;
    return is_foreign || (is_kept && held->value != tracked->ids[leaf][0]);
}

/* True if the compiler's part can be believed. leaf: the index of the part's leaf; nleaves: not known. */
static bool is_credible(const js_truth *truth, const js_variable *version, size_t leaf, const js_part *part,
                        size_t insn)
{
    const js_track *track = &truth->machine.track;
    uint32_t line = version->line;
    if (insn == JS_CODE_NOWHERE) {
        return true;
    }
    if (part->is_slot) {
        uint32_t place = js_track_place(track, js_track_offset(track, insn, part->reg, part->disp));
        return place == JS_PLACE_ABSENT || !(js_truth_is_late(truth, &track->now[place], line) ||
                                             js_truth_is_foreign(truth, version, leaf, &track->now[place]));
    }
    for (uint64_t set = part->registers; set; set &= set - 1) {
        unsigned reg = (unsigned)__builtin_ctzll(set);
        if (reg != JS_CODE_RSP && reg < JS_CODE_REGISTERS &&
            (js_truth_is_late(truth, &track->now[reg], line) ||
             (part->is_register && js_truth_is_foreign(truth, version, leaf, &track->now[reg])))) {
            return false;
        }
    }
    return true;
}

typedef struct sight { /* the places of the leaves of one version at one instruction */
    js_truth *truth;
    const js_variable *version;
    const js_tracked *tracked;
    const js_part *parts;
    size_t nparts, insn;
    bool older;
} sight;

/* Put the place of a leaf; false: it has none. */
static bool put_found(const sight *ctx, size_t index, js_expr *out)
{
    const js_leaf *leaf = &ctx->tracked->leaves[index];
    uint32_t place = ctx->insn == JS_CODE_NOWHERE ? JS_PLACE_ABSENT
                                                  : find_place(ctx->truth, ctx->tracked, index, ctx->insn);
    if (place != JS_PLACE_ABSENT) {
        put_place(ctx->truth, ctx->insn, place, leaf, out);
        return true;
    }
    const js_part *part = js_truth_part_of(ctx->parts, ctx->nparts, leaf, ctx->older);
    if (part && !is_credible(ctx->truth, ctx->version, index, part, ctx->insn)) {
        return false;
    }
    if (part && leaf->is_bool && part->is_computed) {
        /* LLVM computes with an i1: `not x` comes as ~x, and only the lowest bit is valid */
        js_expr_copy(out, part->expr, part->length - 1);
        js_expr_op(out, DW_OP_lit1);
        js_expr_op(out, DW_OP_and);
        js_expr_op(out, DW_OP_stack_value);
    } else if (part) {
        js_expr_copy(out, part->expr, part->length);
    }
    return part != NULL;
}

/* Push the leaf's value. */
static bool push_found(const sight *ctx, size_t index, js_expr *out)
{
    const js_leaf *leaf = &ctx->tracked->leaves[index];
    js_expr found = {.size = 0, .overflow = false};
    if (leaf->size != 8 || leaf->is_float || !put_found(ctx, index, &found) || found.size == 0 ||
        found.overflow) {
        return false;
    }
    uint8_t first = found.bytes[0], last = found.bytes[found.size - 1];
    js_part part;
    size_t count;
    if (js_parts_read(found.bytes, found.size, 8, &part, 1, &count) != JS_OK || count != 1) {
        return false;
    }
    if (part.is_register) {
        js_expr_value(out, part.reg);
        return part.reg < JS_CODE_VECTOR;
    }
    if (first == DW_OP_implicit_value) {
        return false;
    }
    js_expr_copy(out, found.bytes, found.size - (!part.is_slot && last == DW_OP_stack_value));
    if (part.is_slot) {
        js_expr_op(out, DW_OP_deref);
    }
    return part.is_slot || last == DW_OP_stack_value;
}

/* Put a leaf whose value follows from other leaves and the type. */
static bool put_derived(const sight *ctx, size_t index, js_expr *out)
{
    const js_leaf *leaf = &ctx->tracked->leaves[index];
    if (leaf->scale == 0 || leaf->first_factor + leaf->nfactors > ctx->tracked->nleaves) {
        return false;
    }
    js_expr_op(out, DW_OP_constu);
    js_expr_uleb(out, leaf->scale);
    for (size_t i = 0; i < leaf->nfactors; i++) {
        if (!push_found(ctx, leaf->first_factor + i, out)) {
            return false;
        }
        js_expr_op(out, DW_OP_mul);
    }
    js_expr_op(out, DW_OP_stack_value);
    return true;
}

/* Put a leaf of an array that fills its allocation, by the allocation's header. */
static bool put_from_memory(const sight *ctx, size_t index, js_expr *out)
{
    const js_leaf *leaf = &ctx->tracked->leaves[index];
    if (!ctx->version->is_fresh || leaf->memory_item == 0 || !push_found(ctx, leaf->memory, out)) {
        return false;
    }
    js_expr_op(out, DW_OP_plus_uconst);
    js_expr_uleb(out, JS_NUMBA_MEMINFO_SIZE);
    js_expr_op(out, DW_OP_deref);
    js_expr_op(out, DW_OP_constu);
    js_expr_uleb(out, leaf->memory_item);
    js_expr_op(out, DW_OP_div);
    js_expr_op(out, DW_OP_stack_value);
    return true;
}

static bool put_leaves(const sight *ctx, uint64_t size, js_expr *out)
{
    uint64_t done = 0;
    bool any = false;
    for (size_t i = 0; i < ctx->tracked->nleaves; i++) {
        const js_leaf *leaf = &ctx->tracked->leaves[i];
        if (leaf->offset < done) {
            return false;
        }
        if (leaf->offset > done) {
            js_expr_piece(out, leaf->offset - done);
        }
        size_t before = out->size;
        if (!put_found(ctx, i, out)) {
            out->size = before;
            bool is_put = put_derived(ctx, i, out);
            if (!is_put) {
                out->size = before;
                is_put = put_from_memory(ctx, i, out);
            }
            if (!is_put) {
                out->size = before;
                if (!leaf->is_hidden) {
                    return false;
                }
            }
        }
        any = any || out->size > before;
        if (leaf->size == size) {
            return any; /* the version has one leaf, and needs no pieces */
        }
        js_expr_piece(out, leaf->size);
        done = leaf->offset + leaf->size;
    }
    if (done < size) {
        js_expr_piece(out, size - done);
    }
    return any;
}

static bool holds_memory(const js_type *type)
{
    bool found = type->shape == JS_SHAPE_STRUCT && type->kind != JS_KIND_TUPLE;
    for (size_t i = 0; type->kind == JS_KIND_TUPLE && i < type->nmembers && !found; i++) {
        found = holds_memory(type->members[i].type);
    }
    bool is_uniform = type->kind == JS_KIND_TUPLE && type->shape == JS_SHAPE_ARRAY && type->target;
    return found || (is_uniform && holds_memory(type->target));
}

/* True if the compiler has given up the memory that the version refers to: it may be freed, although its
 * address may still be in a register. */
static bool is_given_up(const js_variable *version, const js_part *parts, size_t count)
{
    bool has_place = version->is_argument || version->is_whole || !holds_memory(version->type);
    for (size_t i = 0; i < count && !has_place; i++) {
        has_place = parts[i].kind == JS_PART_PLACE;
    }
    return !has_place;
}

/* Read the pieces of the compiler's location; returns their number, 0 where there is none, or it is not
 * understood.
 *
 * A constant is not believed for a value that came in as an argument. Where LLVM folds branches it keeps the
 * constant of one of them: `if n == -3 and flag` gave a function's `flag` the constant 1 everywhere
 * (LLVM 22.1). */
static size_t read_parts(const js_truth *truth, const js_variable *version, const js_location *location,
                         js_part *parts)
{
    size_t count;
    if (!location || js_parts_read(location->expr, location->size, version->type->size, parts,
                                   JS_TRUTH_LEAVES, &count) != JS_OK) {
        return 0;
    }
    bool is_passed = version->is_argument && version->version == 0 && !version->is_within &&
                     !truth->function->region.parent && !js_truth_is_omitted(truth, version);
    for (size_t i = 0; i < count && is_passed; i++) {
        parts[i].kind = parts[i].kind == JS_PART_CONSTANT ? JS_PART_ZERO : parts[i].kind;
    }
    return count;
}

bool js_truth_locate(js_truth *truth, const js_variable *version, const js_point *point, js_expr *out)
{
    const js_tracked *tracked = &truth->tracked[js_truth_index(truth, version)];
    const js_location *location = version->is_whole ? NULL : js_truth_location_at(version, point->pc);
    js_part parts[JS_TRUTH_LEAVES];
    size_t count = read_parts(truth, version, location, parts);
    uint64_t size = version->type->size;
    out->size = 0;
    out->overflow = false;
    if (is_given_up(version, parts, count)) {
        return false;
    }
    sight ctx = {truth, version, tracked, parts, count, point->insn, point->older};
    if (tracked->is_known && tracked->nleaves > 0 && put_leaves(&ctx, size, out) && !out->overflow) {
        return true;
    }
    if (version->is_argument && version->version == 0) {
        out->size = 0;
        out->overflow = false;
        if (js_truth_put_from_caller(truth, version, out) || js_truth_put_default(truth, version, out)) {
            return true;
        }
    }
    /* the pieces are no scalars: the location is used as a whole, or not */
    out->size = 0;
    out->overflow = false;
    uint64_t covered = 0;
    for (size_t i = 0; i < count; i++) {
        bool may_be_bool = parts[i].size == 1 && parts[i].is_computed;
        if (!is_usable(&parts[i], point->older) || may_be_bool ||
            !is_credible(truth, version, tracked->nleaves, &parts[i], point->insn)) {
            return false;
        }
        covered += parts[i].size;
    }
    if (!location || count == 0 || covered != size) {
        return false;
    }
    js_expr_copy(out, location->expr, location->size);
    return !out->overflow;
}
