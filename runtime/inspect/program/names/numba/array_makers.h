/* What makes arrays. */
#ifndef JS_PROGRAM_NAMES_NUMBA_ARRAY_MAKERS_H
#define JS_PROGRAM_NAMES_NUMBA_ARRAY_MAKERS_H

#include <stdbool.h>

/* True if an array that `maker` (program/source/flow.h: `made`) gives is a new one that fills its
 * allocation. */
bool js_numba_makes_array(const char *maker);
/* True if it also stores to all elements of the array. */
bool js_numba_fills_array(const char *maker);
/* A function that gives memory for an array, and stores nothing there (numba/core/runtime/nrtdynmod.py,
 * nrt.cpp, 0.42-0.68). */
bool js_numba_allocates(const char *symbol);

#endif
