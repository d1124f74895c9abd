/* Looks things up in a flow. */
#include "program/source/flow.h"

#include <string.h>

static int compare_at(const js_flow_at *left, uint32_t line, const char *name)
{
    if (left->line != line) {
        return left->line < line ? -1 : 1;
    }
    return strcmp(left->name, name);
}

const js_region *js_flow_loop(const js_flow *flow, uint32_t line)
{
    for (size_t i = 0; i < flow->nregions; i++) {
        const js_region *loop = &flow->regions[i];
        if (loop->kind == JS_REGION_LOOP && line >= loop->first_test && line <= loop->last_test) {
            return loop;
        }
    }
    return NULL;
}

const js_region *js_flow_parallel_loop(const js_flow *flow, uint32_t line)
{
    bool is_parallel = false;
    for (size_t i = 0; i < flow->ndefs && !is_parallel; i++) {
        is_parallel = flow->defs[i].is_parallel && flow->defs[i].line == line;
    }
    return is_parallel ? js_flow_loop(flow, line) : NULL;
}

const js_region *js_flow_outermost_loop(const js_flow *flow, uint32_t line, const js_region *within)
{
    const js_region *found = NULL;
    for (size_t i = 0; i < flow->nregions; i++) {
        const js_region *loop = &flow->regions[i];
        bool is_inner =
            !within || (loop != within && loop->first >= within->first && loop->last <= within->last);
        if (loop->kind == JS_REGION_LOOP && is_inner && line >= loop->first_test && line <= loop->last &&
            (!found || loop->last - loop->first > found->last - found->first)) {
            found = loop;
        }
    }
    return found;
}

uint32_t js_flow_statement(const js_flow *flow, uint32_t line)
{
    uint32_t first = line;
    for (size_t i = 0; i < flow->nspans; i++) {
        const js_flow_lines *span = &flow->spans[i];
        first = line >= span->first && line <= span->last && span->first < first ? span->first : first;
    }
    return first;
}

bool js_flow_same_defs(const js_flow_at *left, const js_flow_at *right)
{
    return left->maybe_unassigned == right->maybe_unassigned && left->ndefs == right->ndefs &&
           (left->ndefs == 0 || memcmp(left->defs, right->defs, left->ndefs * sizeof(*left->defs)) == 0);
}

uint64_t js_flow_leads_to(const js_flow *flow, const char *name)
{
    uint64_t arguments = UINT64_MAX;
    for (size_t i = 0; i < flow->nleads; i++) {
        arguments = strcmp(flow->leads[i].name, name) == 0 ? flow->leads[i].arguments : arguments;
    }
    return arguments;
}

bool js_flow_leaves(const js_flow *flow, uint32_t line)
{
    bool found = false;
    for (size_t i = 0; i < flow->nleaves && !found; i++) {
        const js_leave *it = &flow->leaves[i];
        found = line >= it->first && line <= it->last && it->last_of_try == 0;
    }
    return found;
}

bool js_flow_leaves_ahead_of(const js_flow *flow, uint32_t line, uint32_t after)
{
    bool found = false;
    for (size_t i = 0; i < flow->nleaves && !found; i++) {
        const js_leave *it = &flow->leaves[i];
        found = line >= it->first && line <= it->last && after > it->last && after > it->last_of_try;
    }
    return found;
}

bool js_flow_is_quiet(const js_flow *flow, uint32_t line)
{
    bool found = false;
    for (size_t i = 0; i < flow->naccesses; i++) {
        const js_may_access *access = &flow->accesses[i];
        bool is_here = line >= access->first && line <= access->last;
        if (is_here && access->kind != JS_ACCESS_QUIET) {
            return false;
        }
        found = found || is_here;
    }
    return found;
}

bool js_flow_is_final(const js_flow *flow, uint32_t line)
{
    bool found = false;
    for (size_t i = 0; i < flow->nfinals && !found; i++) {
        found = line >= flow->finals[i].first && line <= flow->finals[i].last;
    }
    return found;
}

static bool is_among(const js_flow_inner *list, size_t count, uint32_t line, const char *name)
{
    bool found = false;
    for (size_t i = 0; i < count && !found; i++) {
        found = line >= list[i].first && line <= list[i].last && strcmp(list[i].name, name) == 0;
    }
    return found;
}

bool js_flow_is_hidden(const js_flow *flow, uint32_t line, const char *name)
{
    return is_among(flow->hidden, flow->nhidden, line, name);
}

bool js_flow_is_inner(const js_flow *flow, uint32_t line, const char *name)
{
    bool is_inner = is_among(flow->inner, flow->ninner, line, name);
    for (size_t i = 0; is_inner && i < flow->ndefs; i++) {
        is_inner = flow->defs[i].line != line || strcmp(flow->defs[i].name, name) != 0;
    }
    return is_inner;
}

const js_flow_def *js_flow_def_by_id(const js_flow *flow, uint32_t id)
{
    size_t lo = 0, hi = flow->ndefs;
    while (lo < hi) {
        size_t middle = lo + (hi - lo) / 2;
        if (flow->defs[middle].id == id) {
            return &flow->defs[middle];
        }
        if (flow->defs[middle].id < id) {
            lo = middle + 1;
        } else {
            hi = middle;
        }
    }
    return NULL;
}

const js_flow_at *js_flow_find(const js_flow *flow, uint32_t line, const char *name)
{
    size_t lo = 0, hi = flow->nats;
    while (lo < hi) {
        size_t middle = lo + (hi - lo) / 2;
        int order = compare_at(&flow->ats[middle], line, name);
        if (order == 0) {
            return &flow->ats[middle];
        }
        if (order < 0) {
            lo = middle + 1;
        } else {
            hi = middle;
        }
    }
    return NULL;
}

bool js_flow_is_within(const js_flow *flow, uint32_t line, const char *name)
{
    bool found = false;
    for (size_t i = 0; i < flow->nwithin && !found; i++) {
        const js_flow_within *within = &flow->within[i];
        found = line >= within->first && line <= within->last && strcmp(within->name, name) == 0;
    }
    return found;
}

bool js_flow_has_name(const js_flow *flow, const char *name)
{
    bool found = false;
    for (size_t i = 0; i < flow->ndefs && !found; i++) {
        found = strcmp(flow->defs[i].name, name) == 0;
    }
    return found;
}
