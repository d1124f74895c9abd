/* Finds which variables have elements. */
#ifndef JS_PROGRAM_ELEMENTS_ELEMENT_KINDS_H
#define JS_PROGRAM_ELEMENTS_ELEMENT_KINDS_H

#include "program/model/variable.h"

/* True if the variable may hold what has elements, items or attributes. in_place: only an array, which `+=`
 * changes in place. */
bool js_pending_may_have_elements(const js_local *local, bool in_place);

#endif
