/* The area of a function that was compiled with the hook (runtime/python/jitscope/compiler/slots/area.py):
 * one piece of its frame, with the variables' slots and with 64-bit words that say which slots hold a value.
 * hook/ reads the locations; queries/variable_at.c reads the words of a frame. */
#ifndef JS_PROGRAM_MODEL_AREA_H
#define JS_PROGRAM_MODEL_AREA_H

#include <stddef.h>
#include <stdint.h>

#include "bytes/arena.h"

enum { JS_AREA_WORDS = 16 }; /* words of one slot, at most */

/* Values of a word, which is also a mask of the slot's address. Any other value means that the variable has a
 * value that is not kept. Hooks of format 1 (level.h) wrote -1 for JS_AREA_ASSIGNED, so the lowest bit has no
 * meaning. */
#define JS_AREA_UNASSIGNED UINT64_C(0)
#define JS_AREA_ASSIGNED (~JS_AREA_ANY)
#define JS_AREA_ANY UINT64_C(1)

typedef struct js_area_slot {
    const uint8_t *base;           /* DWARF expression of the address from which the offsets count */
    size_t base_size;              /* bytes of base */
    uint64_t value;                /* offset of the value, in bytes */
    uint64_t words[JS_AREA_WORDS]; /* offsets; the value is valid where all words are JS_AREA_ASSIGNED */
    size_t nwords;                 /* 0: the value is always valid */
} js_area_slot;

/* A DWARF expression of no value: what a register held when the function was called. GDB shows it as
 * optimized out, and refuses `set var` as it is no lvalue. An empty piece is shown in the same way, but a
 * write to it has no effect and no error. */
enum { JS_AREA_NOTHING_SIZE = 3 };
extern const uint8_t js_area_nothing[JS_AREA_NOTHING_SIZE];

/* Read the slot that a location of the hook describes. *out is in the arena and refers to `expr`; NULL: the
 * expression is no such location. JS_ENOMEM. */
int js_area_read(js_arena *arena, const uint8_t *expr, size_t size, js_area_slot **out);

/* Return a DWARF expression, in the arena, that is the slot where all its words are JS_AREA_ASSIGNED, and
 * else js_area_nothing. NULL: there is no memory. */
const uint8_t *js_area_location(js_arena *arena, const js_area_slot *slot, size_t *size);

/* Write the location of word number `word` of the slot to `expr`. Returns its size in bytes, or 0 where
 * capacity is too small. */
size_t js_area_word(const js_area_slot *slot, size_t word, uint8_t *expr, size_t capacity);

#endif
