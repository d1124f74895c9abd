/* Names that Numba writes in another way than the source: names that it passes to a parallel kernel, and
 * names of nested functions that it inlines. read/ and validity/variables/ decode them. */
#ifndef JS_PROGRAM_NAMES_NUMBA_LEGAL_NAMES_H
#define JS_PROGRAM_NAMES_NUMBA_LEGAL_NAMES_H

#include <stdbool.h>
#include <stddef.h>

/* Decode the name of a kernel's argument, reduction variable or index: each "_" is doubled, and "." and "$"
 * are written as "_" (numba/core/ir_utils.py, legalize_names, 0.42-0.68). "my__scale" → "my_scale", 0;
 * "total_2" → "total", 2 (the second version, "total.2"). False: it is a name of the compiler's own. `out`
 * has room for strlen(name) + 1 bytes; *version may be JS_NUMBA_RENUMBERED and above. */
bool js_numba_legal_decode(const char *name, char *out, unsigned *version);

/* True if `written`, in a kernel, is this name of the source or a version of it. */
bool js_numba_legal_is(const char *written, const char *name);

/* Arrays of the workers' parts of a sum (parfor_lowering.py, 0.42-0.68): "total_arr" has the parts of
 * "total". Return true if a decoded name may be that of such an array; or if `written`, an argument of a
 * kernel, is the array of the kernel's variable `of`. */
bool js_numba_legal_may_be_parts(const char *name);
bool js_numba_legal_is_parts(const char *written, const char *of);

/* True if `written` is the variable `name` of the inlined function `function`: "closure__locals__add_v52_v"
 * is `v` of `add` (numba/core/inline_closurecall.py, _created_inlined_var_name, 0.57-0.68). */
bool js_numba_is_inlined_name(const char *written, const char *function, const char *name);

#endif
