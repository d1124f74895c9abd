/* Makes a js_name of a parsed linkage name; names.c implements it, and filter.c calls it, too. */
#ifndef JS_PROGRAM_NAMES_INIT_SYMBOL_H
#define JS_PROGRAM_NAMES_INIT_SYMBOL_H

#include "program/names/numba/symbol.h"

/* Fill `name`, which the caller releases by js_name_deinit(). With `used`, anything may follow the name in
   `text`, and *used receives the name's length in bytes. With NULL, only suffixes of linkers may follow.
   JS_ENOTFOUND: the types are malformed, or something else follows. JS_ENOMEM. */
int js_name_init_symbol(js_name *name, const js_linkage_symbol *symbol, js_span text, size_t *used);

#endif
