/* Writes the DIEs of types, each once in a unit. */
#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

#include "bytes/vector.h"
#include "program/write/write.h"

enum { DEPTH_MAX = 32, MEMBERS_MAX = 4096 };

struct js_writer_type {
    const js_type *type;
    uint32_t offset;
    uint32_t variable; /* the constant type, which a variable has for LLDB; 0: it is not written */
};

void js_write_types_reset(js_writer *writer, size_t unit)
{
    writer->ntypes = 0;
    writer->unit = unit;
    memset(writer->bytes, 0, sizeof writer->bytes);
}

static struct js_writer_type *type_lookup(js_writer *writer, const js_type *type)
{
    for (size_t i = 0; i < writer->ntypes; i++) {
        if (writer->types[i].type == type) {
            return &writer->types[i];
        }
    }
    return NULL;
}

static int type_remember(js_writer *writer, const js_type *type, uint32_t offset)
{
    struct js_writer_type *grown =
        js_vector_reserve(writer->types, &writer->types_capacity, writer->ntypes + 1, sizeof *grown);
    if (!grown) {
        return JS_ENOMEM;
    }
    writer->types = grown;
    writer->types[writer->ntypes++] = (struct js_writer_type){type, offset, 0};
    return JS_OK;
}

static uint32_t here(const js_writer *writer)
{
    return (uint32_t)(writer->info.size - writer->unit);
}

static void put_base(js_writer *writer, const char *name, unsigned encoding, uint64_t size)
{
    js_output_uleb(&writer->info, ABBREV_BASE);
    js_output_string(&writer->info, name);
    js_output_uint(&writer->info, encoding, 1);
    js_output_uleb(&writer->info, size);
}

static uint32_t put_array(js_writer *writer, uint32_t element, uint64_t count)
{
    uint32_t offset = here(writer);
    js_output_uleb(&writer->info, ABBREV_ARRAY);
    js_output_uint(&writer->info, element, 4);
    js_output_uleb(&writer->info, ABBREV_SUBRANGE);
    js_output_uleb(&writer->info, count);
    js_output_uleb(&writer->info, 0);
    return offset;
}

static uint32_t put_typedef(js_writer *writer, const char *name, uint32_t target)
{
    uint32_t offset = here(writer);
    js_output_uleb(&writer->info, ABBREV_TYPEDEF);
    js_output_string(&writer->info, name);
    js_output_uint(&writer->info, target, 4);
    return offset;
}

/* Write a base type. LLDB has names of its own for base types, but keeps that of a typedef. */
static uint32_t put_named(js_writer *writer, const js_type *type, uint8_t encoding)
{
    uint32_t offset = here(writer);
    put_base(writer, type->name, encoding, type->size);
    return writer->is_for_lldb ? put_typedef(writer, type->name, offset) : offset;
}

static uint32_t put_pointer(js_writer *writer, uint32_t target)
{
    uint32_t offset = here(writer);
    js_output_uleb(&writer->info, target ? ABBREV_POINTER : ABBREV_POINTER_VOID);
    if (target) {
        js_output_uint(&writer->info, target, 4);
    }
    return offset;
}

bool js_write_hides(const js_type *type, const js_member *member)
{
    return (type->kind == JS_KIND_ARRAY || type->kind == JS_KIND_STR) &&
           (member->role == JS_ROLE_MEMINFO || member->role == JS_ROLE_PARENT);
}

static int write_type(js_writer *writer, const js_type *type, unsigned depth, uint32_t *out);

/* Write the types of a type's members. *out receives the DIE offsets of *count of them; the caller frees it.
 */
static int write_members(js_writer *writer, const js_type *type, unsigned depth, size_t *count,
                         uint32_t **out)
{
    *count = type->nmembers < MEMBERS_MAX ? type->nmembers : MEMBERS_MAX;
    uint32_t *members = calloc(*count + 1, sizeof *members);
    if (!members) {
        return JS_ENOMEM;
    }
    for (size_t i = 0; i < *count; i++) {
        int status = write_type(writer, type->members[i].type, depth + 1, &members[i]);
        if (status) {
            free(members);
            return status;
        }
    }
    *out = members;
    return JS_OK;
}

static int write_struct(js_writer *writer, const js_type *type, unsigned depth, uint32_t *out)
{
    size_t count;
    uint32_t *members;
    int status = write_members(writer, type, depth, &count, &members);
    if (status) {
        return status;
    }
    *out = here(writer);
    js_output_uleb(&writer->info, count ? ABBREV_STRUCT : ABBREV_STRUCT_EMPTY);
    js_output_string(&writer->info, type->name);
    js_output_uleb(&writer->info, type->size);
    for (size_t i = 0; i < count; i++) {
        if (writer->is_for_lldb && js_write_hides(type, &type->members[i])) {
            continue;
        }
        js_output_uleb(&writer->info, ABBREV_MEMBER);
        js_output_string(&writer->info, type->members[i].name ? type->members[i].name : "");
        js_output_uint(&writer->info, members[i], 4);
        js_output_uleb(&writer->info, type->members[i].offset);
    }
    if (count) {
        js_output_uleb(&writer->info, 0);
    }
    free(members);
    *out = put_typedef(writer, type->name, *out); /* so that `whatis` writes the name without "struct" */
    return JS_OK;
}

/* Write a type of several types over time: GDB shows the member that the tag selects. */
static int write_variant(js_writer *writer, const js_type *type, unsigned depth, uint32_t *out)
{
    js_output *info = &writer->info;
    size_t count;
    uint32_t *members;
    int status = write_members(writer, type, depth, &count, &members);
    if (status) {
        return status;
    }
    uint32_t number = here(writer);
    put_base(writer, "tag", DW_ATE_unsigned, type->tag_size);
    *out = here(writer);
    js_output_uleb(info, ABBREV_STRUCT);
    js_output_string(info, type->name);
    js_output_uleb(info, type->size);
    js_output_uleb(info, ABBREV_VARIANT_PART);
    size_t discriminator = info->size;
    js_output_uint(info, 0, 4);
    js_output_patch(info, discriminator, here(writer), 4);
    js_output_uleb(info, ABBREV_TAG);
    js_output_uint(info, number, 4);
    js_output_uleb(info, type->tag_offset);
    for (size_t i = 0; i < count; i++) {
        js_output_uleb(info, ABBREV_VARIANT);
        js_output_uleb(info, type->tags[i]);
        js_output_uleb(info, ABBREV_MEMBER);
        js_output_string(info, type->members[i].name);
        js_output_uint(info, members[i], 4);
        js_output_uleb(info, type->members[i].offset);
        js_output_uleb(info, 0);
    }
    js_output_uleb(info, 0);
    js_output_uleb(info, 0);
    free(members);
    return JS_OK;
}

static bool ends_with_star(const char *name)
{
    size_t length = strlen(name);
    return length && name[length - 1] == '*';
}

static int write_type(js_writer *writer, const js_type *type, unsigned depth, uint32_t *out)
{
    const struct js_writer_type *known = type_lookup(writer, type);
    uint32_t target = 0;
    int status = JS_OK;
    if (known) {
        *out = known->offset;
        return JS_OK;
    }
    if (depth > DEPTH_MAX) {
        return JS_ELIMIT;
    }
    js_shape shape = type->shape;
    /* GDB has no base type of these sizes, so it shows the bytes */
    if (shape == JS_SHAPE_FLOAT && type->size != 2 && type->size != 4 && type->size != 8) {
        shape = JS_SHAPE_OPAQUE;
    }
    if ((shape == JS_SHAPE_INT || shape == JS_SHAPE_BOOL) && (type->size == 0 || type->size > 16)) {
        shape = JS_SHAPE_OPAQUE;
    }
    switch (shape) {
    case JS_SHAPE_INT:
        *out = put_named(writer, type, type->is_signed ? DW_ATE_signed : DW_ATE_unsigned);
        break;
    case JS_SHAPE_BOOL:
        *out = put_named(writer, type, DW_ATE_boolean);
        break;
    case JS_SHAPE_FLOAT:
        *out = put_named(writer, type, DW_ATE_float);
        break;
    case JS_SHAPE_COMPLEX:
        *out = put_named(writer, type, DW_ATE_complex_float);
        break;
    case JS_SHAPE_POINTER:
        /* a pointer to itself, or one that is too deep, is written without a target */
        if (type->target && depth < DEPTH_MAX / 2 && type->target != type) {
            status = write_type(writer, type->target, depth + 1, &target);
        }
        if (status) {
            return status;
        }
        *out = put_pointer(writer, target);
        /* the type of a variable that points to a record has the record's name */
        if ((type->kind != JS_KIND_POINTER && !ends_with_star(type->name)) ||
            (type->target && type->target->kind == JS_KIND_RECORD &&
             !strcmp(type->name, type->target->name))) {
            *out = put_typedef(writer, type->name, *out);
        }
        break;
    case JS_SHAPE_ARRAY:
        status = type->target ? write_type(writer, type->target, depth + 1, &target) : JS_EBAD;
        if (status) {
            return status;
        }
        *out = put_typedef(writer, type->name, put_array(writer, target, type->count));
        break;
    case JS_SHAPE_STRUCT:
        /* debuggers find the types of its contents by their names, so these types are written, too */
        if (type->target && depth < DEPTH_MAX / 2 && type->target != type) {
            status = write_type(writer, type->target, depth + 1, &target);
        }
        if (status == JS_OK) {
            status = write_struct(writer, type, depth, out);
        }
        break;
    case JS_SHAPE_VARIANT:
        status = write_variant(writer, type, depth, out);
        break;
    case JS_SHAPE_VOID:
    case JS_SHAPE_OPAQUE:
    default:
        *out = here(writer);
        js_output_uleb(&writer->info, ABBREV_STRUCT_EMPTY);
        js_output_string(&writer->info, type->name);
        js_output_uleb(&writer->info, type->size);
        *out = put_typedef(writer, type->name, *out);
    }
    return status ? status : type_remember(writer, type, *out);
}

int js_write_type(js_writer *writer, const js_type *type, uint32_t *out)
{
    return write_type(writer, type, 0, out);
}

int js_write_variable_type(js_writer *writer, const js_type *type, uint32_t *out)
{
    int status = js_write_type(writer, type, out);
    struct js_writer_type *known = status ? NULL : type_lookup(writer, type);
    if (!known || !writer->is_for_lldb) {
        return status;
    }
    if (!known->variable) {
        known->variable = here(writer);
        js_output_uleb(&writer->info, ABBREV_CONST);
        js_output_uint(&writer->info, *out, 4);
        if (!ends_with_star(type->name)) { /* LLDB would write "const" before the name */
            known->variable = put_typedef(writer, type->name, known->variable);
        }
    }
    *out = known->variable;
    return JS_OK;
}

void js_write_float64(js_writer *writer)
{
    writer->float64 = here(writer);
    put_base(writer, "float64", DW_ATE_float, 8);
}

void js_write_bytes(js_writer *writer, uint64_t size)
{
    size = size < JS_WRITE_BYTES_MAX ? size : JS_WRITE_BYTES_MAX;
    if (!size || writer->bytes[size]) {
        return;
    }
    writer->bytes[size] = here(writer);
    js_output_uleb(&writer->info, ABBREV_BYTES);
    js_output_uint(&writer->info, DW_ATE_unsigned, 1);
    js_output_uleb(&writer->info, size);
}

uint32_t js_write_bytes_type(const js_writer *writer, uint64_t size)
{
    return size <= JS_WRITE_BYTES_MAX ? writer->bytes[size] : 0;
}
