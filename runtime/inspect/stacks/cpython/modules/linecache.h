/* Finds the texts that the module linecache keeps of code that was compiled from no file (IPython's cells,
 * exec). */
#ifndef JS_STACKS_CPYTHON_MODULES_LINECACHE_H
#define JS_STACKS_CPYTHON_MODULES_LINECACHE_H

#include "bytes/text.h"
#include "stacks/cpython/interpreter.h"

/* Append the text of this name, which is a code object's co_filename. JS_ENOTFOUND: none is kept; JS_ELIMIT:
 * it is too long. */
int js_python_linecache(js_python *python, const char *name, js_text *out);

#endif
