/* Searches js_flow.by_name. */
#include "program/source/definitions.h"

#include <string.h>

/* Return the index in flow->by_name of the first definition of the name at or after the line; or, if there is
 * none, of the definition that follows in this order. */
static size_t find(const js_flow *flow, const char *name, uint32_t line)
{
    size_t low = 0, high = flow->ndefs;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const js_flow_def *def = flow->by_name[middle];
        int names = strcmp(def->name, name);
        if (names < 0 || (names == 0 && def->line < line)) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

static bool is_of(const js_flow *flow, size_t place, const char *name)
{
    return place < flow->ndefs && strcmp(flow->by_name[place]->name, name) == 0;
}

size_t js_flow_count_defs(const js_flow *flow, const char *name)
{
    size_t first = find(flow, name, 0);
    return is_of(flow, first, name) ? find(flow, name, UINT32_MAX) - first : 0;
}

bool js_flow_is_def(const js_flow *flow, const char *name, uint32_t line)
{
    size_t place = find(flow, name, line);
    return is_of(flow, place, name) && flow->by_name[place]->line == line;
}

uint32_t js_flow_def_rank(const js_flow *flow, const js_flow_def *def)
{
    size_t first = find(flow, def->name, 0), place = find(flow, def->name, def->line);
    bool is_alone = !is_of(flow, place + 1, def->name) || flow->by_name[place + 1]->line != def->line;
    return is_alone ? (uint32_t)(place - first) : UINT32_MAX;
}
