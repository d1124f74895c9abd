/* The state of reading one object's DWARF, which the files of read/ share. */
#ifndef JS_PROGRAM_READ_READING_H
#define JS_PROGRAM_READ_READING_H

#include "program/model/callees.h"
#include "program/model/object.h"
#include "program/read/dwarf.h"

typedef struct js_reading {
    js_object *object;
    js_types *types;
    Dwarf_CFI *cfi;
    const char *directory; /* directory of the unit at hand */
    js_level level;        /* level of the unit at hand */
    js_chooser chosen_by;  /* what chose that level */
    bool is_fast;          /* js_hook_is_fast() of the unit */
    const char *result;    /* js_hook_result() of the unit at level lines */
    const js_callee *callees;
    size_t ncallees;
    const uint32_t *removed; /* js_hook_removed() of the unit */
    size_t nremoved;
    js_function *functions;
    js_file *files;
    js_inline *inlines; /* inlined code of the function at hand */
    size_t nfunctions, nfiles;
    size_t functions_capacity, files_capacity, inlines_capacity;
} js_reading;

/* attributes.c: return an attribute (DW_AT_…) of the DIE or of its abstract origin; NULL or 0: it has none.
 * The text belongs to libdw. */
const char *js_die_text(Dwarf_Die *die, unsigned name);
uint64_t js_die_uint(Dwarf_Die *die, unsigned name);
/* Return the index in r->files of the file that the attribute names, or that has this path; the file is added
 * if need be. 0 also where there is no room. */
uint32_t js_die_file(js_reading *r, Dwarf_Die *die, unsigned name);
uint32_t js_read_file(js_reading *r, const char *path);

/* variables.c: read the variables directly below a DIE. *out is in the object's arena; *nformals receives the
 * number of arguments that the compiler describes. JS_ENOMEM. */
int js_read_variables(js_reading *r, Dwarf_Die *die, const js_function *function, js_variable **out,
                      size_t *nout, unsigned *nformals);
/* inlines.c: append the code that was inlined into the function to r->inlines. parent: 1 + the index of the
 * inlined code that the DIE is of; 0: the function's own. depth: that of the DIE. JS_ENOMEM. */
int js_read_inlines(js_reading *r, Dwarf_Die *die, js_function *function, uint32_t parent, unsigned depth);
/* line_rows.c: fill the lines of the unit's functions [first, end). JS_ENOMEM. */
int js_read_rows(js_reading *r, Dwarf_Die *unit, js_function *first, js_function *end);

#endif
