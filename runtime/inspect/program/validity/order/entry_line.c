/* Finds the line at which a function is entered. */
#include "program/validity/order/order.h"

/* Before the first statement nothing is assigned. */
uint32_t js_order_entry(const js_truth *truth)
{
    uint32_t first = truth->function->region.line;
    for (size_t i = 0; !truth->function->region.parent && i < truth->flow->nats; i++) {
        uint32_t line = truth->flow->ats[i].line;
        first = line > truth->flow->first_line && (first == 0 || line < first) ? line : first;
    }
    return first;
}
