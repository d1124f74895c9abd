/* A DWARF location → the bytes of the variable, piece by piece. */
#ifndef JS_PROGRAM_VALIDITY_LOCATIONS_EVALUATE_H
#define JS_PROGRAM_VALIDITY_LOCATIONS_EVALUATE_H

#include "program/model/frame.h"

/* `out` receives `size` bytes, `known` one byte for each: 1 where the value is to be had. When the whole lies
 * in one place in memory *address says where, else 0. Status: JS_OK even when nothing is known; JS_EFAULT
 * when memory could not be read; JS_EUNSUP for an operation that is not understood. */
int js_evaluate(const js_frame *frame, const uint8_t *frame_base, size_t frame_base_size, const uint8_t *expr,
                size_t expr_size, uint8_t *out, uint8_t *known, size_t size, uint64_t *address);

#endif
