/* DWARF of one object → functions, variables, rows. Used by object.c only. */
#ifndef JS_PROGRAM_DWARF_READ_H
#define JS_PROGRAM_DWARF_READ_H

#include <elfutils/libdw.h>

#include "program/model.h"

/* Fill object->functions and object->files. Malformed parts are left out; only JS_ENOMEM and JS_ELIMIT fail.
 */
int js_dwarf_read(js_object *object, js_types *types, Dwarf *dwarf);

#endif
