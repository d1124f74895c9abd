/* How Numba names its variables (numba/core/lowering.py and numba/core/ssa.py, 0.57-0.68). */
#ifndef JS_PROGRAM_NAMES_NUMBA_VARIABLE_NAMES_H
#define JS_PROGRAM_NAMES_NUMBA_VARIABLE_NAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* From here on versions are numbered by several passes: which statement made which is not known. */
enum { JS_NUMBA_RENUMBERED = 1 << 24 };

/* "x$3" → length of "x" and 3; "x" → 1 and 0. The IR's "x.3" is written "x$3" in DWARF. */
size_t js_numba_base_length(const char *name, unsigned *version);

/* A variable of the compiler's own making: temporaries, and those of a parallel loop's template. */
bool js_numba_is_internal(const char *name, bool in_kernel);

/* True if the compiler may have given this name to a variable of its own, whose versions then look like those
 * of the user's. */
bool js_numba_is_shared(const char *base);

/* The temporary `boolN` for Python's bool() itself, which older versions do not hide; a variable of the
 * user's so named has a value. is_bare_pointer: its type is an unnamed i8*. */
bool js_numba_is_bool_function(const char *name, bool is_bare_pointer);

/* "array(float64, 1d, C) ({i8*, …})" → the length of the Numba part, and the LLVM text within the last
 * parentheses (NULL when the name has none). numba/core/datamodel/models.py, numba/core/debuginfo.py. */
size_t js_numba_type_length(const char *name, const char **storage, size_t *storage_length);

/* A structure text without a type's name, where it says beyond doubt what it holds: "double" → "float64", an
 * array's structure with float items → "array(float64, 1d, A)". False: not beyond doubt ("i64" may be
 * unsigned). */
bool js_numba_storage_name(const char *storage, char *out, size_t capacity);

/* The type's name of a bare pointer: what is made of None, and of objects that are not looked into. */
bool js_numba_is_opaque(const char *type_name);

/* The size of the record that a pointer of this name leads to: "[34 x i8]*"; 0: it is no such name. */
uint64_t js_numba_bytes(const char *type_name);

/* True if this linkage name has a parallel kernel's in it: it is the kernel's own, or that of its wrapper
 * (numba/parfors/parfor_lowering.py: "__numba_parfor_gufunc_"; numba/np/ufunc/wrappers.py: "__gufunc__."). */
bool js_numba_is_kernel_name(const char *linkage_name);

/* The empty function that numba.gdb_breakpoint() calls (numba/_helperlib.c, 0.42-0.68). */
bool js_numba_is_stop(const char *symbol);
/* A function that is called where a variable is given up (numba/core/runtime/nrtopt.py, 0.42-0.68). */
bool js_numba_gives_up(const char *symbol);
/* And where one is taken for another (the same file). */
bool js_numba_takes(const char *symbol);
/* One of the two, or of the hook's that call them (base/holders.py): it counts references and changes nothing
 * that the user sees. */
bool js_numba_counts(const char *symbol);

/* A function that looks at a typed dict or list and changes nothing (numba/cext/dictobject.c, listobject.c,
 * and what calls these in numba/typed, 0.42-0.68). */
bool js_numba_only_reads(const char *symbol);

/* Name for the user: the part after the last "<locals>.". */
const char *js_numba_source_name(const char *qualname);

#endif
