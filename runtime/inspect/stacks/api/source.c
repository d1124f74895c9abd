/* Reads the text of code that was compiled from no file. */
#include "stacks/api/stacks_state.h"

int js_stacks_source(js_stacks *stacks, const char *name, char **out)
{
    *out = NULL;
    return stacks->target.python ? js_python_source(stacks->target.python, name, out) : JS_ENOTFOUND;
}
