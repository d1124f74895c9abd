/* Compares rsp at each instruction with rsp after the prologue. */
#include "program/validity/locations/stack_depth.h"

#include "program/validity/locations/expression.h"
#include "program/validity/locations/type_scalars.h"

/* Return the offset of rsp after the prologue; JS_TRACK_NOWHERE: unknown, or the prologue does not move rsp.
 * Words that are pushed for a call are popped before the next block. */
static int64_t find_depth(const js_truth *truth)
{
    const js_code *code = &truth->machine.code;
    int64_t depth = JS_TRACK_NOWHERE, entry = code->ninsns ? truth->machine.track.stack[0] : JS_TRACK_NOWHERE;
    for (size_t b = 0; b < code->nblocks; b++) {
        int64_t own = truth->machine.track.stack[code->blocks[b].first];
        if (code->blocks[b].order == JS_CODE_NOWHERE || own == JS_TRACK_NOWHERE || own == entry) {
            continue;
        }
        if (depth != JS_TRACK_NOWHERE && depth != own) {
            return JS_TRACK_NOWHERE;
        }
        depth = own;
    }
    return depth;
}

static bool reads_stack(const js_location *location, uint64_t size)
{
    js_part parts[JS_TRUTH_LEAVES];
    size_t count = 0;
    bool found = false;
    int status = js_parts_read(location->expr, location->size, size, parts, JS_TRUTH_LEAVES, &count);
    for (size_t i = 0; status == JS_OK && i < count && !found; i++) {
        found = parts[i].registers >> JS_CODE_RSP & 1;
    }
    return found;
}

/* Count the parts of a location where rsp is at the depth, and write them to `out`, which may be NULL. */
static size_t cut(const js_truth *truth, const js_location *location, int64_t depth, js_location *out)
{
    const js_code *code = &truth->machine.code;
    size_t count = 0;
    bool is_open = false;
    uint32_t insn = js_code_find(code, location->lo);
    for (; insn < code->ninsns && code->insns[insn].address < location->hi; insn++) {
        const js_insn *it = &code->insns[insn];
        uint64_t lo = it->address > location->lo ? it->address : location->lo;
        uint64_t end = it->address + it->length, hi = end < location->hi ? end : location->hi;
        bool is_there = truth->machine.track.stack[insn] == depth;
        count += is_there && !is_open;
        if (is_there && out) {
            js_location *part = &out[count - 1];
            lo = is_open ? part->lo : lo;
            *part = *location;
            part->lo = lo;
            part->hi = hi;
        }
        is_open = is_there;
    }
    return count;
}

static int cut_variable(js_truth *truth, js_variable *variable, int64_t depth)
{
    size_t room = 0, count = 0;
    bool is_any = false;
    for (size_t i = 0; i < variable->nlocations; i++) {
        bool is_asked = reads_stack(&variable->locations[i], variable->type->size);
        is_any = is_any || is_asked;
        room += is_asked ? cut(truth, &variable->locations[i], depth, NULL) : 1;
    }
    if (!is_any) {
        return JS_OK;
    }
    js_location *all = js_arena_alloc(truth->arena, (room + 1) * sizeof(*all));
    if (!all) {
        return JS_ENOMEM;
    }
    for (size_t i = 0; i < variable->nlocations; i++) {
        const js_location *location = &variable->locations[i];
        if (reads_stack(location, variable->type->size)) {
            count += cut(truth, location, depth, &all[count]);
        } else {
            all[count++] = *location;
        }
    }
    variable->locations = all;
    variable->nlocations = count;
    return JS_OK;
}

int js_truth_cut_locations(js_truth *truth)
{
    js_function *function = truth->function;
    int64_t depth = find_depth(truth);
    int status = JS_OK;
    for (size_t i = 0; depth != JS_TRACK_NOWHERE && i < function->nvariables && status == JS_OK; i++) {
        js_variable *variable = &function->variables[i];
        status = variable->is_whole ? JS_OK : cut_variable(truth, variable, depth);
    }
    return status;
}
