/* The machine code of a function that was compiled with the hook, decoded once: js_hook_code_create() fills
 * it for the other files of hook/. */
#ifndef JS_PROGRAM_HOOK_DECODED_H
#define JS_PROGRAM_HOOK_DECODED_H

#include "program/hook/hook.h"
#include "program/machine/value_tracking.h"

struct js_hook_code {
    js_object *object;
    const js_function *function;
    js_arena scratch;
    js_code code;
    js_track track;
    bool is_small;    /* small enough to be looked through */
    bool is_followed; /* the control flow is known; else the arrays below are NULL */
    bool is_tracked;  /* the stack pointer is known, too */
    uint32_t *scopes; /* for each instruction: 1 + index of the innermost inlined code; 0: none */
    uint8_t *marks;   /* for each instruction: it is a marker */
    uint8_t *is_bare; /* for each instruction: it has no line, and may be of any inlined code */
    uint32_t *nways;  /* for each block: js_code_count_predecessors() */
    uint8_t *passed;  /* for each instruction: all paths to it have passed a marker of the scope that
                         js_hook_ranges_find() looks at */
};

/* ranges.c: find for each instruction whether some path to it has passed a marker of the scope since the
 * scope was entered. reached: room for all instructions, filled with 0. JS_ENOMEM. */
int js_hook_reached_find(js_hook_code *hook, uint32_t scope, uint8_t *reached);
/* inline_edges.c: make the ranges of an inlined function anew from hook->scopes. scope: 1 + its index.
 * JS_ENOMEM. */
int js_hook_set_ranges(const js_hook_code *hook, js_function *function, uint32_t scope);

#endif
