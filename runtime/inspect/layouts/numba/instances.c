/* Builds the types of instances. Source: numba/core/types/misc.py (DeferredType),
 * numba/experimental/jitclass/base.py (InstanceModel, InstanceDataModel), numba/experimental/structref.py
 * with numba/core/datamodel/models.py (StructRefModel, StructPayloadModel). */
#include "layouts/numba/numba.h"

static const js_span absent = {NULL, 0};

typedef struct attributes {
    js_member *members;
    size_t count, room;
} attributes;

static int add(const js_build *build, attributes *list, js_span name, js_span type)
{
    if (list->count == JS_TYPE_MEMBERS) {
        return JS_ELIMIT;
    }
    if (list->count == list->room) {
        size_t room = list->room ? 4 * list->room : 16;
        js_member *more = js_arena_alloc(js_types_arena(build->types), room * sizeof *more);
        if (!more) {
            return JS_ENOMEM;
        }
        if (list->count) {
            memcpy(more, list->members, list->count * sizeof *more);
        }
        list->members = more;
        list->room = room;
    }
    js_member *member = &list->members[list->count];
    *member = (js_member){.name = js_build_text(build->types, name), .role = JS_ROLE_ELEMENT};
    if (!member->name) {
        return JS_ENOMEM;
    }
    int status = js_numba_inner(build, type, absent, true, &member->type);
    if (status == JS_OK && member->type->kind == JS_KIND_OPAQUE && member->type->size == 0) {
        return JS_EUNSUP;
    }
    list->count += status == JS_OK;
    return status;
}

static int lay_out(const js_build *build, const attributes *list, const js_type **out)
{
    js_type *whole = js_build_new(build->types, js_span_of("attributes"));
    if (!whole) {
        return JS_ENOMEM;
    }
    whole->shape = JS_SHAPE_STRUCT;
    whole->kind = JS_KIND_STRUCT;
    *out = whole;
    return js_build_lay_out(whole, list->members, list->count);
}

/* Parse what follows "instance.jitclass.": "Foo#7f00<x:int64,y:array(float64, 1d, A)>". */
static int jitclass(const js_build *build, js_span text, js_type *type)
{
    size_t end = 0;
    while (end < text.size && text.at[end] != '#') {
        end++;
    }
    js_span name = js_span_first(text, end), rest = js_span_skip(text, end), inside, item;
    while (rest.size && *rest.at != '<') {
        rest = js_span_skip(rest, 1);
    }
    if (!js_span_eat(&rest, "<") || !js_numba_inside(&rest, '>', &inside) || rest.size) {
        return JS_EUNSUP;
    }
    attributes list = {0};
    while (js_span_next_item(&inside, &item)) {
        size_t colon = js_span_find_outside(item, ":");
        int status = colon == item.size
                         ? JS_EUNSUP
                         : add(build, &list, js_span_first(item, colon), js_span_skip(item, colon + 1));
        if (status) {
            return status;
        }
    }
    const js_type *whole, *pointer, *managed;
    int status = lay_out(build, &list, &whole);
    if (status == JS_OK) {
        status = js_numba_pointer(build, whole, &pointer);
    }
    if (status == JS_OK) {
        status = js_numba_managed(build, NULL, &managed);
    }
    if (status) {
        return status;
    }
    const js_numba_row rows[] = {{"meminfo", NULL, JS_ROLE_MEMINFO, managed},
                                 {"data", NULL, JS_ROLE_STORE, pointer}};
    type->kind = JS_KIND_OBJECT;
    type->class_name = js_build_text(build->types, name);
    return type->class_name ? js_numba_rows(build, rows, 2, type) : JS_ENOMEM;
}

/* Parse "('x', int64)". */
static bool field(js_span item, js_span *name, js_span *type)
{
    if (!js_span_eat(&item, "(") || !js_span_eat_end(&item, ")") || item.size < 2 ||
        (*item.at != '\'' && *item.at != '"')) {
        return false;
    }
    char quote = *item.at;
    const char *end = memchr(item.at + 1, quote, item.size - 1);
    if (!end) {
        return false;
    }
    *name = (js_span){item.at + 1, (size_t)(end - item.at) - 1};
    js_span rest = js_span_trim(js_span_skip(item, name->size + 2));
    if (!js_span_eat(&rest, ",")) {
        return false;
    }
    *type = js_span_trim(rest);
    return true;
}

/* Parse what follows "numba.": "Outer.Point(('x', int64), ('y', float64))". */
static int structref(const js_build *build, js_span text, js_type *type)
{
    size_t open = js_span_find_outside(text, "((");
    js_span name = js_span_first(text, open), rest = js_span_skip(text, open + 1), inside, item;
    if (open == text.size && js_span_eat_end(&name, "()")) {
        rest = js_span_of(")");
    } else if (open == text.size) {
        return JS_EUNSUP;
    }
    if (!js_numba_inside(&rest, ')', &inside) || rest.size) {
        return JS_EUNSUP;
    }
    for (size_t at = name.size; at-- > 0;) {
        if (name.at[at] == '.') {
            name = js_span_skip(name, at + 1);
            break;
        }
    }
    attributes list = {0};
    while (js_span_next_item(&inside, &item)) {
        js_span label, kind;
        int status = field(item, &label, &kind) ? add(build, &list, label, kind) : JS_EUNSUP;
        if (status) {
            return status;
        }
    }
    const js_type *whole, *managed;
    int status = lay_out(build, &list, &whole);
    if (status == JS_OK) {
        status = js_numba_managed(build, whole, &managed);
    }
    if (status) {
        return status;
    }
    const js_numba_row rows[] = {{"meminfo", NULL, JS_ROLE_STORE, managed}};
    type->kind = JS_KIND_OBJECT;
    type->class_name = js_build_text(build->types, name);
    return type->class_name ? js_numba_rows(build, rows, 1, type) : JS_ENOMEM;
}

/* Parse what follows "DeferredType#": the id() of the object that knows the type. Only types of instances can
 * be found by it: the renderer asks the object, and labels everything beside any other type. */
static int deferred(const js_build *build, js_span text, js_type *type)
{
    const js_type *managed;
    if (!js_span_eat_uint(&text, &type->deferred) || text.size) {
        return JS_EUNSUP;
    }
    int status = js_numba_managed(build, NULL, &managed);
    if (status) {
        return status;
    }
    const js_numba_row rows[] = {{"meminfo", NULL, JS_ROLE_MEMINFO, managed},
                                 {"data", "void*", JS_ROLE_NONE, NULL}};
    type->kind = JS_KIND_DEFERRED;
    type->owner = build->types;
    return js_numba_rows(build, rows, 2, type);
}

int js_numba_instance(const js_build *build, js_type *type)
{
    js_span text = build->name;
    if (js_span_eat(&text, "instance.jitclass.")) {
        return jitclass(build, text, type);
    }
    if (js_span_eat(&text, "DeferredType#")) {
        return deferred(build, text, type);
    }
    if (js_span_eat(&text, "numba.")) {
        return structref(build, text, type);
    }
    return JS_EUNSUP;
}
