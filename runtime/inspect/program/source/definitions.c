/* Where the source assigns a name. */
#include "program/source/definitions.h"

#include <string.h>

size_t js_truth_count_defs(const js_flow *flow, const char *name)
{
    size_t count = 0;
    for (size_t i = 0; i < flow->ndefs; i++) {
        count += strcmp(flow->defs[i].name, name) == 0;
    }
    return count;
}

bool js_truth_is_def(const js_flow *flow, const char *name, uint32_t line)
{
    for (size_t i = 0; i < flow->ndefs; i++) {
        if (flow->defs[i].line == line && strcmp(flow->defs[i].name, name) == 0) {
            return true;
        }
    }
    return false;
}
