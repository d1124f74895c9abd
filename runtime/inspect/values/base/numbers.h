/* Numbers as their bytes have them. Internal to values/. */
#ifndef JS_VALUES_BASE_NUMBERS_H
#define JS_VALUES_BASE_NUMBERS_H

#include "layouts/type.h"

int64_t js_load_int(const uint8_t *contents, uint64_t size);
uint64_t js_load_uint(const uint8_t *contents, uint64_t size);
double js_load_half(uint32_t bits);
double js_load_float(const uint8_t *contents, uint64_t size);
long double js_load_long(const uint8_t *contents);
/* Elements of the other byte order, in place; records and arrays in them, too. */
void js_make_native(const js_type *type, uint8_t *contents, uint64_t count);

#endif
