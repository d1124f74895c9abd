/* Exchanges the operands of comparisons. */
#include "expressions/numbers/operator.h"

js_operator js_operator_mirrored(js_operator op)
{
    static const js_operator others[] = {
        [JS_LT] = JS_GT, [JS_LE] = JS_GE, [JS_EQ] = JS_EQ, [JS_NE] = JS_NE, [JS_GE] = JS_LE, [JS_GT] = JS_LT};
    return others[op];
}
