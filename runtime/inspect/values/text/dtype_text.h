/* dtypes as NumPy writes them. Internal to values/. */
#ifndef JS_VALUES_TEXT_DTYPE_TEXT_H
#define JS_VALUES_TEXT_DTYPE_TEXT_H

#include "bytes/text.h"
#include "layouts/type.h"

/* As in NumPy's repr: float32, '<U5', [('a', '<i8')] */
void js_put_dtype(js_text *out, const js_type *type);
/* As a field's in a record's dtype: '<i8', '<M8[ns]' */
void js_put_format(js_text *out, const js_type *type);
/* As repr() of the dtype itself. */
void js_put_dtype_repr(js_text *out, const js_type *type);

#endif
