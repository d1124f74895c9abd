/* Applies the relocations of an in-memory object's debug sections, which the JIT leaves to the debugger.
 * elf.c calls it. */
#ifndef JS_PROGRAM_READ_RELOCATE_H
#define JS_PROGRAM_READ_RELOCATE_H

#include <gelf.h>

#include "bytes/status.h"

/* Apply the relocations of .debug_* and .eh_frame in the image of `elf`, which must be writable and private.
 * Section addresses are taken from sh_addr; sections that are not loaded count from 0. JS_EBAD: an offset is
 * outside of its section; JS_EUNSUP: a machine that is not known here. */
int js_relocate(Elf *elf);

#endif
