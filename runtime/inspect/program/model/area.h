/* The area of a function that the compiler hook made (runtime/python/jitscope/compiler/slots/area.py): one
 * piece of its frame, with the variables' slots and 64-bit words that say which of them hold a value. */
#ifndef JS_PROGRAM_MODEL_AREA_H
#define JS_PROGRAM_MODEL_AREA_H

#include <stddef.h>
#include <stdint.h>

#include "bytes/arena.h"

enum { JS_AREA_WORDS = 16 };

/* A word is also a mask over the slot's address; any other value: there is one, which is not kept. Hooks of
 * format 1 (hook.h) wrote -1 for JS_AREA_ASSIGNED, so the lowest bit says nothing there. */
#define JS_AREA_UNASSIGNED UINT64_C(0)
#define JS_AREA_ASSIGNED (~JS_AREA_ANY)
#define JS_AREA_ANY UINT64_C(1)

typedef struct js_area_slot {
    const uint8_t *base; /* DWARF expression of an address, from which the offsets count */
    size_t base_size;
    uint64_t value;                /* offset of the value */
    uint64_t words[JS_AREA_WORDS]; /* offsets; the value holds where all words are JS_AREA_ASSIGNED */
    size_t nwords;                 /* 0: it always holds */
} js_area_slot;

/* What a caller that nobody knows had in a register of none: GDB says of it that it is optimized out, and of
 * `set var` that this is no lvalue. An empty piece reads alike, but a write to it ends without a word. */
enum { JS_AREA_NOTHING_SIZE = 3 };
extern const uint8_t js_area_nothing[JS_AREA_NOTHING_SIZE];

/* What the hook's location says; *out is NULL when it is no such location. */
int js_area_read(js_arena *arena, const uint8_t *expr, size_t size, js_area_slot **out);

/* The location as debuggers read it best: the slot where all words say so, else nothing. NULL: no
 * memory. */
const uint8_t *js_area_location(js_arena *arena, const js_area_slot *slot, size_t *size);

/* The location of one of the words, into `expr`; its size, or 0 when there is no room. */
size_t js_area_word(const js_area_slot *slot, size_t word, uint8_t *expr, size_t capacity);

#endif
