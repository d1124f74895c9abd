/* The rows of a function as they are written for the debugger: write/ writes them, and queries/ and the
 * analyses look at the same rows. */
#ifndef JS_PROGRAM_VALIDITY_LOCATIONS_DEBUGGER_ROWS_H
#define JS_PROGRAM_VALIDITY_LOCATIONS_DEBUGGER_ROWS_H

#include "program/model/function.h"

/* Return the rows, `*count` of them, in order of addresses; the caller frees them by free(). NULL: there is
 * no memory. */
js_row *js_debugger_rows(const js_function *function, size_t *count);

#endif
