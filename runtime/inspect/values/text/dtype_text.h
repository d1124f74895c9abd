/* Writes dtypes as NumPy does. Internal to values/. */
#ifndef JS_VALUES_TEXT_DTYPE_TEXT_H
#define JS_VALUES_TEXT_DTYPE_TEXT_H

#include "bytes/text.h"
#include "layouts/type.h"

/* Write a dtype as in the repr of an array: float32, '<U5', [('a', '<i8')]. */
void js_put_dtype(js_text *out, const js_type *type);
/* Write a dtype as that of a field of a record: '<i8', '<M8[ns]'. */
void js_put_format(js_text *out, const js_type *type);
/* Write a dtype as its own repr() does. */
void js_put_dtype_repr(js_text *out, const js_type *type);

#endif
