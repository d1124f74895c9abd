/* Reads the JSON of a flow, list by list, and checks that its parts fit each other. */
#include "program/source/flow_json.h"

#include <stdlib.h>
#include <string.h>

#include "program/names/numba/array_makers.h"
#include "program/source/formula.h"
#include "program/source/json_reader.h"

enum { JSON_LIMIT = 32 << 20, LIST_LIMIT = 1 << 20, ATS_LIMIT = 4 << 20 };

typedef struct reader {
    js_source_json json;
    js_flow *flow;
    const js_node **formulas;
    size_t nformulas;
} reader;

static void read_first_last(reader *in, const json_t *from, uint32_t *first, uint32_t *last)
{
    *first = js_source_number(&in->json, from, "first");
    *last = js_source_number(&in->json, from, "last");
}

/* Return the formula whose number the member has; NULL: the member is missing. */
static const js_node *read_formula(reader *in, const json_t *from, const char *key)
{
    if (!json_object_get(from, key)) {
        return NULL;
    }
    uint32_t number = js_source_number(&in->json, from, key);
    if (in->json.status == JS_OK && number >= in->nformulas) {
        js_source_fail(&in->json, JS_EBAD);
    }
    return in->json.status == JS_OK ? in->formulas[number] : NULL;
}

/* ---- items of the lists ---- */

static void read_lines(reader *in, const json_t *from, void *out)
{
    js_flow_lines *lines = out;
    read_first_last(in, from, &lines->first, &lines->last);
}

static void read_within(reader *in, const json_t *from, void *out)
{
    js_flow_within *within = out;
    within->function = js_source_name(&in->json, from, "function");
    within->name = js_source_name(&in->json, from, "name");
    read_first_last(in, from, &within->first, &within->last);
}

static void read_outer(reader *in, const json_t *from, void *out)
{
    const char **name = out;
    *name = js_source_string(&in->json, from);
}

static void read_inner(reader *in, const json_t *from, void *out)
{
    js_flow_inner *inner = out;
    inner->name = js_source_name(&in->json, from, "name");
    read_first_last(in, from, &inner->first, &inner->last);
}

static void read_region(reader *in, const json_t *from, void *out)
{
    static const char *const kinds[] = {
        [JS_REGION_LOOP] = "loop", [JS_REGION_ARM] = "arm", [JS_REGION_REST] = "rest"};
    js_region *region = out;
    region->kind =
        (js_region_kind)js_source_word(&in->json, from, "kind", kinds, sizeof kinds / sizeof *kinds);
    region->first_test = js_source_number(&in->json, from, "first_test");
    region->last_test = js_source_number(&in->json, from, "last_test");
    read_first_last(in, from, &region->first, &region->last);
}

static void read_final(reader *in, const json_t *from, void *out)
{
    js_finally_body *final = out;
    read_first_last(in, from, &final->first, &final->last);
    final->jump = js_source_number(&in->json, from, "jump");
}

static void read_leave(reader *in, const json_t *from, void *out)
{
    js_leave *leave = out;
    read_first_last(in, from, &leave->first, &leave->last);
    leave->last_of_try = js_source_number(&in->json, from, "last_of_try");
}

static void read_store(reader *in, const json_t *from, void *out)
{
    static const char *const kinds[] = {
        [JS_STORE_ELEMENT] = "element", [JS_STORE_CALL] = "call", [JS_STORE_NAME] = "name"};
    js_store *store = out;
    store->loop_first = js_source_number(&in->json, from, "loop_first");
    store->loop_last = js_source_number(&in->json, from, "loop_last");
    read_first_last(in, from, &store->first, &store->last);
    store->name = js_source_text(&in->json, from, "name");
    store->kind = js_source_word(&in->json, from, "kind", kinds, sizeof kinds / sizeof *kinds);
}

static void read_pass(reader *in, const json_t *from, void *out)
{
    js_pass *pass = out;
    read_first_last(in, from, &pass->first, &pass->last);
    pass->function = js_source_name(&in->json, from, "function");
    pass->name = js_source_name(&in->json, from, "name");
    pass->argument = js_source_number(&in->json, from, "argument");
}

static void read_access(reader *in, const json_t *from, void *out)
{
    static const char *const kinds[] = {[JS_ACCESS_QUIET] = "quiet",
                                        [JS_ACCESS_LOAD] = "load",
                                        [JS_ACCESS_STORE] = "store",
                                        [JS_ACCESS_CALL] = "call"};
    js_may_access *access = out;
    read_first_last(in, from, &access->first, &access->last);
    access->name = js_source_text(&in->json, from, "name");
    access->kind = js_source_word(&in->json, from, "kind", kinds, sizeof kinds / sizeof *kinds);
    access->arguments = access->name ? js_flow_leads_to(in->flow, access->name) : 0;
}

static void read_leads(reader *in, const json_t *from, void *out)
{
    js_flow_leads *leads = out;
    const json_t *numbers = json_object_get(from, "arguments");
    leads->name = js_source_name(&in->json, from, "name");
    for (size_t i = 0; i < json_array_size(numbers); i++) {
        const json_t *number = json_array_get(numbers, i);
        if (!json_is_integer(number) || json_integer_value(number) < 0 || json_integer_value(number) >= 64) {
            js_source_fail(&in->json, JS_EBAD);
            return;
        }
        leads->arguments |= (uint64_t)1 << json_integer_value(number);
    }
}

static void read_def(reader *in, const json_t *from, void *out)
{
    static const char *const held[] = {
        [JS_DEF_OTHER] = "",      [JS_DEF_NONE] = "none", [JS_DEF_ELLIPSIS] = "ellipsis",
        [JS_DEF_EMPTY] = "empty", [JS_DEF_TEXT] = "text", [JS_DEF_COPY] = "copy",
        [JS_DEF_ITEM] = "item",   [JS_DEF_CALL] = "call",
    };
    js_flow_def *def = out;
    def->id = (uint32_t)(def - in->flow->defs) + 1;
    def->name = js_source_name(&in->json, from, "name");
    def->line = js_source_number(&in->json, from, "line");
    def->in_loop = js_source_bool(&in->json, from, "in_loop");
    def->literal = js_source_text(&in->json, from, "literal");
    def->of = js_source_text(&in->json, from, "of");
    def->held = (js_def_held)js_source_word(&in->json, from, "held", held, sizeof held / sizeof *held);
    if (def->held >= JS_DEF_TEXT && !def->of) {
        js_source_fail(&in->json, JS_EBAD);
    }
    const char *maker = json_string_value(json_object_get(from, "maker"));
    def->is_fresh = maker && js_numba_makes_array(maker);
    def->is_filled = maker && js_numba_fills_array(maker);
    def->allocates = def->is_fresh && strcmp(maker, "operator") != 0;
    def->gives = read_formula(in, from, "gives");
    js_source_whole(&in->json, from, "step", &def->step);
    def->has_start = js_source_whole(&in->json, from, "start", &def->start);
    def->is_parallel = js_source_bool(&in->json, from, "is_parallel");
    def->is_narrow = js_source_bool(&in->json, from, "is_narrow");
    def->is_negated = js_source_bool(&in->json, from, "is_negated");
    def->is_folded = js_source_bool(&in->json, from, "is_folded");
}

/* Lists of the flow, in the order in which they are read: `accesses` needs `leads`. */
static const struct list {
    const char *key;
    size_t items, count; /* offsets in js_flow: of the pointer, and of the number of items */
    size_t size;         /* bytes of an item */
    void (*read)(reader *in, const json_t *from, void *out);
} lists[] = {
#define LIST(key, member, read)                                                                              \
    {                                                                                                        \
        key, offsetof(js_flow, member), offsetof(js_flow, n##member), sizeof *((js_flow *)0)->member, read   \
    }
    LIST("own", own, read_lines),          LIST("within", within, read_within),
    LIST("outer", outer, read_outer),      LIST("inner", inner, read_inner),
    LIST("hidden", hidden, read_inner),    LIST("defs", defs, read_def),
    LIST("regions", regions, read_region), LIST("finals", finals, read_final),
    LIST("leaves", leaves, read_leave),    LIST("stores", stores, read_store),
    LIST("leads", leads, read_leads),      LIST("accesses", accesses, read_access),
    LIST("spans", spans, read_lines),      LIST("passes", passes, read_pass),
#undef LIST
};

static void read_list(reader *in, const json_t *root, const struct list *list)
{
    const json_t *from = json_object_get(root, list->key);
    size_t count = json_array_size(from);
    if (from && (!json_is_array(from) || count > LIST_LIMIT)) {
        js_source_fail(&in->json, json_is_array(from) ? JS_ELIMIT : JS_EBAD);
        return;
    }
    char *items = js_source_room(&in->json, count, list->size); /* a list that is missing gets room, too */
    memcpy((char *)in->flow + list->items, &items, sizeof items);
    for (size_t i = 0; i < count && in->json.status == JS_OK; i++) {
        list->read(in, json_array_get(from, i), items + i * list->size);
    }
    count = in->json.status == JS_OK ? count : 0;
    memcpy((char *)in->flow + list->count, &count, sizeof count);
}

static void read_formulas(reader *in, const json_t *root)
{
    const json_t *from = json_object_get(root, "formulas");
    in->nformulas = json_array_size(from);
    in->formulas = js_source_room(&in->json, in->nformulas, sizeof *in->formulas);
    for (size_t i = 0; i < in->nformulas && in->json.status == JS_OK; i++) {
        const char *expression = json_string_value(json_array_get(from, i));
        js_source_fail(&in->json,
                       expression ? js_formula_read(in->json.arena, expression, &in->formulas[i]) : JS_EBAD);
    }
}

/* ---- what is known at each line ---- */

/* Return the ids of the definitions that the fact lists. */
static const uint32_t *read_ids(reader *in, const json_t *from, const char *name, size_t *count)
{
    const json_t *list = json_object_get(from, "defs");
    *count = json_array_size(list);
    uint32_t *ids = js_source_room(&in->json, *count, sizeof *ids);
    for (size_t i = 0; ids && i < *count; i++) {
        json_int_t id = json_integer_value(json_array_get(list, i));
        bool is_def = id > 0 && (uint64_t)id <= in->flow->ndefs && name &&
                      strcmp(in->flow->defs[id - 1].name, name) == 0;
        if (!is_def) {
            js_source_fail(&in->json, JS_EBAD);
        }
        ids[i] = (uint32_t)id;
    }
    return ids;
}

/* Add what a fact says to each of its lines; there is room for them. */
static void add_lines(reader *in, const json_t *from, uint32_t first, uint32_t last)
{
    js_flow_at fact = {.name = js_source_name(&in->json, from, "name")};
    fact.maybe_unassigned = js_source_bool(&in->json, from, "maybe_unassigned");
    fact.defs = read_ids(in, from, fact.name, &fact.ndefs);
    fact.known = js_source_text(&in->json, from, "known");
    fact.computed = read_formula(in, from, "computed");
    for (fact.line = first; fact.line <= last; fact.line++) {
        in->flow->ats[in->flow->nats++] = fact;
    }
}

static void read_ats(reader *in, const json_t *root)
{
    const json_t *from = json_object_get(root, "at");
    size_t nlines = 0;
    for (size_t i = 0; i < json_array_size(from) && in->json.status == JS_OK; i++) {
        uint32_t first, last;
        read_first_last(in, json_array_get(from, i), &first, &last);
        nlines += last < first ? 0 : last - first + 1;
        js_source_fail(&in->json, nlines > ATS_LIMIT ? JS_ELIMIT : JS_OK);
    }
    in->flow->ats =
        in->json.status == JS_OK ? js_source_room(&in->json, nlines, sizeof *in->flow->ats) : NULL;
    for (size_t i = 0; i < json_array_size(from) && in->json.status == JS_OK; i++) {
        uint32_t first, last;
        read_first_last(in, json_array_get(from, i), &first, &last);
        add_lines(in, json_array_get(from, i), first, last);
    }
}

static int order_ats(const void *left, const void *right)
{
    const js_flow_at *l = left, *r = right;
    return l->line == r->line ? strcmp(l->name, r->name) : l->line < r->line ? -1 : 1;
}

static int order_names(const void *left, const void *right)
{
    const js_flow_def *l = *(js_flow_def *const *)left, *r = *(js_flow_def *const *)right;
    int names = strcmp(l->name, r->name);
    return names ? names : l->line < r->line ? -1 : l->line > r->line;
}

static void sort_defs(reader *in)
{
    js_flow *flow = in->flow;
    flow->by_name = js_source_room(&in->json, flow->ndefs, sizeof *flow->by_name);
    for (size_t i = 0; flow->by_name && i < flow->ndefs; i++) {
        flow->by_name[i] = &flow->defs[i];
    }
    if (flow->by_name) {
        qsort(flow->by_name, flow->ndefs, sizeof *flow->by_name, order_names);
    }
}

static int order_at_names(const void *left, const void *right)
{
    return strcmp((*(js_flow_at *const *)left)->name, (*(js_flow_at *const *)right)->name);
}

/* Set is_everywhere for each name that has one set of definitions only. */
static void find_everywhere(reader *in)
{
    js_flow *flow = in->flow;
    js_flow_at **all = js_source_room(&in->json, flow->nats, sizeof *all);
    if (!all) {
        return;
    }
    for (size_t i = 0; i < flow->nats; i++) {
        all[i] = &flow->ats[i];
    }
    qsort(all, flow->nats, sizeof *all, order_at_names);
    for (size_t first = 0, end; first < flow->nats; first = end) {
        bool is_everywhere = true;
        for (end = first; end < flow->nats && strcmp(all[end]->name, all[first]->name) == 0; end++) {
            is_everywhere = is_everywhere && js_flow_same_defs(all[first], all[end]);
        }
        for (size_t i = first; i < end; i++) {
            all[i]->is_everywhere = is_everywhere;
        }
    }
}

static void read_flow(reader *in, const json_t *root)
{
    static const char *const asks[] = {
        [JS_ASKS_DECORATOR] = "decorator", [JS_ASKS_NAME] = "name", [JS_ASKS_NOTHING] = "nothing"};
    js_flow *flow = in->flow;
    read_first_last(in, root, &flow->first_line, &flow->last_line);
    flow->asks = (js_asks)js_source_word(&in->json, root, "asks", asks, sizeof asks / sizeof *asks);
    flow->returns = js_source_text(&in->json, root, "returns");
    read_formulas(in, root);
    for (size_t i = 0; i < sizeof lists / sizeof *lists && in->json.status == JS_OK; i++) {
        read_list(in, root, &lists[i]);
    }
    flow->narguments =
        json_object_get(root, "arguments") ? js_source_number(&in->json, root, "arguments") : 0;
    flow->npositional =
        json_object_get(root, "positional") ? js_source_number(&in->json, root, "positional") : 0;
    if (!flow->first_line || flow->npositional > flow->narguments || flow->narguments > flow->ndefs) {
        js_source_fail(&in->json, JS_EBAD);
    }
    if (in->json.status == JS_OK) {
        read_ats(in, root);
    }
    if (in->json.status == JS_OK) {
        qsort(flow->ats, flow->nats, sizeof *flow->ats, order_ats);
        sort_defs(in);
        find_everywhere(in);
    }
}

int js_flow_read(js_arena *arena, const char *json, size_t length, js_flow *out)
{
    reader in = {.json = {.arena = arena}, .flow = out};
    memset(out, 0, sizeof *out);
    if (length > JSON_LIMIT) {
        return JS_ELIMIT;
    }
    json_t *root = json_loadb(json, length, JSON_REJECT_DUPLICATES, NULL);
    if (!root) {
        return JS_EBAD;
    }
    read_flow(&in, root);
    json_decref(root);
    return in.json.status;
}
