/* Finds the line of an address where code of other functions was inlined. */
#include "program/validity/locations/address_line.h"

#include "program/model/lookup.h"

enum { TRUTH_INLINES = 1024 };

/* Return the line of the call whose inlined code has pc; 0: the code is not inlined. */
static uint32_t calling_line(const js_function *function, uint64_t pc)
{
    for (size_t i = 0; i < function->ninlines && i < TRUTH_INLINES; i++) {
        const js_inline *item = &function->inlines[i];
        if (item->parent == 0 && item->call_file == function->file && js_inline_holds(item, pc)) {
            return item->call_line;
        }
    }
    return 0;
}

uint32_t js_truth_line(const js_function *function, uint64_t pc)
{
    uint32_t call = function->ninlines ? calling_line(function, pc) : 0;
    if (call) {
        return call;
    }
    size_t lo = 0, hi = function->lines.nrows;
    while (lo < hi) {
        size_t middle = lo + (hi - lo) / 2;
        if (function->lines.rows[middle].address <= pc) {
            lo = middle + 1;
        } else {
            hi = middle;
        }
    }
    while (lo > 0 && function->lines.rows[lo - 1].line == 0) {
        lo--;
    }
    return lo > 0 ? function->lines.rows[lo - 1].line : 0;
}
