/* Reads code objects, and keeps their names, files and lines by their addresses. */
#ifndef JS_STACKS_CPYTHON_CODE_H
#define JS_STACKS_CPYTHON_CODE_H

#include <stdbool.h>

#include "stacks/cpython/address_map.h"
#include "stacks/cpython/lines.h"
#include "stacks/cpython/memory.h"
#include "stacks/cpython/slots.h"

/* A code object that was read. */
typedef struct js_python_code {
    int32_t first_line;
    char *json; /* the members "function", "qualname" and "file" */
    size_t json_length;
    char *function, *file; /* UTF-8; NULL: it cannot be read */
    js_lines lines;
    uint64_t start;        /* >= 3.11: address of the bytecode; else 0 */
    uint64_t size;         /* bytes of the bytecode */
    js_python_slots slots; /* its variables; read by js_python_find_slots */
    bool has_slots;
    bool internal; /* true for code that the interpreter itself has made (_Py_InitCleanup), which is no frame
                      of the program */
} js_python_code;

/* The code objects that were read. */
typedef struct js_code_cache {
    js_address_map map;
    js_python_code *codes;
    size_t count, capacity;
    size_t bytes; /* bytes that the entries hold in all */
} js_code_cache;

struct js_python;

void js_code_cache_deinit(js_code_cache *cache);

/* Check that the object at `code` is a code object: its type must be the first one that was proven to be the
 * type of code objects. JS_EBAD: it is not. */
int js_python_check_code_type(struct js_python *python, uint64_t code);

/* Find the code object at an address; *out is valid until the next call. JS_EBAD: it is no code object;
 * JS_ELIMIT: it has too much text or too many lines. */
int js_python_find_code(struct js_python *python, uint64_t address, const js_python_code **out);

/* Find the variables of the code object at an address; *out is valid until the next call of
 * js_python_find_code. Errors as in js_python_slots_init(). */
int js_python_find_slots(struct js_python *python, uint64_t address, const js_python_slots **out);

/* Return the line of an instruction, which is given as in js_python_frame; JS_NO_LINE: it has none. */
int32_t js_python_line_of(const struct js_python *python, const js_python_code *code, uint64_t instruction);

#endif
