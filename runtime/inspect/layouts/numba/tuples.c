/* Builds the types of tuples: Tuple(a, b), UniTuple(a x 3), Point(a, b), Point(a x 2). Source:
 * numba/core/types/containers.py. */
#include "bytes/text.h"
#include "layouts/numba/numba.h"

static bool is_identifier(js_span text)
{
    for (size_t i = 0; i < text.size; i++) {
        unsigned char c = (unsigned char)text.at[i];
        bool is_letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c >= 0x80;
        if (!is_letter && (i == 0 || c < '0' || c > '9')) {
            return false;
        }
    }
    return text.size != 0;
}

/* True for names of other types that look like a call. */
static bool is_reserved(js_span name)
{
    static const char *const words[] = {
        "iter",           "enumerate",   "zip",         "set",       "list",        "class",
        "dtype",          "type",        "Module",      "payload",   "array",       "ndenumerate",
        "nditer",         "ndindex",     "Function",    "generator", "ArrayCTypes", "recursive",
        "ArrayFlags",     "LiteralList", "omitted",     "reversed",  "Record",      "BoundFunction",
        "PolynomialType", "NPDatetime",  "NPTimedelta", "typeref",   "function",    "method",
    };
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        if (js_span_is(name, words[i])) {
            return true;
        }
    }
    return false;
}

/* Return the fields of a named tuple, or NULL. */
static const char *const *fields_of(const js_build *build, const js_type *type, uint64_t count)
{
    const char *const *names;
    uint64_t nnames = 0;
    if (!js_types_parts(build->types, build->name, &names)) {
        return js_types_fields(build->types, js_span_of(type->class_name), count);
    }
    while (names && names[nnames]) {
        nnames++;
    }
    return nnames == count ? names : NULL;
}

static js_member *new_members(const js_build *build, uint64_t count, const char *const *names)
{
    js_member *members = js_arena_alloc(js_types_arena(build->types), (count + 1) * sizeof *members);
    for (uint64_t i = 0; members && i < count; i++) {
        members[i].name = names ? names[i] : js_build_member_name(build->types, i);
        members[i].role = JS_ROLE_ELEMENT;
        if (!members[i].name) {
            return NULL;
        }
    }
    return members;
}

static bool is_known(const js_type *element)
{
    return element->kind != JS_KIND_OPAQUE || element->size != 0;
}

/* Split the inside of "(int64 x 3)" at its last " x ", because an element may contain " x " itself. */
static bool split_count(js_span *inside, uint64_t *count)
{
    size_t digits = 0;
    while (digits < inside->size && inside->at[inside->size - 1 - digits] >= '0' &&
           inside->at[inside->size - 1 - digits] <= '9') {
        digits++;
    }
    js_span number = js_span_skip(*inside, inside->size - digits);
    js_span element = js_span_first(*inside, inside->size - digits);
    if (!js_span_eat_uint(&number, count) || !js_span_eat_end(&element, " x ")) {
        return false;
    }
    *inside = element;
    return true;
}

/* Split the inside of repr()'s form UniTuple(int64, 3). */
static bool split_repr(js_span *inside, uint64_t *count)
{
    js_span rest = *inside, element, number;
    if (!js_span_next_item(&rest, &element) || !js_span_next_item(&rest, &number) ||
        !js_span_eat_uint(&number, count) || number.size || rest.size) {
        return false;
    }
    *inside = element;
    return true;
}

static int uniform(const js_build *build, js_span element, uint64_t count, bool is_named, js_type *type)
{
    if (count > JS_TYPE_MEMBERS) {
        return JS_ELIMIT;
    }
    int status =
        js_numba_inner(build, element, js_storage_member(build->storage, 0), build->in_data, &type->target);
    if (status) {
        return status;
    }
    if (!is_known(type->target) && count) {
        return JS_EUNSUP;
    }
    const char *const *names = is_named ? fields_of(build, type, count) : NULL;
    js_member *members = new_members(build, count, names);
    if (!members) {
        return JS_ENOMEM;
    }
    for (uint64_t i = 0; i < count; i++) {
        members[i].type = type->target;
    }
    type->shape = names ? JS_SHAPE_STRUCT : JS_SHAPE_ARRAY; /* debuggers reach the fields by name */
    status = js_build_lay_out(type, members, count);
    if (type->shape == JS_SHAPE_ARRAY) {
        type->align = type->target->align;
        type->count = count;
    }
    return status;
}

static int mixed(const js_build *build, js_span inside, bool is_named, js_type *type)
{
    js_span item, rest = inside, storage = js_span_trim(build->storage), element = {NULL, 0};
    uint64_t count = 0;
    while (js_span_next_item(&rest, &item)) {
        count++;
    }
    if (count > JS_TYPE_MEMBERS) {
        return JS_ELIMIT;
    }
    const char *const *names = is_named ? fields_of(build, type, count) : NULL;
    js_member *members = new_members(build, count, names);
    if (!members) {
        return JS_ENOMEM;
    }
    bool has_storage = storage.at && js_span_eat(&storage, "{") && js_span_eat_end(&storage, "}");
    bool is_uniform = !has_storage && build->storage.at;
    for (uint64_t i = 0; js_span_next_item(&inside, &item); i++) {
        if (is_uniform) {
            element = js_storage_member(build->storage, i);
        } else if (!has_storage || !js_span_next_item(&storage, &element)) {
            element = (js_span){NULL, 0};
        }
        int status = js_numba_inner(build, item, element, build->in_data, &members[i].type);
        if (status) {
            return status;
        }
        if (!is_known(members[i].type) || (is_named && js_span_is(item, "..."))) {
            return JS_EUNSUP;
        }
    }
    type->shape = JS_SHAPE_STRUCT;
    return js_build_lay_out(type, members, count);
}

/* Parse "LiteralList((int64, unicode_type))": a list of items of several types is a tuple in memory. */
static int literal_list(const js_build *build, js_span inside, js_type *type)
{
    type->kind = JS_KIND_TUPLE;
    type->literal_kind = '[';
    return mixed(build, inside, false, type);
}

/* Parse "LiteralStrKey[Dict]({Literal[str](a): int64, Literal[str](b): unicode_type})". */
static int literal_dict(const js_build *build, js_span inside, js_type *type)
{
    js_text types;
    const char *names[64];
    size_t count = 0;
    js_span item;
    int status = JS_OK;
    js_text_init(&types, 0);
    while (status == JS_OK && js_span_next_item(&inside, &item)) {
        size_t colon = js_span_find_outside(item, ": ");
        js_span key = js_span_first(item, colon);
        if (colon == item.size || count == sizeof names / sizeof names[0] ||
            !js_span_eat(&key, "Literal[str](") || !js_span_eat_end(&key, ")")) {
            status = JS_EUNSUP;
            break;
        }
        item = js_span_skip(item, colon + 2);
        js_text_printf(&types, "%s%.*s", count ? ", " : "", (int)item.size, item.at);
        names[count] = js_build_text(build->types, key);
        status = names[count++] ? types.status : JS_ENOMEM;
    }
    type->kind = JS_KIND_TUPLE;
    type->literal_kind = '{';
    if (status == JS_OK) {
        status = mixed(build, (js_span){types.data ? types.data : "", types.length}, false, type);
    }
    for (size_t i = 0; status == JS_OK && i < count && i < type->nmembers; i++) {
        ((js_member *)type->members)[i].name = names[i]; /* may be changed until this returns */
    }
    js_text_deinit(&types);
    return status;
}

int js_numba_tuple(const js_build *build, js_type *type)
{
    js_span text = build->name;
    size_t open = 0;
    if (js_span_eat(&text, "LiteralList((") && js_span_eat_end(&text, "))")) {
        return literal_list(build, text, type);
    }
    if (js_span_eat(&text, "LiteralStrKey[Dict]({") && js_span_eat_end(&text, "})")) {
        return literal_dict(build, text, type);
    }
    text = build->name;
    while (open < text.size && text.at[open] != '(') {
        open++;
    }
    js_span name = js_span_first(text, open), inside = js_span_skip(text, open + 1);
    if (open == text.size || !is_identifier(name) || is_reserved(name) || !js_span_eat_end(&inside, ")") ||
        js_span_find_outside(inside, ")") != inside.size) {
        return JS_EUNSUP;
    }
    bool is_mixed = js_span_is(name, "Tuple") || js_span_is(name, "StarArgTuple");
    bool is_uniform = js_span_is(name, "UniTuple") || js_span_is(name, "StarArgUniTuple");
    bool is_named = !is_mixed && !is_uniform;
    type->kind = JS_KIND_TUPLE;
    if (is_named) {
        type->class_name = js_build_text(build->types, name);
        if (!type->class_name) {
            return JS_ENOMEM;
        }
    }
    uint64_t count;
    if (!is_mixed && (split_count(&inside, &count) || (is_uniform && split_repr(&inside, &count)))) {
        return uniform(build, inside, count, is_named, type);
    }
    if (is_mixed && js_span_starts(inside, "(") && js_span_eat_end(&inside, ")")) {
        inside = js_span_skip(inside, 1); /* the form of repr(): Tuple((int64, float64)) */
    }
    if (is_uniform || (is_named && js_span_trim(inside).size == 0)) {
        return JS_EUNSUP;
    }
    return mixed(build, inside, is_named, type);
}
