/* Finds the variables of a code object, and the places in its frames where they lie. */
#ifndef JS_STACKS_CPYTHON_SLOTS_H
#define JS_STACKS_CPYTHON_SLOTS_H

#include <stdbool.h>
#include <stddef.h>

#include "stacks/cpython/memory.h"
#include "stacks/cpython/offsets.h"

enum { JS_NO_SLOT = UINT32_MAX };

/* A variable. */
typedef struct js_python_slot {
    char *name;     /* UTF-8 */
    uint32_t index; /* index of its place in the frame; JS_NO_SLOT: it has only a cell */
    uint32_t
        cell; /* index of the place of the cell that holds it after the frame is set up; JS_NO_SLOT: none */
    bool is_argument;
    bool is_free;   /* a variable of an outer function */
    bool is_hidden; /* >= 3.12: a variable of a comprehension, in code that is no function */
} js_python_slot;

/* The variables of a code object. */
typedef struct js_python_slots {
    js_python_slot *items;
    size_t count;
    uint32_t places;  /* number of places of the frame that they use */
    bool is_function; /* true: its variables lie in the frame; false: in a dict, except the hidden ones */
    uint64_t traced;  /* index of the instruction from which on a frame is set up */
} js_python_slots;

/* Read the variables of the code object at `code`. JS_EBAD: it contradicts itself; JS_ELIMIT: it has too many
 * variables. The caller calls js_python_slots_deinit. */
int js_python_slots_init(js_python_slots *slots, js_memory *memory, js_bytes *bytes,
                         const js_python_offsets *offsets, uint64_t code);
void js_python_slots_deinit(js_python_slots *slots);

#endif
