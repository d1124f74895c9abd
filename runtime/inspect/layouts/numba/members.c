/* Builds the members of a type: their types, by text, and their offsets. */
#include "bytes/text.h"
#include "layouts/numba/numba.h"

void js_numba_set(js_type *type, js_shape shape, js_kind kind, uint64_t size)
{
    type->shape = shape;
    type->kind = kind;
    type->size = size;
    type->align = size ? size : 1;
}

int js_numba_inner(const js_build *build, js_span text, js_span storage, bool in_data, const js_type **out)
{
    js_build inner = {build->types, js_span_trim(text), storage, in_data, build->depth + 1};
    return js_build_type(&inner, out);
}

int js_numba_rows(const js_build *build, const js_numba_row *rows, size_t count, js_type *type)
{
    js_member *members = js_arena_alloc(js_types_arena(build->types), (count ? count : 1) * sizeof *members);
    if (!members) {
        return JS_ENOMEM;
    }
    for (size_t i = 0; i < count; i++) {
        members[i] = (js_member){.name = rows[i].name, .role = rows[i].role};
        static const js_span absent = {NULL, 0};
        int status = JS_OK;
        if (rows[i].built) {
            members[i].type = rows[i].built;
        } else {
            status =
                js_numba_inner(build, js_span_of(rows[i].type), absent, build->in_data, &members[i].type);
        }
        if (status) {
            return status;
        }
    }
    type->shape = JS_SHAPE_STRUCT;
    return js_build_lay_out(type, members, count);
}

int js_numba_structure(const js_build *build, const char *name, const js_numba_row *rows, size_t count,
                       const js_type **out)
{
    js_type *type = js_build_new(build->types, js_span_of(name));
    if (!type) {
        return JS_ENOMEM;
    }
    js_build inner = *build;
    inner.in_data = true;
    type->kind = JS_KIND_STRUCT;
    *out = type;
    return js_numba_rows(&inner, rows, count, type);
}

int js_numba_pointer(const js_build *build, const js_type *target, const js_type **out)
{
    js_text name;
    js_text_init(&name, 0);
    js_text_printf(&name, "%s*", target->name);
    js_type *type = name.status ? NULL : js_build_new(build->types, (js_span){name.data, name.length});
    js_text_deinit(&name);
    if (!type) {
        return JS_ENOMEM;
    }
    js_numba_set(type, JS_SHAPE_POINTER, JS_KIND_POINTER, 8);
    type->target = target;
    *out = type;
    return JS_OK;
}

bool js_numba_inside(js_span *text, char closing, js_span *out)
{
    const char end[2] = {closing, '\0'};
    size_t at = js_span_find_outside(*text, end);
    if (at == text->size) {
        return false;
    }
    *out = js_span_trim(js_span_first(*text, at));
    *text = js_span_skip(*text, at + 1);
    return true;
}
