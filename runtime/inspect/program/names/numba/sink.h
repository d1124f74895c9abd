/* The buffer that a name is written into: counted past its end, so that one more pass fits. */
#ifndef JS_PROGRAM_NAMES_NUMBA_SINK_H
#define JS_PROGRAM_NAMES_NUMBA_SINK_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "layouts/span.h"

typedef struct js_sink {
    char *data;
    size_t capacity;
    size_t length; /* what was asked for; beyond capacity nothing was written */
} js_sink;

static inline void js_sink_putn(js_sink *sink, const char *bytes, size_t count)
{
    if (sink->length <= sink->capacity && count <= sink->capacity - sink->length) {
        memcpy(sink->data + sink->length, bytes, count);
    }
    sink->length += count;
}

static inline void js_sink_put(js_sink *sink, const char *string)
{
    js_sink_putn(sink, string, strlen(string));
}

static inline void js_sink_put_char(js_sink *sink, char byte)
{
    js_sink_putn(sink, &byte, 1);
}

/* For words that follow the text which they qualify: "readonly " before "array(". */
static inline void js_sink_insert(js_sink *sink, size_t place, const char *string)
{
    size_t count = strlen(string);
    if (sink->length <= sink->capacity && count <= sink->capacity - sink->length) {
        memmove(sink->data + place + count, sink->data + place, sink->length - place);
        memcpy(sink->data + place, string, count);
    }
    sink->length += count;
}

/* count: not more than the span holds. */
static inline js_span js_span_after(js_span span, size_t count)
{
    return (js_span){span.at + count, span.size - count};
}

static inline bool js_is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static inline bool js_is_word(char c)
{
    return js_is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

#endif
