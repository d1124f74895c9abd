/* Joins equal verdicts of adjacent addresses. */
#include "program/validity/states/spans.h"

#include <string.h>

enum { SPANS_MAX = 1 << 20 };

static bool continues(const js_range_state *last, const js_verdict *verdict, uint64_t lo)
{
    bool exact = verdict->state == JS_STATE_EXACT;
    return last->hi == lo && last->state == verdict->state && last->version == verdict->version &&
           last->reason == verdict->reason && last->computed == verdict->computed &&
           last->size == (exact ? verdict->expr.size : 0) &&
           (!exact || memcmp(last->expr, verdict->expr.bytes, last->size) == 0);
}

int js_span_add(js_truth *truth, js_local *local, size_t *capacity, uint64_t lo, uint64_t hi,
                const js_verdict *verdict)
{
    js_range_state *last = local->nspans ? &local->spans[local->nspans - 1] : NULL;
    if (last && continues(last, verdict, lo)) {
        last->hi = hi;
        return JS_OK;
    }
    if (local->nspans == SPANS_MAX) {
        return JS_ELIMIT;
    }
    if (!local->spans || local->nspans == *capacity) {
        size_t room = *capacity ? *capacity * 2 : 8;
        js_range_state *more = js_arena_alloc(truth->arena, room * sizeof(*more));
        if (!more) {
            return JS_ENOMEM;
        }
        if (local->spans) {
            memcpy(more, local->spans, local->nspans * sizeof(*more));
        }
        local->spans = more;
        *capacity = room;
    }
    js_range_state *span = &local->spans[local->nspans];
    *span = (js_range_state){lo,   hi, verdict->state,  verdict->version,
                             NULL, 0,  verdict->reason, verdict->computed}; /* both outlive the analysis */
    if (verdict->state == JS_STATE_EXACT) {
        uint8_t *expr = js_arena_alloc(truth->arena, verdict->expr.size + 1);
        if (!expr) {
            return JS_ENOMEM;
        }
        memcpy(expr, verdict->expr.bytes, verdict->expr.size);
        span->expr = expr;
        span->size = verdict->expr.size;
    }
    local->nspans++;
    return JS_OK;
}
