/* A parsed symbol written out in the words of its source. */
#ifndef JS_PROGRAM_NAMES_NUMBA_SYMBOL_TEXT_H
#define JS_PROGRAM_NAMES_NUMBA_SYMBOL_TEXT_H

#include "program/names/numba/sink.h"
#include "program/names/numba/symbol.h"

/* Where in the sink each NUL-terminated field begins. */
typedef struct js_name_fields {
    size_t module, qualname, arguments, generator, uid, flags;
    size_t used; /* bytes of the input: the symbol's and its types' */
    bool is_object_mode;
    uint64_t records[JS_NAME_RECORDS];
    size_t nrecords;
} js_name_fields;

/* False when the argument types are malformed: then it is no name of this compiler. */
bool js_symbol_put(js_sink *sink, const js_linkage_symbol *symbol, js_name_fields *fields);

#endif
