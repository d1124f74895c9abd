/* Memory that is freed all at once. An object model, a type table and a parse have one arena each. */
#ifndef JS_BYTES_ARENA_H
#define JS_BYTES_ARENA_H

#include <stddef.h>

typedef struct js_arena {
    struct js_arena_block *blocks;
    size_t used;  /* bytes handed out */
    size_t limit; /* bytes that may be handed out; 0: 1 GiB */
} js_arena;

/* Begin an empty arena. `limit` in bytes; 0: 1 GiB. */
void js_arena_init(js_arena *arena, size_t limit);
/* Free everything that was allocated from the arena. */
void js_arena_deinit(js_arena *arena);
/* Return `size` zeroed bytes, aligned to 16. NULL: there is no memory, or the limit is reached. */
void *js_arena_alloc(js_arena *arena, size_t size);
/* Return a copy of `length` bytes, or of a string, with a NUL after it. NULL like js_arena_alloc(). */
char *js_arena_strndup(js_arena *arena, const char *string, size_t length);
char *js_arena_strdup(js_arena *arena, const char *string);
#endif
