/* Writes numbers, truth values and times as Python and NumPy do. Internal to values/. */
#ifndef JS_VALUES_TEXT_SCALARS_H
#define JS_VALUES_TEXT_SCALARS_H

#include "values/base/rendering.h"

/* Write a time as str() does: 2020-01-01, 3 days. */
void js_render_time_str(js_render *render, const js_type *type, const uint8_t *contents);
/* Write a number, truth value or time as repr() does. */
void js_render_scalar(js_render *render, const js_type *type, const uint8_t *contents);
/* Write a float as Python's repr() does, 1.0, or in an array as NumPy does, 1. */
void js_put_float(js_text *out, const uint8_t *contents, uint64_t size, bool in_array);
/* Write a datetime64: "2020-01-01T05". False: its unit is not known. */
bool js_put_datetime(js_text *out, int64_t value, const char *unit);

#endif
