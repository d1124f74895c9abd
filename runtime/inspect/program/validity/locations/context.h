/* The state of the analysis of one stock function, which finds where the compiler's description is true.
 * states/run.c creates it; all of validity/ uses it. */
#ifndef JS_PROGRAM_VALIDITY_LOCATIONS_CONTEXT_H
#define JS_PROGRAM_VALIDITY_LOCATIONS_CONTEXT_H

#include "program/machine/caller_frame.h"
#include "program/machine/value_tracking.h"
#include "program/model/function.h"
#include "program/validity/locations/type_scalars.h"

enum { JS_TRUTH_IDS = 4, JS_TRUTH_VERSIONS = 64 };

/* The values of one variable (a version) in the numbers of value_tracking.h. */
typedef struct js_tracked {
    js_leaf *leaves; /* the scalars that the variable is made of */
    size_t nleaves;
    uint32_t (*ids)[JS_TRUTH_IDS]; /* for each leaf: values that are this version's; JS_VALUE_ANY ends */
    /* For each such value, by block: the first instruction from which on, on all paths, the compiler has said
     * that the version has the value; JS_CODE_NOWHERE: none. NULL: the value came in as the argument. */
    uint32_t *(*since)[JS_TRUTH_IDS];
    uint32_t *places; /* for each leaf: where it was last seen; JS_PLACE_ABSENT: not looked up */
    bool is_known;    /* the leaves are known */
} js_tracked;

/* A function's machine code, and the values of its registers and its frame at each instruction. */
typedef struct js_machine {
    js_code code;
    js_track track;
    bool is_followed; /* code and track are known */
    int64_t base;     /* offset of DWARF's frame base; JS_TRACK_NOWHERE: unknown */
} js_machine;

/* Facts about each instruction of the code. */
typedef struct js_insn_facts {
    uint32_t *lines;    /* js_truth_line() */
    uint8_t *is_cyclic; /* it may run twice in a call */
    uint8_t *is_moved;  /* it runs before or after the place of its line in the source; NULL: not known */
} js_insn_facts;

typedef struct js_range_loop js_range_loop;

typedef struct js_truth {
    js_arena *arena;  /* the object's arena, for results */
    js_arena scratch; /* freed after the analysis */
    js_object *object;
    js_function *function;
    const js_flow *flow;
    js_machine machine;
    js_insn_facts insns;
    js_tracked *tracked;   /* for each variable */
    bool is_plain;         /* every variable has one home: none was promoted to registers */
    bool is_caller_sought; /* the caller was looked for */
    js_caller *caller;     /* NULL: not looked for, or unknown */
    js_range_loop *loops;
    size_t nloops;
    struct js_copies *copies; /* NULL: not looked for */
    struct js_order *order;   /* whether the code runs in the source's order; NULL: not looked at */
} js_truth;

/* The point at which a variable is judged. */
typedef struct js_point {
    uint64_t pc;
    size_t insn;   /* the instruction, which the track is at; JS_CODE_NOWHERE: not known */
    uint32_t line; /* line of the instruction */
    bool older;    /* the frame waits for a callee, which may have changed registers */
} js_point;

/* Return the variable's index in truth->tracked. */
static inline size_t js_truth_index(const js_truth *truth, const js_variable *variable)
{
    return (size_t)(variable - truth->function->variables);
}

#endif
