/* Counts distinct elements, in a hash table that stops growing at JS_DISTINCT. */
#include <stdlib.h>

#include "array_reports/statistics.h"

enum { SLOTS = 1 << 18 };

struct js_distinct {
    uint32_t slots[SLOTS]; /* index into keys, plus 1; 0: free */
    uint64_t keys[JS_DISTINCT + 1][2];
    uint32_t count;
};

int js_distinct_create(js_distinct **out)
{
    *out = calloc(1, sizeof **out);
    return *out ? JS_OK : JS_ENOMEM;
}

void js_distinct_destroy(js_distinct *set)
{
    free(set);
}

uint64_t js_distinct_count(const js_distinct *set)
{
    return set->count;
}

static uint64_t mix(uint64_t a, uint64_t b)
{
    uint64_t hash = (a ^ (b * 0x9e3779b97f4a7c15U)) * 0xff51afd7ed558ccdU;
    return hash ^ (hash >> 33);
}

bool js_distinct_add(js_distinct *set, const uint64_t *keys, uint64_t count, unsigned words)
{
    uint64_t last[2] = {0, 0};
    bool has_last = false;
    for (uint64_t i = 0; i < count && set->count <= JS_DISTINCT; i++) {
        uint64_t a = keys[i * words], b = words > 1 ? keys[i * words + 1] : 0;
        if (has_last && a == last[0] && b == last[1]) {
            continue;
        }
        has_last = true;
        last[0] = a;
        last[1] = b;
        uint64_t slot = mix(a, b) % SLOTS;
        while (set->slots[slot] &&
               (set->keys[set->slots[slot] - 1][0] != a || set->keys[set->slots[slot] - 1][1] != b)) {
            slot = (slot + 1) % SLOTS;
        }
        if (!set->slots[slot]) {
            set->keys[set->count][0] = a;
            set->keys[set->count][1] = b;
            set->slots[slot] = ++set->count;
        }
    }
    return set->count <= JS_DISTINCT;
}
