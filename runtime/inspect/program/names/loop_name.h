/* The name of a parallel loop's body: that of the function that starts the loop, and a suffix. */
#ifndef JS_PROGRAM_NAMES_LOOP_NAME_H
#define JS_PROGRAM_NAMES_LOOP_NAME_H

#include <stddef.h>

#include "bytes/arena.h"

/* Return "foo.prange" for a loop of the function "foo", in the arena; NULL: there is no memory. */
char *js_loop_name(js_arena *arena, const char *function);
/* Return the length of the function's name in the name of its loop's body or of the wrapper around that,
 * "foo.prange[gufunc-wrapper]"; 0: it is another name. */
size_t js_loop_name_function(const char *name);

#endif
