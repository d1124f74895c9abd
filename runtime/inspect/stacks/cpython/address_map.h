/* Maps addresses of the target to indices: a hash table with open addressing. */
#ifndef JS_STACKS_CPYTHON_ADDRESS_MAP_H
#define JS_STACKS_CPYTHON_ADDRESS_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A map; zeroed, it is empty. */
typedef struct js_address_map {
    uint64_t *keys; /* 0: free */
    uint32_t *values;
    size_t capacity; /* power of two, or 0 */
    size_t count;
} js_address_map;

/* Free the map, which is then empty. */
void js_address_map_deinit(js_address_map *map);
/* Find the index of an address. False: it has none. */
bool js_address_map_find(const js_address_map *map, uint64_t address, uint32_t *value);
/* Add an address with its index. Returns 0; 1: it was there already, and its index is unchanged; JS_ENOMEM;
 * JS_EARG for address 0. */
int js_address_map_add(js_address_map *map, uint64_t address, uint32_t value);

#endif
