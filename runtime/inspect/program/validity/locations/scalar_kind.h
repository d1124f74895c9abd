/* Which scalar is a type? */
#ifndef JS_PROGRAM_VALIDITY_LOCATIONS_SCALAR_KIND_H
#define JS_PROGRAM_VALIDITY_LOCATIONS_SCALAR_KIND_H

#include "layouts/type.h"

bool js_scalar_is_int(const js_type *type);
bool js_scalar_is_bool(const js_type *type);
bool js_scalar_is_float(const js_type *type);
bool js_scalar_is_literal(const js_type *type);

#endif
