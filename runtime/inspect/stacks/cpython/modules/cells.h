/* Finds IPython's numbers of the cells that have run. */
#ifndef JS_STACKS_CPYTHON_MODULES_CELLS_H
#define JS_STACKS_CPYTHON_MODULES_CELLS_H

#include "bytes/text.h"
#include "stacks/cpython/interpreter.h"

/* Append {co_filename of a cell's code: number of its last run}. JS_ENOTFOUND: the process has no IPython of
 * version 8 or later. */
int js_python_put_cells(js_python *python, js_text *out);

#endif
