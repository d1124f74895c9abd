/* Finds IPython's numbers of the cells that have run. */
#ifndef JS_STACKS_CPYTHON_MODULES_CELLS_H
#define JS_STACKS_CPYTHON_MODULES_CELLS_H

#include "bytes/text.h"
#include "stacks/cpython/interpreter.h"

/* Append {co_filename of a cell's code: number of its last run}. JS_ENOTFOUND: the process has no IPython of
 * version 8 or later. */
int js_python_put_cells(js_python *python, js_text *out);
/* Check that the code of this co_filename is of the cell `number`, by its text: IPython gives the numbers of
 * cells also to code that front ends run beside them, and to what is below a line such as %%capture.
 * JS_ENOTFOUND: it is other code. */
int js_python_check_cell(js_python *python, const char *name, uint64_t number);

#endif
