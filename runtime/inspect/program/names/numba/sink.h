/* The buffer that a name is written into. It counts bytes past its end, so that a second pass can use a
 * buffer that is large enough. Used by all of names/. */
#ifndef JS_PROGRAM_NAMES_NUMBA_SINK_H
#define JS_PROGRAM_NAMES_NUMBA_SINK_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "layouts/span.h"

typedef struct js_sink {
    char *data;
    size_t capacity;
    size_t length; /* bytes that were put; those beyond capacity were not written */
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

/* Insert a string at an offset that was written before, such as "readonly " before "array(". */
static inline void js_sink_insert(js_sink *sink, size_t place, const char *string)
{
    size_t count = strlen(string);
    if (sink->length <= sink->capacity && count <= sink->capacity - sink->length) {
        memmove(sink->data + place + count, sink->data + place, sink->length - place);
        memcpy(sink->data + place, string, count);
    }
    sink->length += count;
}

/* Return the span without its first `count` bytes; it must have that many. */
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
