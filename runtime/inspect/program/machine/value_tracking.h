/* Tracks which register or stack slot of a function holds which value, by an abstract run of its machine
 * code: values are distinguished, never computed. Used by all of program/ that follows values.
 *
 * Call js_track_init(), then js_track_run(); then js_track_enter() a block and js_track_step() over its
 * instructions, and look at track->now. */
#ifndef JS_PROGRAM_MACHINE_VALUE_TRACKING_H
#define JS_PROGRAM_MACHINE_VALUE_TRACKING_H

#include "program/machine/code.h"

/* Offsets count bytes from the canonical frame address. After the stack pointer was aligned downwards, they
 * count from the aligned stack pointer, plus JS_TRACK_ALIGNED. */
#define JS_TRACK_ALIGNED ((int64_t)1 << 40)
#define JS_TRACK_NOWHERE INT64_MIN /* the offset is unknown */

/* Numbers of values: unknown, 0, and JS_VALUE_ENTRY + place for what that place held at the function's entry.
 * The number JS_VALUE_ENTRY + nplaces + insn is the value that this instruction made. */
enum { JS_VALUE_ANY = 0, JS_VALUE_ZERO = 1, JS_VALUE_ENTRY = 2 };
#define JS_PLACE_ABSENT UINT32_MAX /* no place */

/* What a place holds. */
typedef struct js_held {
    uint32_t value;
    uint32_t width; /* how many low bytes of the place are this value's */
} js_held;

/* A place in the frame that an instruction accesses by its offset. */
typedef struct js_slot {
    int64_t offset;
    uint32_t size;   /* bytes of the widest direct access */
    uint32_t stores; /* number of instructions that write it */
    /* is_loaded: an instruction reads it; is_owned: it is a word of the caller or part of a variable's home;
     * survives_…: a call, or a store to an unknown address, leaves its value unchanged. */
    bool is_loaded, is_owned, survives_calls, survives_stores;
} js_slot;

typedef struct js_track {
    const js_code *code;
    js_slot *slots; /* by offset */
    size_t nslots;
    size_t nplaces;         /* JS_CODE_REGISTERS registers, then the slots */
    int64_t *stack, *frame; /* for each instruction: rsp and rbp before it; JS_TRACK_NOWHERE: unknown */
    int64_t *escapes;       /* addresses in the frame that were taken, in order */
    size_t nescapes;
    js_held *in;      /* for each reachable block, by its order: nplaces values at its begin */
    js_held *now;     /* for each place: what it holds at the current point */
    uint8_t *is_read; /* for each place: the value that it held at entry is used; NULL with has_pushes */
    bool has_loops;
    bool has_pushes; /* pushed words get a place; to be set before js_track_run() */
} js_track;

/* Offsets [lo, hi) of a variable's home: only code that takes an address within it reaches it. */
typedef struct js_extent {
    int64_t lo, hi;
} js_extent;

/* Follow the stack pointer. Everything is allocated in the arena, which must outlive the track, as must the
 * code. JS_EUNSUP: the stack pointer cannot be followed; JS_ELIMIT: too large; JS_ENOMEM. */
int js_track_init(js_track *track, js_arena *arena, const js_code *code);
/* Return the offset of the address `base` (a register) + value before the instruction; JS_TRACK_NOWHERE: it
 * is not in the frame, or unknown. Needs only js_track_init(). */
int64_t js_track_offset(const js_track *track, size_t insn, unsigned base, int64_t value);
/* Run to the fixed point. words: offsets of incoming stack words that get a place. homes: those of the
 * variables. JS_ELIMIT: too large; JS_ENOMEM. */
int js_track_run(js_track *track, js_arena *arena, const int64_t *words, size_t nwords,
                 const js_extent *homes, size_t nhomes);

/* Set track->now to the state at the begin of a reachable block. */
void js_track_enter(js_track *track, uint32_t block);
/* Change track->now from the state before the instruction to the one after it. */
void js_track_step(js_track *track, size_t insn);
/* Change track->now as a call would; the rest is what an older frame still has while its callee runs. */
void js_track_call(js_track *track);
/* Return the place of the slot at the offset, or JS_PLACE_ABSENT. */
uint32_t js_track_place(const js_track *track, int64_t offset);
/* Return the instruction that made the value that a place holds now; JS_CODE_NOWHERE: none did, or several.
 */
uint32_t js_track_maker(const js_track *track, uint32_t place);
/* True if the address of a byte in [lo, hi) was taken. */
bool js_track_escapes(const js_track *track, int64_t lo, int64_t hi);

#endif
