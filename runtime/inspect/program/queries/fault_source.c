/* Finds the fault by the arrays that the source line subscripts. */
#include <stdio.h>
#include <string.h>

#include "program/queries/fault.h"

/* The kernel gives no program memory below this address, by default (vm.mmap_min_addr). */
#define LOWEST_MEMORY UINT64_C(0x10000)

/* What is known of the array that a subscript names. */
typedef enum array_state {
    ARRAY_HIDDEN, /* it has no value here, is a global or another expression, or is no array */
    ARRAY_BLANK,  /* it is an attribute that has not been set */
    ARRAY_KNOWN,
} array_state;

static bool is_blank(const js_value *value)
{
    for (uint64_t i = 0; i < value->type->size; i++) {
        if (value->contents[i]) {
            return false;
        }
    }
    return value->type->kind == JS_KIND_ARRAY;
}

static array_state view_of(const js_value *value, js_array_view *view)
{
    if (js_array_view_init(view, value) == JS_OK) {
        return ARRAY_KNOWN;
    }
    return is_blank(value) ? ARRAY_BLANK : ARRAY_HIDDEN;
}

/* Return the decimal text of an index; NULL: it is not known. */
static const char *text_of(const js_fault_scope *scope, const js_index *index)
{
    if (index->kind == JS_INDEX_CONSTANT) {
        return index->text;
    }
    for (size_t i = 0; index->kind == JS_INDEX_NAME && i < scope->nintegers; i++) {
        if (strcmp(scope->integers[i].name, index->text) == 0) {
            char *text = js_arena_alloc(scope->arena, sizeof "-9223372036854775808");
            if (text) {
                sprintf(text, scope->integers[i].is_unsigned ? "%llu" : "%lld",
                        (unsigned long long)scope->integers[i].value);
            }
            return text;
        }
    }
    return index->kind == JS_INDEX_EXPRESSION ? index->value : NULL;
}

static bool is_text(const js_index *index)
{
    return index->kind == JS_INDEX_OTHER && (index->text[0] == '\'' || index->text[0] == '"');
}

/* Return how the array is named that is an item of a tuple, a list or a dict, or a field of an array of
 * records, as pair[0] and points['x']; NULL: the first index is not known, or there is no memory. */
static const char *item_name(const js_fault_scope *scope, const js_subscript *subscript, bool is_field,
                             const char **path)
{
    const char *text = NULL;
    if (subscript->count >= 2) {
        text = is_field ? subscript->indices[0].text : text_of(scope, &subscript->indices[0]);
    }
    if (!text) {
        return NULL;
    }
    size_t length = strlen(subscript->array), size = length + strlen(text) + sizeof "[]";
    char *name = js_arena_alloc(scope->arena, size);
    if (name) {
        snprintf(name, size, "%s[%s]", subscript->array, text);
        *path = name + length;
    }
    return name;
}

/* Look at the array that the subscript is about. If the value is a tuple, a list, a dict or an array of
 * records, the first index names the array, and is taken from the subscript. */
static array_state look_at(const js_fault_scope *scope, js_subscript *subscript, const js_value *value,
                           js_array_view *view)
{
    const char *path = NULL;
    bool is_field = value->type->kind == JS_KIND_ARRAY && subscript->count && is_text(&subscript->indices[0]);
    bool is_item = value->type->kind == JS_KIND_TUPLE || value->type->kind == JS_KIND_LIST ||
                   value->type->kind == JS_KIND_DICT;
    const char *name = is_field || is_item ? item_name(scope, subscript, is_field, &path) : NULL;
    js_value item;
    if (!name) {
        return view_of(value, view);
    }
    if (js_value_select(scope->types, value, scope->memory, path, &item, NULL)) {
        return ARRAY_HIDDEN;
    }
    subscript->array = name;
    subscript->count--;
    memmove(subscript->indices, subscript->indices + 1, subscript->count * sizeof *subscript->indices);
    array_state state = look_at(scope, subscript, &item, view);
    js_value_deinit(&item);
    return state;
}

/* Find the variable that a name begins with, as self of self.c; one that has a value, if there is one. */
static const js_found_variable *find_variable(const js_fault_scope *scope, const char *name)
{
    size_t length = name ? strcspn(name, ".") : 0;
    const js_found_variable *found = NULL;
    for (size_t i = 0; length && i < scope->nsights; i++) {
        const js_found_variable *sight = &scope->sights[i];
        bool is_named = strncmp(sight->local->name, name, length) == 0 && !sight->local->name[length];
        if (is_named && (!found || sight->has_value)) {
            found = sight;
            if (sight->has_value) {
                break;
            }
        }
    }
    return found;
}

/* Find the array by its name: that of a variable, or of an attribute, as self.c. */
static array_state find_array(const js_fault_scope *scope, js_subscript *subscript, js_array_view *view)
{
    const js_found_variable *sight = find_variable(scope, subscript->array);
    if (!sight || !sight->has_value) {
        return ARRAY_HIDDEN;
    }
    const char *attributes = subscript->array + strcspn(subscript->array, ".");
    js_value attribute;
    if (!*attributes) {
        array_state state = look_at(scope, subscript, &sight->value, view);
        return state == ARRAY_BLANK ? ARRAY_HIDDEN : state;
    }
    if (js_value_select(scope->types, &sight->value, scope->memory, attributes, &attribute, NULL)) {
        return ARRAY_HIDDEN;
    }
    array_state state = look_at(scope, subscript, &attribute, view);
    js_value_deinit(&attribute);
    return state;
}

static js_explanation explain(const js_fault_scope *scope, js_subscript *subscript, const js_array_view *view,
                              uint64_t address, js_fault *out)
{
    js_explanation strength = js_fault_explain_subscript(subscript, view, subscript->array, scope->integers,
                                                         scope->nintegers, address, out);
    if (strength == JS_EXPLAINS_NOTHING && js_subscript_forget_values(subscript)) {
        strength = js_fault_explain_subscript(subscript, view, subscript->array, scope->integers,
                                              scope->nintegers, address, out);
    }
    return strength;
}

/* Drop the names of fields at the end, as in points[i]['x']: the element before them is accessed. */
static void drop_fields(js_subscript *subscript, const js_array_view *view)
{
    while (subscript->count > view->ndim && view->ndim &&
           is_text(&subscript->indices[subscript->count - 1])) {
        subscript->count--;
    }
}

/* The subscripts of a line that come into question for a fault. */
typedef struct candidates {
    unsigned named;      /* indices that are known and lead to the address */
    unsigned computed;   /* subscripts whose index is not known, and that may lead there */
    unsigned inside;     /* arrays that have the address */
    bool is_led_inside;  /* the indices of a subscript are known, and lead to the address: that of `within` */
    unsigned blank;      /* attributes that have not been set */
    unsigned hidden;     /* subscripts whose array, or several of whose indices, are not known */
    unsigned unresolved; /* computed ones beyond JS_FAULT_NAMES */
    js_fault by_name, by_address, within, unset;
    js_fault all;
} candidates;

static void add_array(candidates *found, const js_fault_scope *scope, js_subscript *subscript,
                      const js_array_view *view, uint64_t address)
{
    js_fault one;
    if (js_fault_is_inside(view, address)) {
        if (found->is_led_inside) {
            return;
        }
        found->is_led_inside = js_fault_leads_to(subscript, view, scope->integers, scope->nintegers, address);
        bool is_known = found->inside && found->within.data == view->data &&
                        strcmp(found->within.array, subscript->array) == 0; /* by another subscript of it */
        found->within = (js_fault){.kind = JS_FAULT_INSIDE,
                                   .array = subscript->array,
                                   .size = (int64_t)view->nitems,
                                   .data = view->data,
                                   .view = *view};
        found->inside += !is_known;
        return;
    }
    js_explanation strength = explain(scope, subscript, view, address, &one);
    found->hidden += strength == JS_EXPLAINS_UNKNOWN;
    if (strength == JS_EXPLAINS_BY_NAME && !(found->named && js_fault_is_same(&one, &found->by_name)) &&
        found->named++ == 0) {
        found->by_name = one;
    }
    if (strength == JS_EXPLAINS_BY_ADDRESS &&
        !(found->computed && js_fault_is_same(&one, &found->by_address))) {
        if (found->computed++ == 0) {
            found->by_address = one;
        }
        if (found->all.nseveral < JS_FAULT_NAMES) {
            found->all.several[found->all.nseveral++] = subscript;
        } else {
            found->unresolved++;
        }
    }
}

/* Add a variable that the line uses without an index, as a loop's header does. Any element of such an
 * array may be accessed. Any address at all is that of some index, so that without this the fault would be
 * explained by an index of another array. */
static void add_whole(candidates *found, const js_fault_scope *scope, const js_subscript *subscript,
                      uint64_t address)
{
    const js_found_variable *sight = find_variable(scope, subscript->array);
    js_kind kind = sight ? sight->type->kind : JS_KIND_INT;
    bool has_arrays = kind == JS_KIND_TUPLE || kind == JS_KIND_LIST || kind == JS_KIND_DICT;
    js_subscript whole = {.array = subscript->array};
    js_array_view view;
    if (!sight || !sight->has_value) {
        found->hidden += kind == JS_KIND_ARRAY || has_arrays;
        return;
    }
    array_state state = find_array(scope, &whole, &view);
    if (state == ARRAY_HIDDEN && kind == JS_KIND_ARRAY) { /* an attribute of an array, as values.T */
        whole.array = sight->local->name;
        state = view_of(&sight->value, &view);
    }
    if (state == ARRAY_KNOWN && js_fault_is_inside(&view, address)) {
        add_array(found, scope, &whole, &view, address);
    }
    found->hidden += state == ARRAY_HIDDEN && has_arrays;
}

bool js_fault_find_by_source(const js_fault_scope *scope, const js_subscripts *subscripts, uint64_t address,
                             js_fault *out)
{
    candidates found = {.all = {.kind = JS_FAULT_SEVERAL}};
    for (size_t i = 0; i < subscripts->count; i++) {
        js_subscript *subscript = &subscripts->items[i];
        js_array_view view;
        if (js_subscript_is_whole(subscript)) {
            add_whole(&found, scope, subscript, address);
            continue;
        }
        array_state state = find_array(scope, subscript, &view);
        if (state == ARRAY_KNOWN) {
            drop_fields(subscript, &view);
        }
        if (state == ARRAY_BLANK) {
            found.unset = (js_fault){.kind = JS_FAULT_NEVER_SET, .array = subscript->array};
            found.blank++;
        } else if (state == ARRAY_KNOWN && subscript->count <= view.ndim) {
            add_array(&found, scope, subscript, &view, address);
        } else {
            found.hidden++;
        }
    }
    if (found.named) {
        *out = found.by_name;
        return found.named == 1;
    }
    if (found.is_led_inside) {
        *out = found.within;
        return true;
    }
    if (found.hidden) {
        return false;
    }
    if (address < LOWEST_MEMORY) {
        *out = found.unset; /* an index that leads there would be as good as none */
        return found.blank == 1;
    }
    if (found.inside) {
        *out = found.within;
        return found.inside == 1 && !found.computed;
    }
    *out = found.computed == 1 ? found.by_address : found.all;
    return found.computed && !found.unresolved;
}
