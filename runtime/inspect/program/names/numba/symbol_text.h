/* Writes a parsed symbol in the words of the source, for names.c. */
#ifndef JS_PROGRAM_NAMES_NUMBA_SYMBOL_TEXT_H
#define JS_PROGRAM_NAMES_NUMBA_SYMBOL_TEXT_H

#include "program/names/numba/sink.h"
#include "program/names/numba/symbol.h"

/* Where each field begins in the sink, as an offset in bytes; each ends with a NUL. */
typedef struct js_name_fields {
    size_t module, qualname, arguments, generator, uid, flags;
    size_t used; /* bytes of the input that the symbol and its types take */
    bool is_object_mode;
    uint64_t records[JS_NAME_RECORDS];
    size_t nrecords;
} js_name_fields;

/* Put the fields. False: the argument types are malformed, and it is no name of this compiler. */
bool js_symbol_put(js_sink *sink, const js_linkage_symbol *symbol, js_name_fields *fields);

#endif
