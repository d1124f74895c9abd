/* Names of the target's as a terminal may see them: what it would obey is escaped, as repr() does it. */
#ifndef JS_BYTES_PLAIN_H
#define JS_BYTES_PLAIN_H

#include <stdbool.h>
#include <stddef.h>

#include "bytes/arena.h"

/* The size of the text with "\n", "\x1b" … for control characters, and into `out`, unless that is NULL, the
 * text. No NUL is read or written. */
size_t js_plain(const char *text, size_t size, char *out);
bool js_plain_is(const char *text);

/* A copy that is plain; NULL: no memory. */
char *js_arena_plain(js_arena *arena, const char *text);

#endif
