/* How Numba's compiled functions are called: int32 f(result *, excinfo **, arguments, scalar by scalar …), by
 * the platform's C convention (numba/core/callconv.py CPUCallConv and datamodel/packer.py, 0.57-0.68). */
#ifndef JS_PROGRAM_NUMBA_CONVENTION_H
#define JS_PROGRAM_NUMBA_CONVENTION_H

enum { JS_NUMBA_LEADING_ARGUMENTS = 2 };

#endif
