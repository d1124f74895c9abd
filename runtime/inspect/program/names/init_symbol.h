/* A linkage name that has been taken apart, as the name that is shown. */
#ifndef JS_PROGRAM_NAMES_INIT_SYMBOL_H
#define JS_PROGRAM_NAMES_INIT_SYMBOL_H

#include "program/names/numba/symbol.h"

/* With `used`, the name may be followed by anything and `used` says where it ends; without, it must be all of
   `text`. JS_ENOTFOUND: the types are malformed, or something else follows. */
int js_name_init_symbol(js_name *name, const js_linkage_symbol *symbol, js_span text, size_t *used);

#endif
