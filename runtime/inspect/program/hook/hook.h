/* Functions that Numba compiled with jitscope's compiler hook: what their debug information says is so, where
 * they have begun. */
#ifndef JS_PROGRAM_HOOK_HOOK_H
#define JS_PROGRAM_HOOK_HOOK_H

#include "program/machine/code.h"
#include "program/model/function.h"

/* Fill the locals of a function compiled with the hook and of the code inlined in it, and its statements. */
int js_hook_function(js_object *object, js_function *function);

/* An inlined generator is entered where it goes on: its first statement, where a debugger shall stop, is
 * the topmost, wherever it is laid out. */
int js_hook_enter_at_top(js_object *object, const js_function *function, uint32_t scope);

/* ---- ranges.c ---- */

/* Code where it is not, and why. */
typedef struct js_hook_gap {
    uint64_t lo, hi;
    const char *reason;
} js_hook_gap;

/* Addresses where the area's words and slots hold what they say: pairs of begin and end. */
typedef struct js_hook_ranges {
    uint64_t *ranges;
    size_t count;
    js_hook_gap *gaps; /* the rest of the code, as far as it is followed; in address order */
    size_t ngaps;
    uint64_t first; /* the first marker: where a debugger shall stop; 0: there is none */
} js_hook_ranges;

typedef struct js_hook_code js_hook_code; /* the function's machine code, decoded once */

int js_hook_code_create(js_object *object, const js_function *function, js_hook_code **out);
void js_hook_code_destroy(js_hook_code *code);
const js_function *js_hook_code_function(const js_hook_code *code);
/* The first instruction of [lo, hi) that accesses memory outside of the frame, in code of this scope and of
 * none inlined there. False: there is none, or the code could not be followed. */
bool js_hook_code_access(const js_hook_code *code, uint32_t scope, uint64_t lo, uint64_t hi,
                         uint64_t *address, uint64_t *end);
/* The reason for code in which nothing is followed. */
extern const char js_hook_not_begun[];
/* scope: 1 + index of inlined code, 0: the function; base: the area's address. Allocated in the object's
 * arena. */
int js_hook_ranges_find(js_hook_code *code, uint32_t scope, const uint8_t *base, size_t base_size,
                        js_hook_ranges *out);

/* Facts about the ways to each instruction. */
typedef struct js_hook_ways {
    const js_code *code; /* NULL: nothing */
    const uint32_t
        *last; /* for each instruction: line of the last marker passed; 0: not the same on all ways */
    const uint8_t *is_cyclic; /* for each instruction: it may run again without a marker in between */
} js_hook_ways;

/* ways.c: allocated in the code's own arena. */
int js_hook_ways_find(js_hook_code *code, js_hook_ways *out);

/* ---- inline_entries.c: at `steps`, code of an inlined function that runs before a line of it is its
 * caller's ---- */
int js_hook_inline_entries(js_hook_code *code, js_function *function);
/* Gives inlined functions at level steps the code between theirs that has no place of its own. */
int js_hook_inline_holes(js_hook_code *code, js_function *function);

/* ---- rows.c: fills the function's statements; valid: of its own variables ---- */
int js_hook_statements(const js_hook_ways *ways, js_function *function, const js_hook_ranges *valid);

/* ---- jumped.c: fills what the function has between its statements, at `steps` ---- */
int js_hook_jumped(js_hook_code *code, const js_hook_ways *ways, js_function *function);

/* moved.c: rows begin where their statement does; rows for what is of another statement than the one shown */
int js_hook_skip_checks(js_hook_code *code, js_function *function);
int js_hook_moved(js_hook_code *code, js_function *function);

/* ---- inlined.c: the arguments of a function that was inlined without markers; scope: 1 + its index;
 * valid: of the function that it was inlined into ---- */
int js_hook_inlined(js_object *object, const js_hook_code *code, uint32_t scope, const js_hook_ranges *valid,
                    js_inline *item);

/* Takes back the item's integer arguments, unless its flow says that all their bits are used (NULL: the flow
 * is not at hand). LLVM computes only the bits that are used, and calls what is left the argument: for `a %
 * 4` that only `n // -2` reads, it names a & 2; for `a - 8` that only `n & 1` reads, it names a
 * (SimplifyDemandedBits of InstCombine, LLVM 22.1). The hook uses the whole of what it keeps. */
void js_hook_doubt_narrow(const js_function *function, js_inline *item);

/* ---- raises.c: where a function raises ---- */

#define JS_HOOK_RAISE "jitscope.raise" /* the symbol there */

/* Return the address of the raising marker's instruction in the row's code; 0: it has none. */
uint64_t js_hook_raise_address(const js_function *function, const js_row *row);

/* The line that a marker in inlined code is given. */
#define JS_LINE_INLINED (UINT32_MAX - 1)

/* cycles.c: find for each block whether it may run again without one of those that are cut. */
int js_hook_cycles(js_arena *arena, const js_code *code, const uint8_t *is_cut, uint8_t **out);

/* ---- inline_edges.c ---- */

/* GDB takes the first address of a range for the way into inlined code, if the byte before is outside: where
 * that is the last of an instruction that runs on, it is taken in, for all ranges but the first, also from
 * other inlined code. */
void js_hook_ranges_widen(const js_hook_code *code, js_inline *item);

/* GDB shows no frame of inlined code when a program stops at its first instruction: it takes that for the
 * call. Where that instruction may fault, the one before, which only computes, is taken in, with the row. */
void js_hook_ranges_claim(const js_hook_code *code, js_function *function, js_inline *item);

/* True for a function that runs in loops of level steps while no debugger is there, by its name, "foo.plain"
 * (runtime/python/jitscope/compiler/linked/plain.py); NULL is none. */
bool js_hook_is_plain(const char *name);
/* How many characters that adds to the source's name; 0: it is none. */
size_t js_hook_plain_length(const char *name);

#endif
