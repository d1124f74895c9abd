/* Reads pieces of texts: numbers, brackets, items of lists. */
#include "layouts/span.h"

enum { MAX_BRACKETS = 256 };

js_span js_span_trim(js_span span)
{
    while (span.size && (*span.at == ' ' || *span.at == '\t')) {
        span = js_span_skip(span, 1);
    }
    while (span.size && (span.at[span.size - 1] == ' ' || span.at[span.size - 1] == '\t')) {
        span.size--;
    }
    return span;
}

bool js_span_eat_uint(js_span *span, uint64_t *out)
{
    uint64_t value = 0;
    size_t used = 0;
    for (; used < span->size && span->at[used] >= '0' && span->at[used] <= '9'; used++) {
        uint64_t digit = (uint64_t)(span->at[used] - '0');
        if (value > ((uint64_t)INT64_MAX - digit) / 10) {
            return false;
        }
        value = value * 10 + digit;
    }
    if (used == 0) {
        return false;
    }
    *span = js_span_skip(*span, used);
    *out = value;
    return true;
}

static char closer(char open)
{
    switch (open) {
    case '(':
        return ')';
    case '[':
        return ']';
    case '{':
        return '}';
    case '<':
        return '>';
    default:
        return 0;
    }
}

size_t js_span_find_outside(js_span span, const char *what)
{
    char open[MAX_BRACKETS]; /* the closing brackets that are expected */
    size_t depth = 0;
    for (size_t at = 0; at < span.size; at++) {
        if (depth == 0 && js_span_starts(js_span_skip(span, at), what)) {
            return at;
        }
        char c = span.at[at];
        if (closer(c)) {
            if (depth == MAX_BRACKETS) {
                return span.size;
            }
            open[depth++] = closer(c);
        } else if (c == '>') {
            if (depth && open[depth - 1] == '>' && (at == 0 || span.at[at - 1] != '-')) {
                depth--;
            }
        } else if (c == ')' || c == ']' || c == '}') {
            while (depth && open[depth - 1] == '>') { /* an unclosed '<' was no bracket */
                depth--;
            }
            if (depth && open[depth - 1] == c) {
                depth--;
            }
        }
    }
    return span.size;
}

bool js_span_next_item(js_span *span, js_span *item)
{
    if (js_span_trim(*span).size == 0) {
        return false;
    }
    size_t end = js_span_find_outside(*span, ",");
    *item = js_span_trim(js_span_first(*span, end));
    *span = js_span_skip(*span, end + 1);
    return true;
}
