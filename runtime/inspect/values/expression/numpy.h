/* What the modules numpy and math have. Internal to expression/. */
#ifndef JS_EXPRESSION_NUMPY_H
#define JS_EXPRESSION_NUMPY_H

#include "values/expression/methods.h"

/* `module` is "numpy" or "math". */
bool js_module_has(const char *module, const char *name);
bool js_module_constant(const char *module, const char *name, js_operand *out);
int js_module_call(js_evaluation *e, const char *module, const char *name, const js_given *given,
                   js_operand *out);
#endif
