/* Writes a file with the debug information of one function: its name, one line, and its variables with their
 * values. While a debugger has the file, the code at these addresses looks like a Python frame.
 * gdbext/jitscope_gdb/stops/python_line.py calls it. */
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
    JS_LINE_INDEX, /* another value: a structure of one int64, `index`, which its printer looks up */
} js_line_value;

typedef struct js_line_variable {
    const char *name, *type; /* type: the name that the debugger shows for JS_LINE_INDEX; else not read */
    uint64_t bits;           /* the value */
    uint32_t value;          /* js_line_value */
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

/* Write the file. The line is only shown: no breakpoint can be set at it. JS_ESYS: errno says why the file
 * could not be written. JS_ENOMEM. */
JS_API int js_line_symbols_write(const char *path, const js_line_function *function);

#endif
