/* Keeps the frames of generators, which the texts of their types do not describe. */
#include "layouts/table.h"

struct js_table_frame {
    js_table_frame *next;
    const char *name;
    const js_type *type; /* NULL: several frames of this name differ */
};

static const js_type *structure(js_types *types, const char *name, const js_generator_part *part)
{
    js_type *type = js_build_new(types, js_span_of(name));
    js_member *members = js_arena_alloc(js_types_arena(types), (part->nvalues + 1) * sizeof *members);
    if (!type || !members) {
        return NULL;
    }
    for (size_t i = 0; i < part->nvalues; i++) {
        members[i] = part->values[i];
        members[i].name = js_build_text(types, js_span_of(part->values[i].name));
        if (!members[i].name) {
            return NULL;
        }
        type->align = members[i].type->align > type->align ? members[i].type->align : type->align;
    }
    type->shape = JS_SHAPE_STRUCT;
    type->kind = JS_KIND_STRUCT;
    type->size = part->size;
    type->members = members;
    type->nmembers = part->nvalues;
    return type;
}

static bool lies_within(const js_generator_part *part, uint64_t size)
{
    if (part->offset > size || part->size > size - part->offset) {
        return false;
    }
    for (size_t i = 0; i < part->nvalues; i++) {
        const js_member *value = &part->values[i];
        if (value->offset > part->size || value->type->size > part->size - value->offset) {
            return false;
        }
    }
    return true;
}

static int build_frame(js_types *types, const js_generator_frame *frame, js_type **out)
{
    enum { FRAME_MAX = 1 << 20 };
    const js_type *number;
    int status = frame->size > FRAME_MAX || frame->size < 4 || !lies_within(&frame->arguments, frame->size) ||
                         !lies_within(&frame->state, frame->size)
                     ? JS_EUNSUP
                     : js_types_get(types, "int32", NULL, &number);
    if (status) {
        return status;
    }
    js_type *whole = js_build_new(types, js_span_of("generator"));
    js_member *members = js_arena_alloc(js_types_arena(types), 3 * sizeof *members);
    js_generator_stop *stops = js_arena_alloc(js_types_arena(types), (frame->nstops + 1) * sizeof *stops);
    const js_type *arguments = structure(types, "arguments", &frame->arguments);
    const js_type *state = structure(types, "state", &frame->state);
    if (!whole || !members || !stops || !arguments || !state) {
        return JS_ENOMEM;
    }
    members[0] = (js_member){"resume_index", number, 0, JS_ROLE_RESUME};
    members[1] = (js_member){"args", arguments, frame->arguments.offset, JS_ROLE_ARGUMENTS};
    members[2] = (js_member){"state", state, frame->state.offset, JS_ROLE_STATE};
    for (size_t i = 0; i < frame->nstops; i++) {
        stops[i] = frame->stops[i];
        stops[i].kept = js_build_text(types, js_span_of(frame->stops[i].kept));
        if (!stops[i].kept) {
            return JS_ENOMEM;
        }
    }
    whole->shape = JS_SHAPE_STRUCT;
    whole->kind = JS_KIND_STRUCT;
    whole->size = frame->size;
    whole->align = 8;
    whole->members = members;
    whole->nmembers = 3;
    whole->stops = stops;
    whole->nstops = frame->nstops;
    *out = whole;
    return JS_OK;
}

static bool same_part(const js_type *type, const js_generator_part *part)
{
    bool is_same = type->size == part->size && type->nmembers == part->nvalues;
    for (size_t i = 0; is_same && i < part->nvalues; i++) {
        const js_member *ours = &type->members[i], *theirs = &part->values[i];
        is_same = strcmp(ours->name, theirs->name) == 0 && ours->offset == theirs->offset &&
                  strcmp(ours->type->name, theirs->type->name) ==
                      0; /* by name, because the type may have been built again */
    }
    return is_same;
}

static bool is_frame(const js_type *type, const js_generator_frame *frame)
{
    bool is_same = type->size == frame->size && type->nstops == frame->nstops &&
                   type->members[1].offset == frame->arguments.offset &&
                   type->members[2].offset == frame->state.offset &&
                   same_part(type->members[1].type, &frame->arguments) &&
                   same_part(type->members[2].type, &frame->state);
    for (size_t i = 0; is_same && i < frame->nstops; i++) {
        is_same = type->stops[i].index == frame->stops[i].index &&
                  type->stops[i].line == frame->stops[i].line &&
                  strcmp(type->stops[i].kept, frame->stops[i].kept) == 0;
    }
    return is_same;
}

static js_table_frame *frame_of(const js_types *types, js_span name)
{
    js_table_frame *f = types->frames;
    while (f && !js_span_is(name, f->name)) {
        f = f->next;
    }
    return f;
}

const js_type *js_types_frame(js_types *types, js_span name)
{
    const js_table_frame *f = frame_of(types, name);
    return f ? f->type : NULL;
}

int js_types_set_frame(js_types *types, const char *name, const js_generator_frame *contents)
{
    js_table_frame *f = frame_of(types, js_span_of(name));
    if (f) {
        if (f->type && !is_frame(f->type, contents)) {
            f->type = NULL;
            js_types_forget(types);
        }
        return JS_OK;
    }
    js_type *type;
    int status = build_frame(types, contents, &type);
    f = status ? NULL : js_arena_alloc(&types->arena, sizeof *f);
    if (!f || !(f->name = js_arena_strdup(&types->arena, name))) {
        return status ? status : JS_ENOMEM;
    }
    f->type = type;
    f->next = types->frames;
    types->frames = f;
    js_types_forget(types);
    return JS_OK;
}
