#include "program/source/flow.h"

#include <stdlib.h>
#include <string.h>

#include "program/names/numba/array_makers.h"

enum { FLOW_TEXT_LIMIT = 64 << 20, FLOW_DEFS_LIMIT = 1 << 16, FLOW_ATS_LIMIT = 4 << 20 };

typedef struct flow_known {
    uint32_t line;
    const char *name, *text;
    bool is_computed;
} flow_known;

typedef struct flow_cursor {
    const char *at, *end; /* one line */
    flow_known *knowns;
    size_t *nknowns;
} flow_cursor;

static bool next_word(flow_cursor *cursor, const char **word, size_t *length)
{
    while (cursor->at < cursor->end && *cursor->at == ' ') {
        cursor->at++;
    }
    *word = cursor->at;
    while (cursor->at < cursor->end && *cursor->at != ' ') {
        cursor->at++;
    }
    *length = (size_t)(cursor->at - *word);
    return *length > 0;
}

static bool next_number(flow_cursor *cursor, uint32_t *out)
{
    const char *word;
    size_t length;
    if (!next_word(cursor, &word, &length) || length > 9) {
        return false;
    }
    *out = 0;
    for (size_t i = 0; i < length; i++) {
        if (word[i] < '0' || word[i] > '9') {
            return false;
        }
        *out = *out * 10 + (uint32_t)(word[i] - '0');
    }
    return true;
}

static int next_name(js_arena *arena, flow_cursor *cursor, const char **out)
{
    const char *word;
    size_t length;
    if (!next_word(cursor, &word, &length)) {
        return JS_EBAD;
    }
    *out = js_arena_strndup(arena, word, length);
    return *out ? JS_OK : JS_ENOMEM;
}

static bool word_is(const char *word, size_t length, const char *what)
{
    return length == strlen(what) && memcmp(word, what, length) == 0;
}

static int parse_def(js_arena *arena, flow_cursor *cursor, js_flow *flow)
{
    js_flow_def *def = &flow->defs[flow->ndefs];
    uint32_t in_loop;
    if (!next_number(cursor, &def->id) || def->id == 0) {
        return JS_EBAD;
    }
    int status = next_name(arena, cursor, &def->name);
    if (status != JS_OK) {
        return status;
    }
    if (!next_number(cursor, &def->line) || !next_number(cursor, &in_loop)) {
        return JS_EBAD;
    }
    def->in_loop = in_loop != 0;
    flow->ndefs++;
    return JS_OK;
}

static int parse_arguments(flow_cursor *cursor, js_flow *flow)
{
    uint32_t count;
    bool is_said = next_number(cursor, &count) && count <= flow->ndefs;
    flow->narguments = is_said ? count : 0;
    return is_said ? JS_OK : JS_EBAD;
}

static int parse_value(js_arena *arena, flow_cursor *cursor, js_flow *flow)
{
    uint32_t id;
    if (!next_number(cursor, &id)) {
        return JS_EBAD;
    }
    for (size_t i = 0; i < flow->ndefs; i++) {
        if (flow->defs[i].id == id) {
            return next_name(arena, cursor, &flow->defs[i].literal);
        }
    }
    return JS_EBAD;
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
        if (high < 0 || low < 0 || high + low == 0) {
            return false;
        }
        text[length++] = (char)(high << 4 | low);
    }
    text[length] = '\0';
    return true;
}

static int parse_held(js_arena *arena, flow_cursor *cursor, js_flow *flow)
{
    uint32_t id;
    const char *held, *of = NULL;
    if (!next_number(cursor, &id)) {
        return JS_EBAD;
    }
    int status = next_name(arena, cursor, &held);
    bool is_alone =
        !status && (strcmp(held, "none") == 0 || strcmp(held, "ellipsis") == 0 || strcmp(held, "empty") == 0);
    if (!status && !is_alone) {
        status = next_name(arena, cursor, &of);
    }
    char *text = of ? js_arena_strdup(arena, of) : NULL;
    if (!status && of && !text) {
        return JS_ENOMEM;
    }
    bool is_said = status || strcmp(held, "text") != 0 || from_hex(text);
    for (size_t i = 0; !status && i < flow->ndefs; i++) {
        if (flow->defs[i].id == id) {
            flow->defs[i].held = is_said ? held : NULL;
            flow->defs[i].of = text;
            return JS_OK;
        }
    }
    return status ? status : JS_EBAD;
}

static int parse_made(js_arena *arena, flow_cursor *cursor, js_flow *flow)
{
    uint32_t id;
    const char *maker;
    if (!next_number(cursor, &id)) {
        return JS_EBAD;
    }
    int status = next_name(arena, cursor, &maker);
    for (size_t i = 0; !status && i < flow->ndefs; i++) {
        if (flow->defs[i].id == id) {
            flow->defs[i].is_fresh = js_numba_makes_array(maker);
            return JS_OK;
        }
    }
    return status ? status : JS_EBAD;
}

static int parse_gives(js_arena *arena, flow_cursor *cursor, js_flow *flow)
{
    uint32_t id;
    const char *words;
    if (!next_number(cursor, &id)) {
        return JS_EBAD;
    }
    int status = next_name(arena, cursor, &words);
    for (size_t i = 0; !status && i < flow->ndefs; i++) {
        if (flow->defs[i].id == id) {
            flow->defs[i].gives = words;
            return JS_OK;
        }
    }
    return status ? status : JS_EBAD;
}

static bool next_signed(flow_cursor *cursor, int64_t *out)
{
    const char *word;
    size_t length;
    if (!next_word(cursor, &word, &length) || length > 18) {
        return false;
    }
    bool is_negative = *word == '-';
    *out = 0;
    for (size_t i = is_negative; i < length; i++) {
        if (word[i] < '0' || word[i] > '9') {
            return false;
        }
        *out = *out * 10 + (word[i] - '0');
    }
    *out = is_negative ? -*out : *out;
    return length > is_negative;
}

static int parse_step(flow_cursor *cursor, js_flow *flow)
{
    uint32_t id;
    int64_t step, start = 0;
    if (!next_number(cursor, &id) || !next_signed(cursor, &step)) {
        return JS_EBAD;
    }
    bool has_start = cursor->at < cursor->end;
    if (has_start && !next_signed(cursor, &start)) {
        return JS_EBAD;
    }
    for (size_t i = 0; i < flow->ndefs; i++) {
        if (flow->defs[i].id == id) {
            flow->defs[i].step = step;
            flow->defs[i].start = start;
            flow->defs[i].has_start = has_start;
            return JS_OK;
        }
    }
    return JS_EBAD;
}

/* The definition of the id that comes next; NULL: there is none. */
static js_flow_def *next_def(flow_cursor *cursor, js_flow *flow)
{
    uint32_t id;
    bool is_said = next_number(cursor, &id);
    for (size_t i = 0; is_said && i < flow->ndefs; i++) {
        if (flow->defs[i].id == id) {
            return &flow->defs[i];
        }
    }
    return NULL;
}

static int parse_narrow(flow_cursor *cursor, js_flow *flow)
{
    js_flow_def *def = next_def(cursor, flow);
    if (def) {
        def->is_narrow = true;
    }
    return def ? JS_OK : JS_EBAD;
}

static int parse_asks(flow_cursor *cursor, js_flow *flow)
{
    const char *word;
    size_t length;
    bool found = next_word(cursor, &word, &length);
    if (found && word_is(word, length, "name")) {
        flow->asks = JS_ASKS_NAME;
    } else if (found && word_is(word, length, "nothing")) {
        flow->asks = JS_ASKS_NOTHING;
    } else {
        return JS_EBAD;
    }
    return JS_OK;
}

static int parse_parallel(flow_cursor *cursor, js_flow *flow)
{
    js_flow_def *def = next_def(cursor, flow);
    if (def) {
        def->is_parallel = true;
    }
    return def ? JS_OK : JS_EBAD;
}

static int parse_known(js_arena *arena, flow_cursor *cursor, bool is_computed)
{
    flow_known *known = &cursor->knowns[*cursor->nknowns];
    if (!next_number(cursor, &known->line)) {
        return JS_EBAD;
    }
    int status = next_name(arena, cursor, &known->name);
    if (status == JS_OK) {
        status = next_name(arena, cursor, &known->text);
    }
    known->is_computed = is_computed;
    *cursor->nknowns += status == JS_OK;
    return status;
}

static int parse_inner(js_arena *arena, flow_cursor *cursor, js_flow_inner *list, size_t *count)
{
    js_flow_inner *inner = &list[*count];
    int status = next_name(arena, cursor, &inner->name);
    if (status == JS_OK && (!next_number(cursor, &inner->first) || !next_number(cursor, &inner->last))) {
        status = JS_EBAD;
    }
    *count += status == JS_OK;
    return status;
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

uint32_t js_flow_statement(const js_flow *flow, uint32_t line)
{
    uint32_t first = line;
    for (size_t i = 0; i < flow->nspans; i++) {
        const js_flow_lines *span = &flow->spans[i];
        first = line >= span->first && line <= span->last && span->first < first ? span->first : first;
    }
    return first;
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

static int parse_region(flow_cursor *cursor, js_flow *flow)
{
    static const char *const kinds[] = {"loop", "arm", "rest"};
    js_region *region = &flow->regions[flow->nregions];
    const char *word;
    size_t length;
    unsigned kind = 0;
    if (!next_word(cursor, &word, &length)) {
        return JS_EBAD;
    }
    while (kind <= JS_REGION_REST && !word_is(word, length, kinds[kind])) {
        kind++;
    }
    if (kind > JS_REGION_REST || !next_number(cursor, &region->first_test) ||
        !next_number(cursor, &region->last_test) || !next_number(cursor, &region->first) ||
        !next_number(cursor, &region->last)) {
        return JS_EBAD;
    }
    region->kind = (js_region_kind)kind;
    flow->nregions++;
    return JS_OK;
}

static int parse_final(flow_cursor *cursor, js_flow *flow)
{
    js_final *final = &flow->finals[flow->nfinals];
    if (!next_number(cursor, &final->first) || !next_number(cursor, &final->last) ||
        !next_number(cursor, &final->jump)) {
        return JS_EBAD;
    }
    flow->nfinals++;
    return JS_OK;
}

static int parse_lines(flow_cursor *cursor, js_flow_lines *all, size_t *count)
{
    js_flow_lines *lines = &all[*count];
    if (!next_number(cursor, &lines->first) || !next_number(cursor, &lines->last)) {
        return JS_EBAD;
    }
    ++*count;
    return JS_OK;
}

static int parse_within(js_arena *arena, flow_cursor *cursor, js_flow *flow)
{
    js_flow_within *within = &flow->within[flow->nwithin];
    int status = next_name(arena, cursor, &within->function);
    status = status == JS_OK ? next_name(arena, cursor, &within->name) : status;
    if (status != JS_OK) {
        return status;
    }
    if (!next_number(cursor, &within->first) || !next_number(cursor, &within->last)) {
        return JS_EBAD;
    }
    flow->nwithin++;
    return JS_OK;
}

static int parse_stores(js_arena *arena, flow_cursor *cursor, js_flow *flow)
{
    js_store *store = &flow->stores[flow->nstores];
    const char *word;
    size_t length;
    if (!next_number(cursor, &store->loop_first) || !next_number(cursor, &store->loop_last) ||
        !next_number(cursor, &store->first) || !next_number(cursor, &store->last)) {
        return JS_EBAD;
    }
    int status = next_name(arena, cursor, &store->name);
    if (status != JS_OK || !next_word(cursor, &word, &length)) {
        return status != JS_OK ? status : JS_EBAD;
    }
    store->name = strcmp(store->name, "-") == 0 ? NULL : store->name;
    store->kind = word_is(word, length, "element") ? JS_STORE_ELEMENT
                  : word_is(word, length, "call")  ? JS_STORE_CALL
                                                   : JS_STORE_NAME;
    flow->nstores++;
    return JS_OK;
}

static int parse_at(js_arena *arena, flow_cursor *cursor, js_flow *flow)
{
    js_flow_at *at = &flow->ats[flow->nats];
    uint32_t maybe;
    if (!next_number(cursor, &at->line)) {
        return JS_EBAD;
    }
    int status = next_name(arena, cursor, &at->name);
    if (status != JS_OK) {
        return status;
    }
    if (!next_number(cursor, &maybe)) {
        return JS_EBAD;
    }
    at->maybe_unassigned = maybe != 0;
    size_t room = (size_t)(cursor->end - cursor->at) / 2 + 1; /* a digit and a space each */
    if (cursor->at < cursor->end) {
        uint32_t *defs = js_arena_alloc(arena, room * sizeof(*defs));
        if (!defs) {
            return JS_ENOMEM;
        }
        at->defs = defs;
        while (cursor->at < cursor->end) {
            if (!next_number(cursor, &defs[at->ndefs++])) {
                return JS_EBAD;
            }
        }
    }
    flow->nats++;
    return JS_OK;
}

static int parse_line(js_arena *arena, flow_cursor *cursor, js_flow *flow)
{
    const char *word;
    size_t length;
    if (!next_word(cursor, &word, &length)) {
        return JS_OK;
    }
    if (word_is(word, length, "at")) {
        return parse_at(arena, cursor, flow);
    }
    if (word_is(word, length, "def")) {
        return parse_def(arena, cursor, flow);
    }
    if (word_is(word, length, "arguments")) {
        return parse_arguments(cursor, flow);
    }
    if (word_is(word, length, "value")) {
        return parse_value(arena, cursor, flow);
    }
    if (word_is(word, length, "held")) {
        return parse_held(arena, cursor, flow);
    }
    if (word_is(word, length, "made")) {
        return parse_made(arena, cursor, flow);
    }
    if (word_is(word, length, "gives")) {
        return parse_gives(arena, cursor, flow);
    }
    if (word_is(word, length, "step")) {
        return parse_step(cursor, flow);
    }
    if (word_is(word, length, "parallel")) {
        return parse_parallel(cursor, flow);
    }
    if (word_is(word, length, "narrow")) {
        return parse_narrow(cursor, flow);
    }
    if (word_is(word, length, "asks")) {
        return parse_asks(cursor, flow);
    }
    if (word_is(word, length, "returns")) {
        return next_name(arena, cursor, &flow->returns);
    }
    if (word_is(word, length, "inner")) {
        return parse_inner(arena, cursor, flow->inner, &flow->ninner);
    }
    if (word_is(word, length, "hidden")) {
        return parse_inner(arena, cursor, flow->hidden, &flow->nhidden);
    }
    if (word_is(word, length, "own")) {
        return parse_lines(cursor, flow->own, &flow->nown);
    }
    if (word_is(word, length, "spans")) {
        return parse_lines(cursor, flow->spans, &flow->nspans);
    }
    if (word_is(word, length, "outer")) {
        return next_name(arena, cursor, &flow->outer[flow->nouter++]);
    }
    if (word_is(word, length, "within")) {
        return parse_within(arena, cursor, flow);
    }
    if (word_is(word, length, "region")) {
        return parse_region(cursor, flow);
    }
    if (word_is(word, length, "final")) {
        return parse_final(cursor, flow);
    }
    if (word_is(word, length, "stores")) {
        return parse_stores(arena, cursor, flow);
    }
    if (word_is(word, length, "known") || word_is(word, length, "computed")) {
        return parse_known(arena, cursor, *word == 'c');
    }
    if (word_is(word, length, "function")) {
        return next_number(cursor, &flow->first_line) && next_number(cursor, &flow->last_line) ? JS_OK
                                                                                               : JS_EBAD;
    }
    return JS_EBAD;
}

static int compare_at(const js_flow_at *left, uint32_t line, const char *name)
{
    if (left->line != line) {
        return left->line < line ? -1 : 1;
    }
    return strcmp(left->name, name);
}

static int order_ats(const void *left, const void *right)
{
    const js_flow_at *other = right;
    return compare_at(left, other->line, other->name);
}

static int order_defs(const void *left, const void *right)
{
    uint32_t l = ((const js_flow_def *)left)->id, r = ((const js_flow_def *)right)->id;
    return l < r ? -1 : l > r;
}

static bool defs_exist(const js_flow *flow)
{
    for (size_t i = 1; i < flow->ndefs; i++) {
        if (flow->defs[i].id == flow->defs[i - 1].id) {
            return false;
        }
    }
    for (size_t i = 0; i < flow->nats; i++) {
        for (size_t j = 0; j < flow->ats[i].ndefs; j++) {
            const js_flow_def *def = js_flow_def_by_id(flow, flow->ats[i].defs[j]);
            if (!def || strcmp(def->name, flow->ats[i].name) != 0) {
                return false;
            }
        }
    }
    return true;
}

int js_flow_parse(js_arena *arena, const char *text, size_t length, js_flow *out)
{
    memset(out, 0, sizeof(*out));
    if (length > FLOW_TEXT_LIMIT) {
        return JS_ELIMIT;
    }
    size_t ndefs = 0, nats = 0, nlines = 0, nknowns = 0, nregions = 0, ninner = 0, nhidden = 0, nfinals = 0;
    size_t nown = 0, nwithin = 0, nstores = 0;
    const char *end = text + length;
    for (const char *at = text; at < end; at++) {
        bool starts = at == text || at[-1] == '\n';
        ndefs += starts && *at == 'd';
        nats += starts && *at == 'a';
        nlines += starts && (*at == 'k' || *at == 'c');
        nregions += starts && *at == 'r';
        ninner += starts && *at == 'i';
        nhidden += starts && *at == 'h';
        nfinals += starts && *at == 'f';
        nown += starts && *at == 'o';
        nwithin += starts && *at == 'w';
        nstores += starts && *at == 's';
    }
    if (ndefs > FLOW_DEFS_LIMIT || nats > FLOW_ATS_LIMIT || nlines > FLOW_ATS_LIMIT ||
        nregions > FLOW_DEFS_LIMIT || ninner > FLOW_DEFS_LIMIT || nhidden > FLOW_DEFS_LIMIT ||
        nfinals > FLOW_DEFS_LIMIT || nown > FLOW_DEFS_LIMIT || nwithin > FLOW_DEFS_LIMIT ||
        nstores > FLOW_ATS_LIMIT) {
        return JS_ELIMIT;
    }
    out->defs = js_arena_alloc(arena, (ndefs + 1) * sizeof(*out->defs));
    out->ats = js_arena_alloc(arena, (nats + 1) * sizeof(*out->ats));
    out->regions = js_arena_alloc(arena, (nregions + 1) * sizeof(*out->regions));
    out->inner = js_arena_alloc(arena, (ninner + 1) * sizeof(*out->inner));
    out->hidden = js_arena_alloc(arena, (nhidden + 1) * sizeof(*out->hidden));
    out->finals = js_arena_alloc(arena, (nfinals + 1) * sizeof(*out->finals));
    out->own = js_arena_alloc(arena, (nown + 1) * sizeof(*out->own));
    out->outer = js_arena_alloc(arena, (nown + 1) * sizeof(*out->outer)); /* the same letter */
    out->within = js_arena_alloc(arena, (nwithin + 1) * sizeof(*out->within));
    out->stores = js_arena_alloc(arena, (nstores + 1) * sizeof(*out->stores));
    out->spans = js_arena_alloc(arena, (nstores + 1) * sizeof(*out->spans)); /* the same letter */
    flow_known *knowns = js_arena_alloc(arena, (nlines + 1) * sizeof(*knowns));
    if (!out->stores || !out->spans || !out->own || !out->outer || !out->within || !out->defs || !out->ats ||
        !out->regions || !out->inner || !out->hidden || !out->finals || !knowns) {
        return JS_ENOMEM;
    }
    for (const char *at = text; at < end;) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        stop = stop ? stop : end;
        flow_cursor cursor = {at, stop, knowns, &nknowns};
        /* what was counted starts the line; a leading space would outgrow the arrays */
        int status = at < stop && *at == ' ' ? JS_EBAD : parse_line(arena, &cursor, out);
        if (status != JS_OK) {
            return status;
        }
        at = stop + 1;
    }
    if (out->first_line == 0) {
        return JS_EBAD;
    }
    qsort(out->defs, out->ndefs, sizeof(*out->defs), order_defs);
    qsort(out->ats, out->nats, sizeof(*out->ats), order_ats);
    for (size_t i = 0; i < nknowns; i++) {
        js_flow_at *at = (js_flow_at *)js_flow_find(out, knowns[i].line, knowns[i].name);
        if (!at) {
            return JS_EBAD;
        }
        *(knowns[i].is_computed ? &at->computed : &at->known) = knowns[i].text;
    }
    return defs_exist(out) ? JS_OK : JS_EBAD;
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
