/* Walks through a type to its scalars, and relates the members of an array. */
#include "program/validity/locations/type_scalars.h"

enum { LEAVES_DEPTH = 16, ARRAY_MEMBERS = 8 };

typedef struct walk {
    js_leaf *leaves;
    size_t capacity, count;
} walk;

static int add_leaf(walk *out, const js_leaf *leaf)
{
    if (out->count == out->capacity) {
        return JS_ELIMIT;
    }
    out->leaves[out->count++] = *leaf;
    return JS_OK;
}

static int add_type(walk *out, const js_type *type, uint64_t offset, unsigned depth);

/* Return the size in bytes of one element, where the name of the type fixes it; 0: unknown. */
static uint64_t element_size(const js_type *type)
{
    const js_type *element = type->kind == JS_KIND_ARRAY ? type->target : NULL;
    if (!element) {
        return 0;
    }
    switch (element->kind) {
    case JS_KIND_BOOL:
    case JS_KIND_INT:
    case JS_KIND_FLOAT:
    case JS_KIND_COMPLEX:
    case JS_KIND_DATETIME:
    case JS_KIND_TIMEDELTA:
        return element->size;
    default:
        return 0;
    }
}

/* Relate the members of an array's structure (numba/np/arrayobj.py and NumPy): nitems is the product of the
 * shape, and with one axis either gives the other; the stride of a contiguous array is the product of the
 * inner axes, where an empty axis counts as one. */
static void relate_array(walk *out, const js_type *type, const size_t *firsts)
{
    uint64_t item = element_size(type);
    size_t shape = out->count, memory = out->count, nitems = out->count, ndim = type->ndim;
    for (size_t i = 0; i < type->nmembers; i++) {
        shape = type->members[i].role == JS_ROLE_SHAPE ? firsts[i] : shape;
        memory = type->members[i].role == JS_ROLE_MEMINFO ? firsts[i] : memory;
        nitems = type->members[i].role == JS_ROLE_NITEMS ? firsts[i] : nitems;
    }
    for (size_t i = 0; i < type->nmembers; i++) {
        js_leaf *leaf = &out->leaves[firsts[i]];
        switch (type->members[i].role) {
        case JS_ROLE_MEMINFO:
        case JS_ROLE_PARENT:
            leaf->is_hidden = true;
            break;
        case JS_ROLE_ITEMSIZE:
            leaf->scale = item;
            break;
        case JS_ROLE_NITEMS:
            leaf->scale = ndim > 0 && shape + ndim <= out->count;
            leaf->first_factor = shape;
            leaf->nfactors = ndim;
            leaf->memory_item = memory < out->count ? item : 0;
            leaf->memory = memory;
            break;
        case JS_ROLE_SHAPE:
            leaf->scale = ndim == 1 && nitems < out->count;
            leaf->first_factor = nitems;
            leaf->nfactors = 1;
            leaf->memory_item = ndim == 1 && memory < out->count ? item : 0;
            leaf->memory = memory;
            break;
        case JS_ROLE_STRIDES:
            /* strides follow from the shape, except on axes of one item or none, where they may be any number
             */
            for (size_t k = 0; k < ndim && firsts[i] + k < out->count; k++) {
                leaf[k].is_hidden = type->order == 'C' || type->order == 'F';
            }
            break;
        default:
            break;
        }
    }
}

static int add_members(walk *out, const js_type *type, uint64_t offset, unsigned depth)
{
    size_t firsts[ARRAY_MEMBERS];
    for (size_t i = 0; i < type->nmembers; i++) {
        const js_member *member = &type->members[i];
        if (member->offset > type->size || member->type->size > type->size - member->offset) {
            return JS_EBAD;
        }
        if (i < ARRAY_MEMBERS) {
            firsts[i] = out->count;
        }
        int status = add_type(out, member->type, offset + member->offset, depth + 1);
        if (status != JS_OK) {
            return status;
        }
    }
    for (size_t i = 0; type->kind == JS_KIND_STR && i < type->nmembers && i < ARRAY_MEMBERS; i++) {
        out->leaves[firsts[i]].is_hidden |= type->members[i].role == JS_ROLE_MEMINFO;
    }
    if (type->kind == JS_KIND_ARRAY && type->nmembers <= ARRAY_MEMBERS && type->nmembers > 0 &&
        firsts[type->nmembers - 1] < out->count) {
        relate_array(out, type, firsts);
    }
    return JS_OK;
}

static int add_type(walk *out, const js_type *type, uint64_t offset, unsigned depth)
{
    js_leaf leaf = {.offset = offset, .size = type->size};
    if (depth > LEAVES_DEPTH) {
        return JS_ELIMIT;
    }
    switch (type->shape) {
    case JS_SHAPE_VOID:
        return JS_OK;
    case JS_SHAPE_BOOL:
        leaf.is_bool = true;
        break;
    case JS_SHAPE_FLOAT:
        leaf.is_float = true;
        break;
    case JS_SHAPE_COMPLEX:
        leaf.is_float = true;
        leaf.size = type->size / 2;
        if (add_leaf(out, &leaf) != JS_OK) {
            return JS_ELIMIT;
        }
        leaf.offset += leaf.size;
        break;
    case JS_SHAPE_STRUCT:
        return add_members(out, type, offset, depth);
    case JS_SHAPE_ARRAY:
        if (!type->target || type->count > out->capacity) {
            return JS_EUNSUP;
        }
        for (uint64_t i = 0; i < type->count; i++) {
            int status = add_type(out, type->target, offset + i * type->target->size, depth + 1);
            if (status != JS_OK) {
                return status;
            }
        }
        return JS_OK;
    case JS_SHAPE_VARIANT:
        return JS_EUNSUP;
    case JS_SHAPE_INT:
    case JS_SHAPE_POINTER:
    case JS_SHAPE_OPAQUE:
        break;
    }
    if (leaf.size == 0 || leaf.size > 8 || (leaf.size & (leaf.size - 1))) {
        return leaf.size == 0 ? JS_OK : JS_EUNSUP;
    }
    return add_leaf(out, &leaf);
}

int js_leaves_read(const js_type *type, js_leaf *leaves, size_t capacity, size_t *count)
{
    walk out = {leaves, capacity, 0};
    int status = type->kind == JS_KIND_CHARSEQ || type->kind == JS_KIND_RECORD ? JS_EUNSUP
                                                                               : add_type(&out, type, 0, 0);
    *count = out.count;
    return status;
}
