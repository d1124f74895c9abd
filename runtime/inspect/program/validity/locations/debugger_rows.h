/* The rows of a function as the debugger is told them. */
#ifndef JS_PROGRAM_VALIDITY_LOCATIONS_DEBUGGER_ROWS_H
#define JS_PROGRAM_VALIDITY_LOCATIONS_DEBUGGER_ROWS_H

#include "program/model/function.h"

/* The function's rows as the debugger is told them; free() it. NULL: no memory. */
js_row *js_write_rows(const js_function *function, size_t *count);

#endif
