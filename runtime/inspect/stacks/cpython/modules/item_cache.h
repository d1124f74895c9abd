/* Remembers at which places of dicts names were found, so that the text of all keys is read once and not at
 * each reading of the process. A place is believed while the same objects are keys. */
#ifndef JS_STACKS_CPYTHON_MODULES_ITEM_CACHE_H
#define JS_STACKS_CPYTHON_MODULES_ITEM_CACHE_H

#include <stddef.h>
#include <stdint.h>

/* Where a name was looked for. */
typedef struct js_item_place {
    uint64_t data, slots; /* as in the dict's js_python_object */
    const char *name;     /* owned by the cache */
    uint64_t slot;        /* UINT64_MAX: no key has this name */
    uint64_t key;         /* address of the key; without one, the hash of the addresses of all keys */
} js_item_place;

/* The places; zeroed, it is empty. */
typedef struct js_item_cache {
    js_item_place *places;
    size_t count, capacity;
} js_item_cache;

void js_item_cache_deinit(js_item_cache *cache);
/* Find the place of a name in a dict; NULL: it is not known. */
const js_item_place *js_item_cache_find(const js_item_cache *cache, uint64_t data, uint64_t slots,
                                        const char *name);
/* Remember a place, in the stead of what is known of this name. Without memory it is not remembered. */
void js_item_cache_add(js_item_cache *cache, const js_item_place *place);
/* Add the address of a key to the hash of all keys, which begins with 0. */
uint64_t js_item_cache_hash(uint64_t hash, uint64_t key);

#endif
