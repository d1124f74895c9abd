/* The wrapper that Python calls: it unpacks each argument and calls the compiled function
 * (numba/core/callwrapper.py PyCallWrapper, numba/core/boxing.py, 0.57-0.68). Each object's address and each
 * array's structure have a slot in the wrapper's frame. One call fills the slot, and the wrapper does not
 * write it again before it returns. machine/caller_frame.c reads these slots. */
#ifndef JS_PROGRAM_NAMES_NUMBA_WRAPPER_H
#define JS_PROGRAM_NAMES_NUMBA_WRAPPER_H

#include <stdbool.h>

/* Functions that fill slots, with their arguments; they take the addresses of the slots. */
typedef enum js_numba_filler {
    JS_NUMBA_FILLS_NOTHING,
    JS_NUMBA_FILLS_OBJECTS, /* (tuple, name, least, most, slot …) */
    JS_NUMBA_FILLS_ARRAY,   /* (object, slot of its structure) */
    JS_NUMBA_FILLS_TEXT,    /* (object, slots of a str's length, kind, is_ascii, hash) */
} js_numba_filler;
/* Sizes in bytes of a str's slots: length, kind, is_ascii, hash. */
static const unsigned char js_numba_text_sizes[] = {8, 4, 4, 8};
/* Return what the function with this symbol fills. */
js_numba_filler js_numba_filler_of(const char *symbol);

#endif
