/* The functions of the source that the code at one address is a part of: inlined ones, and the function
 * itself. */
#ifndef JS_PROGRAM_QUERIES_CODE_PLACES_H
#define JS_PROGRAM_QUERIES_CODE_PLACES_H

#include "program/model/function.h"

typedef struct js_code_place {
    const char *name; /* of the function, as the source has it */
    const char *path; /* of its file; "": not known */
    uint32_t line;    /* 0: not known */
    unsigned depth;   /* as in js_frame: 0 for the function itself */
} js_code_place;

/* Find the places of the code at `pc` in the function, innermost first, the function itself last; `out` gets
 * at most `capacity` (> 0) of them, the outermost of which is always there. pc: an address within an
 * instruction. JS_ENOMEM. */
int js_code_places(const js_function *function, uint64_t pc, js_code_place *out, size_t capacity,
                   size_t *count);

#endif
