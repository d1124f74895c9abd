#include "stacks/cpython/modules/item_cache.h"

#include <stdlib.h>
#include <string.h>

#include "bytes/vector.h"

enum { MAX_PLACES = 256 };

static void clear(js_item_cache *cache)
{
    for (size_t i = 0; i < cache->count; i++) {
        free((char *)cache->places[i].name); // NOLINT: the cache's own copy
    }
    cache->count = 0;
}

void js_item_cache_deinit(js_item_cache *cache)
{
    clear(cache);
    free(cache->places);
    *cache = (js_item_cache){0};
}

static js_item_place *place_of(const js_item_cache *cache, uint64_t data, uint64_t slots, const char *name)
{
    for (size_t i = 0; i < cache->count; i++) {
        js_item_place *place = &cache->places[i];
        if (place->data == data && place->slots == slots && strcmp(place->name, name) == 0) {
            return place;
        }
    }
    return NULL;
}

const js_item_place *js_item_cache_find(const js_item_cache *cache, uint64_t data, uint64_t slots,
                                        const char *name)
{
    return place_of(cache, data, slots, name);
}

void js_item_cache_add(js_item_cache *cache, const js_item_place *place)
{
    js_item_place *known = place_of(cache, place->data, place->slots, place->name);
    if (known) {
        known->slot = place->slot;
        known->key = place->key;
        return;
    }
    if (cache->count == MAX_PLACES) {
        clear(cache); /* most are of dicts that are gone */
    }
    js_item_place *grown =
        js_vector_reserve(cache->places, &cache->capacity, cache->count + 1, sizeof *grown);
    char *name = grown ? strdup(place->name) : NULL;
    cache->places = grown ? grown : cache->places;
    if (name) {
        grown[cache->count] = *place;
        grown[cache->count++].name = name;
    }
}

uint64_t js_item_cache_hash(uint64_t hash, uint64_t key)
{
    hash = (hash ^ key) * UINT64_C(0x9e3779b97f4a7c15);
    return hash ^ hash >> 29;
}
