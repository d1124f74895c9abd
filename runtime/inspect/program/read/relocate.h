/* Relocations of an in-memory relocatable object's debug sections: the JIT leaves them to the debugger. */
#ifndef JS_PROGRAM_READ_RELOCATE_H
#define JS_PROGRAM_READ_RELOCATE_H

#include <gelf.h>

#include "bytes/status.h"

/* Apply the relocations of .debug_* and .eh_frame inside the (writable, private) image behind `elf`. Section
 * addresses are taken from sh_addr; sections that are not loaded count from 0. JS_EBAD: an offset outside its
 * section; JS_EUNSUP: a machine that is not known here. */
int js_relocate(Elf *elf);

#endif
