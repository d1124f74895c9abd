/* Names that Python and NumPy have and that expressions here do not, so that no error says that they do not
 * exist. Internal to values/. */
#ifndef JS_VALUES_SELECT_ELSEWHERE_H
#define JS_VALUES_SELECT_ELSEWHERE_H

#include <stdbool.h>

/* True if a Python object of this class has the attribute; `type` NULL: if there is a builtin of this name.
 */
bool js_python_has_name(const char *type, const char *name);
#endif
