/* Writes the advice that depends on the function. */
#include "program/model/numba/advice.h"

#include <string.h>

static void put_steps(js_text *out, const char *module, const char *qualname)
{
    static const char within[] = ".<locals>";
    js_text_printf(out, "run the program with JITSCOPE_STEPS=%s%s", module, *module ? "." : "");
    for (const char *at = qualname, *end; *at; at = end) {
        const char *cut = strstr(at, within);
        end = cut ? cut + sizeof within - 1 : at + strlen(at);
        js_text_putn(out, at, cut ? (size_t)(cut - at) : (size_t)(end - at));
    }
}

void js_numba_advise_steps(js_text *out, js_chooser by, const char *module, const char *qualname,
                           js_asks asks)
{
    switch (by) {
    case JS_BY_DEFAULT: /* it is enough that a debugger is there when the function is compiled */
        js_text_put(out, "start the program under the debugger, or run it with JITSCOPE_LEVEL=steps");
        return;
    case JS_BY_FASTMATH:
        js_text_put(
            out, "fastmath flags, its own or those of a function that it calls, leave it as Numba makes it, "
                 "for level steps would change what it computes; to have steps all the same, ");
        break;
    default:
        break;
    }
    bool is_made_up = strncmp(module, "numba.", 6) == 0 || strstr(qualname, "<lambda>");
    if (asks == JS_ASKS_NOTHING || is_made_up) {
        js_text_put(out, "run the program with JITSCOPE_LEVEL=steps");
        return;
    }
    put_steps(out, module, qualname);
    if (asks == JS_ASKS_NAME) {
        return;
    }
    js_text_put(out, by == JS_BY_DECORATOR
                         ? ", or write @jitscope.steps above its @njit instead of @jitscope.exact"
                         : ", or write @jitscope.steps above its @njit");
}
