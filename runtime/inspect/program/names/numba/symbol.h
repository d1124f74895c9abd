/* A linkage name, or a demangler's print of one, taken apart; nothing is copied. */
#ifndef JS_PROGRAM_NAMES_NUMBA_SYMBOL_H
#define JS_PROGRAM_NAMES_NUMBA_SYMBOL_H

#include "layouts/span.h"
#include "program/names/names.h"

enum { JS_SYMBOL_PARTS = 64 };

typedef enum js_symbol_types {
    JS_TYPES_ABSENT, /* the text carries none */
    JS_TYPES_MANGLED,
    JS_TYPES_CXX,
} js_symbol_types;

typedef struct js_linkage_symbol {
    js_name_kind kind;
    js_span
        parts[JS_SYMBOL_PARTS]; /* module and qualname, escaped, without wrappers' prefixes, uid, "next" */
    size_t part_count;
    size_t module_count; /* how many are the module's */
    js_span uid;
    js_span flags; /* tag as it is written, escaped */
    js_span types;
    js_symbol_types types_form;
    char mark;   /* what begins an escape: '_' or '$' */
    size_t used; /* bytes of the input that the name took */
} js_linkage_symbol;

/* A symbol of this compiler at the start of `text`; wrappers' prefixes included. The types are not checked.
 */
bool js_symbol_parse(js_linkage_symbol *symbol, js_span text);
/* Like js_symbol_parse, for "__main__::foo[abi:v1](long long)". */
bool js_symbol_parse_cxx(js_linkage_symbol *symbol, js_span text);
/* A quick look at a text that is not empty: false when js_symbol_parse is sure to fail. */
bool js_symbol_may_start(js_span text);
/* Helpers of the JIT's own runtime: "NRT_incref". */
bool js_symbol_is_runtime(js_span text);

#endif
