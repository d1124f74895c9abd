/* What the files truth*.c share. */
#ifndef JS_PROGRAM_TRUTH_INTERNAL_H
#define JS_PROGRAM_TRUTH_INTERNAL_H

#include "program/machine/caller_frame.h"
#include "program/machine/value_tracking.h"
#include "program/validity/states/run.h"

enum { JS_TRUTH_LEAVES = 128, JS_TRUTH_IDS = 4, JS_TRUTH_VERSIONS = 64 };

/* ---- truth_expr.c: DWARF expressions ---- */

typedef enum js_part_kind {
    JS_PART_ABSENT,   /* nothing is said */
    JS_PART_ZERO,     /* the constant 0: the compiler's filling, or a true zero */
    JS_PART_CONSTANT, /* another constant */
    JS_PART_PLACE,    /* in registers or memory, or computed from them */
} js_part_kind;

/* One piece of a location. */
typedef struct js_part {
    uint64_t offset, size; /* bytes of the variable */
    const uint8_t *expr;   /* without the piece operator */
    size_t length;
    uint64_t registers; /* that it reads */
    js_part_kind kind;
    bool is_register, is_slot; /* the value is in `reg`, or in memory at reg + disp */
    bool is_computed;          /* it ends in DW_OP_stack_value */
    unsigned reg;
    int64_t disp;
} js_part;

/* JS_EUNSUP: an operator that is not known, or more pieces than capacity. */
int js_parts_read(const uint8_t *expr, size_t length, uint64_t size, js_part *parts, size_t capacity,
                  size_t *count);

typedef struct js_expr {
    uint8_t bytes[2048];
    size_t size;
    bool overflow;
} js_expr;
void js_expr_op(js_expr *expr, uint8_t op);
void js_expr_copy(js_expr *expr, const uint8_t *bytes, size_t size);
void js_expr_uleb(js_expr *expr, uint64_t value);
void js_expr_sleb(js_expr *expr, int64_t value);
void js_expr_register(js_expr *expr, unsigned reg);
void js_expr_memory(js_expr *expr, unsigned reg, int64_t disp);
void js_expr_value(js_expr *expr, unsigned reg); /* pushes the register's content */
void js_expr_bytes(js_expr *expr, const void *value, size_t size);
void js_expr_piece(js_expr *expr, uint64_t size);
/* An operator that jumps forward, to where js_expr_land is told its result. */
size_t js_expr_leap(js_expr *expr, uint8_t op);
void js_expr_land(js_expr *expr, size_t from);

void js_expr_number(js_expr *expr, int64_t value);
/* Of the number on the stack, Python's quotient or remainder by another; neither 0 nor -1. */
void js_expr_divide(js_expr *expr, int64_t by, bool is_remainder);
/* The least or the greatest of two. */
void js_expr_choose(js_expr *expr, bool is_least);

/* Floats, whose operators name a type by its place in the unit: JS_EXPR_FLOAT64, until the unit is written
 * (write_expr.c). */
enum { JS_EXPR_GENERIC = 0, JS_EXPR_FLOAT64 = 1, JS_EXPR_TYPE_BYTES = 4 };
/* The 64 bits on the stack are a float64's; a float64 is 64 bits. */
void js_expr_as_float(js_expr *expr);
void js_expr_as_bits(js_expr *expr);
/* The whole number on the stack as a float64. */
void js_expr_to_float(js_expr *expr);
/* The float64 in a vector register. */
void js_expr_float_register(js_expr *expr, unsigned reg);

/* ---- truth_leaves.c: the scalars a type is made of ---- */

typedef struct js_leaf {
    uint64_t offset, size;
    bool is_float, is_bool;
    bool is_hidden; /* shown nowhere: a missing one hides nothing */
    /* What the type says of it: scale times nfactors leaves from first_factor on; scale 0: nothing. */
    uint64_t scale;
    size_t first_factor, nfactors;
    /* Of an array that fills its memory: the number of items of this size in the allocation that the leaf
     * `memory` points to; 0: not so. */
    uint64_t memory_item;
    size_t memory;
} js_leaf;

/* JS_EUNSUP: a type whose scalars are not known. */
int js_leaves_read(const js_type *type, js_leaf *leaves, size_t capacity, size_t *count);

/* ---- one function at work ---- */

typedef struct js_tracked {
    js_leaf *leaves;
    size_t nleaves;
    uint32_t (*ids)[JS_TRUTH_IDS]; /* of each leaf: values that are this version's; JS_VALUE_ANY ends */
    /* Of each such value, by block: the first instruction behind one that the compiler says it of, whichever
     * way the program came; JS_CODE_NOWHERE: none. NULL: it came in as the argument. */
    uint32_t *(*since)[JS_TRUTH_IDS];
    uint32_t *places; /* of each leaf: where it was last seen; JS_PLACE_ABSENT: not looked up */
    bool is_known;    /* the leaves are */
} js_tracked;

typedef struct js_turns js_turns;

typedef struct js_truth {
    js_arena *arena; /* of the object: what stays */
    js_arena scratch;
    js_object *object;
    js_function *function;
    const js_flow *flow;
    js_code code;
    js_track track;
    bool is_followed;    /* code and track are there */
    bool is_plain;       /* every variable has one home: nothing was promoted to registers */
    int64_t base;        /* offset of DWARF's frame base; JS_TRACK_NOWHERE */
    js_tracked *tracked; /* of each variable */
    uint32_t *lines;     /* of each instruction */
    uint8_t *is_cyclic;  /* of each instruction: it may run twice in a call */
    js_caller *caller;   /* NULL: nothing is known of one, or it was not looked for */
    bool is_caller_sought;
    js_turns *turns; /* loops over a range */
    size_t nturns;
    struct js_copies *copies; /* NULL: not looked for */
    struct js_order *order;   /* of its promoted variables' code; NULL: not looked for */
    uint8_t *is_moved; /* of each instruction: it runs before or after its line's turn; NULL: not known */
} js_truth;

typedef struct js_verdict {
    js_state state;
    const js_variable *version;
    const char *reason;
    bool is_told_by_zero; /* nothing at run time unless the version was assigned */
    const char *computed; /* what the source makes it of, if the value is told by that; else NULL */
    js_expr expr;
} js_verdict;

static inline size_t js_truth_index(const js_truth *truth, const js_variable *variable)
{
    return (size_t)(variable - truth->function->variables);
}
/* [lo, hi) of a variable that has one home in the frame. */
bool js_truth_home(const js_truth *truth, const js_variable *variable, js_extent *home);
/* Of a generator's own code without the hook: the lines of its yields, and its arguments' names
 * (truth_stops.c). */
int js_truth_stops(js_types *types, js_truth *truth);

/* Types of variables that the compiler calls pointers, as far as the source tells them (nameless.c). */
int js_nameless_locals(js_types *types, js_truth *truth);
/* The first of "int64, array(float64, 1d, C)": its length, and `rest` behind the comma. */
size_t js_first_argument(const char *text, const char **rest);
/* The first of such a list has its default's value: nothing is passed of it. */
bool js_is_omitted(const char *text);
/* truth_indices.c: what loops number their turns with becomes variables. */
int js_truth_indices(js_types *types, js_truth *truth);
bool js_truth_is_described(const js_function *function, const char *name);
/* Unoptimised code keeps all of its variables in the frame. */
bool js_truth_is_kept_whole(const js_function *function);
/* A name that the compiler describes nothing of. *all: NULL at first; room for one of each definition. */
int js_truth_add_variable(js_truth *truth, js_variable **all, const js_flow_def *def, const js_type *type);
/* truth_dead.c: what the compiler has removed, as nothing reads it, becomes variables. */
int js_truth_dead(js_types *types, js_truth *truth);
/* unread.c: arguments that the compiler does not describe become variables. */
int js_unread_arguments(js_types *types, js_truth *truth);
/* names_source.c: gives variables the source's names where the compiler writes others, and takes away what is
 * its own. Before all others. */
void js_source_names(js_truth *truth);

/* The line of the code at pc, calls into inlined functions counted as the caller's. */
uint32_t js_truth_line(const js_function *function, uint64_t pc);

/* ---- truth_versions.c: the versions of a variable beside the definitions of the source ---- */
size_t js_truth_count_defs(const js_flow *flow, const char *name);
/* In a kernel, of what is assigned outside of its loop: is this argument what the name stands for there?
 * Copies that the compiler has followed may pass an older value under the name. */
bool js_truth_is_passed(const js_truth *truth, const js_local *local, const js_flow_at *at,
                        const js_variable *argument);
/* Does the source assign the name on this line? */
bool js_truth_is_def(const js_flow *flow, const char *name, uint32_t line);
/* Is it assigned in the body of a `finally`? That is compiled several times, and makes a version each time.
 */
bool js_truth_is_copied(const js_flow *flow, const char *name);
bool js_truth_is_argument_def(const js_truth *truth, const js_flow_def *def);
/* The version that this definition makes, or NULL. */
js_variable *js_truth_version(const js_truth *truth, const js_local *local, const js_flow_def *def);
/* Every version that a statement makes stands at that statement's line. */
bool js_truth_source_matches(const js_truth *truth, const js_local *local);
/* It would match if the compiler had removed those assignments that no version stands at, and numbered what
 * is left. */
bool js_truth_matches_without_removed(const js_truth *truth, const js_local *local);
/* An assignment that may be current there has no version. */
bool js_truth_is_removed(const js_truth *truth, const js_local *local, const js_flow_at *at);

/* ---- truth_sweep.c ---- */
/* Fills the spans of each local. */
int js_truth_sweep(js_truth *truth);

/* ---- truth_arguments.c ---- */
/* Where each argument's scalars are at entry, by the calling convention; words of the stack are appended. */
int js_truth_arguments(js_truth *truth, int64_t *words, size_t capacity, size_t *nwords);
void js_truth_bind_arguments(js_truth *truth);
/* What of an argument its caller holds, and what its frame must return to for that; NULL: nothing. */
const js_held_argument *js_truth_held(js_truth *truth, const js_variable *argument, uint64_t *returns_to);
/* A number that is the argument's default, where nothing is passed of it: its type says it. */
bool js_truth_put_default(const js_truth *truth, const js_variable *argument, js_expr *out);

/* ---- truth_caller.c ---- */
/* The argument's value where its caller still holds it; nothing at run time where another has called. False:
 * it is not to be had there. */
bool js_truth_put_from_caller(js_truth *truth, const js_variable *argument, js_expr *out);

/* In two steps, of arrays and scalars: is it there, as a number on the expression stack; and then the scalar
 * (of an array's structure, the word at the offset). */
bool js_truth_put_held(js_truth *truth, const js_variable *argument, js_expr *out);
bool js_truth_push_held(js_truth *truth, const js_variable *argument, uint64_t offset, js_expr *out);

/* ---- truth_computed.c ---- */
/* Asked for a variable by name: exact, with its place, or `computed`. False: its value is not known. */
typedef struct js_finder {
    bool (*find)(void *context, const char *name, js_verdict *out);
    void *context;
    unsigned left; /* words that may still be read: what refers to itself ends */
} js_finder;
/* A name behind it is what the argument came in as. */
enum { JS_COMPUTED_ENTRY = '^' };
/* The version's value by the text of js_flow_at.computed. False: not all of it is known. */
bool js_truth_compute(js_truth *truth, const js_variable *version, const char *text, js_finder *finder,
                      js_expr *out);

/* ---- truth_places.c ---- */
/* The version's value from what is tracked and what the compiler says at pc. insn: at hand in the track, or
 * JS_CODE_NOWHERE. older: seen from a callee. False: not to be had in full. */
bool js_truth_locate(js_truth *truth, const js_variable *version, uint64_t pc, size_t insn, bool older,
                     js_expr *out);
/* Remember which values stand where the compiler says that the version is. */
int js_truth_learn(js_truth *truth, const js_variable *version, uint64_t pc, uint32_t block, size_t insn);
/* Once all is learned: how far it goes. */
int js_truth_learned(js_truth *truth);
const js_location *js_truth_location(const js_variable *version, uint64_t pc);

/* ---- truth_homes.c: variables that live in memory ---- */
typedef struct js_homes js_homes;
/* JS_EUNSUP: not all versions of the local have one home. */
int js_homes_init(js_homes **out, js_truth *truth, const js_local *local);
void js_homes_enter(js_homes *homes, uint32_t block);
void js_homes_verdict(const js_homes *homes, js_verdict *out);
void js_homes_step(js_homes *homes, size_t insn);
bool js_homes_is_unstored(const js_homes *homes);

bool js_homes_is_stored(const js_homes *homes); /* on every path */
/* Does the instruction assign the local? version: NULL when it is not to be told. */
bool js_homes_assigns(const js_homes *homes, size_t insn, const js_variable **version);

/* ---- truth_copies.c ---- */
typedef struct js_copies js_copies;
/* homes: of each local; those that are not looked at become NULL. *out: NULL where there is nothing to look
 * at. */
int js_copies_init(js_copies **out, js_truth *truth, js_homes **homes);
/* As js_track_enter and js_track_step, each after that one. */
void js_copies_enter(js_copies *copies, uint32_t block);
void js_copies_step(js_copies *copies, size_t insn);
/* The local's value from another word than its home. */
bool js_copies_put(const js_copies *copies, const js_local *local, size_t insn, js_verdict *out);

/* ---- truth_turns.c ---- */
int js_turns_init(js_truth *truth);
/* What a loop over a range gave last, where that is the local's value at the line. is_given: it gave
 * something on every path to the instruction; if not, or behind the loop, there may be nothing at run time.
 */
bool js_turns_put(const js_truth *truth, const js_local *local, const js_flow_at *at, uint32_t line,
                  size_t insn, bool is_given, js_verdict *out);
/* The loop that gives it is what the kernel is made of, and the code runs in a turn of it: wherever it
 * stands, the index is the same. */
bool js_turns_is_kernels(const js_truth *truth, const js_flow_at *at, size_t insn);

/* ---- truth_raises.c ---- */
/* Fills function->raises. */
int js_truth_raises(js_truth *truth);

/* ---- truth_judge.c ---- */
/* What is known of a local at pc, which belongs to this line. homes: NULL when it has none; insn, older: as
 * in js_truth_locate; is_in_turn: what the source says of it at the line holds at pc. */
void js_truth_judge(js_truth *truth, const js_local *local, const js_homes *homes, uint32_t line, uint64_t pc,
                    size_t insn, bool older, bool is_in_turn, js_verdict *out);
/* What the argument came in as, wherever that still is, though it may have been assigned since. */
bool js_truth_put_entry(js_truth *truth, const js_local *local, uint64_t pc, size_t insn, bool older,
                        js_verdict *out);
/* The version that a line's value by computation is of; NULL: it cannot be told. */
const js_variable *js_truth_computed_version(const js_truth *truth, const js_local *local,
                                             const js_flow_at *at);

/* ---- truth_constants.c ---- */
bool js_truth_put_literal(const js_variable *version, const char *literal, js_verdict *out);
/* What the definition gives, where the source or the version's type says all of it. */
bool js_truth_put_constant(const js_variable *version, const js_flow_def *def, js_verdict *out);
/* An empty tuple or None that is never assigned anew: its type says all. */
bool js_truth_put_only_argument(const js_truth *truth, const js_local *local, js_verdict *out);
/* LLVM leaves out what makes bits that nobody asks for, and then calls what is left the variable. */
bool js_truth_is_altered(const js_flow_def *def, const js_variable *version);

/* ---- truth_names.c: names that the compiler shares with the user ---- */

/* Takes the compiler's own variables from the locals whose names they have; where which are whose is not
 * beyond doubt, the name has no value anywhere. */
void js_truth_part_names(js_truth *truth);

#endif
