/* The control flow of a function, from its text form. Each line begins with the word for its kind. */
#include <stdlib.h>
#include <string.h>

#include "program/source/flow_kinds.h"

enum { FLOW_TEXT_LIMIT = 64 << 20, FLOW_DEFS_LIMIT = 1 << 16, FLOW_ATS_LIMIT = 4 << 20 };

/* The kind of the line, whose first word is taken; JS_FLOW_KINDS: it is not known, or does not begin the
 * line. */
static unsigned kind_of(js_flow_line *line)
{
    js_flow_word word;
    bool has_kind = line->at < line->end && *line->at != ' ' && js_flow_line_word(line, &word);
    unsigned kind = has_kind ? 0 : JS_FLOW_KINDS;
    while (kind < JS_FLOW_KINDS && !js_flow_word_is(&word, js_flow_kinds[kind].word))
        kind++;
    return kind;
}

static js_flow_line line_at(const char *at, const char *end)
{
    const char *stop = memchr(at, '\n', (size_t)(end - at));
    return (js_flow_line){at, stop ? stop : end};
}

/* Gives each list room for the lines of its kind. */
static int make_lists(js_flow_parser *in, const size_t counts[JS_FLOW_KINDS])
{
    js_flow *flow = in->flow;
    const struct list {
        void *out; /* a pointer to the list's first item */
        size_t count, item;
    } lists[] = {
        {&flow->ats, counts[JS_FLOW_KIND_AT], sizeof *flow->ats},
        {&flow->stores, counts[JS_FLOW_KIND_STORES], sizeof *flow->stores},
        {&flow->accesses, counts[JS_FLOW_KIND_ACCESS], sizeof *flow->accesses},
        {&flow->defs, counts[JS_FLOW_KIND_DEF], sizeof *flow->defs},
        {&flow->inner, counts[JS_FLOW_KIND_INNER], sizeof *flow->inner},
        {&flow->hidden, counts[JS_FLOW_KIND_HIDDEN], sizeof *flow->hidden},
        {&flow->own, counts[JS_FLOW_KIND_OWN], sizeof *flow->own},
        {&flow->within, counts[JS_FLOW_KIND_WITHIN], sizeof *flow->within},
        {&flow->outer, counts[JS_FLOW_KIND_OUTER], sizeof *flow->outer},
        {&flow->leads, counts[JS_FLOW_KIND_LEADS], sizeof *flow->leads},
        {&flow->regions, counts[JS_FLOW_KIND_REGION], sizeof *flow->regions},
        {&flow->leaves, counts[JS_FLOW_KIND_LEAVES], sizeof *flow->leaves},
        {&flow->finals, counts[JS_FLOW_KIND_FINAL], sizeof *flow->finals},
        {&flow->spans, counts[JS_FLOW_KIND_SPANS], sizeof *flow->spans},
        {&in->knowns, counts[JS_FLOW_KIND_KNOWN] + counts[JS_FLOW_KIND_COMPUTED], sizeof *in->knowns},
    };
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        void *list = js_arena_alloc(in->arena, (lists[i].count + 1) * lists[i].item);
        if (!list)
            return JS_ENOMEM;
        memcpy(lists[i].out, &list, sizeof list);
    }
    return JS_OK;
}

static int count_lines(const char *text, const char *end, size_t counts[JS_FLOW_KINDS])
{
    for (js_flow_line line; text < end; text = line.end + 1) {
        line = line_at(text, end);
        js_flow_line words = line;
        unsigned kind = kind_of(&words);
        if (kind < JS_FLOW_KINDS)
            counts[kind]++;
        else if (line.at < line.end)
            return JS_EBAD;
    }
    for (unsigned kind = 0; kind < JS_FLOW_KIND_LISTS; kind++) {
        if (counts[kind] > (kind <= JS_FLOW_KIND_ACCESS ? FLOW_ATS_LIMIT : FLOW_DEFS_LIMIT))
            return JS_ELIMIT;
    }
    return JS_OK;
}

static int parse_lines(js_flow_parser *in, const char *text, const char *end)
{
    for (const char *next; text < end; text = next) {
        in->line = line_at(text, end);
        next = in->line.end + 1;
        unsigned kind = kind_of(&in->line);
        int status = kind < JS_FLOW_KINDS ? js_flow_kinds[kind].parse(in) : JS_OK;
        if (status)
            return status;
    }
    return in->flow->first_line ? JS_OK : JS_EBAD;
}

static int order_ats(const void *left, const void *right)
{
    const js_flow_at *l = left, *r = right;
    return l->line == r->line ? strcmp(l->name, r->name) : l->line < r->line ? -1 : 1;
}

static int order_defs(const void *left, const void *right)
{
    uint32_t l = ((const js_flow_def *)left)->id, r = ((const js_flow_def *)right)->id;
    return l < r ? -1 : l > r;
}

static int order_names(const void *left, const void *right)
{
    const js_flow_def *l = *(js_flow_def *const *)left, *r = *(js_flow_def *const *)right;
    int names = strcmp(l->name, r->name);
    return names ? names : l->line < r->line ? -1 : l->line > r->line;
}

/* Once the definitions are in order. */
static int sort_names(js_arena *arena, js_flow *flow)
{
    flow->by_name = js_arena_alloc(arena, (flow->ndefs + 1) * sizeof(*flow->by_name));
    if (!flow->by_name)
        return JS_ENOMEM;
    for (size_t i = 0; i < flow->ndefs; i++)
        flow->by_name[i] = &flow->defs[i];
    if (flow->ndefs)
        qsort(flow->by_name, flow->ndefs, sizeof(*flow->by_name), order_names);
    return JS_OK;
}

static int order_at_names(const void *left, const void *right)
{
    return strcmp((*(js_flow_at *const *)left)->name, (*(js_flow_at *const *)right)->name);
}

/* Marks the facts of each name that has one set of definitions. */
static int find_everywhere(js_arena *arena, js_flow *flow)
{
    js_flow_at **all = js_arena_alloc(arena, (flow->nats + 1) * sizeof(*all));
    if (!all)
        return JS_ENOMEM;
    for (size_t i = 0; i < flow->nats; i++)
        all[i] = &flow->ats[i];
    if (flow->nats)
        qsort(all, flow->nats, sizeof(*all), order_at_names);
    for (size_t first = 0, end; first < flow->nats; first = end) {
        bool is_everywhere = true;
        for (end = first; end < flow->nats && strcmp(all[end]->name, all[first]->name) == 0; end++)
            is_everywhere = is_everywhere && js_flow_same_defs(all[first], all[end]);
        for (size_t i = first; i < end; i++)
            all[i]->is_everywhere = is_everywhere;
    }
    return JS_OK;
}

static bool defs_exist(const js_flow *flow)
{
    for (size_t i = 1; i < flow->ndefs; i++) {
        if (flow->defs[i].id == flow->defs[i - 1].id)
            return false;
    }
    for (size_t i = 0; i < flow->nats; i++) {
        for (size_t j = 0; j < flow->ats[i].ndefs; j++) {
            const js_flow_def *def = js_flow_def_by_id(flow, flow->ats[i].defs[j]);
            if (!def || strcmp(def->name, flow->ats[i].name) != 0)
                return false;
        }
    }
    return true;
}

static int add_knowns(const js_flow_parser *in)
{
    for (size_t i = 0; i < in->nknowns; i++) {
        const js_flow_fact *known = &in->knowns[i];
        js_flow_at *at = (js_flow_at *)js_flow_find(in->flow, known->line, known->name);
        if (!at)
            return JS_EBAD;
        if (known->computed)
            at->computed = known->computed;
        else
            at->known = known->known;
    }
    return JS_OK;
}

static void add_leads(js_flow *flow)
{
    for (size_t i = 0; i < flow->naccesses; i++) {
        js_may_access *access = &flow->accesses[i];
        access->arguments = access->name ? js_flow_leads_to(flow, access->name) : 0;
    }
}

int js_flow_parse(js_arena *arena, const char *text, size_t length, js_flow *out)
{
    js_flow_parser in = {.arena = arena, .flow = out};
    size_t counts[JS_FLOW_KINDS] = {0};
    const char *end = text + length;
    memset(out, 0, sizeof(*out));
    if (length > FLOW_TEXT_LIMIT)
        return JS_ELIMIT;
    int status = count_lines(text, end, counts);
    status = status ? status : make_lists(&in, counts);
    status = status ? status : parse_lines(&in, text, end);
    if (status)
        return status;
    qsort(out->defs, out->ndefs, sizeof(*out->defs), order_defs);
    qsort(out->ats, out->nats, sizeof(*out->ats), order_ats);
    status = sort_names(arena, out);
    status = status ? status : find_everywhere(arena, out);
    if (status)
        return status;
    add_leads(out);
    status = add_knowns(&in);
    return status ? status : defs_exist(out) ? JS_OK : JS_EBAD;
}
