/* Reads the addresses that the loader fills in: of symbols that the code refers to, and of code that jump
 * tables lead to. elf.c calls it. */
#ifndef JS_PROGRAM_READ_REFERENCES_H
#define JS_PROGRAM_READ_REFERENCES_H

#include <gelf.h>
#include <stdbool.h>

#include "program/model/object.h"

enum { JS_ELF_CODE_MAX = 64 << 20 }; /* bytes of code in a section, and in all functions together, at most */

/* True for a section with code that is loaded. */
bool js_elf_is_code(const GElf_Shdr *header);
/* Fill the object's references and entries, in its arena. JS_ELIMIT: there are too many. JS_ENOMEM. */
int js_references_read(js_object *object, Elf *elf);

#endif
