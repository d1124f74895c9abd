/* Numbers, truth values and times as Python and NumPy write them. Internal to values/. */
#ifndef JS_VALUES_TEXT_SCALARS_H
#define JS_VALUES_TEXT_SCALARS_H

#include "values/base/rendering.h"

/* As str() does: 2020-01-01, 3 days */
void js_render_time_str(js_render *render, const js_type *type, const uint8_t *contents);
void js_render_scalar(js_render *render, const js_type *type, const uint8_t *contents);
/* As repr() of the Python, or of the NumPy scalar: 1.0, or in an array 1. */
void js_put_float(js_text *out, const uint8_t *contents, uint64_t size, bool in_array);
/* "2020-01-01T05"; false when the unit is not known. */
bool js_put_datetime(js_text *out, int64_t value, const char *unit);

#endif
