/* How a function was compiled, and what chose that: read/ decodes it from the producer of the function's
 * unit. */
#ifndef JS_PROGRAM_MODEL_LEVEL_H
#define JS_PROGRAM_MODEL_LEVEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bytes/arena.h"

enum { JS_HOOK_FORMAT = 2 }; /* the newest format of the compiler hook's output that this library reads */

/* How a function's debug information was made. */
typedef enum js_level {
    JS_LEVEL_NONE,  /* there is none, or it was made by a compiler that is not known here */
    JS_LEVEL_STOCK, /* by Numba alone */
    JS_LEVEL_LINES, /* code that Numba makes without debug information; the compiler hook has added its lines
                     */
    JS_LEVEL_EXACT, /* by the compiler hook: innermost loops are left alone */
    JS_LEVEL_STEPS, /* by the compiler hook: every line is a stop, every assigned variable is there */
} js_level;

/* What chose the level, when the function was compiled. */
typedef enum js_chooser {
    JS_BY_NOBODY,   /* the compiler hook does not say it, or was not there */
    JS_BY_DEFAULT,  /* no debugger was there */
    JS_BY_DEBUGGER, /* a debugger was there */
    JS_BY_FASTMATH, /* fastmath: level steps would change what it computes, and has to be asked for */
    JS_BY_ENVIRONMENT,
    JS_BY_DECORATOR,
    JS_BY_COMMAND_LINE,
} js_chooser;

/* Return the level of a unit by its producer, such as "clang (Numba) jitscope/2 exact default". If the
 * producer's format is newer than JS_HOOK_FORMAT, the level is JS_LEVEL_STOCK and *newer receives the format;
 * else *newer is not changed. */
js_level js_hook_level(const char *producer, unsigned *newer);
const char *js_level_text(js_level level); /* NULL for JS_LEVEL_NONE */
/* Return what chose the level, by the unit's producer; JS_BY_NOBODY for objects of older hooks. */
js_chooser js_hook_chooser(const char *producer);
/* True if level steps changes what the function computes, because LLVM may reorder its arithmetic. */
bool js_hook_is_fast(const char *producer);
/* Read from the producer the lines of the stores to elements and items that the source has and Numba has
 * removed. *lines is in the arena. JS_ENOMEM. */
int js_hook_removed(js_arena *arena, const char *producer, const uint32_t **lines, size_t *count);
/* Return the name of the type that a function at JS_LEVEL_LINES returns, as Numba writes it, within
 * `producer`; NULL: the producer does not name it. */
const char *js_hook_result(const char *producer);
const char *js_chooser_text(js_chooser chooser); /* NULL for JS_BY_NOBODY */

#endif
