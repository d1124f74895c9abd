/* Gives the entry of a generator the line of its `def`. */
#include "program/validity/statements/rows.h"

/* A generator is entered by code that finds after which `yield` it goes on; the compiler gives this code the
 * line that it has compiled last. */
void js_rows_enter(js_function *function, const js_flow *flow)
{
    if (function->name.kind != JS_NAME_GENERATOR_NEXT || !flow) {
        return;
    }
    size_t first = 0, end, next;
    while (first < function->lines.nrows &&
           (!function->lines.rows[first].line || function->lines.rows[first].line == flow->first_line)) {
        first++;
    }
    uint32_t line = first < function->lines.nrows ? function->lines.rows[first].line : 0;
    for (end = first; end < function->lines.nrows &&
                      (!function->lines.rows[end].line || function->lines.rows[end].line == line);
         end++) {
    }
    for (next = end; next < function->lines.nrows && function->lines.rows[next].line != line; next++) {
    }
    for (size_t i = first; i < end && next < function->lines.nrows;
         i++) { /* only if the line has other rows, which are its own */
        if (function->lines.rows[i].line) {
            function->lines.rows[i].line = function->lines.all[i].line = flow->first_line;
        }
    }
}
