/* Names that Numba writes in another way than the source: those that it passes to a parallel kernel, and
 * those of functions in functions that it inlines. */
#ifndef JS_PROGRAM_NAMES_NUMBA_LEGAL_NAMES_H
#define JS_PROGRAM_NAMES_NUMBA_LEGAL_NAMES_H

#include <stdbool.h>
#include <stddef.h>

/* numba/core/ir_utils.py, legalize_names, 0.42-0.68: what a kernel is passed, sums up or counts with has each
 * "_" doubled, and "." and "$" written as "_". "my__scale" → "my_scale", 0; "total_2" → "total", 2 (the
 * second version, "total.2"). False: no such name of the source's, but one of the compiler's own. `out` holds
 * strlen(name) + 1 bytes; version may be JS_NUMBA_RENUMBERED and above. */
bool js_numba_legal_decode(const char *name, char *out, unsigned *version);

/* True if a kernel writes this name, or a version of it, so. */
bool js_numba_legal_is(const char *written, const char *name);

/* Arrays of the workers' parts of a sum (parfor_lowering.py, 0.42-0.68): of "total", "total_arr". `written`:
 * a kernel's argument; of: a variable of the kernel. */
bool js_numba_legal_may_be_parts(const char *name); /* as decoded */
bool js_numba_legal_is_parts(const char *written, const char *of);

/* numba/core/inline_closurecall.py, _created_inlined_var_name, 0.57-0.68: "closure__locals__add_v52_v" is `v`
 * of the function `add`. */
bool js_numba_is_inlined_name(const char *written, const char *function, const char *name);

#endif
