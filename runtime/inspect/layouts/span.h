/* A piece of a text, and the few questions that parsers ask of it. */
#ifndef JS_LAYOUTS_SPAN_H
#define JS_LAYOUTS_SPAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

typedef struct js_span {
    const char *at; /* NULL: absent */
    size_t size;
} js_span;

static inline js_span js_span_of(const char *string)
{
    return (js_span){string, string ? strlen(string) : 0};
}
static inline bool js_span_is(js_span span, const char *string)
{
    return span.size == strlen(string) && memcmp(span.at, string, span.size) == 0;
}
static inline js_span js_span_skip(js_span span, size_t count)
{
    return count <= span.size ? (js_span){span.at + count, span.size - count}
                              : (js_span){span.at + span.size, 0};
}
static inline js_span js_span_first(js_span span, size_t count)
{
    return (js_span){span.at, count < span.size ? count : span.size};
}
static inline bool js_span_starts(js_span span, const char *prefix)
{
    size_t size = strlen(prefix);
    return span.size >= size && memcmp(span.at, prefix, size) == 0;
}
/* Drops the prefix; false, and nothing changed, when it is not there. */
static inline bool js_span_eat(js_span *span, const char *prefix)
{
    if (!js_span_starts(*span, prefix)) {
        return false;
    }
    *span = js_span_skip(*span, strlen(prefix));
    return true;
}
static inline bool js_span_eat_end(js_span *span, const char *suffix)
{
    size_t size = strlen(suffix);
    if (span->size < size || memcmp(span->at + span->size - size, suffix, size) != 0) {
        return false;
    }
    span->size -= size;
    return true;
}
/* The one text twice, or both absent. */
static inline bool js_span_same(js_span a, js_span b)
{
    return a.size == b.size && !a.at == !b.at && (a.size == 0 || !a.at || memcmp(a.at, b.at, a.size) == 0);
}
js_span js_span_trim(js_span span);
/* Decimal digits at the front; false when there are none or they pass 2^63 - 1. */
bool js_span_eat_uint(js_span *span, uint64_t *out);
/* Offset of the first `what` outside brackets () [] {} <>, or size. "->" closes nothing. */
size_t js_span_find_outside(js_span span, const char *what);
/* The piece before the next "," outside brackets, trimmed; drops it and the comma. False at the end. */
bool js_span_next_item(js_span *span, js_span *item);
#endif
