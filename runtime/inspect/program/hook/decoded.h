/* The machine code of a function that was compiled with the hook, decoded once. Internal to hook/. */
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
    bool is_small;    /* enough to be looked through */
    bool is_followed; /* its control flow is known */
    bool is_tracked;  /* and where its stack pointer is */
    uint32_t *scopes; /* for each instruction: innermost inlined code, 1 + index */
    uint8_t *marks;   /* for each instruction: a marker */
    uint8_t *is_bare; /* for each instruction: it has no line, and may be of any inlined code */
    uint32_t *nways;  /* for each block: js_code_ways() */
    uint8_t *passed;  /* for each instruction: a marker of the scope is passed on all ways here */
};

/* ranges.c: find for each instruction whether a marker of the scope is passed on some way to it, since the
 * scope was entered. */
int js_hook_reached_find(js_hook_code *at, uint32_t scope, uint8_t *reached);
/* inline_edges.c: the ranges of an inlined function are those of its instructions' scopes. */
int js_hook_set_ranges(const js_hook_code *at, js_function *function, uint32_t scope);

#endif
