/* One loop over a range, as it is found in the machine code; range_loops.c and range_loop_values.c share it.
 */
#ifndef JS_PROGRAM_VALIDITY_RECOVERED_RANGE_LOOP_H
#define JS_PROGRAM_VALIDITY_RECOVERED_RANGE_LOOP_H

#include "program/validity/locations/context.h"

struct js_range_loop {
    const js_flow_def *def;
    const js_local *local;
    const js_variable *version;
    int64_t next, start; /* offsets of words; start: JS_TRACK_NOWHERE if it is a number of the source */
    uint32_t found_in;   /* the block that makes the range; JS_CODE_NOWHERE: not found */
    uint32_t line;       /* line of the loop's code; for a kernel's own loop, a line of the template */
    bool is_ambiguous;   /* several ranges may be this one */
    bool is_kernels;     /* the kernel was made from this loop */
    uint8_t *marks;      /* for each instruction: JS_RANGE_… */
    uint8_t *unset;      /* for each block: the word at `start` may have any value; NULL: in no block */
};

enum {
    JS_RANGE_TAKES = 1,   /* the instruction may store the next number, before the variable gets it */
    JS_RANGE_PENDING = 2, /* a number may be stored that the variable has not got yet */
    JS_RANGE_FRESH = 4,   /* the loop may have just begun, or may not have begun */
    JS_RANGE_TESTED = 8,  /* the loop may have begun, and its test may have found no number */
    JS_RANGE_GIVEN = 16,  /* the variable may have got a number */
    JS_RANGE_STATES = JS_RANGE_PENDING | JS_RANGE_FRESH | JS_RANGE_TESTED | JS_RANGE_GIVEN,
};

/* range_loop_values.c: fill `unset`. JS_ENOMEM. */
int js_range_loop_find_unset(js_truth *truth, js_range_loop *range);

#endif
