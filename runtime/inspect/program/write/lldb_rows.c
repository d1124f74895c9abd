/* Rows for LLDB, which sets a breakpoint at the lowest address that a line has in each block, whether a
 * statement begins there or not. A row before the line's statement therefore has no line. */
#include <stdlib.h>

#include "program/model/lookup.h"
#include "program/write/write.h"

enum { LOOKS_MAX = 10000000 };

/* A line in a scope (js_function_inline_at), in which a statement of it has begun. */
typedef struct begun {
    uint32_t line, file, scope;
} begun;

static bool has_begun(const begun *found, size_t count, const begun *wanted)
{
    for (size_t i = count; i-- > 0;) {
        if (found[i].line == wanted->line && found[i].file == wanted->file &&
            found[i].scope == wanted->scope) {
            return true;
        }
    }
    return false;
}

int js_lldb_rows(const js_function *function, js_row *rows, size_t count)
{
    begun *found = calloc(count + 1, sizeof *found);
    size_t nfound = 0, nlooks = js_function_inline_lookup_cost(function);
    bool is_large = count > LOOKS_MAX / nlooks || count > LOOKS_MAX / (count + 1);
    if (!found) {
        return JS_ENOMEM;
    }
    for (size_t i = 0; i < count; i++) {
        if (is_large && !rows[i].is_stmt) {
            rows[i].line = 0;
        }
        if (is_large) {
            continue;
        }
        begun own = {rows[i].line, rows[i].file, js_function_inline_at(function, rows[i].address)};
        if (has_begun(found, nfound, &own)) {
            continue;
        }
        if (rows[i].is_stmt) {
            found[nfound++] = own;
        } else {
            rows[i].line = 0;
        }
    }
    free(found);
    return JS_OK;
}
