/* Reads strings and bytes objects of CPython, and proves types, by the offsets of the version. */
#ifndef JS_STACKS_CPYTHON_OBJECT_H
#define JS_STACKS_CPYTHON_OBJECT_H

#include "bytes/text.h"
#include "stacks/cpython/memory.h"
#include "stacks/cpython/offsets.h"

enum { JS_PYTHON_NAME_LIMIT = 4096 /* bytes of UTF-8 that are kept of a str */ };

/* Read a str of any kind as UTF-8. Lone surrogates, which UTF-8 does not have, become U+FFFD. A text longer
 * than JS_PYTHON_NAME_LIMIT bytes is cut, with U+2026 at its end. `out` has at least JS_PYTHON_NAME_LIMIT + 4
 * bytes. JS_EBAD: it is no str. */
int js_python_read_str(js_memory *memory, const js_python_offsets *offsets, uint64_t address, char *out,
                       size_t *length);

/* Read the contents of a bytes object. The caller frees *out. JS_ELIMIT: it has more than `limit` bytes. */
int js_python_read_bytes(js_memory *memory, const js_python_offsets *offsets, uint64_t address, size_t limit,
                         uint8_t **out, size_t *size);

/* Check that `type` is the type of code objects, with the members at the places that the offsets have. Memory
 * that cannot be read proves nothing, because a core need not contain constants. JS_EBAD: it is another type.
 */
int js_python_prove_code_type(js_memory *memory, const js_python_offsets *offsets, uint64_t type);

#endif
