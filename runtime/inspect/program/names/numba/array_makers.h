/* NumPy's functions that make arrays, for source/flow_json.c, and the runtime's functions that allocate
 * memory for them. */
#ifndef JS_PROGRAM_NAMES_NUMBA_ARRAY_MAKERS_H
#define JS_PROGRAM_NAMES_NUMBA_ARRAY_MAKERS_H

#include <stdbool.h>

/* True if `maker`, the full name of a NumPy function or "operator", returns a new array that fills its
 * allocation. */
bool js_numba_makes_array(const char *maker);
/* True if `maker` also stores to all elements of the array. */
bool js_numba_fills_array(const char *maker);
/* True for a symbol of a function that allocates memory for an array, and stores nothing there
 * (numba/core/runtime/nrtdynmod.py, nrt.cpp, 0.42-0.68). */
bool js_numba_allocates(const char *symbol);

#endif
