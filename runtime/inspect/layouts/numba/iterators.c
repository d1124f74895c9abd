/* Builds the types of ranges, slices, iterators and generators. Source: numba/core/datamodel/models.py,
 * numba/core/types/iterators.py, npytypes.py, numba/typed/{list,dict,set}object.py. */
#include <stdio.h>

#include "layouts/numba/iterators.h"

static const char *integer(const js_build *build, js_span name)
{
    char *text = js_build_text(build->types, name);
    return text ? text : "";
}

/* Parse "range_state_int64" (start, stop, step), "slice<a:b>" (without a step), "slice<a:b:c>". */
static int range_state(const js_build *build, js_span text, js_type *type)
{
    const char *number = integer(build, text);
    const js_numba_row rows[] = {{"start", number, JS_ROLE_START, NULL},
                                 {"stop", number, JS_ROLE_STOP, NULL},
                                 {"step", number, JS_ROLE_STEP, NULL}};
    type->kind = JS_KIND_RANGE;
    type->class_name = "range";
    return js_numba_rows(build, rows, 3, type);
}

static int slice(const js_build *build, js_span text, js_type *type)
{
    (void)text;
    static const js_numba_row rows[] = {{"start", "int64", JS_ROLE_START, NULL},
                                        {"stop", "int64", JS_ROLE_STOP, NULL},
                                        {"step", "int64", JS_ROLE_STEP, NULL}};
    type->kind = JS_KIND_RANGE;
    type->class_name = "slice";
    return js_numba_rows(build, rows, 3, type);
}

static int range_iterator(const js_build *build, js_span text, js_type *type)
{
    const char *number = integer(build, text);
    js_numba_row rows[4] = {
        [1] = {"stop", number, JS_ROLE_ELEMENT, NULL}, [2] = {"step", number, JS_ROLE_ELEMENT, NULL}};
    int status = js_numba_counter(build, "next", number, &rows[0]);
    if (status == JS_OK) {
        status = js_numba_counter(build, "left", number, &rows[3]);
    }
    return status ? status : js_numba_set_iterator(build, "range_iterator", rows, 4, type);
}

static int enumerate(const js_build *build, js_span text, js_type *type)
{
    js_numba_row rows[2];
    int status = js_numba_counter(build, "count", "int64", &rows[0]);
    rows[1] = (js_numba_row){"iter", NULL, JS_ROLE_ELEMENT, NULL};
    if (status == JS_OK) {
        status = js_numba_known_inner(build, text, &rows[1].built);
    }
    return status ? status : js_numba_set_iterator(build, "enumerate", rows, 2, type);
}

/* Build the iterator that Numba makes of an iterable, which "zip(…)" names in its place. */
static int iterator_over(const js_build *build, js_span text, const js_type **out)
{
    static const char *const are_iterators[] = {"iter(",       "iter[",        "range_iter_",  "enumerate(",
                                                "zip(",        "iter_unicode", "ndenumerate(", "ndindex(",
                                                "array.flat(", "nditer("};
    bool is_one = js_span_find_outside(text, " generator(") != text.size;
    for (size_t i = 0; i < sizeof are_iterators / sizeof are_iterators[0]; i++) {
        is_one |= js_span_starts(text, are_iterators[i]);
    }
    if (is_one) {
        return js_numba_known_inner(build, text, out);
    }
    char name[1024];
    js_span number = text;
    int size;
    if (js_span_eat(&number, "range_state_")) {
        size = snprintf(name, sizeof name, "range_iter_%.*s", (int)number.size, number.at);
    } else if (js_span_is(text, "unicode_type")) {
        size = snprintf(name, sizeof name, "iter_unicode");
    } else if (js_span_starts(text, "array(") || js_span_starts(text, "readonly ") ||
               js_span_starts(text, "list(") || js_span_starts(text, "reflected ") ||
               js_span_starts(text, "set(") || js_span_starts(text, "UniTuple(")) {
        size = snprintf(name, sizeof name, "iter(%.*s)", (int)text.size, text.at);
    } else {
        return JS_EUNSUP;
    }
    if (size < 0 || (size_t)size >= sizeof name) {
        return JS_EUNSUP;
    }
    return js_numba_known_inner(build, (js_span){name, (size_t)size}, out);
}

static int zip(const js_build *build, js_span text, js_type *type)
{
    js_numba_row rows[32];
    js_span item;
    size_t count = 0;
    for (; js_span_next_item(&text, &item); count++) {
        if (count == sizeof rows / sizeof rows[0]) {
            return JS_EUNSUP;
        }
        rows[count] = (js_numba_row){js_build_member_name(build->types, count), NULL, JS_ROLE_ELEMENT, NULL};
        int status = iterator_over(build, item, &rows[count].built);
        if (status) {
            return status;
        }
    }
    return js_numba_set_iterator(build, "zip", rows, count, type);
}

/* Parse "iter(X)": {meminfo, index} for a list or set, else {index, X}. */
static int container_iterator(const js_build *build, js_span text, js_type *type)
{
    const js_type *whole;
    js_numba_row rows[2], index;
    int status = js_numba_known_inner(build, text, &whole);
    if (status == JS_OK) {
        status = js_numba_counter(build, "index", "int64", &index);
    }
    if (status) {
        return status;
    }
    if (whole->kind == JS_KIND_LIST || whole->kind == JS_KIND_SET) {
        const js_member *store = js_type_member(whole, JS_ROLE_STORE);
        if (!store || store->type->kind != JS_KIND_MANAGED) {
            return JS_EUNSUP;
        }
        js_type *alone = js_build_new(build->types, text); /* the container, with its counted memory only */
        if (!alone) {
            return JS_ENOMEM;
        }
        *alone = *whole;
        alone->nmembers = 1;
        alone->size = 8;
        rows[0] = (js_numba_row){"of", NULL, JS_ROLE_ELEMENT, alone};
        rows[1] = index;
        return js_numba_set_iterator(build, whole->kind == JS_KIND_LIST ? "list_iterator" : "set_iterator",
                                     rows, 2, type);
    }
    rows[0] = index;
    rows[1] = (js_numba_row){"of", NULL, JS_ROLE_ELEMENT, whole};
    return js_numba_set_iterator(build, whole->kind == JS_KIND_TUPLE ? "tuple_iterator" : "iterator", rows, 2,
                                 type);
}

static int text_iterator(const js_build *build, js_span text, js_type *type)
{
    (void)text;
    js_numba_row rows[2] = {[1] = {"of", "unicode_type", JS_ROLE_ELEMENT, NULL}};
    int status = js_numba_counter(build, "index", "uint64", &rows[0]);
    return status ? status : js_numba_set_iterator(build, "str_iterator", rows, 2, type);
}

/* Parse "iter[ListType[int64]->int64]", "iter[DictType[…]<iv=None>->…],keys[…]", and "keys[…]", "items[…]",
 * "values[…]" and "list[…]", from which they come: all have one structure. */
static int typed_iterator(const js_build *build, js_span text, js_type *type)
{
    js_span inside = text;
    size_t arrow = js_span_find_outside(text, "->");
    if (arrow < text.size) {
        inside = js_span_first(text, arrow);
    }
    const js_type *whole;
    int status = js_numba_known_inner(build, inside, &whole);
    if (status) {
        return status;
    }
    if (whole->kind == JS_KIND_LIST) {
        js_numba_row rows[3] = {{"size", "int64", JS_ROLE_ELEMENT, NULL},
                                {"of", NULL, JS_ROLE_ELEMENT, whole}};
        status = js_numba_counter(build, "index", "int64", &rows[2]);
        return status ? status : js_numba_set_iterator(build, "list_iterator", rows, 3, type);
    }
    if (whole->kind != JS_KIND_DICT && whole->kind != JS_KIND_SET) {
        return JS_EUNSUP;
    }
    const js_numba_row rows[] = {{"of", NULL, JS_ROLE_ELEMENT, whole},
                                 {"state", "void*", JS_ROLE_NONE, NULL}};
    js_span name = build->name;
    const char *class_name = js_span_starts(name, "keys[")     ? "dict_keys"
                             : js_span_starts(name, "items[")  ? "dict_items"
                             : js_span_starts(name, "values[") ? "dict_values"
                             : whole->kind == JS_KIND_DICT     ? "dict_iterator"
                                                               : "set_iterator";
    return js_numba_set_iterator(build, class_name, rows, 2, type);
}

static const struct family {
    const char *opening;
    char closing; /* 0: up to the end of the name */
    int (*make)(const js_build *, js_span, js_type *);
} families[] = {
    {"range_state_", 0, range_state},
    {"range_iter_", 0, range_iterator},
    {"slice<", 0, slice},
    {"enumerate(", ')', enumerate},
    {"zip(", ')', zip},
    {"iter(", ')', container_iterator},
    {"iter_unicode", 0, text_iterator},
    {"iter[", ']', typed_iterator},
    {"list[", ']', typed_iterator},
    {"keys[", ']', typed_iterator},
    {"items[", ']', typed_iterator},
    {"values[", ']', typed_iterator},
    {"array.flat(", ')', js_numba_array_flat},
    {"ndenumerate(", ')', js_numba_ndenumerate},
    {"ndindex(", ')', js_numba_ndindex},
    {"nditer(", ')', js_numba_nditer},
};

int js_numba_iterator(const js_build *build, js_type *type)
{
    for (size_t i = 0; i < sizeof families / sizeof families[0]; i++) {
        js_span text = build->name, inside;
        if (js_span_eat(&text, families[i].opening)) {
            if (families[i].closing && !js_numba_inside(&text, families[i].closing, &inside)) {
                return JS_EUNSUP;
            }
            return families[i].make(build, families[i].closing ? inside : text, type);
        }
    }
    return js_numba_generator(build, type);
}
