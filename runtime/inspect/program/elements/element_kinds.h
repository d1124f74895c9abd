/* Which variables may have elements, for newer_elements.c and stores_of_calls.c. */
#ifndef JS_PROGRAM_ELEMENTS_ELEMENT_KINDS_H
#define JS_PROGRAM_ELEMENTS_ELEMENT_KINDS_H

#include "program/model/variable.h"

/* True if the variable may hold a value that has elements, items or attributes. With in_place: only if it may
 * hold an array, whose elements `+=` changes in place. */
bool js_pending_may_have_elements(const js_local *local, bool in_place);

#endif
