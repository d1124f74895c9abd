/* Finds which version of a variable in memory was stored last, on every path. The compiler fills each home
 * with zeros at entry and when it gives a variable up; only the other stores are assignments. */
#include "program/validity/recovered/memory_homes.h"

#include <stdlib.h>
#include <string.h>

#include "program/names/numba/variable_names.h"
#include "program/source/definitions.h"
#include "program/validity/locations/home.h"
#include "program/validity/recovered/home_reads.h"
#include "program/validity/recovered/home_state.h"
#include "program/validity/variables/versions.h"

enum { HOMES_PASSES = 64 };

typedef struct cluster {             /* stores of one value, scalar by scalar */
    bool is_open, is_real, was_real; /* was_real: an assignment came before, in the same block */
    uint32_t first, last;
    size_t nstored;
    int64_t stored[JS_TRUTH_LEAVES];
} cluster;

struct js_homes {
    js_truth *truth;
    const js_local *local;
    js_extent extents[JS_TRUTH_VERSIONS];
    js_home_reads *reads;
    js_home_event *events;
    size_t nevents, capacity, next;
    js_home_state *in; /* for each reachable block, by order */
    js_home_state now;
    uint64_t met, shared; /* versions that are stored in several places, or with another's value */
    uint64_t
        filled; /* versions whose whole home, one scalar, is zero from the entry on until it is assigned */
};

static uint64_t prologue_end(const js_function *function)
{
    for (size_t i = 0; i < function->lines.nrows; i++) {
        if (function->lines.rows[i].prologue_end) {
            return function->lines.rows[i].address;
        }
    }
    return function->lo;
}

static js_home_event_kind classify(const js_homes *homes, const cluster *of, const js_variable *version)
{
    const js_function *function = homes->truth->function;
    const js_flow *flow = homes->truth->flow;
    uint64_t pc = homes->truth->machine.code.insns[of->first].address;
    if (of->is_real) {
        return JS_HOME_EVENT_ASSIGN;
    }
    if (of->was_real) { /* each version is assigned once */
        return JS_HOME_EVENT_FILL;
    }
    uint32_t line = homes->truth->insns.lines[of->first];
    if (pc < prologue_end(function) || line <= function->line || line != version->line) {
        return JS_HOME_EVENT_FILL;
    }
    for (size_t i = 0; flow && i < flow->ndefs; i++) {
        const js_flow_def *def = &flow->defs[i];
        if (def->line == line && def->literal && strcmp(def->name, homes->local->name) == 0) {
            return strtod(def->literal, NULL) == 0 ? JS_HOME_EVENT_LITERAL : JS_HOME_EVENT_FILL;
        }
    }
    return JS_HOME_EVENT_ZERO_AT_DEFINITION;
}

static bool holds_same(const js_homes *homes, unsigned left, unsigned right)
{
    const js_track *track = &homes->truth->machine.track;
    int64_t shift = homes->extents[right].lo - homes->extents[left].lo;
    size_t compared = 0;
    for (size_t i = 0; i < track->nslots; i++) {
        const js_slot *slot = &track->slots[i];
        if (slot->offset < homes->extents[left].lo || slot->offset >= homes->extents[left].hi) {
            continue;
        }
        uint32_t other = js_track_place(track, slot->offset + shift);
        const js_held *held = &track->now[JS_CODE_REGISTERS + i];
        if (other == JS_PLACE_ABSENT || held->value == JS_VALUE_ANY ||
            track->now[other].value != held->value || held->width < slot->size ||
            track->now[other].width < slot->size) {
            return false;
        }
        compared++;
    }
    return compared > 0 && homes->extents[left].hi - homes->extents[left].lo ==
                               homes->extents[right].hi - homes->extents[right].lo;
}

static int add_event(js_homes *homes, uint32_t insn, unsigned version, js_home_event_kind kind)
{
    if (homes->nevents == homes->capacity) {
        size_t capacity = homes->capacity ? homes->capacity * 2 : 64;
        js_home_event *more = js_arena_alloc(&homes->truth->scratch, capacity * sizeof(*more));
        if (!more) {
            return JS_ENOMEM;
        }
        if (homes->nevents) {
            memcpy(more, homes->events, homes->nevents * sizeof(*more));
        }
        homes->events = more;
        homes->capacity = capacity;
    }
    homes->events[homes->nevents++] =
        (js_home_event){.insn = insn, .version = (uint8_t)version, .kind = (uint8_t)kind};
    return JS_OK;
}

static int close_cluster(js_homes *homes, cluster *open, unsigned version)
{
    if (!open->is_open) {
        return JS_OK;
    }
    open->is_open = false;
    js_home_event_kind kind = classify(homes, open, homes->local->versions[version]);
    int status =
        kind == JS_HOME_EVENT_FILL ? JS_OK : add_event(homes, open->first, version, JS_HOME_EVENT_START);
    open->was_real = open->was_real || open->is_real;
    return status == JS_OK ? add_event(homes, open->last, version, kind) : status;
}

static int note_store(js_homes *homes, cluster *open, unsigned version, uint32_t insn, int64_t offset,
                      bool is_zero)
{
    bool again = open->nstored == JS_TRUTH_LEAVES;
    for (size_t i = 0; open->is_open && i < open->nstored; i++) {
        again = again || open->stored[i] == offset;
    }
    if (open->is_open &&
        (again || homes->truth->insns.lines[insn] != homes->truth->insns.lines[open->first])) {
        int status = close_cluster(homes, open, version);
        if (status != JS_OK) {
            return status;
        }
    }
    if (!open->is_open) {
        *open = (cluster){.is_open = true, .first = insn, .was_real = open->was_real};
    }
    open->stored[open->nstored++] = offset;
    open->last = insn;
    open->is_real = open->is_real || !is_zero;
    return JS_OK;
}

static int order_events(const void *left, const void *right)
{
    const js_home_event *l = left, *r = right;
    if (l->insn != r->insn) {
        return l->insn < r->insn ? -1 : 1;
    }
    return (l->kind != JS_HOME_EVENT_START) - (r->kind != JS_HOME_EVENT_START);
}

static int scan(js_homes *homes)
{
    js_truth *truth = homes->truth;
    size_t nversions = homes->local->nversions;
    uint64_t stored = 0;
    cluster *open = js_arena_alloc(&truth->scratch, nversions * sizeof(*open));
    if (!open) {
        return JS_ENOMEM;
    }
    for (size_t o = 0; o < truth->machine.code.norder; o++) {
        const js_basic_block *block = &truth->machine.code.blocks[truth->machine.code.order[o]];
        js_track_enter(&truth->machine.track, truth->machine.code.order[o]);
        int status = JS_OK;
        for (uint32_t i = block->first; i < block->first + block->count && status == JS_OK; i++) {
            const js_insn *insn = &truth->machine.code.insns[i];
            js_track_step(&truth->machine.track, i);
            int64_t offset = insn->to.kind == JS_PLACE_FRAME
                                 ? js_track_offset(&truth->machine.track, i, insn->to.reg, insn->to.value)
                                 : JS_TRACK_NOWHERE;
            for (unsigned v = 0; offset != JS_TRACK_NOWHERE && v < nversions && status == JS_OK; v++) {
                const js_extent *home = &homes->extents[v];
                int64_t end = offset + (insn->to.size ? insn->to.size : 1);
                if (offset < home->hi && end > home->lo) {
                    uint32_t place = js_track_place(&truth->machine.track, offset);
                    bool is_zero =
                        place != JS_PLACE_ABSENT && truth->machine.track.now[place].value == JS_VALUE_ZERO;
                    bool is_scalar = offset == home->lo && end == home->hi && home->hi - home->lo <= 8;
                    if (o == 0 && is_zero && is_scalar && insn->address < prologue_end(truth->function)) {
                        homes->filled |= (uint64_t)1 << v;
                    }
                    bool gives = !is_zero ||
                                 js_code_copied_by(&truth->machine.code, block->first, i) != JS_CODE_NOWHERE;
                    uint64_t bit = offset == home->lo && gives ? (uint64_t)1 << v : 0;
                    homes->met |= stored & bit;
                    stored |= bit;
                    status = note_store(homes, &open[v], v, i, offset, is_zero);
                }
            }
        }
        for (unsigned v = 0; v < nversions && status == JS_OK; v++) {
            status = close_cluster(homes, &open[v], v);
            open[v].was_real = false;
        }
        if (status != JS_OK) {
            return status;
        }
    }
    if (homes->nevents) {
        qsort(homes->events, homes->nevents, sizeof(*homes->events), order_events);
    }
    return JS_OK;
}

/* True if the event stores a version that joins others. Such versions have numbers after those of the
 * source's assignments, unless several passes have numbered them. An assignment in a `finally` makes several
 * versions, more than the source has. */
static bool is_join(const js_homes *homes, const js_home_event *event)
{
    const js_flow *flow = homes->truth->flow;
    const js_variable *version = homes->local->versions[event->version];
    if (flow && version->version < JS_NUMBA_RENUMBERED) {
        bool is_statement = js_truth_is_copied(flow, homes->local->name) &&
                            !((homes->shared | homes->met) >> event->version & 1) &&
                            js_flow_is_def(flow, homes->local->name, version->line);
        return version->version >= js_flow_count_defs(flow, homes->local->name) && !is_statement;
    }
    return event->same != 0 && !(flow && js_flow_is_def(flow, homes->local->name, version->line));
}

/* Find which homes have equal values after each assignment: a copy between versions is no new value. */
static void compare_homes(js_homes *homes)
{
    js_truth *truth = homes->truth;
    size_t nversions = homes->local->nversions, next = 0;
    if (nversions < 2) {
        return;
    }
    for (size_t b = 0; b < truth->machine.code.nblocks && next < homes->nevents; b++) {
        const js_basic_block *block = &truth->machine.code.blocks[b];
        if (block->order == JS_CODE_NOWHERE || homes->events[next].insn >= block->first + block->count) {
            continue;
        }
        js_track_enter(&truth->machine.track, (uint32_t)b);
        for (uint32_t i = block->first; i < block->first + block->count; i++) {
            js_track_step(&truth->machine.track, i);
            for (; next < homes->nevents && homes->events[next].insn == i; next++) {
                js_home_event *event = &homes->events[next];
                for (unsigned v = 0;
                     event->kind != JS_HOME_EVENT_START && event->kind != JS_HOME_EVENT_FILL && v < nversions;
                     v++) {
                    event->same |=
                        v != event->version && holds_same(homes, event->version, v) ? (uint64_t)1 << v : 0;
                }
                homes->shared |= event->same ? (uint64_t)1 << event->version : 0;
            }
        }
    }
    for (size_t i = 0; i < homes->nevents; i++) {
        homes->events[i].joins =
            homes->events[i].kind == JS_HOME_EVENT_ASSIGN && is_join(homes, &homes->events[i]);
    }
}

void js_homes_enter(js_homes *homes, uint32_t block)
{
    const js_basic_block *basic = &homes->truth->machine.code.blocks[block];
    size_t lo = 0, hi = homes->nevents;
    homes->now = homes->in[basic->order];
    while (lo < hi) {
        size_t middle = lo + (hi - lo) / 2;
        if (homes->events[middle].insn < basic->first) {
            lo = middle + 1;
        } else {
            hi = middle;
        }
    }
    homes->next = lo;
}

void js_homes_step(js_homes *homes, size_t insn)
{
    while (homes->next < homes->nevents && homes->events[homes->next].insn == insn) {
        js_home_state_apply(&homes->now, &homes->events[homes->next++]);
    }
}

bool js_homes_assigns(const js_homes *homes, size_t insn, const js_variable **version)
{
    size_t lo = 0, hi = homes->nevents;
    bool found = false;
    while (lo < hi) {
        size_t middle = lo + (hi - lo) / 2;
        if (homes->events[middle].insn < insn) {
            lo = middle + 1;
        } else {
            hi = middle;
        }
    }
    *version = NULL;
    for (; lo < homes->nevents && homes->events[lo].insn == insn; lo++) {
        const js_home_event *event = &homes->events[lo];
        if (event->kind != JS_HOME_EVENT_START && event->kind != JS_HOME_EVENT_FILL && !event->joins) {
            *version = found || event->kind == JS_HOME_EVENT_ZERO_AT_DEFINITION
                           ? NULL
                           : homes->local->versions[event->version];
            found = true;
        }
    }
    return found;
}

static int run(js_homes *homes)
{
    const js_code *code = &homes->truth->machine.code;
    homes->in = js_arena_alloc(&homes->truth->scratch, (code->norder + 1) * sizeof(*homes->in));
    if (!homes->in) {
        return JS_ENOMEM;
    }
    homes->in[0] = (js_home_state){JS_HOME_UNSTORED, 0};
    bool changed = true;
    for (unsigned pass = 0; changed; pass++) {
        if (pass == HOMES_PASSES) {
            return JS_ELIMIT;
        }
        changed = false;
        for (size_t o = 0; o < code->norder; o++) {
            const js_basic_block *block = &code->blocks[code->order[o]];
            js_homes_enter(homes, code->order[o]);
            while (homes->next < homes->nevents &&
                   homes->events[homes->next].insn < block->first + block->count) {
                js_home_state_apply(&homes->now, &homes->events[homes->next++]);
            }
            for (unsigned s = 0; s < 2; s++) {
                if (block->successors[s] != JS_CODE_NOWHERE) {
                    changed = js_home_state_meet(&homes->in[code->blocks[block->successors[s]].order],
                                                 &homes->now) ||
                              changed;
                }
            }
        }
    }
    return JS_OK;
}

int js_homes_init(js_homes **out, js_truth *truth, const js_local *local)
{
    if (!truth->machine.is_followed || local->nversions > JS_TRUTH_VERSIONS) {
        return JS_EUNSUP;
    }
    js_homes *homes = js_arena_alloc(&truth->scratch, sizeof(*homes));
    if (!homes) {
        return JS_ENOMEM;
    }
    homes->truth = truth;
    homes->local = local;
    for (size_t v = 0; v < local->nversions; v++) {
        if (!js_truth_home(truth, local->versions[v], &homes->extents[v])) {
            return JS_EUNSUP;
        }
    }
    int status = js_home_reads_init(&homes->reads, truth, homes->extents, local->nversions);
    status = status == JS_OK ? scan(homes) : status;
    if (status == JS_OK) {
        compare_homes(homes);
        status = run(homes);
    }
    *out = homes;
    return status;
}

const js_variable *js_homes_read(const js_homes *homes, size_t insn)
{
    uint64_t read = js_home_reads_from(homes->reads, insn);
    bool is_one = (read & (read - 1)) == 0 && (read & homes->now.holders);
    return is_one ? homes->local->versions[__builtin_ctzll(read)] : NULL;
}

bool js_homes_is_unstored(const js_homes *homes)
{
    return homes->now.reach == JS_HOME_UNSTORED;
}

bool js_homes_is_stored(const js_homes *homes)
{
    return homes->now.reach && !(homes->now.reach & JS_HOME_UNSTORED);
}

void js_homes_put_verdict(const js_homes *homes, js_verdict *out)
{
    out->version = NULL;
    out->needs_zero_check = false;
    switch (homes->now.reach) {
    case JS_HOME_UNSTORED:
        out->state = JS_STATE_UNASSIGNED;
        out->reason = NULL;
        return;
    case JS_HOME_CURRENT:
        if (homes->now.holders) {
            out->state = JS_STATE_EXACT;
            out->reason = NULL;
            out->version = homes->local->versions[__builtin_ctzll(homes->now.holders)];
            return;
        }
        out->state = JS_STATE_UNKNOWN;
        out->reason = "assigned differently on the paths that lead here";
        return;
    case JS_HOME_RELEASED:
    case JS_HOME_RELEASED | JS_HOME_CURRENT:
        out->state = JS_STATE_OPTIMIZED_OUT;
        out->reason = "no longer used";
        return;
    default:
        out->state = JS_STATE_UNKNOWN;
        out->reason = "assigned on some paths only";
        uint64_t with_value = homes->now.holders & homes->filled;
        if (homes->now.reach == (JS_HOME_UNSTORED | JS_HOME_CURRENT) && with_value) {
            out->version = homes->local->versions[__builtin_ctzll(with_value)];
            out->needs_zero_check = true;
        }
    }
}
