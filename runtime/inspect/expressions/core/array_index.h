/* Subscripts of arrays by integers, slices, None and Ellipsis, which give another view. */
#ifndef JS_EXPRESSIONS_CORE_ARRAY_INDEX_H
#define JS_EXPRESSIONS_CORE_ARRAY_INDEX_H

#include "expressions/operands/operand.h"
#include "values/base/path.h"

/* Convert the key of one axis. JS_ENOTFOUND: it is none of these. */
int js_index_item(js_evaluation *e, const js_operand *key, js_path_item *item);
/* Apply keys to an array. *has_arrays: a key is an array or a list of indices, which js_take() handles, and
 * `out` is not written. */
int js_index_array(js_evaluation *e, const js_lazy *array, const js_operand *keys, uint64_t count,
                   bool *has_arrays, js_operand *out);
/* Fail with NumPy's IndexError for a key that is no index. */
int js_not_an_index(js_evaluation *e);

#endif
