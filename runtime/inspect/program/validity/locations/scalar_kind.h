/* Kinds of scalars, by their types. */
#ifndef JS_PROGRAM_VALIDITY_LOCATIONS_SCALAR_KIND_H
#define JS_PROGRAM_VALIDITY_LOCATIONS_SCALAR_KIND_H

#include "layouts/type.h"
#include "program/model/variable.h"

bool js_scalar_is_int(const js_type *type);
/* True if the source's arithmetic takes the variable for an int64: an int64, and the index of a parallel
 * loop, which may be a uint64: it is not negative, and Numba's result is signed where one operand is
 * (numba/core/typing/builtins.py, integer_binop_cases, 0.57-0.68). */
bool js_scalar_is_whole(const js_variable *variable);
bool js_scalar_is_bool(const js_type *type);
bool js_scalar_is_float(const js_type *type);
bool js_scalar_is_literal(const js_type *type);

#endif
