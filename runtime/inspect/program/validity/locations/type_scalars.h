/* The scalars that a type is made of. */
#ifndef JS_PROGRAM_VALIDITY_LOCATIONS_TYPE_SCALARS_H
#define JS_PROGRAM_VALIDITY_LOCATIONS_TYPE_SCALARS_H

#include "layouts/type.h"

enum { JS_TRUTH_LEAVES = 128 };

typedef struct js_leaf {
    uint64_t offset, size;
    bool is_float, is_bool;
    bool is_hidden; /* shown nowhere: a missing one hides nothing */
    /* What the type says of it: scale times nfactors leaves from first_factor on; scale 0: nothing. */
    uint64_t scale;
    size_t first_factor, nfactors;
    /* For an array that fills its memory: the number of items of this size in the allocation that the leaf
     * `memory` points to; 0: not so. */
    uint64_t memory_item;
    size_t memory;
} js_leaf;

/* JS_EUNSUP: a type whose scalars are not known. */
int js_leaves_read(const js_type *type, js_leaf *leaves, size_t capacity, size_t *count);

#endif
