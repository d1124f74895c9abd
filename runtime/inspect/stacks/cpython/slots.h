/* The variables of a code object, and in which places of its frames they lie. */
#ifndef JS_STACKS_CPYTHON_SLOTS_H
#define JS_STACKS_CPYTHON_SLOTS_H

#include <stdbool.h>
#include <stddef.h>

#include "stacks/cpython/memory.h"
#include "stacks/cpython/offsets.h"

enum { JS_NO_SLOT = UINT32_MAX };

typedef struct js_python_slot {
    char *name;     /* UTF-8 */
    uint32_t index; /* the place among the frame's; JS_NO_SLOT: only the cell's */
    uint32_t cell;  /* the place of the cell that holds it once the frame is set up; JS_NO_SLOT: none */
    bool is_argument;
    bool is_free;   /* it belongs to an outer function */
    bool is_hidden; /* >= 3.12: of a comprehension in code that is no function */
} js_python_slot;

typedef struct js_python_slots {
    js_python_slot *items;
    size_t count;
    uint32_t places;  /* places of the frame that any of them uses */
    bool is_function; /* its variables lie in the frame; else in a dict, but for the hidden ones */
    uint64_t traced;  /* index of the instruction from which on a frame is set up */
} js_python_slots;

/* JS_EBAD: the code object at `code`, known to be one, contradicts itself; JS_ELIMIT: too many variables. */
int js_python_slots_init(js_python_slots *slots, js_memory *memory, js_bytes *bytes,
                         const js_python_offsets *offsets, uint64_t code);
void js_python_slots_deinit(js_python_slots *slots);

#endif
