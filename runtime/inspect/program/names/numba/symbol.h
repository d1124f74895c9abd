/* Splits a linkage name, or one that a demangler has printed, into its parts. Nothing is copied: the parts
 * refer to the input. names.c and filter.c call it. */
#ifndef JS_PROGRAM_NAMES_NUMBA_SYMBOL_H
#define JS_PROGRAM_NAMES_NUMBA_SYMBOL_H

#include "layouts/span.h"
#include "program/names/names.h"

enum { JS_SYMBOL_PARTS = 64 };

typedef enum js_symbol_types {
    JS_TYPES_ABSENT, /* the name has no types */
    JS_TYPES_MANGLED,
    JS_TYPES_CXX,
} js_symbol_types;

typedef struct js_linkage_symbol {
    js_name_kind kind;
    js_span
        parts[JS_SYMBOL_PARTS]; /* module and qualname, escaped, without wrappers' prefixes, uid, "next" */
    size_t part_count;
    size_t module_count; /* how many of the parts are the module's */
    js_span uid;
    js_span flags; /* the tag of the flags, escaped */
    js_span types;
    js_symbol_types types_form;
    char mark;   /* the character that begins an escape: '_' or '$' */
    size_t used; /* bytes of the input that the name takes; without mangled types */
} js_linkage_symbol;

/* Parse a symbol of this compiler at the start of `text`, with the prefixes of wrappers. The types are not
 * checked. False: there is no such symbol. */
bool js_symbol_parse(js_linkage_symbol *symbol, js_span text);
/* Like js_symbol_parse(), for "__main__::foo[abi:v1](long long)". */
bool js_symbol_parse_cxx(js_linkage_symbol *symbol, js_span text);
/* True if js_symbol_parse() may succeed; a quick test for a text that is not empty. */
bool js_symbol_may_start(js_span text);
/* True for helpers of the JIT's own runtime, such as "NRT_incref". */
bool js_symbol_is_runtime(js_span text);

#endif
