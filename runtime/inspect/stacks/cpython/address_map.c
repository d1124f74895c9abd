/* A hash table of addresses, with open addressing. */
#include "stacks/cpython/address_map.h"

#include <stdlib.h>

#include "bytes/status.h"

void js_address_map_deinit(js_address_map *map)
{
    free(map->keys);
    free(map->values);
    *map = (js_address_map){0};
}

/* Return the slot that has the address, or the free one for it; there always is a free one. */
static size_t slot_of(const js_address_map *map, uint64_t address)
{
    uint64_t hash = address * UINT64_C(0x9e3779b97f4a7c15);
    size_t slot = (size_t)(hash >> 20) & (map->capacity - 1);
    while (map->keys[slot] != 0 && map->keys[slot] != address) {
        slot = (slot + 1) & (map->capacity - 1);
    }
    return slot;
}

bool js_address_map_find(const js_address_map *map, uint64_t address, uint32_t *value)
{
    if (map->capacity == 0 || address == 0) {
        return false;
    }
    size_t slot = slot_of(map, address);
    if (map->keys[slot] == 0) {
        return false;
    }
    *value = map->values[slot];
    return true;
}

static int grow(js_address_map *map)
{
    js_address_map bigger = {.capacity = map->capacity ? map->capacity * 2 : 64};
    bigger.keys = calloc(bigger.capacity, sizeof *bigger.keys);
    bigger.values = calloc(bigger.capacity, sizeof *bigger.values);
    if (!bigger.keys || !bigger.values) {
        js_address_map_deinit(&bigger);
        return JS_ENOMEM;
    }
    for (size_t i = 0; i < map->capacity; i++) {
        if (map->keys[i] != 0) {
            size_t slot = slot_of(&bigger, map->keys[i]);
            bigger.keys[slot] = map->keys[i];
            bigger.values[slot] = map->values[i];
        }
    }
    free(map->keys);
    free(map->values);
    map->keys = bigger.keys;
    map->values = bigger.values;
    map->capacity = bigger.capacity;
    return JS_OK;
}

int js_address_map_add(js_address_map *map, uint64_t address, uint32_t value)
{
    if (address == 0) {
        return JS_EARG;
    }
    if (map->count * 2 >= map->capacity) {
        int status = grow(map);
        if (status < 0) {
            return status;
        }
    }
    size_t slot = slot_of(map, address);
    if (map->keys[slot] == address) {
        return 1;
    }
    map->keys[slot] = address;
    map->values[slot] = value;
    map->count++;
    return 0;
}
