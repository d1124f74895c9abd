/* Objects of CPython as bytes: strings, bytes, and what type an object is of. */
#ifndef JS_STACKS_CPYTHON_OBJECT_H
#define JS_STACKS_CPYTHON_OBJECT_H

#include "bytes/text.h"
#include "stacks/cpython/memory.h"
#include "stacks/cpython/offsets.h"

enum { JS_PYTHON_NAME_LIMIT = 4096 /* bytes of UTF-8 that are kept of a str */ };

/* A str of any kind as UTF-8; what no UTF-8 can say (lone surrogates) becomes U+FFFD. A longer one is cut,
 * with U+2026 at its end. `capacity` at least JS_PYTHON_NAME_LIMIT + 4. JS_EBAD: no str. */
int js_python_read_str(js_memory *memory, const js_python_offsets *offsets, uint64_t address, char *out,
                       size_t *length);

/* The contents of a bytes object, at most `limit` of them: JS_ELIMIT when there are more. *out to be freed.
 */
int js_python_read_bytes(js_memory *memory, const js_python_offsets *offsets, uint64_t address, size_t limit,
                         uint8_t **out, size_t *size);

/* Check that `type` is the type of code objects, with the members where the offsets have them. What cannot be
 * read proves nothing, for a core need not contain constants. JS_EBAD: it is not. */
int js_python_prove_code_type(js_memory *memory, const js_python_offsets *offsets, uint64_t type);

#endif
