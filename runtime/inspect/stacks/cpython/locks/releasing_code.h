/* Looks for code of the program that may release a lock which a `with` statement has acquired. */
#ifndef JS_STACKS_CPYTHON_LOCKS_RELEASING_CODE_H
#define JS_STACKS_CPYTHON_LOCKS_RELEASING_CODE_H

#include <stdbool.h>
#include <stdint.h>

struct js_python;

/* Find out whether a code object has `release`, `__exit__` or `__aexit__` among its names. */
int js_code_names_release(struct js_python *python, uint64_t code, bool *out);

/* True if a function that is found from these globals, or from a module that is imported, may release the
 * lock: a method of the lock itself; or, with such a name in its code, a function, a method of a class or an
 * object there, or a function within one, of a file that is not in the library or an installed package. Also
 * true if that cannot be read, or is too much to read. */
bool js_may_release(struct js_python *python, uint64_t lock, uint64_t globals);

#endif
