/* Registers layouts, and finds them by name: jitscope_layout_register and jitscope_layout_unregister. */
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include "registration/descriptor.h"

/* A registered name. They are in the order of registration, and the newest of a name counts. */
typedef struct named {
    uint64_t handle;
    uint64_t hash;
} named;

static named *layout_names;
static size_t nlayouts, layouts_capacity;
static bool has_scalars;

static uint64_t hash_name(const char *name)
{
    uint64_t hash = 14695981039346656037U; /* FNV-1a */
    while (*name) {
        hash = (hash ^ (unsigned char)*name++) * 1099511628211U;
    }
    return hash;
}

static const char *name_of(uint64_t handle)
{
    const jitscope_layout_record *record = table_record(&__jitscope_descriptor.layouts, handle);
    return record ? (const char *)record + record->name : "";
}

int layout_find(const char *name, uint64_t *handle)
{
    *handle = 0;
    if (!name || !*name) {
        return JITSCOPE_OK;
    }
    uint64_t hash = hash_name(name);
    for (size_t i = nlayouts; i-- > 0;) {
        if (layout_names[i].hash == hash && !strcmp(name_of(layout_names[i].handle), name)) {
            *handle = layout_names[i].handle;
            return JITSCOPE_OK;
        }
    }
    return JITSCOPE_EARG;
}

static bool is_sound(const jitscope_layout *layout)
{
    bool has_element = layout->element && *layout->element;
    if (!layout->name || !*layout->name || layout->kind > JITSCOPE_VECTOR ||
        (layout->nmembers && (!layout->members || layout->member_size < 24))) {
        return false;
    }
    if (layout->kind == JITSCOPE_ARRAY) {
        return has_element && layout->nmembers && layout->ndim && layout->ndim <= JITSCOPE_DIMENSIONS_MAX;
    }
    return layout->kind != JITSCOPE_VECTOR || has_element;
}

static int put_members(block *b, const jitscope_layout *layout, jitscope_layout_record *record)
{
    record->members = block_list(b, layout->nmembers, sizeof(jitscope_member_record));
    for (uint32_t i = 0; i < record->members.count && !b->status; i++) {
        jitscope_member member;
        passed_entry(layout->members, i, layout->member_size, &member, sizeof member);
        jitscope_member_record out = {.offset = member.offset, .role = member.role};
        int status = layout_find(member.type, &out.layout);
        if (status || !out.layout || member.offset > layout->bytes) {
            return JITSCOPE_EARG;
        }
        out.name = block_text(b, member.name);
        if (!b->status) {
            memcpy(block_entry(b, record->members, i), &out, sizeof out);
        }
    }
    return b->status;
}

static int layout_build(block *b, const jitscope_layout *layout)
{
    jitscope_layout_record record = {.version = JITSCOPE_VERSION,
                                     .size = sizeof record,
                                     .kind = layout->kind,
                                     .bytes = layout->bytes,
                                     .count = layout->count,
                                     .align = layout->align ? layout->align : 1,
                                     .ndim = layout->ndim,
                                     .flags = layout->flags,
                                     .order = layout->order ? layout->order : 'A'};
    int status = layout_find(layout->element, &record.element);
    record.name = block_text(b, layout->name);
    if (!status) {
        status = put_members(b, layout, &record);
    }
    return status ? status : block_finish(b, &record, sizeof record);
}

static int layout_register(const jitscope_layout *layout, uint64_t *handle)
{
    if (nlayouts == layouts_capacity) {
        size_t capacity = 2 * layouts_capacity + 32;
        named *grown = realloc(layout_names, capacity * sizeof *grown);
        if (!grown) {
            return JITSCOPE_ENOMEM;
        }
        layout_names = grown;
        layouts_capacity = capacity;
    }
    block b;
    block_init(&b, sizeof(jitscope_layout_record));
    int status = layout_build(&b, layout);
    if (status) {
        block_deinit(&b);
        return status;
    }
    status = table_publish(&__jitscope_descriptor.layouts, b.data, b.size, handle);
    if (!status) {
        layout_names[nlayouts++] = (named){*handle, hash_name(layout->name)};
    }
    return status;
}

static int register_complex(const char *name, const char *part, uint64_t bytes)
{
    const jitscope_member members[] = {{"real", part, 0, JITSCOPE_ROLE_REAL, 0},
                                       {"imag", part, bytes / 2, JITSCOPE_ROLE_IMAG, 0}};
    jitscope_layout layout;
    uint64_t handle;
    jitscope_layout_init(&layout);
    layout.name = name;
    layout.kind = JITSCOPE_COMPLEX;
    layout.bytes = bytes;
    layout.align = (uint32_t)bytes / 2;
    layout.members = members;
    layout.nmembers = 2;
    return layout_register(&layout, &handle);
}

/* Register the scalars that every JIT has. */
static int register_scalars(void)
{
    static const struct {
        const char *name;
        uint32_t kind, flags, bytes;
    } scalars[] = {
        {"int8", JITSCOPE_INT, JITSCOPE_SIGNED, 1},
        {"int16", JITSCOPE_INT, JITSCOPE_SIGNED, 2},
        {"int32", JITSCOPE_INT, JITSCOPE_SIGNED, 4},
        {"int64", JITSCOPE_INT, JITSCOPE_SIGNED, 8},
        {"uint8", JITSCOPE_INT, 0, 1},
        {"uint16", JITSCOPE_INT, 0, 2},
        {"uint32", JITSCOPE_INT, 0, 4},
        {"uint64", JITSCOPE_INT, 0, 8},
        {"bool", JITSCOPE_BOOL, 0, 1},
        {"float32", JITSCOPE_FLOAT, 0, 4},
        {"float64", JITSCOPE_FLOAT, 0, 8},
        {"void*", JITSCOPE_POINTER, 0, 8},
    };
    int status = JITSCOPE_OK;
    for (size_t i = 0; !status && i < sizeof scalars / sizeof *scalars; i++) {
        jitscope_layout layout;
        uint64_t handle;
        jitscope_layout_init(&layout);
        layout.name = scalars[i].name;
        layout.kind = scalars[i].kind;
        layout.flags = scalars[i].flags;
        layout.bytes = layout.align = scalars[i].bytes;
        status = layout_register(&layout, &handle);
    }
    if (!status) {
        status = register_complex("complex64", "float32", 8);
    }
    return status ? status : register_complex("complex128", "float64", 16);
}

int layouts_ready(void)
{
    if (has_scalars) {
        return JITSCOPE_OK;
    }
    int status = register_scalars();
    has_scalars = !status;
    return status;
}

int jitscope_layout_register(const jitscope_layout *passed, uint64_t *handle)
{
    jitscope_layout layout;
    if (!handle ||
        !passed_structure(passed, offsetof(jitscope_layout, member_size) + 4, &layout, sizeof layout) ||
        !is_sound(&layout)) {
        return JITSCOPE_EARG;
    }
    tables_lock();
    int status = layouts_ready();
    if (!status) {
        status = layout_register(&layout, handle);
    }
    tables_unlock();
    return status;
}

int jitscope_layout_unregister(uint64_t handle)
{
    tables_lock();
    int status = table_withdraw(&__jitscope_descriptor.layouts, handle);
    for (size_t i = 0; !status && i < nlayouts; i++) {
        if (layout_names[i].handle == handle) {
            memmove(&layout_names[i], &layout_names[i + 1], (--nlayouts - i) * sizeof *layout_names);
            break;
        }
    }
    tables_unlock();
    return status;
}
