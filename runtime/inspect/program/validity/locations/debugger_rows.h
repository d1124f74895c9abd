/* The rows of a function as they are written for the debugger. */
#ifndef JS_PROGRAM_VALIDITY_LOCATIONS_DEBUGGER_ROWS_H
#define JS_PROGRAM_VALIDITY_LOCATIONS_DEBUGGER_ROWS_H

#include "program/model/function.h"

/* Return the function's rows as they are written for the debugger; free() it. NULL: no memory. */
js_row *js_write_rows(const js_function *function, size_t *count);

#endif
