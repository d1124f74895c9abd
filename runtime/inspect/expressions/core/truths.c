/* Finds the elements that are not 0. */
#include "expressions/core/truths.h"

int js_truths_of(js_evaluation *e, const js_lazy *array, const js_lazy **out)
{
    const js_lazy *zero;
    js_number none = {.type = array->type};
    int status = js_lazy_number(e, &none, &zero);
    return status ? status : js_lazy_map(e, JS_NE, JS_BOOL, array->type, array, zero, out);
}
