/* DWARF of one object → functions, variables, rows. */
#ifndef JS_PROGRAM_READ_DWARF_H
#define JS_PROGRAM_READ_DWARF_H

#include <elfutils/libdw.h>

#include "program/model/function.h"

/* types.c: the type of a DIE that has one; NULL when it has none or cannot be understood (status says
 * whether that was for lack of memory). */
const js_type *js_dwarf_type(js_types *types, Dwarf_Die *die, int *status);

/* True if this belongs to a unit whose types, names and variables jitscope's own compiler hook wrote. */
bool js_dwarf_is_hooked(Dwarf_Die *die);

/* storage.c: what the compiler would write for this type; the caller frees `out`. JS_EUNSUP: it has no
 * such text. */
int js_dwarf_storage(const Dwarf_Die *type, js_text *out);

/* type_details.c: pass `types` what this unit of the compiler hook says of types beyond their texts. Call
 * js_types_told_end() after the unit. */
int js_dwarf_tell(js_types *types, Dwarf_Die *unit);

/* generator.c: pass `types` what the frame of this generator's type holds. JS_EUNSUP: it is no generator, or
 * the frame is not described. */
int js_dwarf_generator(js_types *types, const Dwarf_Die *type, const char *name);

/* variants.c: the type of a variable that is of several types over time; *out stays as it is when it is
 * of one. */
int js_dwarf_variants(js_arena *arena, js_types *types, Dwarf_Die *die, const js_type **out);

/* operations.c: libdw's decoded operations as bytes; NULL when an operation cannot be carried over. */
const uint8_t *js_dwarf_expr(js_arena *arena, Dwarf_Attribute *attr, Dwarf_Op *ops, size_t nops,
                             size_t *size);
/* locations.c: where the variable is, in its function. */
int js_dwarf_locations(js_arena *arena, Dwarf_Die *die, const js_function *function, js_variable *variable);

/* Fill object->functions and object->files. Malformed parts are left out; JS_ENOMEM and JS_ELIMIT fail. */
int js_dwarf_read(js_object *object, js_types *types, Dwarf *dwarf);

#endif
