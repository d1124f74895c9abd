#include "program/numba/advice.h"

#include <string.h>

void js_numba_advise_steps(js_text *out, const char *module, const char *qualname)
{
    static const char within[] = ".<locals>";
    js_text_printf(out, "run the program with JITSCOPE_STEPS=%s%s", module, *module ? "." : "");
    for (const char *at = qualname, *end; *at; at = end) {
        const char *cut = strstr(at, within);
        end = cut ? cut + sizeof within - 1 : at + strlen(at);
        js_text_putn(out, at, cut ? (size_t)(cut - at) : (size_t)(end - at));
    }
    js_text_put(out, ", or write @jitscope.steps above its @njit");
}
