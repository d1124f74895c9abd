/* Finds the function of an address quickly. live/names.c uses it. */
#ifndef JS_PROGRAM_LIVE_INDEX_H
#define JS_PROGRAM_LIVE_INDEX_H

#include "program/live/code_frames.h"

typedef struct js_program js_program;

/* All functions of a program, in order of addresses. */
typedef struct js_live_index {
    js_live_code *codes;
    size_t count;
} js_live_index;

/* Make the index anew, after the program's objects have changed. JS_ENOMEM, with an empty index. */
int js_live_index_make(js_live_index *index, const js_program *program);
void js_live_index_deinit(js_live_index *index);
/* Return the function whose code holds the address, or NULL. */
js_live_code *js_live_index_find(const js_live_index *index, uint64_t address);

#endif
