/* Decodes and encodes UTF-8. What the standard forbids is refused: overlong forms, surrogates, codes above
 * U+10FFFF. */
#ifndef JS_BYTES_UTF8_H
#define JS_BYTES_UTF8_H

#include <stddef.h>
#include <stdint.h>

/* Return how many bytes the character at `bytes` has, and put its code into *code; 0: it is malformed, or
 * `count` is 0. */
size_t js_utf8_decode(const char *bytes, size_t count, uint32_t *code);
/* Write a character. Return its bytes (1 to 4); 0: `code` is no character. */
size_t js_utf8_encode(uint32_t code, char out[4]);
#endif
