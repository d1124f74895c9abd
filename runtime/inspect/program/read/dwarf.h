/* Reads the DWARF of one object: functions, variables, types and rows. elf.c calls js_dwarf_read(); the files
 * of read/ call the rest. */
#ifndef JS_PROGRAM_READ_DWARF_H
#define JS_PROGRAM_READ_DWARF_H

#include <elfutils/libdw.h>

#include "program/model/function.h"

/* types.c: return the type of a DIE, which `types` owns. NULL: the DIE has none, or it is not understood;
 * *status is JS_ENOMEM where there was no memory. */
const js_type *js_dwarf_type(js_types *types, Dwarf_Die *die, int *status);

/* True if the DIE is in a unit that was compiled with the hook. */
bool js_dwarf_is_by_hook(Dwarf_Die *die);

/* storage.c: write the text that the compiler would write for the structure of this type; the caller releases
 * `out` by js_text_deinit(). JS_EUNSUP: it has no such text. */
int js_dwarf_storage(const Dwarf_Die *type, js_text *out);

/* type_details.c: tell `types` what this unit, compiled with the hook, says of types beyond their texts. Call
 * js_types_end_parts() after the unit. JS_ENOMEM. */
int js_dwarf_add_details(js_types *types, Dwarf_Die *unit);

/* generator.c: tell `types` what the frame of the generator type `name` holds. JS_EUNSUP: it is no generator,
 * or its frame is not described. JS_ENOMEM. */
int js_dwarf_generator(js_types *types, const Dwarf_Die *type, const char *name);

/* variants.c: make the type of a variable that has several types over time, in the arena; *out is not changed
 * if the variable has one type. JS_ENOMEM. */
int js_dwarf_variants(js_arena *arena, js_types *types, Dwarf_Die *die, const js_type **out);

/* operations.c: encode libdw's decoded operations as `*size` bytes in the arena. NULL: one of them is not
 * supported, or there is no memory. */
const uint8_t *js_dwarf_expr(js_arena *arena, Dwarf_Attribute *attr, Dwarf_Op *ops, size_t nops,
                             size_t *size);
/* locations.c: fill the variable's locations within its function, and is_whole. JS_ENOMEM. */
int js_dwarf_locations(js_arena *arena, Dwarf_Die *die, const js_function *function, js_variable *variable);

/* Fill object->functions and object->files. Malformed parts are left out; JS_ENOMEM and JS_ELIMIT fail. */
int js_dwarf_read(js_object *object, js_types *types, Dwarf *dwarf);

#endif
