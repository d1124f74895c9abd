/* Functions that Numba compiled with jitscope's compiler hook. Their debug information is true wherever they
 * have begun. session/truths.c calls js_hook_function() for each; hook.c calls most of the rest. */
#ifndef JS_PROGRAM_HOOK_HOOK_H
#define JS_PROGRAM_HOOK_HOOK_H

#include "program/machine/code.h"
#include "program/model/function.h"

/* Fill the locals of a function compiled with the hook and of the code inlined in it, and the function's
 * statements, all in the object's arena. JS_ENOMEM. */
int js_hook_function(js_object *object, js_function *function);

/* Let the ranges of an inlined generator begin at the marker with its topmost line, where a debugger stops
 * for a breakpoint at the generator: the code that is laid out first may be that of a later `yield`. scope: 1
 * + its index. JS_ENOMEM. */
int js_hook_enter_at_top(js_object *object, const js_function *function, uint32_t scope);

/* ---- ranges.c ---- */

/* A range of code in which variables have no value, and the reason. */
typedef struct js_hook_gap {
    uint64_t lo, hi;
    const char *reason;
} js_hook_gap;

/* Addresses where the words and slots of an area (model/area.h) are valid. */
typedef struct js_hook_ranges {
    uint64_t *ranges;  /* pairs of begin and end, in address order */
    size_t count;      /* number of pairs */
    js_hook_gap *gaps; /* the rest of the code, as far as it is followed; in address order */
    size_t ngaps;
    uint64_t first; /* address of the first marker, where a debugger stops; 0: there is none */
} js_hook_ranges;

typedef struct js_hook_code js_hook_code; /* the function's machine code, decoded once */

/* Decode the function's code. Code that cannot be followed is no error; decoded.h says what is known of it.
 * The caller releases *out by js_hook_code_destroy(). JS_ENOMEM. */
int js_hook_code_create(js_object *object, const js_function *function, js_hook_code **out);
void js_hook_code_destroy(js_hook_code *code);
/* Return the function that the code is of. */
const js_function *js_hook_code_function(const js_hook_code *code);
/* Find the first instruction of [lo, hi) that accesses memory outside of the frame and belongs to this scope
 * itself, not to code inlined in it: [*address, *end). False: there is none, or the code could not be
 * followed. */
bool js_hook_code_access(const js_hook_code *code, uint32_t scope, uint64_t lo, uint64_t hi,
                         uint64_t *address, uint64_t *end);
/* The reason of a gap where the function has not begun, or is being left. */
extern const char js_hook_not_begun[];
/* Find where the area of a scope is valid. scope: 1 + index of inlined code; 0: the function. base: the DWARF
 * expression of the area's address; NULL: there is no area. The ranges are in the object's arena, the gaps in
 * that of the code. JS_ENOMEM. */
int js_hook_ranges_find(js_hook_code *code, uint32_t scope, const uint8_t *base, size_t base_size,
                        js_hook_ranges *out);

/* Facts about the paths to each instruction. */
typedef struct js_hook_paths {
    const js_code *code; /* NULL: the code is not followed, and nothing is known */
    const uint32_t
        *last; /* for each instruction: line of the last marker passed; 0: it differs between the paths */
    const uint8_t *is_cyclic; /* for each instruction: it may run again without a marker in between */
} js_hook_paths;

/* ways.c: find these facts; they are in the code's own arena. JS_ENOMEM. */
int js_hook_paths_find(js_hook_code *code, js_hook_paths *out);

/* The functions from here to js_hook_inlined() fail with JS_ENOMEM only, and leave alone what they cannot
 * follow. */

/* inline_entries.c: at level steps, give the code of an inlined function that runs before its first marker to
 * its caller. */
int js_hook_inline_entries(js_hook_code *code, js_function *function);
/* inline_holes.c: at level steps, give an inlined function the code between its instructions that belongs to
 * no function. */
int js_hook_inline_holes(js_hook_code *code, js_function *function);

/* rows.c: fill function->statements.rows. valid: where the function's own variables are valid. */
int js_hook_statements(const js_hook_paths *ways, js_function *function, const js_hook_ranges *valid);

/* jumped.c: at level steps, fill function->statements.jumped. */
int js_hook_jumped(js_hook_code *code, const js_hook_paths *ways, js_function *function);

/* moved.c: js_rows_skip_checks() for this code; call it before the statements are found. */
int js_hook_skip_checks(js_hook_code *code, js_function *function);
/* moved.c: js_rows_drop_counts() and js_rows_find_moved() for this code; call it when the statements are
 * known. */
int js_hook_moved(js_hook_code *code, js_function *function);

/* inlined.c: fill the spans of the arguments of a function that was inlined without markers. scope: 1 + its
 * index. valid: where the variables of the function that it was inlined into are valid. */
int js_hook_inlined(js_object *object, const js_hook_code *code, uint32_t scope, const js_hook_ranges *valid,
                    js_inline *item);

/* Label the item's integer arguments optimized out, unless its flow says that all their bits are used (a flow
 * of NULL says nothing). LLVM computes only the bits that are used, and calls the result the argument: for `a
 * % 4` that only `n // -2` reads, it names a & 2; for `a - 8` that only `n & 1` reads, it names a
 * (SimplifyDemandedBits of InstCombine, LLVM 22.1). A variable that the hook keeps has all of its bits. */
void js_hook_doubt_narrow(const js_function *function, js_inline *item);

/* ---- raises.c: where a function raises, and its traps ---- */

#define JS_HOOK_RAISE "jitscope.raise" /* the symbol at each place that raises */

/* Return the address of the instruction of a raising marker or a trap in the row's code; 0: it has none. */
uint64_t js_hook_raise_address(const js_function *function, const js_row *row);
/* Return the symbol for such an instruction: JS_HOOK_RAISE, or "jitscope.trap". */
const char *js_hook_raise_name(const js_function *function, uint64_t address);

/* The line in js_hook_paths.last of a marker in inlined code. */
#define JS_LINE_INLINED (UINT32_MAX - 1)

/* cycles.c: find for each block whether it may run again without a block that is cut in between. *out is in
 * the arena. JS_ENOMEM. */
int js_hook_cycles(js_arena *arena, const js_code *code, const uint8_t *is_cut, uint8_t **out);

/* ---- inline_edges.c ---- */

/* Let each range but the first begin one byte earlier, if that byte is the last one of an instruction that
 * runs on into the range. GDB takes the first address of a range for the entry of the inlined code, if the
 * byte before is outside. The byte may be taken from other inlined code with the same parent. */
void js_hook_ranges_widen(const js_hook_code *code, js_inline *item);

/* Let inlined code whose first instruction may fault begin one instruction earlier, together with its row, if
 * that instruction only computes. GDB shows no frame of inlined code when a program stops at its first
 * instruction, which it takes for the call. */
void js_hook_ranges_claim(const js_hook_code *code, js_function *function, js_inline *item);

/* True for the name of a function that loops of level steps call while no debugger is there: "foo.plain"
 * (runtime/python/jitscope/compiler/linked/plain.py). name may be NULL. */
bool js_hook_is_plain(const char *name);
/* Return the length of ".plain" in such a name; 0 for any other name. */
size_t js_hook_plain_length(const char *name);

#endif
