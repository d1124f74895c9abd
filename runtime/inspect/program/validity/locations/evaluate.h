/* Evaluates a DWARF location in a frame: the bytes of the variable, piece by piece. queries/variable_at.c
 * calls it. */
#ifndef JS_PROGRAM_VALIDITY_LOCATIONS_EVALUATE_H
#define JS_PROGRAM_VALIDITY_LOCATIONS_EVALUATE_H

#include "program/model/frame.h"
#include "program/validity/locations/dwarf_operator.h"

/* The bytes of a variable, in arrays that the caller owns. */
typedef struct js_found_bytes {
    uint8_t *contents;
    uint8_t *known;   /* for each byte of `contents`: 1 if it is known */
    size_t size;      /* bytes of each of the two arrays */
    uint64_t address; /* address of the value, if all of it lies in one place in memory; else 0 */
} js_found_bytes;

/* Fill `contents`, `known` and `address`. frame_base: that of the function. JS_OK even where nothing is
 * known. JS_EFAULT: memory cannot be read; JS_EUNSUP: an operation is not understood. */
int js_evaluate(const js_frame *frame, js_dwarf_operators frame_base, js_dwarf_operators expr,
                js_found_bytes *out);

#endif
