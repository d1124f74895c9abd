/* Kinds of scalars that formulas compute with, for validity/recovered/ and validity/variables/. */
#ifndef JS_PROGRAM_VALIDITY_LOCATIONS_SCALAR_KIND_H
#define JS_PROGRAM_VALIDITY_LOCATIONS_SCALAR_KIND_H

#include "layouts/type.h"
#include "program/model/variable.h"

bool js_scalar_is_int(const js_type *type); /* int64 */
/* True if the source's arithmetic takes the variable for an int64: it is an int64, or the index of a parallel
 * loop. That index may be a uint64, but it is not negative, and Numba's result is signed if one operand is
 * (numba/core/typing/builtins.py, integer_binop_cases, 0.57-0.68). */
bool js_scalar_is_whole(const js_variable *variable);
bool js_scalar_is_bool(const js_type *type);
bool js_scalar_is_float(const js_type *type);   /* float64 */
bool js_scalar_is_literal(const js_type *type); /* a Literal with a decimal integer */

#endif
