/* How Numba's compiled functions are called: int32 f(result *, excinfo **, arguments, scalar by scalar …), by
 * the platform's C convention (numba/core/callconv.py CPUCallConv and datamodel/packer.py, 0.57-0.68). */
#ifndef JS_PROGRAM_NUMBA_CONVENTION_H
#define JS_PROGRAM_NUMBA_CONVENTION_H

enum { JS_NUMBA_LEADING_ARGUMENTS = 2 };

/* Offset of the bytes that were asked for, in the header of an allocation (numba/core/runtime/nrt.cpp: struct
 * MemInfo {refct, dtor, dtor_info, data, size}, 0.42-0.68). */
enum { JS_NUMBA_MEMINFO_SIZE = 32 };

#endif
