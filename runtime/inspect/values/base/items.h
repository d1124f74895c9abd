/* What a container holds: found by roles, read no further than asked for. Internal to values/. */
#ifndef JS_VALUES_BASE_ITEMS_H
#define JS_VALUES_BASE_ITEMS_H

#include "values/base/rendering.h"

enum {
    JS_STORES = 4,           /* that lead from one to the next */
    JS_STORE_SIZE = 1 << 20, /* bytes of one of them */
};

/* A value and the memory that its stores lead to, one after the other. */
typedef struct js_stores {
    unsigned count;
    struct js_store {
        const js_type *type;
        const uint8_t *contents; /* up to the first item, which is not read */
        uint8_t *owned;
        uint64_t address; /* 0 of the value itself */
    } at[JS_STORES];
} js_stores;

/* JS_EBAD, JS_EFAULT, JS_ELIMIT (nothing more may be read): `why` receives a label. */
int js_stores_init(js_stores *stores, js_render *render, const js_type *type, const uint8_t *contents,
                   js_text *why);
void js_stores_deinit(js_stores *stores);
/* The innermost member of this role and which store has it, or NULL. */
const js_member *js_stores_find(const js_stores *stores, js_role role, const struct js_store **store);
/* Its whole number; false when there is none. */
bool js_stores_number(const js_stores *stores, js_role role, int64_t *out);

typedef struct js_items {
    const js_type *type; /* the container's type */
    const js_type *item; /* an item or an entry */
    uint64_t length;     /* as the container says */
    /* Where the next one is, and what was read ahead. */
    uint64_t address, stride, slots, at;
    uint8_t *chunk;
    uint64_t chunk_at, chunk_count, chunk_room;
    uint64_t skipped;               /* bytes of holes */
    uint64_t bad_address, bad_size; /* what could not be read; bad_size 0: all could */
} js_items;

/* Begins to go through the items of a JS_KIND_LIST, _SET or _DICT. */
int js_items_init(js_items *items, js_render *render, const js_type *type, const uint8_t *contents,
                  js_text *why);
void js_items_deinit(js_items *items);
/* The next one's bytes and address; `most` more are wanted at most. JS_ENOTFOUND: that was the last one.
 * JS_ELIMIT: no more may be read; JS_EFAULT: see bad_address. */
int js_items_next(js_items *items, js_render *render, uint64_t most, const uint8_t **contents,
                  uint64_t *address);
/* Makes this item of a list the next one. */
void js_items_seek(js_items *items, uint64_t index);
/* Passes over so many that were read ahead. */
void js_items_seek_on(js_items *items, uint64_t count);

/* A member that is only referred to: the part itself, or NULL with *status JS_EFAULT or JS_ELIMIT. */
const uint8_t *js_part_of(js_render *render, const js_member *member, const uint8_t *contents,
                          uint8_t *buffer, size_t room, const js_type **type, int *status);
#endif
