/* A span: a piece of a text that is not copied, and the functions by which parsers read it. */
#ifndef JS_LAYOUTS_SPAN_H
#define JS_LAYOUTS_SPAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* `size` bytes of a borrowed text, without a NUL. */
typedef struct js_span {
    const char *at; /* NULL: absent */
    size_t size;
} js_span;

/* Return the span of a string; absent for NULL. */
static inline js_span js_span_of(const char *string)
{
    return (js_span){string, string ? strlen(string) : 0};
}
/* True if the span has this text. */
static inline bool js_span_is(js_span span, const char *string)
{
    return span.size == strlen(string) && memcmp(span.at, string, span.size) == 0;
}
/* Return the span without its first `count` bytes. */
static inline js_span js_span_skip(js_span span, size_t count)
{
    return count <= span.size ? (js_span){span.at + count, span.size - count}
                              : (js_span){span.at + span.size, 0};
}
/* Return the first `count` bytes, or all if there are fewer. */
static inline js_span js_span_first(js_span span, size_t count)
{
    return (js_span){span.at, count < span.size ? count : span.size};
}
static inline bool js_span_starts(js_span span, const char *prefix)
{
    size_t size = strlen(prefix);
    return span.size >= size && memcmp(span.at, prefix, size) == 0;
}
/* Drop the prefix. False: the span does not begin with it, and is unchanged. */
static inline bool js_span_eat(js_span *span, const char *prefix)
{
    if (!js_span_starts(*span, prefix)) {
        return false;
    }
    *span = js_span_skip(*span, strlen(prefix));
    return true;
}
/* Drop the suffix. False: the span does not end with it, and is unchanged. */
static inline bool js_span_eat_end(js_span *span, const char *suffix)
{
    size_t size = strlen(suffix);
    if (span->size < size || memcmp(span->at + span->size - size, suffix, size) != 0) {
        return false;
    }
    span->size -= size;
    return true;
}
/* True if both have the same text, or if both are absent. */
static inline bool js_span_same(js_span a, js_span b)
{
    return a.size == b.size && !a.at == !b.at && (a.size == 0 || !a.at || memcmp(a.at, b.at, a.size) == 0);
}
/* Return the span without blanks at its ends. */
js_span js_span_trim(js_span span);
/* Read decimal digits at the front, and drop them. False: there are none, or their value is above 2^63 - 1.
 */
bool js_span_eat_uint(js_span *span, uint64_t *out);
/* Return the offset of the first `what` outside of brackets () [] {} <>, or the span's size. "->" closes no
 * bracket. */
size_t js_span_find_outside(js_span span, const char *what);
/* Take the text before the next "," outside of brackets, trimmed, and drop it with the comma. False: nothing
 * is left. */
bool js_span_next_item(js_span *span, js_span *item);
#endif
