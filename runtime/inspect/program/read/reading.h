/* DWARF that is being read: what its parts share. Internal to read/. */
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
    js_chooser chosen_by;  /* who has chosen that */
    bool is_fast;          /* js_hook_is_fast */
    const js_callee *callees;
    size_t ncallees;
    const uint32_t *removed; /* js_hook_removed */
    size_t nremoved;
    js_function *functions;
    js_file *files;
    js_inline *inlines; /* inlined code of the function at hand */
    size_t nfunctions, nfiles;
    size_t functions_capacity, files_capacity, inlines_capacity;
} js_reading;

/* attributes.c: of the DIE or of what it is an instance of; NULL and 0 where it has none. */
const char *js_die_text(Dwarf_Die *die, unsigned name);
uint64_t js_die_uint(Dwarf_Die *die, unsigned name);
/* The number in r->files of the file that the attribute names, or that has this path. */
uint32_t js_die_file(js_reading *r, Dwarf_Die *die, unsigned name);
uint32_t js_read_file(js_reading *r, const char *path);

/* variables.c: those directly below a DIE. */
int js_read_variables(js_reading *r, Dwarf_Die *die, const js_function *function, js_variable **out,
                      size_t *nout, unsigned *nformals);
/* inlines.c: the code of others that was inlined into the function, in r->inlines. */
int js_read_inlines(js_reading *r, Dwarf_Die *die, js_function *function, uint32_t parent, unsigned depth);
/* line_rows.c: the rows of the unit's functions. */
int js_read_rows(js_reading *r, Dwarf_Die *unit, js_function *first, js_function *end);

#endif
