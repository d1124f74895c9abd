/* Argument types inside a name → Numba's own texts: "array(float64, 1d, C)", "UniTuple(int64 x 3)". */
#ifndef JS_PROGRAM_NAMES_NUMBA_PRINT_TYPES_H
#define JS_PROGRAM_NAMES_NUMBA_PRINT_TYPES_H

#include "program/names/names.h"
#include "program/names/numba/sink.h"

typedef struct js_type_count {
    size_t arguments;
    size_t objects; /* how many are pyobject */
    uint64_t records[JS_NAME_RECORDS];
    size_t nrecords;
} js_type_count;

/* Mangled types, one after the other; reads as many as there are, moves `types` behind them and writes
   "a, b, c". False when a type begins that is malformed. */
bool js_numba_types_put(js_sink *sink, js_span *types, char mark, js_type_count *count);
/* The text between the parentheses of a name that GDB or another C++ demangler printed. */
void js_numba_types_put_cxx(js_sink *sink, js_span text, char mark, js_type_count *count);

#endif
