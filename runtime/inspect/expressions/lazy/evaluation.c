/* Reports the errors of an evaluation, and ends it when the user asks for that. */
#include "expressions/lazy/evaluation.h"

#include <stdarg.h>
#include <stdio.h>

int js_fail(js_evaluation *e, int status, const char *format, ...)
{
    char line[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    if (!e->why->length) {
        js_text_put(e->why, line);
    }
    return status;
}

int js_fail_count(js_evaluation *e, const char *name, size_t least, size_t most, size_t count)
{
    if (count > most) { /* Python and NumPy have forms with more arguments, which are not known here */
        return js_fail(e, JS_EUNSUP, "TypeError: %s() of %zu arguments is not known here", name, count);
    }
    return js_fail(e, JS_EUNSUP, "TypeError: %s() takes %zu argument%s (%zu given)", name, least,
                   least == 1 ? "" : "s", count);
}

int js_no_memory(js_evaluation *e)
{
    return js_fail(e, JS_ENOMEM, "MemoryError: more than %d MiB would be held here",
                   JS_EXPRESSION_MEMORY >> 20);
}

int js_polled(js_evaluation *e, uint64_t elements, uint64_t done, uint64_t total)
{
    e->done += elements;
    if (e->done < JS_POLL_ELEMENTS || !e->with.poll) {
        return JS_OK;
    }
    e->done = 0;
    return e->with.poll(e->with.poll_context, done, total) ? js_fail(e, JS_ECANCEL, "Quit") : JS_OK;
}
