/* How a parallel kernel receives the iterations that it runs: its first argument is a row of the schedule, an
 * array of one dimension that holds the first iteration in each dimension of the loop, then the last
 * (numba/parfors/parfor_lowering.py, _create_gufunc_for_parfor_body and call_parallel_gufunc, 0.57-0.68).
 * queries/loop_chunk.c reads the row. */
#ifndef JS_PROGRAM_NAMES_NUMBA_SCHEDULE_H
#define JS_PROGRAM_NAMES_NUMBA_SCHEDULE_H

#include <stdbool.h>
#include <stdint.h>

enum { JS_NUMBA_SCHEDULE_DIMENSIONS = 32, JS_NUMBA_SCHEDULE_WORD = 8 };

/* Offsets in bytes from the canonical frame address of the words on the stack where a kernel gets its
 * schedule (x86-64). Six registers hold the pointers to the result and the exception and the array's meminfo,
 * parent, nitems and itemsize; its data, shape and stride come next (System V ABI 3.2.3,
 * program/names/numba/return_convention.h). */
enum { JS_NUMBA_SCHEDULE_DATA = 0, JS_NUMBA_SCHEDULE_SHAPE = 8, JS_NUMBA_SCHEDULE_STRIDE = 16 };

/* True if a kernel with these arguments, "(array(uint64, 1d, C), …)", gets a schedule. *is_signed: its
 * iterations may be negative. arguments may be NULL. */
bool js_numba_schedule_passed(const char *arguments, bool *is_signed);

/* Return the type of the index of a kernel's loop, which is that of its schedule: "uint64" where the loop
 * starts at a number that is not negative, else "int64". arguments NULL: a loop within a kernel, which is a
 * range of int64. */
const char *js_numba_index_type(const char *arguments);

/* Return the number of dimensions of the loop whose row has this shape and stride; 0: it is no row. */
unsigned js_numba_schedule_dimensions(uint64_t shape, uint64_t stride);

#endif
