/* Walks the items of containers, which are found by the roles of their members, and reads no more than is
 * asked for. Internal to values/. */
#ifndef JS_VALUES_BASE_ITEMS_H
#define JS_VALUES_BASE_ITEMS_H

#include "values/base/rendering.h"

enum {
    JS_STORES = 4,           /* most stores of a value */
    JS_STORE_SIZE = 1 << 20, /* most bytes of one store */
};

/* A value, and the memory that its stores lead to, one store after the other. */
typedef struct js_stores {
    unsigned count;
    struct js_store {
        const js_type *type;
        const uint8_t *contents; /* its bytes, up to the first item */
        uint8_t *owned;          /* `contents` to be freed; NULL for the value itself */
        uint64_t address;        /* 0 for the value itself */
    } at[JS_STORES];
} js_stores;

/* Read the stores of a value. JS_EBAD, JS_EFAULT, or JS_ELIMIT (no more may be read): `why` gets a label. The
 * caller calls js_stores_deinit. */
int js_stores_init(js_stores *stores, js_render *render, const js_type *type, const uint8_t *contents,
                   js_text *why);
void js_stores_deinit(js_stores *stores);
/* Return the innermost member of this role, and in *store the store that has it; NULL: there is none. */
const js_member *js_stores_find(const js_stores *stores, js_role role, const struct js_store **store);
/* Read the integer of the member of this role. False: there is none. */
bool js_stores_number(const js_stores *stores, js_role role, int64_t *out);

/* A walk over the items of a container. */
typedef struct js_items {
    const js_type *type; /* the container's type */
    const js_type *item; /* type of an item, or of an entry of a hash table */
    uint64_t length;     /* number of items, as the container says */
    /* Address of the first place, bytes from a place to the next, number of places, index of the next one;
     * and the places that were read ahead. */
    uint64_t address, stride, slots, at;
    uint8_t *chunk;
    uint64_t chunk_at, chunk_count, chunk_room;
    uint64_t skipped;               /* bytes of empty places that were passed over */
    uint64_t bad_address, bad_size; /* what could not be read; bad_size 0: all could */
} js_items;

/* Begin a walk over the items of a JS_KIND_LIST, _SET or _DICT. Errors as in js_stores_init(). The caller
 * calls js_items_deinit. */
int js_items_init(js_items *items, js_render *render, const js_type *type, const uint8_t *contents,
                  js_text *why);
void js_items_deinit(js_items *items);
/* Give the next item's bytes, valid until the next call, and its address. `most`: how many more the caller
 * wants at most. JS_ENOTFOUND: there is no other item; JS_ELIMIT: no more may be read; JS_EFAULT: see
 * bad_address. */
int js_items_next(js_items *items, js_render *render, uint64_t most, const uint8_t **contents,
                  uint64_t *address);
/* Make the item of this index (from 0) of a list the next one. */
void js_items_seek(js_items *items, uint64_t index);
/* Pass over `count` items that were read ahead. */
void js_items_seek_on(js_items *items, uint64_t count);

/* Give a part of a value: the member itself, or what it refers to if its role is JS_ROLE_REFERENCE, which is
 * read into `buffer` of `room` bytes. *type is the part's type. NULL: *status is the error, JS_EFAULT or
 * JS_ELIMIT. */
const uint8_t *js_part_of(js_render *render, const js_member *member, const uint8_t *contents,
                          uint8_t *buffer, size_t room, const js_type **type, int *status);
#endif
