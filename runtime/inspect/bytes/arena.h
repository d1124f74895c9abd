/* Memory that is freed all at once: one arena an object model, type table or parse. */
#ifndef JS_BYTES_ARENA_H
#define JS_BYTES_ARENA_H

#include <stddef.h>

typedef struct js_arena {
    struct js_arena_block *blocks;
    size_t used;  /* bytes handed out */
    size_t limit; /* bytes that may be handed out; 0: 1 GiB */
} js_arena;

void js_arena_init(js_arena *arena, size_t limit);
void js_arena_deinit(js_arena *arena);
/* Zeroed, 16-byte aligned; NULL when out of memory or past the limit. */
void *js_arena_alloc(js_arena *arena, size_t size);
char *js_arena_strndup(js_arena *arena, const char *string, size_t length);
char *js_arena_strdup(js_arena *arena, const char *string);
#endif
