/* Addresses of the target → indices; open addressing. */
#ifndef JS_STACKS_CPYTHON_ADDRESS_MAP_H
#define JS_STACKS_CPYTHON_ADDRESS_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct js_address_map {
    uint64_t *keys; /* 0: free */
    uint32_t *values;
    size_t capacity; /* power of two, or 0 */
    size_t count;
} js_address_map;

void js_address_map_deinit(js_address_map *map);
bool js_address_map_find(const js_address_map *map, uint64_t address, uint32_t *value);
/* 1: was there already (value unchanged); 0: added; JS_ENOMEM; JS_EARG for address 0. */
int js_address_map_add(js_address_map *map, uint64_t address, uint32_t value);

#endif
