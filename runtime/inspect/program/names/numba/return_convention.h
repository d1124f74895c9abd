/* How Numba's compiled functions are called: int32 f(result *, excinfo **, arguments, scalar by scalar …), by
 * the platform's C convention (numba/core/callconv.py CPUCallConv and datamodel/packer.py, 0.57-0.68). The
 * analyses of validity/ use it, and gdbext/jitscope_gdb/frames/return_convention.py. */
#ifndef JS_PROGRAM_NAMES_NUMBA_RETURN_CONVENTION_H
#define JS_PROGRAM_NAMES_NUMBA_RETURN_CONVENTION_H

#include <stdbool.h>

#include "bytes/status.h"

enum { JS_NUMBA_LEADING_ARGUMENTS = 2 }; /* the pointers before the user's arguments */

/* Offset in bytes, in the header of an allocation, of the size that was asked for
 * (numba/core/runtime/nrt.cpp: struct MemInfo {refct, dtor, dtor_info, data, size}, 0.42-0.68). */
enum { JS_NUMBA_MEMINFO_SIZE = 32 };

/* Status of a call that has ended; any other status means that it raised the exception in *excinfo. */
enum {
    JS_NUMBA_RETURNED = 0,
    JS_NUMBA_PYTHON_RAISED = -1,
    JS_NUMBA_RETURNED_NONE = -2,
    JS_NUMBA_STOP_ITERATION = -3,
};

/* Write the convention as JSON, for a debugger that reads the end of a call; the caller frees *out by
 * js_free(). JS_ENOMEM.
 * {"status": {NAME: value …}, "result": 0, "exception": 1 (which arguments point to them),
 *  "raise": {MACHINE: registers that hold the exception and the status where the compiler hook marks
 * raising}, "pickle": offset of the pickle's address in excinfo, "pickle_size": offset of its int32 size,
 *  "scalars": {LLVM's name: type}, "boxing": {function: kind} (what a wrapper calls to make a scalar's
 * object), "boxing_others": a regular expression: what it calls for other objects}. */
JS_API int js_numba_convention(char **out);

/* True if the compiler's flags in a name (js_name.flags) say that floats are computed as the source writes
 * them, one operation after the other (no fast math). False also where there are no flags. */
bool js_numba_keeps_floats(const char *flags);

#endif
