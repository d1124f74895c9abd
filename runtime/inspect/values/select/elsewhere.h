/* What Python and NumPy know and expressions here do not, so that no error says of it that there is none.
 * Internal to values/. */
#ifndef JS_VALUES_SELECT_ELSEWHERE_H
#define JS_VALUES_SELECT_ELSEWHERE_H

#include <stdbool.h>

/* True if a Python object of this class has the attribute. `type` NULL: true if the name is a builtin. */
bool js_is_known_elsewhere(const char *type, const char *name);
#endif
