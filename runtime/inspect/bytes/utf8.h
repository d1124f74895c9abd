/* UTF-8, both ways; nothing that the standard forbids passes (overlong forms, surrogates, > U+10FFFF). */
#ifndef JS_BYTES_UTF8_H
#define JS_BYTES_UTF8_H

#include <stddef.h>
#include <stdint.h>

/* Bytes used by the character at `bytes`, 0 when it is malformed or `count` is 0. */
size_t js_utf8_decode(const char *bytes, size_t count, uint32_t *code);
/* Bytes written (1 to 4), 0 for what is no character. */
size_t js_utf8_encode(uint32_t code, char out[4]);
#endif
