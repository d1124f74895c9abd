/* Finds the interpreter's modules, and the objects that they have by name. */
#ifndef JS_STACKS_CPYTHON_MODULES_MODULES_H
#define JS_STACKS_CPYTHON_MODULES_MODULES_H

#include "layouts/cpython/object.h"
#include "stacks/cpython/interpreter.h"

/* Find dict[name]. JS_ENOTFOUND. */
int js_python_find_item(js_python *python, const js_python_object *dict, const char *name,
                        js_python_object *out);
/* Find an attribute in the object itself, and not in its class. JS_ENOTFOUND. */
int js_python_find_attribute(js_python *python, const js_python_object *object, const char *name,
                             js_python_object *out);
/* Find sys.modules[name] of the interpreter whose state is at `interpreter`. JS_ENOTFOUND. */
int js_python_find_module_in(js_python *python, uint64_t interpreter, const char *name,
                             js_python_object *out);
/* Find sys.modules of the first interpreter. */
int js_python_list_modules(js_python *python, js_python_object *out);
/* Find sys.modules[name] of the first interpreter. JS_ENOTFOUND. Forgets the memory that was read before. */
int js_python_find_module(js_python *python, const char *name, js_python_object *out);

#endif
