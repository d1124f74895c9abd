/* Learns the values in the places that the compiler gives for a version, at each instruction where a location
 * begins, and then finds on which paths they hold. */
#include <string.h>

#include "program/validity/recovered/places.h"

/* Note that the version has this value from the instruction on. */
static int note(js_truth *truth, js_tracked *tracked, size_t leaf, uint32_t value, uint32_t block,
                uint32_t insn)
{
    for (unsigned i = 0; i < JS_TRUTH_IDS; i++) {
        uint32_t *id = &tracked->ids[leaf][i], **since = &tracked->since[leaf][i];
        if (*id == value && !*since) {
            return JS_OK; /* the argument's value at entry */
        }
        if (*id == JS_VALUE_ANY) {
            *since = js_arena_alloc(&truth->scratch, (truth->machine.code.nblocks + 1) * sizeof(**since));
            if (!*since) {
                return JS_ENOMEM;
            }
            memset(*since, 0xff, truth->machine.code.nblocks * sizeof(**since));
            *id = value;
        }
        if (*id == value) {
            (*since)[block] = (*since)[block] < insn ? (*since)[block] : insn;
            return JS_OK;
        }
    }
    return JS_OK;
}

int js_truth_learn(js_truth *truth, const js_variable *version, uint64_t pc, uint32_t block, size_t insn)
{
    js_tracked *tracked = &truth->tracked[js_truth_index(truth, version)];
    const js_location *location = version->is_whole ? NULL : js_truth_location_at(version, pc);
    js_part parts[JS_TRUTH_LEAVES];
    size_t count;
    int status = JS_OK;
    if (!location || !tracked->is_known ||
        js_parts_read(location->expr, location->size, version->type->size, parts, JS_TRUTH_LEAVES, &count) !=
            JS_OK) {
        return JS_OK;
    }
    for (size_t l = 0; l < tracked->nleaves && status == JS_OK; l++) {
        const js_part *part = js_truth_part_of(parts, count, &tracked->leaves[l], false);
        uint32_t place = JS_PLACE_ABSENT;
        if (part && part->is_register) {
            place = part->reg;
        } else if (part && part->is_slot) {
            place = js_track_place(&truth->machine.track,
                                   js_track_offset(&truth->machine.track, insn, part->reg, part->disp));
        }
        if (place == JS_PLACE_ABSENT) {
            continue;
        }
        const js_held *held = &truth->machine.track.now[place];
        uint32_t made = JS_VALUE_ENTRY + (uint32_t)truth->machine.track.nplaces;
        if (held->value < JS_VALUE_ENTRY || held->width < tracked->leaves[l].size ||
            js_truth_is_late(truth, held, version->line) || js_truth_is_foreign(truth, version, l, held) ||
            (held->value >= made && truth->insns.is_cyclic[held->value - made])) {
            continue; /* a loop makes another value each time */
        }
        status = note(truth, tracked, l, held->value, block, (uint32_t)insn);
    }
    return status;
}

/* Extend `since` to blocks that all paths reach after an instruction in it. */
static void spread(const js_code *code, uint32_t *since, uint8_t *is_known)
{
    memset(is_known, 1, code->nblocks);
    is_known[code->order[0]] = 0;
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t i = 0; i < code->norder; i++) {
            uint32_t b = code->order[i];
            for (unsigned s = 0; s < 2 && !is_known[b] && since[b] == JS_CODE_NOWHERE; s++) {
                uint32_t to = code->blocks[b].successors[s];
                changed = changed || (to != JS_CODE_NOWHERE && is_known[to]);
                if (to != JS_CODE_NOWHERE) {
                    is_known[to] = 0;
                }
            }
        }
    }
    for (size_t i = 0; i < code->norder; i++) {
        uint32_t b = code->order[i];
        since[b] = is_known[b] ? code->blocks[b].first : since[b];
    }
}

int js_truth_spread_learned(js_truth *truth)
{
    uint8_t *is_known = js_arena_alloc(&truth->scratch, truth->machine.code.nblocks + 1);
    if (!is_known) {
        return JS_ENOMEM;
    }
    for (size_t v = 0; v < truth->function->nvariables && truth->machine.code.norder; v++) {
        js_tracked *tracked = &truth->tracked[v];
        for (size_t l = 0; tracked->is_known && l < tracked->nleaves; l++) {
            for (unsigned i = 0; i < JS_TRUTH_IDS; i++) {
                if (tracked->since[l][i]) {
                    spread(&truth->machine.code, tracked->since[l][i], is_known);
                }
            }
        }
    }
    return JS_OK;
}
