/* Loads numbers from their bytes. Internal to values/. */
#ifndef JS_VALUES_BASE_NUMBERS_H
#define JS_VALUES_BASE_NUMBERS_H

#include "layouts/type.h"

/* Return the number that `size` little-endian bytes hold: signed, unsigned, a half float by its bits, a float
 * of 2, 4, 8 or 16 bytes, an x87 float. */
int64_t js_load_int(const uint8_t *contents, uint64_t size);
uint64_t js_load_uint(const uint8_t *contents, uint64_t size);
double js_load_half(uint32_t bits);
double js_load_float(const uint8_t *contents, uint64_t size);
long double js_load_long(const uint8_t *contents);
/* Swap the bytes of `count` elements that have the other byte order, in place, and of the members of records
 * and arrays in them. */
void js_make_native(const js_type *type, uint8_t *contents, uint64_t count);

#endif
