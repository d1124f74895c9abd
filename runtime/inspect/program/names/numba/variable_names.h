/* How Numba names its variables, types and runtime functions (numba/core/lowering.py and numba/core/ssa.py,
 * 0.57-0.68). Used by read/ and the analyses. */
#ifndef JS_PROGRAM_NAMES_NUMBA_VARIABLE_NAMES_H
#define JS_PROGRAM_NAMES_NUMBA_VARIABLE_NAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Versions from this number on were numbered by several passes, and it is not known which statement made
 * which. */
enum { JS_NUMBA_RENUMBERED = 1 << 24 };

/* Return the length of the name without its version, and the version: "x$3" → 1 and 3; "x" → 1 and 0. The
 * IR's "x.3" is written "x$3" in DWARF. */
size_t js_numba_base_length(const char *name, unsigned *version);

/* True for a variable that the compiler has made up: a temporary, or one of a parallel loop's template. */
bool js_numba_is_internal(const char *name, bool in_kernel);

/* True if the compiler may have given this name to a variable of its own, whose versions then look like those
 * of the user's. */
bool js_numba_is_shared(const char *base);

/* True for the temporary `boolN` that holds Python's function bool(), which older versions do not hide. A
 * variable of the user with such a name has a value. is_bare_pointer: its type is an unnamed i8*. */
bool js_numba_is_bool_function(const char *name, bool is_bare_pointer);

/* Return the length of Numba's part of a type's name, and the LLVM text in its last parentheses,
 * "array(float64, 1d, C) ({i8*, …})"; *storage, which refers to the name, is NULL where there is none.
 * numba/core/datamodel/models.py, numba/core/debuginfo.py. */
size_t js_numba_type_length(const char *name, const char **storage, size_t *storage_length);

/* Write the name of the type whose LLVM text is `storage`, where no other type has this text: "double" →
 * "float64", an array's structure with float items → "array(float64, 1d, A)". False: several types may have
 * it ("i64" may be unsigned), or capacity is too small. */
bool js_numba_storage_name(const char *storage, char *out, size_t capacity);

/* True for the name of a bare pointer, the type of None and of objects that are not described. */
bool js_numba_is_opaque(const char *type_name);

/* Return the size in bytes of the record that a pointer with this type's name leads to, "[34 x i8]*"; 0: it
 * is no such name. */
uint64_t js_numba_record_size(const char *type_name);

/* True for the linkage name of a parallel kernel or of its wrapper (numba/parfors/parfor_lowering.py:
 * "__numba_parfor_gufunc_"; numba/np/ufunc/wrappers.py: "__gufunc__."). */
bool js_numba_is_kernel_name(const char *linkage_name);

/* True for the empty function that numba.gdb_breakpoint() calls (numba/_helperlib.c, 0.42-0.68). */
bool js_numba_is_stop(const char *symbol);
/* True for the function that drops a reference, where a variable is given up (numba/core/runtime/nrtopt.py,
 * 0.42-0.68). */
bool js_numba_drops_reference(const char *symbol);
/* True for the function that takes a reference, where a variable is copied (numba/core/runtime/nrtopt.py). */
bool js_numba_takes_reference(const char *symbol);
/* True for one of these two, or for a function of the hook that calls one (base/holders.py): it counts
 * references and changes nothing that the user sees. */
bool js_numba_counts_references(const char *symbol);

/* True for a function that reads a typed dict or list and changes nothing (numba/cext/dictobject.c,
 * listobject.c, and their callers in numba/typed, 0.42-0.68). */
bool js_numba_only_reads(const char *symbol);

/* Return the name for the user, which is the part of qualname after the last "<locals>.". */
const char *js_numba_source_name(const char *qualname);

#endif
