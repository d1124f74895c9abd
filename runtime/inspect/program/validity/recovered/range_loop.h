/* One loop over a range, as found in the machine code (range_loops.h). */
#ifndef JS_PROGRAM_VALIDITY_RECOVERED_RANGE_LOOP_H
#define JS_PROGRAM_VALIDITY_RECOVERED_RANGE_LOOP_H

#include "program/validity/locations/context.h"

struct js_range_loop {
    const js_flow_def *def;
    const js_local *local;
    const js_variable *version;
    int64_t next,
        start;         /* offsets in the frame; start: JS_TRACK_NOWHERE where it is a number of the source */
    uint32_t found_in; /* block; JS_CODE_NOWHERE: nowhere */
    uint32_t line;     /* its code's: of a kernel's own loop, its template's */
    bool is_ambiguous;
    bool is_kernels; /* the loop that the kernel was made from */
    uint8_t *marks;  /* for each instruction: JS_RANGE_… */
    uint8_t *unset;  /* for each block: the word at `start` may hold anything; NULL: in none */
};

enum {
    JS_RANGE_TAKES = 1,   /* it may store the next number, ahead of giving one */
    JS_RANGE_PENDING = 2, /* a number may be taken that is not given yet */
    JS_RANGE_FRESH = 4,   /* the loop may have begun only, or may be ahead */
    JS_RANGE_TESTED = 8,  /* since then it may have come to its test, and had no number */
    JS_RANGE_GIVEN = 16,  /* it may have given one */
    JS_RANGE_STATES = JS_RANGE_PENDING | JS_RANGE_FRESH | JS_RANGE_TESTED | JS_RANGE_GIVEN,
};

/* range_loop_values.c: fills `unset`. */
int js_range_loop_find_unset(js_truth *truth, js_range_loop *range);

#endif
