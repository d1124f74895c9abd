/* A text that grows up to a bound, into which every renderer writes. Its first error stays in `status`, so
 * that callers check once at the end. */
#ifndef JS_BYTES_TEXT_H
#define JS_BYTES_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bytes/status.h"

/* A text, and the first error of writing it. */
typedef struct js_text {
    char *data;    /* NUL-terminated whenever status is JS_OK; owned */
    size_t length; /* without the NUL */
    size_t capacity;
    size_t limit; /* length may not pass this: status becomes JS_ELIMIT */
    int status;   /* first error met, else JS_OK */
} js_text;

/* Begin an empty text of at most `limit` bytes; 0: 64 MiB. */
JS_API void js_text_init(js_text *text, size_t limit);
/* Free the text. */
JS_API void js_text_deinit(js_text *text);
/* Append a string, `count` bytes, or formatted text. Nothing is appended after an error. */
JS_API void js_text_put(js_text *text, const char *string);
JS_API void js_text_putn(js_text *text, const char *bytes, size_t count);
JS_API void js_text_printf(js_text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Append a name with its control characters escaped (bytes/plain.h). */
void js_text_plain(js_text *text, const char *string);
/* Append a JSON escape: \uXXXX. */
void js_text_json_escape(js_text *text, uint16_t code);
/* Append a JSON string of `count` bytes, with its quotes. Bytes that are no UTF-8 become U+FFFD, so that the
 * output always parses. */
JS_API void js_text_json_string(js_text *text, const char *bytes, size_t count);
/* Append a number as JSON, with the shortest digits that read back the same value (repr). NaN and infinities
 * become the strings "nan", "inf" and "-inf". */
JS_API void js_text_json_double(js_text *text, double value);
/* Append a float as Python's repr writes it: 1.5, 1e+300, nan, -inf. */
JS_API void js_text_double(js_text *text, double value);
/* Like js_text_double(), with the shortest digits that read back the same value of the narrower or wider
 * type. */
JS_API void js_text_float(js_text *text, float value);
JS_API void js_text_long(js_text *text, long double value);
/* Append a number that printf's %e has written ("-d.ddde+xx") in the form of Python's repr. */
void js_text_shortest(js_text *text, const char *scientific);
/* Replace a number of this form by the next one with as many digits, away from zero. Beside a power of two
 * the shortest digits that read back the same may be those, because the next value below is nearer than the
 * one above. */
void js_decimal_next(char *scientific);
/* Append `"key": "value"`, both as JSON strings; the key needs no escapes. */
JS_API void js_text_json_pair(js_text *text, const char *key, const char *value);
/* Return the text, which the caller frees with js_free. NULL if status is not JS_OK; then the text is freed.
 */
JS_API char *js_text_take(js_text *text);
/* End a function that gives its text to the caller: *out gets the text on success, else NULL, and the text is
 * freed. Returns `status`, or the text's own status if that is JS_OK. */
JS_API int js_text_give(js_text *text, int status, char **out);
/* Free what a function of this library has given to the caller; NULL: nothing. */
JS_API void js_free(void *pointer);

#endif
