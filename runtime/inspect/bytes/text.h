/* A growing, bounded text: what every renderer writes into. Errors stick, so callers check once at the end.
 */
#ifndef JS_BYTES_TEXT_H
#define JS_BYTES_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bytes/status.h"

typedef struct js_text {
    char *data;    /* NUL-terminated whenever status is JS_OK; owned */
    size_t length; /* without the NUL */
    size_t capacity;
    size_t limit; /* length may not pass this: status becomes JS_ELIMIT */
    int status;   /* first error met, else JS_OK */
} js_text;

/* limit 0: 64 MiB */
JS_API void js_text_init(js_text *text, size_t limit);
JS_API void js_text_deinit(js_text *text);
JS_API void js_text_put(js_text *text, const char *string);
JS_API void js_text_putn(js_text *text, const char *bytes, size_t count);
JS_API void js_text_printf(js_text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* A name, as bytes/plain.h has it. */
void js_text_plain(js_text *text, const char *string);
/* \uXXXX */
void js_text_json_escape(js_text *text, uint16_t code);
/* "…" with JSON escapes; bytes that are no UTF-8 become U+FFFD, so the output always parses. */
JS_API void js_text_json_string(js_text *text, const char *bytes, size_t count);
/* 1.5, or "nan", "inf", "-inf" as JSON strings; shortest form that reads back the same (repr). */
JS_API void js_text_json_double(js_text *text, double value);
/* As Python's repr(float) writes it: 1.5, 1e+300, nan, -inf. */
JS_API void js_text_double(js_text *text, double value);
/* Like js_text_double(), with the shortest digits that read back as a float. */
JS_API void js_text_float(js_text *text, float value);
JS_API void js_text_long(js_text *text, long double value);
/* "-d.ddde+xx", as printf's %e writes it, laid out as Python's repr does. */
void js_text_shortest(js_text *text, const char *scientific);
/* The next decimal of as many digits, away from zero. Beside a power of two the shortest digits that read
 * back the same may be those, for the next value below is nearer than the one above. */
void js_decimal_next(char *scientific);
/* "key": "value", both as JSON strings; the key needs no escapes. */
JS_API void js_text_json_pair(js_text *text, const char *key, const char *value);
/* Hand the text to the caller, who frees it with js_free; NULL when status is not JS_OK. */
JS_API char *js_text_take(js_text *text);
/* The end of a function that gives its text to the caller: *out on success, else NULL and the text is freed.
 * Returns `status`, or the text's own when that is 0. */
JS_API int js_text_give(js_text *text, int status, char **out);
JS_API void js_free(void *pointer);

#endif
