/* A file with the debug information of one function: its name, one line, and its variables with their values.
 * While a debugger has it, the code at these addresses represents a Python frame. */
#ifndef JS_PROGRAM_WRITE_LINE_SYMBOLS_H
#define JS_PROGRAM_WRITE_LINE_SYMBOLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bytes/status.h"

typedef enum js_line_value {
    JS_LINE_INT,   /* 64 bits, signed */
    JS_LINE_BOOL,  /* 0 or 1 */
    JS_LINE_FLOAT, /* the bits of a double */
    JS_LINE_INDEX, /* none of these: a structure of one int64, `index`, by which its reader knows the value */
} js_line_value;

typedef struct js_line_variable {
    const char *name, *type; /* type: of JS_LINE_INDEX, for the debugger to show; else not read */
    uint64_t bits;
    uint32_t value; /* js_line_value */
    bool is_argument;
} js_line_variable;

typedef struct js_line_function {
    const char *name;
    const char *file; /* absolute */
    uint64_t lo, hi;  /* the addresses that have this line */
    const js_line_variable *variables;
    size_t nvariables;
    uint32_t line;
} js_line_function;

/* The line is none that a breakpoint is set at: it is only shown. JS_ESYS: errno says why the file could not
 * be written. */
JS_API int js_line_symbols_write(const char *path, const js_line_function *function);

#endif
