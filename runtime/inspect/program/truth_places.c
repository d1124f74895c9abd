/* Where is a version's value at an instruction: what the compiler says, and what can be followed beyond that.
 */
#include <dwarf.h>
#include <string.h>

#include "program/truth_internal.h"

const js_location *js_truth_location(const js_variable *version, uint64_t pc)
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

static bool is_value_of(const js_tracked *tracked, size_t leaf, const js_held *held)
{
    if (held->value == JS_VALUE_ANY || held->width < tracked->leaves[leaf].size) {
        return false;
    }
    for (unsigned i = 0; i < JS_TRUTH_IDS; i++) {
        if (tracked->ids[leaf][i] == held->value) {
            return true;
        }
    }
    return false;
}

static uint32_t find_place(const js_truth *truth, const js_tracked *tracked, size_t leaf)
{
    if (!truth->is_followed || tracked->ids[leaf][0] == JS_VALUE_ANY) {
        return JS_PLACE_ABSENT;
    }
    uint32_t last = tracked->places[leaf];
    if (last != JS_PLACE_ABSENT && is_value_of(tracked, leaf, &truth->track.now[last])) {
        return last;
    }
    for (size_t p = truth->track.nplaces; p-- > 0;) { /* memory before registers: it lasts longer */
        if (p != JS_CODE_RSP && is_value_of(tracked, leaf, &truth->track.now[p])) {
            return tracked->places[leaf] = (uint32_t)p;
        }
    }
    return JS_PLACE_ABSENT;
}

static bool is_aligned(int64_t offset)
{
    return offset >= JS_TRACK_ALIGNED / 2;
}

/* Address of a slot, from rsp or rbp as they are at the instruction, else from the frame's address. */
static void put_slot(const js_truth *truth, size_t insn, int64_t offset, js_expr *out)
{
    int64_t stack = truth->track.stack[insn], frame = truth->track.frame[insn];
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
    int64_t offset = is_slot ? truth->track.slots[place - JS_CODE_REGISTERS].offset : 0;
    if (!leaf->is_bool) {
        if (is_slot) {
            put_slot(truth, insn, offset, out);
        } else {
            js_expr_register(out, place);
        }
        return;
    }
    if (is_slot) { /* one bit was passed; nothing is promised of the others */
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

static const js_part *part_of(const js_part *parts, size_t count, const js_leaf *leaf, bool older)
{
    for (size_t i = 0; i < count; i++) {
        if (parts[i].offset == leaf->offset && parts[i].size == leaf->size) {
            return is_usable(&parts[i], older) ? &parts[i] : NULL;
        }
    }
    return NULL;
}

/* False: the leaf is not to be had. */
static bool put_leaf(js_truth *truth, const js_tracked *tracked, size_t index, const js_part *parts,
                     size_t count, size_t insn, bool older, js_expr *out)
{
    const js_leaf *leaf = &tracked->leaves[index];
    uint32_t place = insn == JS_CODE_NOWHERE ? JS_PLACE_ABSENT : find_place(truth, tracked, index);
    const js_part *part = place == JS_PLACE_ABSENT ? part_of(parts, count, leaf, older) : NULL;
    if (place != JS_PLACE_ABSENT) {
        put_place(truth, insn, place, leaf, out);
        return true;
    }
    if (part) {
        js_expr_copy(out, part->expr, part->length);
        return true;
    }
    if (leaf->constant) {
        js_expr_op(out, DW_OP_constu);
        js_expr_uleb(out, leaf->constant);
        js_expr_op(out, DW_OP_stack_value);
        return true;
    }
    return leaf->is_hidden;
}

static size_t shape_leaf(const js_tracked *tracked, size_t count_leaf)
{
    return count_leaf + 3 < tracked->nleaves ? count_leaf + 3
                                             : tracked->nleaves; /* itemsize, data, shape[0] */
}

static bool put_leaves(js_truth *truth, const js_tracked *tracked, const js_part *parts, size_t count,
                       uint64_t size, size_t insn, bool older, js_expr *out)
{
    uint64_t done = 0;
    bool any = false;
    for (size_t i = 0; i < tracked->nleaves; i++) {
        const js_leaf *leaf = &tracked->leaves[i];
        if (leaf->offset < done) {
            return false;
        }
        if (leaf->offset > done) {
            js_expr_piece(out, leaf->offset - done);
        }
        size_t before = out->size;
        if (!put_leaf(truth, tracked, i, parts, count, insn, older, out)) {
            size_t other = leaf->is_count ? shape_leaf(tracked, i) : tracked->nleaves;
            if (other == tracked->nleaves ||
                !put_leaf(truth, tracked, other, parts, count, insn, older, out)) {
                return false;
            }
        }
        any = any || out->size > before;
        if (leaf->size == size) {
            return any; /* the only one: no pieces */
        }
        js_expr_piece(out, leaf->size);
        done = leaf->offset + leaf->size;
    }
    if (done < size) {
        js_expr_piece(out, size - done);
    }
    return any;
}

bool js_truth_locate(js_truth *truth, const js_variable *version, uint64_t pc, size_t insn, bool older,
                     js_expr *out)
{
    const js_tracked *tracked = &truth->tracked[js_truth_index(truth, version)];
    const js_location *location = version->is_whole ? NULL : js_truth_location(version, pc);
    js_part parts[JS_TRUTH_LEAVES];
    size_t count = 0;
    uint64_t size = version->type->size;
    out->size = 0;
    out->overflow = false;
    if (location &&
        js_parts_read(location->expr, location->size, size, parts, JS_TRUTH_LEAVES, &count) != JS_OK) {
        count = 0;
    }
    if (tracked->is_known && tracked->nleaves > 0 &&
        put_leaves(truth, tracked, parts, count, size, insn, older, out) && !out->overflow) {
        return true;
    }
    /* pieces that are no scalars: all of them, or nothing */
    out->size = 0;
    out->overflow = false;
    uint64_t covered = 0;
    for (size_t i = 0; i < count; i++) {
        if (!is_usable(&parts[i], older)) {
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

void js_truth_learn(js_truth *truth, const js_variable *version, uint64_t pc, size_t insn, bool is_cyclic)
{
    js_tracked *tracked = &truth->tracked[js_truth_index(truth, version)];
    const js_location *location = version->is_whole ? NULL : js_truth_location(version, pc);
    js_part parts[JS_TRUTH_LEAVES];
    size_t count;
    (void)is_cyclic;
    if (!location || !tracked->is_known ||
        js_parts_read(location->expr, location->size, version->type->size, parts, JS_TRUTH_LEAVES, &count) !=
            JS_OK) {
        return;
    }
    for (size_t l = 0; l < tracked->nleaves; l++) {
        const js_part *part = part_of(parts, count, &tracked->leaves[l], false);
        uint32_t place = JS_PLACE_ABSENT;
        if (part && part->is_register) {
            place = part->reg;
        } else if (part && part->is_slot) {
            place =
                js_track_place(&truth->track, js_track_offset(&truth->track, insn, part->reg, part->disp));
        }
        if (place == JS_PLACE_ABSENT) {
            continue;
        }
        const js_held *held = &truth->track.now[place];
        uint32_t made = JS_VALUE_ENTRY + (uint32_t)truth->track.nplaces;
        if (held->value < JS_VALUE_ENTRY || held->width < tracked->leaves[l].size ||
            is_value_of(tracked, l, held) || (held->value >= made && truth->is_cyclic[held->value - made])) {
            continue; /* what a loop makes again is not one value */
        }
        for (unsigned i = 0; i < JS_TRUTH_IDS; i++) {
            if (tracked->ids[l][i] == JS_VALUE_ANY) {
                tracked->ids[l][i] = held->value;
                break;
            }
        }
    }
}
