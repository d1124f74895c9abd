#include "program/source/flow_kinds.h"

#include <string.h>

#include "program/names/numba/array_makers.h"
#include "program/source/formula_text.h"

static int next_name(js_flow_parser *in, const char **out)
{
    return js_flow_line_name(&in->line, in->arena, out);
}

static int next_formula(js_flow_parser *in, const js_formula **out)
{
    const char *words;
    int status = next_name(in, &words);
    return status ? status : js_formula_parse(in->arena, words, out);
}

static bool next_lines(js_flow_parser *in, uint32_t *first, uint32_t *last)
{
    return js_flow_line_number(&in->line, first) && js_flow_line_number(&in->line, last);
}

/* The definition of the id that comes next; NULL: there is none. */
static js_flow_def *next_def(js_flow_parser *in)
{
    uint32_t id;
    bool is_said = js_flow_line_number(&in->line, &id);
    for (size_t i = 0; is_said && i < in->flow->ndefs; i++) {
        if (in->flow->defs[i].id == id)
            return &in->flow->defs[i];
    }
    return NULL;
}

static int parse_function(js_flow_parser *in)
{
    return next_lines(in, &in->flow->first_line, &in->flow->last_line) ? JS_OK : JS_EBAD;
}

static int parse_def(js_flow_parser *in)
{
    js_flow_def *def = &in->flow->defs[in->flow->ndefs];
    uint32_t in_loop;
    if (!js_flow_line_number(&in->line, &def->id) || def->id == 0)
        return JS_EBAD;
    int status = next_name(in, &def->name);
    if (status)
        return status;
    if (!next_lines(in, &def->line, &in_loop))
        return JS_EBAD;
    def->in_loop = in_loop != 0;
    in->flow->ndefs++;
    return JS_OK;
}

static int parse_arguments(js_flow_parser *in)
{
    uint32_t count;
    bool is_said = js_flow_line_number(&in->line, &count) && count <= in->flow->ndefs;
    in->flow->narguments = is_said ? count : 0;
    return is_said ? JS_OK : JS_EBAD;
}

static int parse_value(js_flow_parser *in)
{
    js_flow_def *def = next_def(in);
    return def ? next_name(in, &def->literal) : JS_EBAD;
}

static int digit(char c)
{
    return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* In place; false: no text. */
static bool from_hex(char *text)
{
    size_t length = 0;
    for (const char *at = text; strcmp(text, "-") != 0 && *at; at += 2) {
        int high = digit(at[0]), low = digit(at[1]);
        if (high < 0 || low < 0 || high + low == 0)
            return false;
        text[length++] = (char)(high << 4 | low);
    }
    text[length] = '\0';
    return true;
}

static int parse_held(js_flow_parser *in)
{
    js_flow_def *def = next_def(in);
    const char *held, *of;
    int status = def ? next_name(in, &held) : JS_EBAD;
    if (status)
        return status;
    def->held = held;
    if (strcmp(held, "none") == 0 || strcmp(held, "ellipsis") == 0 || strcmp(held, "empty") == 0)
        return JS_OK;
    status = next_name(in, &of);
    if (status)
        return status;
    char *text = js_arena_strdup(in->arena, of);
    if (!text)
        return JS_ENOMEM;
    if (strcmp(held, "text") == 0 && !from_hex(text))
        def->held = NULL;
    def->of = text;
    return JS_OK;
}

static int parse_made(js_flow_parser *in)
{
    js_flow_def *def = next_def(in);
    const char *maker;
    int status = def ? next_name(in, &maker) : JS_EBAD;
    if (status == JS_OK) {
        def->is_fresh = js_numba_makes_array(maker);
        def->is_filled = js_numba_fills_array(maker);
        def->allocates = def->is_fresh && strcmp(maker, "operator") != 0;
    }
    return status;
}

static int parse_gives(js_flow_parser *in)
{
    js_flow_def *def = next_def(in);
    return def ? next_formula(in, &def->gives) : JS_EBAD;
}

static int parse_step(js_flow_parser *in)
{
    js_flow_def *def = next_def(in);
    int64_t step, start = 0;
    if (!def || !js_flow_line_signed(&in->line, &step))
        return JS_EBAD;
    bool has_start = in->line.at < in->line.end;
    if (has_start && !js_flow_line_signed(&in->line, &start))
        return JS_EBAD;
    def->step = step;
    def->start = start;
    def->has_start = has_start;
    return JS_OK;
}

static int parse_parallel(js_flow_parser *in)
{
    js_flow_def *def = next_def(in);
    if (def)
        def->is_parallel = true;
    return def ? JS_OK : JS_EBAD;
}

static int parse_narrow(js_flow_parser *in)
{
    js_flow_def *def = next_def(in);
    if (def)
        def->is_narrow = true;
    return def ? JS_OK : JS_EBAD;
}

static int parse_negated(js_flow_parser *in)
{
    js_flow_def *def = next_def(in);
    if (def)
        def->is_negated = true;
    return def ? JS_OK : JS_EBAD;
}

static int parse_folded(js_flow_parser *in)
{
    js_flow_def *def = next_def(in);
    if (def)
        def->is_folded = true;
    return def ? JS_OK : JS_EBAD;
}

static int parse_asks(js_flow_parser *in)
{
    js_flow_word word;
    bool found = js_flow_line_word(&in->line, &word);
    if (found && js_flow_word_is(&word, "name"))
        in->flow->asks = JS_ASKS_NAME;
    else if (found && js_flow_word_is(&word, "nothing"))
        in->flow->asks = JS_ASKS_NOTHING;
    else
        return JS_EBAD;
    return JS_OK;
}

static int parse_returns(js_flow_parser *in)
{
    return next_name(in, &in->flow->returns);
}

static int parse_outer(js_flow_parser *in)
{
    return next_name(in, &in->flow->outer[in->flow->nouter++]);
}

static int parse_leads(js_flow_parser *in)
{
    js_flow_leads *leads = &in->flow->leads[in->flow->nleads];
    uint32_t id;
    int status = next_name(in, &leads->name);
    while (status == JS_OK && in->line.at < in->line.end) {
        if (!js_flow_line_number(&in->line, &id) || id == 0 || id > 64) {
            return JS_EBAD;
        }
        leads->arguments |= (uint64_t)1 << (id - 1);
    }
    in->flow->nleads += status == JS_OK;
    return status;
}

static int parse_fact(js_flow_parser *in, bool is_computed)
{
    js_flow_fact *fact = &in->knowns[in->nknowns];
    if (!js_flow_line_number(&in->line, &fact->line))
        return JS_EBAD;
    int status = next_name(in, &fact->name);
    if (status == JS_OK)
        status = is_computed ? next_formula(in, &fact->computed) : next_name(in, &fact->known);
    in->nknowns += status == JS_OK;
    return status;
}

static int parse_known(js_flow_parser *in)
{
    return parse_fact(in, false);
}

static int parse_computed(js_flow_parser *in)
{
    return parse_fact(in, true);
}

static int add_name(js_flow_parser *in, js_flow_inner *list, size_t *count)
{
    js_flow_inner *added = &list[*count];
    int status = next_name(in, &added->name);
    if (status == JS_OK && !next_lines(in, &added->first, &added->last))
        status = JS_EBAD;
    *count += status == JS_OK;
    return status;
}

static int parse_inner(js_flow_parser *in)
{
    return add_name(in, in->flow->inner, &in->flow->ninner);
}

static int parse_hidden(js_flow_parser *in)
{
    return add_name(in, in->flow->hidden, &in->flow->nhidden);
}

static int add_lines(js_flow_parser *in, js_flow_lines *list, size_t *count)
{
    bool is_said = next_lines(in, &list[*count].first, &list[*count].last);
    *count += is_said;
    return is_said ? JS_OK : JS_EBAD;
}

static int parse_own(js_flow_parser *in)
{
    return add_lines(in, in->flow->own, &in->flow->nown);
}

static int parse_leaves(js_flow_parser *in)
{
    js_leave *leave = &in->flow->leaves[in->flow->nleaves];
    if (!next_lines(in, &leave->first, &leave->last) || !js_flow_line_number(&in->line, &leave->last_of_try))
        return JS_EBAD;
    in->flow->nleaves++;
    return JS_OK;
}

static int parse_spans(js_flow_parser *in)
{
    return add_lines(in, in->flow->spans, &in->flow->nspans);
}

static int parse_within(js_flow_parser *in)
{
    js_flow_within *within = &in->flow->within[in->flow->nwithin];
    int status = next_name(in, &within->function);
    status = status ? status : next_name(in, &within->name);
    if (status)
        return status;
    if (!next_lines(in, &within->first, &within->last))
        return JS_EBAD;
    in->flow->nwithin++;
    return JS_OK;
}

static int parse_region(js_flow_parser *in)
{
    static const char *const kinds[] = {"loop", "arm", "rest"};
    js_region *region = &in->flow->regions[in->flow->nregions];
    js_flow_word word;
    unsigned kind = 0;
    if (!js_flow_line_word(&in->line, &word))
        return JS_EBAD;
    while (kind <= JS_REGION_REST && !js_flow_word_is(&word, kinds[kind]))
        kind++;
    if (kind > JS_REGION_REST || !next_lines(in, &region->first_test, &region->last_test) ||
        !next_lines(in, &region->first, &region->last))
        return JS_EBAD;
    region->kind = (js_region_kind)kind;
    in->flow->nregions++;
    return JS_OK;
}

static int parse_final(js_flow_parser *in)
{
    js_final *final = &in->flow->finals[in->flow->nfinals];
    if (!next_lines(in, &final->first, &final->last) || !js_flow_line_number(&in->line, &final->jump))
        return JS_EBAD;
    in->flow->nfinals++;
    return JS_OK;
}

static int parse_stores(js_flow_parser *in)
{
    js_store *store = &in->flow->stores[in->flow->nstores];
    js_flow_word kind;
    if (!next_lines(in, &store->loop_first, &store->loop_last) ||
        !next_lines(in, &store->first, &store->last))
        return JS_EBAD;
    int status = next_name(in, &store->name);
    if (status || !js_flow_line_word(&in->line, &kind))
        return status ? status : JS_EBAD;
    store->name = strcmp(store->name, "-") == 0 ? NULL : store->name;
    store->kind = js_flow_word_is(&kind, "element") ? JS_STORE_ELEMENT
                  : js_flow_word_is(&kind, "call")  ? JS_STORE_CALL
                                                    : JS_STORE_NAME;
    in->flow->nstores++;
    return JS_OK;
}

static int parse_access(js_flow_parser *in)
{
    static const char *const kinds[] = {"quiet", "load", "store", "call"};
    js_may_access *access = &in->flow->accesses[in->flow->naccesses];
    js_flow_word word;
    unsigned kind = JS_ACCESS_QUIET;
    if (!next_lines(in, &access->first, &access->last))
        return JS_EBAD;
    int status = next_name(in, &access->name);
    if (status || !js_flow_line_word(&in->line, &word))
        return status ? status : JS_EBAD;
    while (kind <= JS_ACCESS_CALL && !js_flow_word_is(&word, kinds[kind]))
        kind++;
    if (kind > JS_ACCESS_CALL)
        return JS_EBAD;
    access->name = strcmp(access->name, "-") == 0 ? NULL : access->name;
    access->kind = kind;
    in->flow->naccesses++;
    return JS_OK;
}

static int parse_at(js_flow_parser *in)
{
    js_flow_at *at = &in->flow->ats[in->flow->nats];
    js_flow_line *line = &in->line;
    uint32_t maybe;
    if (!js_flow_line_number(line, &at->line))
        return JS_EBAD;
    int status = next_name(in, &at->name);
    if (status)
        return status;
    if (!js_flow_line_number(line, &maybe))
        return JS_EBAD;
    at->maybe_unassigned = maybe != 0;
    if (line->at < line->end) {
        size_t room = (size_t)(line->end - line->at) / 2 + 1; /* a digit and a space each */
        uint32_t *defs = js_arena_alloc(in->arena, room * sizeof(*defs));
        if (!defs)
            return JS_ENOMEM;
        at->defs = defs;
        while (line->at < line->end) {
            if (!js_flow_line_number(line, &defs[at->ndefs++]))
                return JS_EBAD;
        }
    }
    in->flow->nats++;
    return JS_OK;
}

const js_flow_kind js_flow_kinds[JS_FLOW_KINDS] = {
    [JS_FLOW_KIND_AT] = {"at", parse_at},
    [JS_FLOW_KIND_KNOWN] = {"known", parse_known},
    [JS_FLOW_KIND_COMPUTED] = {"computed", parse_computed},
    [JS_FLOW_KIND_STORES] = {"stores", parse_stores},
    [JS_FLOW_KIND_ACCESS] = {"access", parse_access},
    [JS_FLOW_KIND_DEF] = {"def", parse_def},
    [JS_FLOW_KIND_INNER] = {"inner", parse_inner},
    [JS_FLOW_KIND_HIDDEN] = {"hidden", parse_hidden},
    [JS_FLOW_KIND_OWN] = {"own", parse_own},
    [JS_FLOW_KIND_WITHIN] = {"within", parse_within},
    [JS_FLOW_KIND_OUTER] = {"outer", parse_outer},
    [JS_FLOW_KIND_REGION] = {"region", parse_region},
    [JS_FLOW_KIND_FINAL] = {"final", parse_final},
    [JS_FLOW_KIND_LEAVES] = {"leaves", parse_leaves},
    [JS_FLOW_KIND_SPANS] = {"spans", parse_spans},
    [JS_FLOW_KIND_VALUE] = {"value", parse_value},
    [JS_FLOW_KIND_HELD] = {"held", parse_held},
    [JS_FLOW_KIND_MADE] = {"made", parse_made},
    [JS_FLOW_KIND_GIVES] = {"gives", parse_gives},
    [JS_FLOW_KIND_STEP] = {"step", parse_step},
    [JS_FLOW_KIND_PARALLEL] = {"parallel", parse_parallel},
    [JS_FLOW_KIND_NARROW] = {"narrow", parse_narrow},
    [JS_FLOW_KIND_NEGATED] = {"negated", parse_negated},
    [JS_FLOW_KIND_FOLDED] = {"folded", parse_folded},
    [JS_FLOW_KIND_LEADS] = {"leads", parse_leads},
    [JS_FLOW_KIND_ARGUMENTS] = {"arguments", parse_arguments},
    [JS_FLOW_KIND_ASKS] = {"asks", parse_asks},
    [JS_FLOW_KIND_RETURNS] = {"returns", parse_returns},
    [JS_FLOW_KIND_FUNCTION] = {"function", parse_function},
};
