/* Computes the methods of lists, tuples, sets and dicts that only read. Where Python gives a view of a dict,
 * they give a list. */
#include "expressions/functions/collections.h"

#include <string.h>

#include "expressions/core/compare.h"
#include "expressions/core/container_find.h"
#include "expressions/functions/items.h"
#include "expressions/lazy/evaluation.h"
#include "expressions/operands/containers.h"
#include "expressions/operands/sequences.h"

static bool is_dict(const js_operand *of)
{
    return of->kind == JS_OPERAND_VALUE && of->value.type->kind == JS_KIND_DICT;
}

static bool is_sequence(const js_operand *of)
{
    const js_type *type = of->kind == JS_OPERAND_VALUE ? of->value.type : NULL;
    return of->kind == JS_OPERAND_SEQUENCE ||
           (type && (type->kind == JS_KIND_LIST || (type->kind == JS_KIND_TUPLE && !type->class_name)));
}

/* True if the collection has a method copy(). A collection that cannot change is its own copy; tuples have no
 * such method. */
static bool has_copy(const js_operand *of)
{
    js_kind kind = of->kind == JS_OPERAND_VALUE ? of->value.type->kind : JS_KIND_OPAQUE;
    return (of->kind == JS_OPERAND_SEQUENCE && of->is_list) || kind == JS_KIND_LIST || kind == JS_KIND_DICT ||
           kind == JS_KIND_SET;
}

static const char *const of_dicts[] = {"keys", "values", "items", "get", NULL};
static const char *const of_sequences[] = {"count", "index", NULL};

static bool is_among(const char *const *names, const char *name)
{
    while (*names && strcmp(*names, name) != 0) {
        names++;
    }
    return *names;
}

bool js_is_collection_method(const char *name)
{
    return strcmp(name, "copy") == 0 || is_among(of_dicts, name) || is_among(of_sequences, name);
}

bool js_collection_has_method(const js_operand *of, const char *name)
{
    if (strcmp(name, "copy") == 0) {
        return has_copy(of);
    }
    return (is_dict(of) && is_among(of_dicts, name)) || (is_sequence(of) && is_among(of_sequences, name));
}

typedef struct listing {
    js_operand *items;
    uint64_t count;
    bool keys, values;
} listing;

static int add(js_evaluation *e, const js_operand *key, const js_operand *value, void *context, bool *goes_on)
{
    listing *all = context;
    (void)goes_on;
    if (all->count == JS_EXPRESSION_ITEMS) {
        return js_no_memory(e);
    }
    if (!all->keys || !all->values) {
        all->items[all->count++] = all->keys ? *key : *value;
        return JS_OK;
    }
    js_operand *pair = js_arena_alloc(&e->arena, 2 * sizeof *pair);
    if (!pair) {
        return js_no_memory(e);
    }
    pair[0] = *key;
    pair[1] = *value;
    all->items[all->count++] = (js_operand){.kind = JS_OPERAND_SEQUENCE, .items = pair, .count = 2};
    return JS_OK;
}

static int list_entries(js_evaluation *e, const char *name, const js_operand *of, js_operand *out)
{
    uint64_t length;
    int status = js_container_length(e, of, &length);
    if (status == JS_OK && length > JS_EXPRESSION_ITEMS) {
        return js_no_memory(e);
    }
    listing all = {.keys = *name != 'v', .values = *name != 'k'};
    all.items = status ? NULL : js_arena_alloc(&e->arena, (JS_EXPRESSION_ITEMS + 1) * sizeof *all.items);
    if (!all.items) {
        return status ? status : js_no_memory(e);
    }
    status = js_container_walk(e, of, add, &all);
    *out = (js_operand){.kind = JS_OPERAND_SEQUENCE, .is_list = true, .items = all.items, .count = all.count};
    return status;
}

static int look_up(js_evaluation *e, const js_operand *of, const js_operand *arguments, size_t count,
                   js_operand *out)
{
    bool is_found;
    int status = js_container_find(e, of, arguments, &is_found, out);
    if (status == JS_OK && !is_found) {
        *out = count > 1 ? arguments[1] : (js_operand){.kind = JS_OPERAND_NONE};
    }
    return status;
}

static int search(js_evaluation *e, const char *name, const js_operand *of, const js_operand *what,
                  js_operand *out)
{
    js_operand items;
    uint64_t total = 0;
    int status = js_items_of(e, of, &items);
    for (uint64_t i = 0; i < items.count && status == JS_OK; i++) {
        js_operand same;
        bool is_same = false;
        status = js_compare(e, JS_EQ, &items.items[i], what, &same);
        status = status ? status : js_operand_truth(e, &same, &is_same);
        if (is_same && *name == 'i') {
            *out = js_operand_of_int((__int128)i);
            return status;
        }
        total += is_same;
    }
    if (status == JS_OK && *name == 'i') {
        return js_fail(e, JS_EBAD, "ValueError: %s.index(x): x not in %s", js_operand_type(&items),
                       js_operand_type(&items));
    }
    *out = js_operand_of_int((__int128)total);
    return status;
}

int js_collection_method(js_evaluation *e, const char *name, const js_operand *of,
                         const js_operand *arguments, size_t count, js_operand *out)
{
    bool is_get = strcmp(name, "get") == 0;
    bool is_copy = strcmp(name, "copy") == 0;
    size_t least = is_copy || (is_dict(of) && !is_get) ? 0 : 1, most = is_get ? 2 : least;
    if (count < least || count > most) {
        return js_fail_count(e, name, least, most, count);
    }
    if (is_copy) {
        *out = *of;
        return JS_OK;
    }
    return !is_dict(of) ? search(e, name, of, arguments, out)
           : is_get     ? look_up(e, of, arguments, count, out)
                        : list_entries(e, name, of, out);
}
