/* Exceptions of compiled code, for their tracebacks: which code raises one, and, where the code is compiled
 * so, the places that it has come through. The package jitscope calls the functions (JITSCOPE_TRACEBACKS). */
#ifndef JITSCOPE_RAISED_H
#define JITSCOPE_RAISED_H

#include <stddef.h>
#include <stdint.h>

#include "jitscope.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A place that an exception has left, or where it was raised. */
typedef struct jitscope_raised_place {
    const char *symbol; /* the function's, which ends in NUL */
    uint64_t place; /* a line, or the number of a place in an inlined function (compiler/raised/places.py) */
    uint64_t offset, size; /* bytes: where the copy of the function's variables is; size 0: there is none */
} jitscope_raised_place;

enum {
    JITSCOPE_RAISED_PLACES = 2048,   /* most places of an exception that are kept */
    JITSCOPE_RAISED_BYTES = 1 << 16, /* most bytes of copies of variables */
    JITSCOPE_RAISED_BELOW = 512,     /* words below a stack pointer that are copied */
};

/* Return the function that compiled code is to call in place of CPython's PyErr_Clear, which is passed: it
 * notes the place of the call. */
JITSCOPE_API void *jitscope_raised_begin(void *function);
/* Return the function that compiled code is to call in place of one that takes a pointer and is passed: it
 * does the same, and leaves the words below the caller's stack pointer that jitscope_raised_below() copies.
 */
JITSCOPE_API void *jitscope_raised_free(void *function);
/* Return the function that compiled code is to call in place of CPython's PyArg_UnpackTuple, which is passed:
 * it notes the tuple and the place of the call. */
JITSCOPE_API void *jitscope_raised_unpack(void *function);
/* Get the calling thread's last call of that function: the tuple's address, where its return address was, and
 * this address; then where the return address of the last call was that takes PyErr_Clear's place. 0: there
 * was none. */
JITSCOPE_API void jitscope_raised_call(uint64_t call[4]);
/* Return the return address of the calling thread's last call of that function, once; 0: there was none. */
JITSCOPE_API uint64_t jitscope_raised_take(void);
/* Find the function of code that JITs have registered with an address in it: its first address, and its
 * symbol, which ends in NUL, in `name` of `size` bytes. Returns 1; 0: there is none, or its symbol is too
 * long; JITSCOPE_EBUSY: another thread reads the registered code; JITSCOPE_ESYSTEM. */
JITSCOPE_API int jitscope_raised_function(uint64_t address, size_t size, char *name, uint64_t *start);
/* Find the constant of such code that begins at an address: its symbol, as jitscope_raised_function returns
 * the function's. */
JITSCOPE_API int jitscope_raised_constant(uint64_t address, size_t size, char *name);
/* Find the ELF image of such code that has an address in it: code or a constant. `size` is in bytes. Returns
 * 1; 0: there is none; errors as jitscope_raised_function. */
JITSCOPE_API int jitscope_raised_image(uint64_t address, uint64_t *image, uint64_t *size);
/* Return a copy of the words that were below the return address of the calling thread's last call of the
 * function that takes PyErr_Clear's place, JITSCOPE_RAISED_BELOW of them in order of their addresses: what
 * calls have left there that have returned. It is valid until the thread's next call. NULL: there is none. */
JITSCOPE_API const uint64_t *jitscope_raised_below(void);
/* Return the places that the calling thread has recorded for its last exception, the innermost first, and
 * forget them. They, and the `size` bytes at `variables` to which they refer, are valid until compiled code
 * raises in this thread. `count` is set to 0 if there are more than are kept. */
JITSCOPE_API const jitscope_raised_place *jitscope_raised_places(uint64_t *count, const void **variables,
                                                                 uint64_t *size);
/* Compiled code calls these where it raises an exception, and where it returns one that a call has returned.
 * The symbol is not copied. */
JITSCOPE_API void jitscope_raised_here(const char *symbol, uint64_t place);
JITSCOPE_API void jitscope_raised_through(const char *symbol, uint64_t place);
/* Compiled code calls this next: it copies the function's variables, `size` bytes, if there is room. */
JITSCOPE_API void jitscope_raised_variables(const void *variables, uint64_t size);

#ifdef __cplusplus
}
#endif

#endif
