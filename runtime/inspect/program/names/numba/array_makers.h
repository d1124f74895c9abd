/* What makes arrays. */
#ifndef JS_PROGRAM_NAMES_NUMBA_ARRAY_MAKERS_H
#define JS_PROGRAM_NAMES_NUMBA_ARRAY_MAKERS_H

#include <stdbool.h>

/* If what `maker` (program/source/flow.h: `made`) gives is an array, is it a new one that fills its
 * allocation? */
bool js_numba_makes_array(const char *maker);

#endif
