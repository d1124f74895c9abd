/* Makes names of the target safe for a terminal: control characters are escaped as repr() does it. */
#ifndef JS_BYTES_PLAIN_H
#define JS_BYTES_PLAIN_H

#include <stdbool.h>
#include <stddef.h>

#include "bytes/arena.h"

/* Escape control characters of a text of `size` bytes ("\n", "\x1b" …). Return the size of the result in
 * bytes; `out`, unless it is NULL, gets it. No NUL is read or written. */
size_t js_plain(const char *text, size_t size, char *out);
/* True if the text has no control characters. */
bool js_plain_is(const char *text);

/* Return an escaped copy in the arena; NULL: there is no memory. */
char *js_arena_plain(js_arena *arena, const char *text);

#endif
