/* State of the analysis of one function: how far what the compiler says of it is valid. */
#ifndef JS_PROGRAM_VALIDITY_LOCATIONS_CONTEXT_H
#define JS_PROGRAM_VALIDITY_LOCATIONS_CONTEXT_H

#include "program/machine/caller_frame.h"
#include "program/machine/value_tracking.h"
#include "program/model/function.h"
#include "program/validity/locations/type_scalars.h"

enum { JS_TRUTH_IDS = 4, JS_TRUTH_VERSIONS = 64 };

typedef struct js_tracked {
    js_leaf *leaves;
    size_t nleaves;
    uint32_t (*ids)[JS_TRUTH_IDS]; /* for each leaf: values that are this version's; JS_VALUE_ANY ends */
    /* For each such value, by block: the first instruction after one where the compiler says that the version
     * has it, on all ways there; JS_CODE_NOWHERE: none. NULL: it came in as the argument. */
    uint32_t *(*since)[JS_TRUTH_IDS];
    uint32_t *places; /* for each leaf: where it was last seen; JS_PLACE_ABSENT: not looked up */
    bool is_known;    /* the leaves are */
} js_tracked;

/* A function's machine code, and what its registers and its frame hold at each instruction. */
typedef struct js_machine {
    js_code code;
    js_track track;
    bool is_followed; /* code and track are there */
    int64_t base;     /* offset of DWARF's frame base; JS_TRACK_NOWHERE */
} js_machine;

/* Facts about each instruction of the code. */
typedef struct js_insn_facts {
    uint32_t *lines;
    uint8_t *is_cyclic; /* it may run twice in a call */
    uint8_t *is_moved;  /* it runs before or after its line does in the source; NULL: not known */
} js_insn_facts;

typedef struct js_range_loop js_range_loop;

typedef struct js_truth {
    js_arena *arena; /* the object's arena: what stays */
    js_arena scratch;
    js_object *object;
    js_function *function;
    const js_flow *flow;
    js_machine machine;
    js_insn_facts insns;
    js_tracked *tracked; /* for each variable */
    bool is_plain;       /* every variable has one home: nothing was promoted to registers */
    bool is_caller_sought;
    js_caller *caller; /* NULL: nothing is known of one, or it was not looked for */
    js_range_loop *loops;
    size_t nloops;
    struct js_copies *copies; /* NULL: not looked for */
    struct js_order *order;   /* order of its promoted variables' code; NULL: not looked for */
} js_truth;

/* Where a variable is judged. */
typedef struct js_point {
    uint64_t pc;
    size_t insn;   /* the code's instruction, at hand in the track; JS_CODE_NOWHERE: it is not known */
    uint32_t line; /* that the instruction belongs to */
    bool older;    /* seen from a callee: registers may be gone */
} js_point;

static inline size_t js_truth_index(const js_truth *truth, const js_variable *variable)
{
    return (size_t)(variable - truth->function->variables);
}

#endif
