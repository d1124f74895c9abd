/* Makes types of the layouts that the target registers, and checks them. */
#include "layouts/described.h"
#include "bytes/plain.h"

#include <stdio.h>

#include "layouts/build.h"

enum { NAMES_MAX = 1000 }; /* most layouts of one name */

/* The layouts whose types are being made, from the innermost: a layout that contains itself is refused. */
typedef struct making {
    const struct making *outer;
    uint64_t handle;
} making;

typedef struct maker {
    js_types *types;
    js_bytes *bytes;
    const js_descriptor *descriptor;
} maker;

static int make(const maker *m, uint64_t handle, const making *outer, const js_type **out);

/* ---- types of registered layouts ---- */

static bool is_scalar(const js_type *type)
{
    return type->shape == JS_SHAPE_INT || type->shape == JS_SHAPE_BOOL || type->shape == JS_SHAPE_FLOAT ||
           type->shape == JS_SHAPE_COMPLEX;
}

static bool is_integers(const js_type *type, unsigned count)
{
    if (type->shape == JS_SHAPE_ARRAY && type->target) {
        return type->target->shape == JS_SHAPE_INT && type->count >= count;
    }
    return type->shape == JS_SHAPE_INT && count == 1;
}

static js_role role_of(uint32_t role)
{
    static const js_role roles[] = {
        [JITSCOPE_ROLE_NONE] = JS_ROLE_NONE,         [JITSCOPE_ROLE_DATA] = JS_ROLE_DATA,
        [JITSCOPE_ROLE_SHAPE] = JS_ROLE_SHAPE,       [JITSCOPE_ROLE_STRIDES] = JS_ROLE_STRIDES,
        [JITSCOPE_ROLE_LENGTH] = JS_ROLE_LENGTH,     [JITSCOPE_ROLE_NITEMS] = JS_ROLE_NITEMS,
        [JITSCOPE_ROLE_ITEMSIZE] = JS_ROLE_ITEMSIZE, [JITSCOPE_ROLE_REFCOUNT] = JS_ROLE_REFCOUNT,
        [JITSCOPE_ROLE_OWNER] = JS_ROLE_PARENT,      [JITSCOPE_ROLE_VALID] = JS_ROLE_VALID,
        [JITSCOPE_ROLE_VALUE] = JS_ROLE_VALUE,       [JITSCOPE_ROLE_REAL] = JS_ROLE_REAL,
        [JITSCOPE_ROLE_IMAG] = JS_ROLE_IMAG,         [JITSCOPE_ROLE_ELEMENT] = JS_ROLE_ELEMENT,
    };
    return role < sizeof roles / sizeof *roles ? roles[role]
                                               : JS_ROLE_NONE; /* a newer version's role is no role here */
}

static bool is_width(uint64_t bytes, uint64_t least)
{
    return bytes >= least && (bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8);
}

/* True if the layout has what its kind requires, which readers of values rely on. */
static bool is_sound(const js_type *type)
{
    const js_member *data = js_type_member(type, JS_ROLE_DATA), *shape = js_type_member(type, JS_ROLE_SHAPE),
                    *length = js_type_member(type, JS_ROLE_LENGTH),
                    *strides = js_type_member(type, JS_ROLE_STRIDES),
                    *valid = js_type_member(type, JS_ROLE_VALID), *real = js_type_member(type, JS_ROLE_REAL),
                    *imag = js_type_member(type, JS_ROLE_IMAG);
    switch (type->kind) {
    case JS_KIND_INT:
    case JS_KIND_BOOL:
        return is_width(type->size, 1);
    case JS_KIND_FLOAT:
        return is_width(type->size, 2);
    case JS_KIND_COMPLEX:
        return is_width(type->size / 2, 4) && real && imag && real->offset == 0 &&
               imag->offset == type->size / 2 && real->type->shape == JS_SHAPE_FLOAT &&
               imag->type == real->type && real->type->size == type->size / 2;
    case JS_KIND_POINTER:
        return type->size == 8;
    case JS_KIND_OPTIONAL:
        return valid && valid->type->size == 1 && js_type_member(type, JS_ROLE_VALUE);
    case JS_KIND_ARRAY:
        if (type->dims) {
            return true;
        }
        return type->ndim && type->ndim <= JITSCOPE_DIMENSIONS_MAX && data && data->type->size == 8 &&
               (shape ? is_integers(shape->type, type->ndim)
                      : length && type->ndim == 1 && is_integers(length->type, 1)) &&
               (strides ? is_integers(strides->type, type->ndim) : type->order != 'A');
    default:
        return true;
    }
}

static void set_kind(js_type *type, uint32_t kind)
{
    static const struct {
        js_shape shape;
        js_kind kind;
    } kinds[] = {
        [JITSCOPE_OPAQUE] = {JS_SHAPE_OPAQUE, JS_KIND_OPAQUE},
        [JITSCOPE_INT] = {JS_SHAPE_INT, JS_KIND_INT},
        [JITSCOPE_BOOL] = {JS_SHAPE_BOOL, JS_KIND_BOOL},
        [JITSCOPE_FLOAT] = {JS_SHAPE_FLOAT, JS_KIND_FLOAT},
        [JITSCOPE_COMPLEX] = {JS_SHAPE_COMPLEX, JS_KIND_COMPLEX},
        [JITSCOPE_POINTER] = {JS_SHAPE_POINTER, JS_KIND_POINTER},
        [JITSCOPE_STRUCT] = {JS_SHAPE_STRUCT, JS_KIND_STRUCT},
        [JITSCOPE_TUPLE] = {JS_SHAPE_STRUCT, JS_KIND_TUPLE},
        [JITSCOPE_OPTIONAL] = {JS_SHAPE_STRUCT, JS_KIND_OPTIONAL},
        [JITSCOPE_ARRAY] = {JS_SHAPE_STRUCT, JS_KIND_ARRAY},
        [JITSCOPE_VECTOR] = {JS_SHAPE_ARRAY, JS_KIND_ARRAY},
    };
    kind = kind < sizeof kinds / sizeof *kinds ? kind
                                               : JITSCOPE_OPAQUE; /* a newer version's kind is opaque here */
    type->shape = kinds[kind].shape;
    type->kind = kinds[kind].kind;
}

static int set_vector(const maker *m, const jitscope_layout_record *head, js_type *type)
{
    uint64_t *dims = js_arena_alloc(js_types_arena(m->types), sizeof *dims), size;
    if (!dims) {
        return JS_ENOMEM;
    }
    if (__builtin_mul_overflow(head->count, type->target->size, &size) || size != type->size) {
        return JS_EBAD;
    }
    *dims = type->count = head->count;
    type->dims = dims;
    type->ndim = 1;
    type->order = 'C';
    return JS_OK;
}

static int set_members(const maker *m, const js_record *record, const jitscope_layout_record *head,
                       const making *outer, js_type *type)
{
    js_arena *arena = js_types_arena(m->types);
    size_t count = js_record_count(record, head->members);
    if (count != head->members.count) {
        return JS_EBAD;
    }
    if (count > JS_TYPE_MEMBERS) {
        return JS_ELIMIT;
    }
    js_member *members = js_arena_alloc(arena, (count + 1) * sizeof *members);
    if (!members) {
        return JS_ENOMEM;
    }
    for (size_t i = 0; i < count; i++) {
        jitscope_member_record member;
        js_record_entry(record, head->members, i, &member, sizeof member);
        int status = make(m, member.layout, outer, &members[i].type);
        if (status) {
            return status;
        }
        if (member.offset > type->size || members[i].type->size > type->size - member.offset) {
            return JS_EBAD;
        }
        const char *name = js_record_text(record, member.name);
        members[i].name = js_arena_strndup(arena, name, strnlen(name, JITSCOPE_TEXT_MAX));
        if (members[i].name && !js_plain_is(members[i].name)) {
            members[i].name = js_arena_plain(arena, members[i].name);
        }
        members[i].offset = member.offset;
        members[i].role = role_of(member.role);
        if (!members[i].name) {
            return JS_ENOMEM;
        }
    }
    type->members = members;
    type->nmembers = count;
    return JS_OK;
}

static int read_type(const maker *m, const js_record *record, const making *outer, js_type *type)
{
    jitscope_layout_record head;
    int status = js_record_head(record, &head, sizeof head);
    if (status) {
        return status;
    }
    set_kind(type, head.kind);
    type->size = head.bytes;
    type->align = head.align ? head.align : 1;
    type->is_signed = head.flags & JITSCOPE_SIGNED;
    type->is_readonly = head.flags & JITSCOPE_READONLY;
    if (type->size > JS_TYPE_SIZE) {
        return JS_ELIMIT;
    }
    if (head.element) {
        status = make(m, head.element, outer, &type->target);
        if (status) {
            return status;
        }
    }
    if (type->kind == JS_KIND_ARRAY && !type->target) {
        return JS_EBAD;
    }
    if (type->shape == JS_SHAPE_ARRAY) {
        return set_vector(m, &head, type);
    }
    if (type->kind == JS_KIND_ARRAY) {
        type->ndim = head.ndim;
        type->order = head.order == 'C' || head.order == 'F' ? (char)head.order : 'A';
    }
    status = set_members(m, record, &head, outer, type);
    return status ? status : is_sound(type) ? JS_OK : JS_EBAD;
}

/* ---- names of types ---- */

static bool same_member(const js_member *a, const js_member *b)
{
    return a->type == b->type && a->offset == b->offset && a->role == b->role && !strcmp(a->name, b->name);
}

static bool same(const js_type *a, const js_type *b)
{
    if (a->shape != b->shape || a->kind != b->kind || a->size != b->size) {
        return false;
    }
    if (is_scalar(a)) {
        return a->shape != JS_SHAPE_INT || a->is_signed == b->is_signed;
    }
    bool is_same = a->target == b->target && a->count == b->count && a->ndim == b->ndim &&
                   a->order == b->order && a->is_readonly == b->is_readonly && a->nmembers == b->nmembers;
    for (size_t i = 0; is_same && i < a->nmembers; i++) {
        is_same = same_member(&a->members[i], &b->members[i]);
    }
    return is_same;
}

/* Give the type a name that has no other meaning here, or find the equal type that has its name. */
static int name_type(js_types *types, const char *name, js_type *type, const js_type **out)
{
    char candidate[JITSCOPE_TEXT_MAX + 8];
    for (unsigned number = 1; number < NAMES_MAX; number++) {
        int length = (int)strnlen(name, JITSCOPE_TEXT_MAX - 1);
        if (number == 1) {
            snprintf(candidate, sizeof candidate, "%.*s", length, name);
        } else {
            snprintf(candidate, sizeof candidate, "%.*s#%u", length, name, number);
        }
        const js_type *known;
        int status = js_types_get_raw(types, candidate, NULL, &known);
        if (status) {
            return status;
        }
        if (same(known, type)) {
            *out = known;
            return JS_OK;
        }
        if (known->kind == JS_KIND_OPAQUE && known->shape == JS_SHAPE_OPAQUE && known->size == 0 &&
            !js_types_is_described(types, candidate)) {
            type->name = js_arena_plain(js_types_arena(types), candidate);
            *out = type;
            return type->name ? JS_OK : JS_ENOMEM;
        }
    }
    return JS_ELIMIT;
}

static int make(const maker *m, uint64_t handle, const making *outer, const js_type **out)
{
    unsigned depth = 0;
    *out = js_types_described(m->types, m->descriptor->address, handle);
    if (*out) {
        return JS_OK;
    }
    for (const making *enclosing = outer; enclosing; enclosing = enclosing->outer) {
        if (enclosing->handle == handle || ++depth >= JS_TYPE_DEPTH) {
            return enclosing->handle == handle ? JS_EBAD : JS_ELIMIT;
        }
    }
    js_record record;
    int status = js_record_init(&record, m->bytes, &m->descriptor->head.layouts, handle);
    if (status) {
        return status;
    }
    const making here = {outer, handle};
    js_type *type = js_arena_alloc(js_types_arena(m->types), sizeof *type);
    jitscope_layout_record head;
    status = type ? read_type(m, &record, &here, type) : JS_ENOMEM;
    if (!status) {
        status = js_record_head(&record, &head, sizeof head);
    }
    const char *name = status ? "" : js_record_text(&record, head.name);
    if (!status && !*name) {
        status = JS_EBAD;
    }
    if (!status) {
        status = name_type(m->types, name, type, out);
    }
    if (!status) {
        status = js_types_keep_described(m->types, m->descriptor->address, handle, *out);
    }
    js_record_deinit(&record);
    return status;
}

int js_described_type(js_types *types, js_bytes *bytes, const js_descriptor *descriptor, uint64_t handle,
                      const js_type **out)
{
    const maker m = {types, bytes, descriptor};
    return make(&m, handle, NULL, out);
}
