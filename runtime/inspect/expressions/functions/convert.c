/* Computes numpy.float32(x) and the like. */
#include <string.h>

#include "expressions/core/common_type.h"
#include "expressions/core/dtypes.h"
#include "expressions/core/nested.h"
#include "expressions/functions/numpy.h"
#include "expressions/lazy/evaluation.h"
#include "expressions/operands/arguments.h"

int js_np_convert(js_evaluation *e, const js_numpy_function *f, const js_given *given, js_operand *out)
{
    js_number_type type;
    const js_lazy *array, *made;
    if (given->count != 1 || !js_dtype_find(f->name, strlen(f->name), &type)) {
        return js_fail(e, JS_EUNSUP, "TypeError: %s() takes 1 argument (%zu given)", f->name, given->count);
    }
    int status = js_lazy_of(e, given->arguments, &array);
    if (status == JS_OK && array->type == JS_NOT_A_NUMBER) {
        return js_wrong_argument(e, f->name, given->arguments);
    }
    status = status ? status : js_lazy_map(e, JS_CAST, type, JS_NOT_A_NUMBER, array, NULL, &made);
    return js_give_array(e, status, made, out);
}
