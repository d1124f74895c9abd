/* The functions of type.h: they find types in the table, or build them. */
#include <string.h>

#include "bytes/plain.h"
#include "layouts/build.h"

void js_type_name_split(const char *text, size_t length, size_t *name_length, const char **storage,
                        size_t *storage_length)
{
    js_span span = {text, length};
    size_t from = 0;
    *name_length = length;
    *storage = NULL;
    *storage_length = 0;
    /* Find the last " (" outside of brackets whose closing parenthesis ends the text, and which contains such
     * a text. */
    while (length && text[length - 1] == ')') {
        size_t at = from + js_span_find_outside(js_span_skip(span, from), " (");
        if (at >= length) {
            return;
        }
        js_span inner = {text + at + 2, length - at - 3};
        bool plausible =
            inner.size && (*inner.at == '{' || *inner.at == '[' || *inner.at == 'i' || *inner.at == '<' ||
                           js_span_starts(inner, "double") || js_span_starts(inner, "float") ||
                           js_span_starts(inner, "ptr") || js_span_starts(inner, "half"));
        if (plausible && js_span_find_outside(inner, ")") == inner.size) {
            *name_length = at;
            *storage = inner.at;
            *storage_length = inner.size;
            return;
        }
        from = at + 2;
    }
}

/* Double the backslashes of a name with text literals, so that js_numba_literal() can distinguish those that
 * escape from those that the text has; NULL: no memory. */
static const char *double_backslashes(js_arena *arena, const char *name)
{
    if (!strchr(name, '\\') || !strstr(name, JS_TYPE_TEXT_LITERAL)) {
        return name;
    }
    char *out = js_arena_alloc(arena, 2 * strlen(name) + 1), *end = out;
    for (; out && *name; name++) {
        *end++ = *name;
        if (*name == '\\') {
            *end++ = '\\';
        }
    }
    if (out) {
        *end = '\0';
    }
    return out;
}

/* NULL: no memory */
static const char *plain_name(js_types *types, const char *name)
{
    js_arena *arena = js_types_arena(types);
    const char *doubled = double_backslashes(arena, name);
    return !doubled || js_plain_is(doubled) ? doubled : js_arena_plain(arena, doubled);
}

static int get(js_types *types, const char *name, const char *storage, bool in_data, const js_type **out)
{
    *out = NULL;
    if (!types || (!name && !storage)) {
        return JS_EARG;
    }
    if (name && !js_plain_is(name) && !(name = plain_name(types, name))) {
        return JS_ENOMEM;
    }
    js_build build = {types, js_span_of(name ? name : storage), js_span_of(storage), in_data, 0};
    if (build.name.size > JS_TYPE_TEXT || build.storage.size > JS_TYPE_TEXT) {
        return JS_ELIMIT;
    }
    if (!storage) {
        js_span split = {NULL, 0};
        js_type_name_split(name, build.name.size, &build.name.size, &split.at, &split.size);
        build.storage = split;
    }
    return js_build_type(&build, out);
}

int js_types_get(js_types *types, const char *name, const char *storage, const js_type **out)
{
    return get(types, name, storage, false, out);
}

int js_types_get_raw(js_types *types, const char *name, const char *storage, const js_type **out)
{
    *out = NULL;
    if (types && name && !(name = plain_name(types, name))) {
        return JS_ENOMEM;
    }
    return get(types, name, storage, false, out);
}

int js_types_get_data(js_types *types, const char *name, const js_type **out)
{
    return get(types, name, NULL, true, out);
}

int js_types_literal(js_types *types, const char *name, char kind, const char *literal, const js_type **out)
{
    js_type *type = js_build_new(types, js_span_of(name));
    if (!type || !(type->literal = js_arena_strdup(js_types_arena(types), literal))) {
        return JS_ENOMEM;
    }
    type->shape = JS_SHAPE_VOID;
    type->kind = JS_KIND_LITERAL;
    type->literal_kind = kind;
    *out = type;
    return JS_OK;
}

int js_types_characters(js_types *types, uint64_t count, const js_type **out)
{
    if (count > JS_TYPE_SIZE / 4) {
        return JS_ELIMIT;
    }
    js_type *type = js_build_new(types, js_span_of("unicode_type"));
    const js_type *character;
    if (!type) {
        return JS_ENOMEM;
    }
    int status = js_types_get(types, "uint32", NULL, &character);
    if (status) {
        return status;
    }
    type->shape = JS_SHAPE_ARRAY;
    type->kind = JS_KIND_CHARSEQ;
    type->class_name = "str";
    type->is_wide = true;
    type->target = character;
    type->count = count;
    type->size = count * 4;
    type->align = 4;
    *out = type;
    return JS_OK;
}

int js_types_slice(js_types *types, const js_type *list, const js_type **out)
{
    static const js_role roles[] = {JS_ROLE_DATA, JS_ROLE_LENGTH, JS_ROLE_STRIDES};
    static const char *const names[] = {"data", "length", "stride"};
    js_type *type = js_build_new(types, js_span_of(list->name));
    js_member *members = js_arena_alloc(js_types_arena(types), 3 * sizeof *members);
    const js_type *word;
    int status = js_types_get(types, "int64", NULL, &word);
    if (!type || !members || status) {
        return status ? status : JS_ENOMEM;
    }
    for (unsigned i = 0; i < 3; i++) {
        members[i] = (js_member){names[i], word, 8 * (uint64_t)i, roles[i]};
    }
    const char *name = type->name;
    *type = *list;
    type->name = name;
    type->shape = JS_SHAPE_STRUCT;
    type->size = 24;
    type->align = 8;
    type->members = members;
    type->nmembers = 3;
    *out = type;
    return JS_OK;
}

const js_member *js_type_member(const js_type *type, js_role role)
{
    for (size_t i = 0; i < type->nmembers; i++) {
        if (type->members[i].role == role) {
            return &type->members[i];
        }
    }
    return NULL;
}
