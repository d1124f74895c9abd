/* Code objects, read once and kept by address: names, file, lines. */
#ifndef JS_STACKS_CPYTHON_CODE_H
#define JS_STACKS_CPYTHON_CODE_H

#include <stdbool.h>

#include "stacks/cpython/address_map.h"
#include "stacks/cpython/lines.h"
#include "stacks/cpython/memory.h"
#include "stacks/cpython/slots.h"

typedef struct js_python_code {
    int32_t first_line;
    char *json; /* the members "function", "qualname" and "file" */
    size_t json_length;
    char *function, *file; /* UTF-8; NULL: it cannot be read */
    js_lines lines;
    uint64_t start;        /* >= 3.11: address of the bytecode; else 0 */
    uint64_t size;         /* bytes of it */
    js_python_slots slots; /* read when they are asked for */
    bool has_slots;
    bool internal; /* code of the interpreter's own making (_Py_InitCleanup): no frame of the program */
} js_python_code;

typedef struct js_code_cache {
    js_address_map map;
    js_python_code *codes;
    size_t count, capacity;
    size_t bytes; /* what the entries hold */
} js_code_cache;

struct js_python;

void js_code_cache_deinit(js_code_cache *cache);

/* Check that the object at `code` is a code object: its type must be the one first proven. JS_EBAD when not.
 */
int js_python_check_code_type(struct js_python *python, uint64_t code);

/* *out is valid until the next call. JS_EBAD: no code object; JS_ELIMIT: too much text and lines in all. */
int js_python_find_code(struct js_python *python, uint64_t address, const js_python_code **out);

/* Its variables; *out is valid until the next call of js_python_find_code. As js_python_slots_init. */
int js_python_find_slots(struct js_python *python, uint64_t address, const js_python_slots **out);

/* Line of the instruction: `instruction` as js_python_frame has it. JS_NO_LINE when there is none. */
int32_t js_python_line_of(const struct js_python *python, const js_python_code *code, uint64_t instruction);

#endif
