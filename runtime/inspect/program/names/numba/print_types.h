/* Writes the argument types in a linkage name as Numba's own texts: "array(float64, 1d, C)", "UniTuple(int64
 * x 3)". symbol_text.c calls it. */
#ifndef JS_PROGRAM_NAMES_NUMBA_PRINT_TYPES_H
#define JS_PROGRAM_NAMES_NUMBA_PRINT_TYPES_H

#include "program/names/names.h"
#include "program/names/numba/sink.h"

typedef struct js_type_count {
    size_t arguments;
    size_t objects;                    /* how many of the arguments are pyobject */
    uint64_t records[JS_NAME_RECORDS]; /* as js_name.records */
    size_t nrecords;
} js_type_count;

/* Put all mangled types at the start of `types` as "a, b, c", and move `types` after them. False: one of them
   is malformed. */
bool js_numba_types_put(js_sink *sink, js_span *types, char mark, js_type_count *count);
/* Put the text between the parentheses of a name that GDB or another C++ demangler has printed. */
void js_numba_types_put_cxx(js_sink *sink, js_span text, char mark, js_type_count *count);

#endif
