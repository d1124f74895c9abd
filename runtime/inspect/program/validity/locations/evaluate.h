/* A DWARF location → the bytes of the variable, piece by piece. */
#ifndef JS_PROGRAM_VALIDITY_LOCATIONS_EVALUATE_H
#define JS_PROGRAM_VALIDITY_LOCATIONS_EVALUATE_H

#include "program/model/frame.h"
#include "program/validity/locations/dwarf_operator.h"

/* The bytes of a variable, in arrays of the caller. */
typedef struct js_found_bytes {
    uint8_t *contents;
    uint8_t *known;   /* one byte for each of `contents`: 1 where the value is to be had */
    size_t size;      /* for each of the two */
    uint64_t address; /* where the whole lies in one place in memory; else 0 */
} js_found_bytes;

/* Fills `contents`, `known` and `address`. `frame_base` is the function's. Status: JS_OK even when nothing is
 * known; JS_EFAULT when memory could not be read; JS_EUNSUP for an operation that is not understood. */
int js_evaluate(const js_frame *frame, js_dwarf_operators frame_base, js_dwarf_operators expr,
                js_found_bytes *out);

#endif
