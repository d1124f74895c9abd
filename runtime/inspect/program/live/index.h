/* Finds the function of an address quickly. live/names.c uses it. */
#ifndef JS_PROGRAM_LIVE_INDEX_H
#define JS_PROGRAM_LIVE_INDEX_H

#include "program/live/code_frames.h"
#include "program/model/objects.h"

/* All functions of a program, in order of addresses. */
typedef struct js_code_index {
    js_code *codes;
    size_t count;
} js_code_index;

/* Make the index anew, after the program's objects have changed. JS_ENOMEM, with an empty index. */
int js_code_index_make(js_code_index *index, const js_program *program);
void js_code_index_deinit(js_code_index *index);
/* Return the function whose code holds the address, or NULL. */
js_code *js_code_index_find(const js_code_index *index, uint64_t address);

#endif
