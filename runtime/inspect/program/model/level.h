/* How a function was compiled, and what chose that. */
#ifndef JS_PROGRAM_MODEL_LEVEL_H
#define JS_PROGRAM_MODEL_LEVEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bytes/arena.h"

enum { JS_HOOK_FORMAT = 2 };

/* How a function's debug information was made. */
typedef enum js_level {
    JS_LEVEL_NONE,  /* not by a compiler that is known here, or not at all */
    JS_LEVEL_STOCK, /* by Numba alone */
    JS_LEVEL_EXACT, /* by the compiler hook: innermost loops are left alone */
    JS_LEVEL_STEPS, /* by the compiler hook: every line is a stop, every assigned variable is there */
} js_level;

/* What chose the level, when the function was compiled. */
typedef enum js_chooser {
    JS_BY_NOBODY,   /* the compiler hook did not say, or had no part in it */
    JS_BY_DEFAULT,  /* no debugger was there */
    JS_BY_DEBUGGER, /* one was there */
    JS_BY_FASTMATH, /* nobody may choose steps for it unasked: steps would change what it computes */
    JS_BY_ENVIRONMENT,
    JS_BY_DECORATOR,
    JS_BY_COMMAND_LINE,
} js_chooser;

/* Return the level of a unit, from its producer, "clang (Numba) jitscope/2 exact default". *newer receives
 * the format of a hook that is not known here (the level is JS_LEVEL_STOCK then), else it is left as it is.
 */
js_level js_hook_level(const char *producer, unsigned *newer);
const char *js_level_text(js_level level); /* NULL for JS_LEVEL_NONE */
/* Return what chose that level, from the same producer; objects of older hooks do not say it. */
js_chooser js_hook_chooser(const char *producer);
/* True if level steps changes what the function computes, because LLVM may reorder its arithmetic. */
bool js_hook_is_fast(const char *producer);
/* The lines of the stores to elements and items that Numba has removed from the function, though the source
 * has them: *lines is in the arena. JS_ENOMEM. */
int js_hook_removed(js_arena *arena, const char *producer, const uint32_t **lines, size_t *count);
const char *js_chooser_text(js_chooser chooser); /* NULL for JS_BY_NOBODY */

#endif
