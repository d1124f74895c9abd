/* Tracks which place of a function's frame holds which value, by an abstract run of its machine code: values
 * are distinguished, never computed. Internal to program/. */
#ifndef JS_PROGRAM_MACHINE_VALUE_TRACKING_H
#define JS_PROGRAM_MACHINE_VALUE_TRACKING_H

#include "program/machine/code.h"

/* Offsets are counted from the canonical frame address; after the stack pointer was aligned downwards, from
 * where it then stood, plus JS_TRACK_ALIGNED. */
#define JS_TRACK_ALIGNED ((int64_t)1 << 40)
#define JS_TRACK_NOWHERE INT64_MIN

enum { JS_VALUE_ANY = 0, JS_VALUE_ZERO = 1, JS_VALUE_ENTRY = 2 };
#define JS_PLACE_ABSENT UINT32_MAX

typedef struct js_held {
    uint32_t value; /* JS_VALUE_ENTRY + place: what that place held at the function's entry */
    uint32_t width; /* low bytes of the place that are this value's */
} js_held;

typedef struct js_slot {
    int64_t offset;
    uint32_t size;   /* the widest direct access */
    uint32_t stores; /* instructions that write it */
    bool is_loaded, is_owned, survives_calls, survives_stores;
} js_slot;

typedef struct js_track {
    const js_code *code;
    js_slot *slots; /* by offset */
    size_t nslots;
    size_t nplaces;         /* registers, then slots */
    int64_t *stack, *frame; /* for each instruction: rsp and rbp before it; JS_TRACK_NOWHERE: unknown */
    int64_t *escapes;       /* addresses in the frame that were taken, in order */
    size_t nescapes;
    js_held *in; /* for each reachable block, nplaces each */
    js_held *now;
    uint8_t *is_read; /* for each place: what it held at entry is used; NULL with has_pushes */
    bool has_loops;
    bool has_pushes; /* to be set before js_track_run: what is pushed has a place */
} js_track;

typedef struct js_extent {
    int64_t lo, hi; /* offsets; a variable's home: only what takes its own address reaches it */
} js_extent;

/* JS_EUNSUP: the stack pointer cannot be followed; JS_ELIMIT: too large. */
int js_track_init(js_track *track, js_arena *arena, const js_code *code);
/* Return a variable's offset from its DWARF location, base register + value at the instruction. To be called
 * before js_track_run. */
int64_t js_track_offset(const js_track *track, size_t insn, unsigned base, int64_t value);
/* Run to the fixed point. `words`: offsets of incoming stack words that shall have a place. */
int js_track_run(js_track *track, js_arena *arena, const int64_t *words, size_t nwords,
                 const js_extent *homes, size_t nhomes);

/* track->now becomes the state before the block; then after each instruction. */
void js_track_enter(js_track *track, uint32_t block);
void js_track_step(js_track *track, size_t insn);
/* As if a call had just been made: what an older frame still knows. */
void js_track_call(js_track *track);
/* Place of a slot, or JS_PLACE_ABSENT. */
uint32_t js_track_place(const js_track *track, int64_t offset);
/* The instruction that made what a place holds now; JS_CODE_NOWHERE: none did, or several. */
uint32_t js_track_maker(const js_track *track, uint32_t place);
bool js_track_escapes(const js_track *track, int64_t lo, int64_t hi);

#endif
