/* What the methods of texts share: arguments, errors, and new texts. */
#include "expressions/functions/text_call.h"

#include <string.h>

#include "expressions/lazy/evaluation.h"

const js_operand *js_text_argument(const js_text_call *c, size_t i)
{
    return i < c->count && c->arguments[i].kind == JS_OPERAND_TEXT &&
                   c->arguments[i].is_bytes == c->of->is_bytes
               ? &c->arguments[i]
               : NULL;
}

int js_text_wrong(const js_text_call *c, size_t i)
{
    return js_fail(c->e, JS_EUNSUP, "TypeError: %s() does not take '%s' here", c->name,
                   i < c->count ? js_operand_type(&c->arguments[i]) : "nothing");
}

int js_text_new(const js_text_call *c, uint64_t count, uint32_t **codes, js_operand *out)
{
    *codes = count > 2 * (uint64_t)JS_EXPRESSION_CHARACTERS
                 ? NULL
                 : js_arena_alloc(&c->e->arena, (count + 1) * sizeof **codes);
    *out =
        (js_operand){.kind = JS_OPERAND_TEXT, .codes = *codes, .count = count, .is_bytes = c->of->is_bytes};
    return *codes ? JS_OK : js_no_memory(c->e);
}

bool js_text_matches(const js_text_call *c, const js_operand *of, uint64_t at, const js_operand *what)
{
    if (what->count > of->count - at || *c->work > JS_TEXT_WORK) {
        return false;
    }
    uint64_t i = 0;
    while (i < what->count && of->codes[at + i] == what->codes[i]) {
        i++;
    }
    *c->work += i + 1;
    return i == what->count;
}
