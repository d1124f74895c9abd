/* The scalars that a type is made of, which the analyses follow one by one. */
#ifndef JS_PROGRAM_VALIDITY_LOCATIONS_TYPE_SCALARS_H
#define JS_PROGRAM_VALIDITY_LOCATIONS_TYPE_SCALARS_H

#include "layouts/type.h"

enum { JS_TRUTH_LEAVES = 128 };

typedef struct js_leaf {
    uint64_t offset, size; /* bytes of the variable */
    bool is_float, is_bool;
    bool is_hidden; /* it is shown nowhere, so the variable can be shown without it */
    /* If scale is not 0, the leaf's value is scale times the product of nfactors leaves from first_factor on.
     */
    uint64_t scale;
    size_t first_factor, nfactors;
    /* If memory_item is not 0 and the array fills its memory, the leaf's value is the number of items of this
     * size in the allocation that the leaf `memory` points to. */
    uint64_t memory_item;
    size_t memory;
} js_leaf;

/* Fill `leaves` with the scalars of the type, in order of offsets; *count receives their number. JS_EUNSUP:
 * the scalars are not known; JS_ELIMIT: there are more than `capacity`; JS_EBAD: the type is malformed. */
int js_leaves_read(const js_type *type, js_leaf *leaves, size_t capacity, size_t *count);

#endif
